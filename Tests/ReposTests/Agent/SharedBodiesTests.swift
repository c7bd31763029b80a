import ChatDBKit
import Testing

@Suite struct SharedBodiesTests {
    @Test("a body is stored once, and shared only with messages of the same profile")
    func sharing() throws {
        let world = try AgentWorld()
        let connection = try world.connection("c")
        let first = try world.send(.toShare(secret("big")), on: connection)
        let body = try #require(first.bodyID)
        let second = try world.send(.shared(body), on: try world.connection("d"))
        #expect(second.body == secret("big") && second.bodyID == body)
        #expect(try world.count("SELECT count(*) FROM snd_message_bodies") == 1)
        #expect(try world.count("SELECT count(*) FROM messages WHERE msg_body <> x''") == 0)
        let bobs = try world.connection("b", of: world.bob)
        #expect(code { try world.send(.shared(body), on: bobs) } == "bodyNotFound")
        #expect(code { try world.send(.shared(AgentMessageBodyID(99)), on: connection) } == "bodyNotFound")
        #expect(try world.count("SELECT count(*) FROM messages") == 2)
    }

    /// Whatever removes messages: a body is there exactly as long as a message that refers to it.
    @Test("a body is removed together with the last message that refers to it", arguments: 1...25)
    func property(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = try AgentWorld()
        let names = ["a", "b", "c", "d"]
        var live = try names.map { name in
            let id = try world.connection(name)
            return (id: id, queues: [try world.sendQueue(name, on: id), try world.sendQueue(name + "2", on: id)])
        }
        var bodies: [AgentMessageBodyID] = []
        for step in 0..<50 where !live.isEmpty {
            let index = Int.random(in: 0..<live.count, using: &random)
            let (id, queues) = live[index]
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4:
                let known = try world.read { agent in
                    try agent.rows("SELECT snd_message_body_id FROM snd_message_bodies").map { row in
                        try row.get("snd_message_body_id") as AgentMessageBodyID
                    }
                }
                let shared = known.randomElement(using: &random)
                let body: SentBody = shared.map(SentBody.shared) ?? .toShare(secret("body \(step)"))
                let through = queues.filter { _ in Bool.random(using: &random) }.map(\.number)
                let time = StoredTime(microseconds: AgentWorld.time.microseconds + Int64(step) * 1_000)
                let message = try world.send(body, on: id, through: through, clock: .fixed(time))
                if let body = message.bodyID, shared == nil { bodies.append(body) }
            case 5...7:
                try world.write { agent in
                    let queue = queues.randomElement(using: &random)?.number ?? QueueNumber(1)
                    if let delivery = try DeliveriesRepo(agent).next(through: queue, of: id) {
                        try DeliveriesWriter(agent).delivered(delivery.id)
                    }
                }
            case 8, 9:
                try world.write { agent in
                    let sent = try agent.first("SELECT internal_id FROM snd_messages WHERE conn_id = \(id) LIMIT 1")
                    if let sent { try AgentMessagesWriter(agent).deleteSent(sent.get("internal_id"), on: id) }
                }
            case 10:
                let time = StoredTime(microseconds: AgentWorld.time.microseconds + Int64(step - 20) * 1_000)
                try world.write { _ = try DeliveriesWriter($0).dropExpired(before: time) }
            default:
                try world.write { agent in
                    let connections = AgentConnectionsWriter(agent)
                    try connections.markDeleted(id, of: world.alice)
                    if Bool.random(using: &random) {
                        try connections.remove(id, of: world.alice)
                    } else {
                        try connections.removeCompleted(of: world.alice)
                    }
                }
                live.remove(at: index)
            }
            let unused = try world.count(
                """
                SELECT count(*) FROM snd_message_bodies WHERE snd_message_body_id NOT IN (
                    SELECT snd_message_body_id FROM snd_messages WHERE snd_message_body_id IS NOT NULL)
                """)
            #expect(unused == 0, "step \(step)")
            // A reference to a body that is gone becomes NULL: then the message would have no body at all.
            #expect(try world.count("SELECT count(*) FROM snd_messages WHERE snd_message_body_id IS NULL") == 0)
        }
        #expect(!bodies.isEmpty)
    }
}
