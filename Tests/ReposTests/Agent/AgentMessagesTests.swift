import ChatDBKit
import Testing

@Suite struct AgentMessagesTests {
    let world: AgentWorld
    let connection: AgentConnectionID

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
    }

    @Test("a received message stays until the app has acknowledged it and it is deleted")
    func receiving() throws {
        try world.write { agent in
            let writer = AgentMessagesWriter(agent, clock: AgentWorld.clock)
            let messages = AgentMessagesRepo(agent)
            let first = try writer.receive(incoming(1, hash: "1", after: "", broker: "x"), on: connection)
            let second = try writer.receive(incoming(2, hash: "2", after: "1", broker: "x"), on: connection)
            #expect(first.integrity == .ok && second.integrity == .ok && first.body == secret("body"))
            #expect(first.flags == "T" && first.receivedAt.text == "2026-07-20 09:05:00.120")
            #expect(try messages.received(brokerID: BrokerMessageID("x"), on: connection) == first)
            #expect(try messages.received(brokerID: BrokerMessageID("y"), on: connection) == nil)
            #expect(try messages.unacknowledged(on: connection) == [first, second])
            #expect(code { try writer.deleteReceived(first.id, on: connection) } == "notAcknowledged")
            try writer.acknowledge(first.id, on: connection)
            try writer.acknowledge(first.id, on: connection)
            #expect(try messages.unacknowledged(on: connection) == [second])
            try writer.deleteReceived(first.id, on: connection)
            #expect(code { try messages.received(first.id, on: connection) } == "agentMessageNotFound")
            #expect(code { try writer.acknowledge(first.id, on: connection) } == "agentMessageNotFound")
            #expect(try agent.count("SELECT count(*) FROM messages") == 1)
        }
    }

    @Test("attempts to hand a message to the app are counted")
    func attempts() throws {
        try world.write { agent in
            let writer = AgentMessagesWriter(agent)
            let id = try writer.receive(incoming(1, hash: "1", after: ""), on: connection).id
            #expect(try (1...3).map { _ in try writer.countAttempt(id, on: connection) } == [1, 2, 3])
            #expect(try AgentMessagesRepo(agent).received(id, on: connection).attempts == 3)
            #expect(code { try writer.countAttempt(AgentMessageID(9), on: connection) } == "agentMessageNotFound")
        }
    }

    @Test("nothing is received or sent on a connection that is not there or is being deleted, and counters have an end")
    func refused() throws {
        try world.write { agent in
            let writer = AgentMessagesWriter(agent)
            func both(_ id: AgentConnectionID) -> [String?] {
                let message = NewSentMessage(type: "M", body: .own(secret("b")))
                return [
                    code { try writer.receive(incoming(1, hash: "1", after: ""), on: id) },
                    code { try writer.send(message, on: id) { _, _ in secret("h") } },
                ]
            }
            #expect(both(AgentConnectionID("x")) == ["agentConnectionNotFound", "agentConnectionNotFound"])
            for column in ["last_internal_msg_id", "last_internal_rcv_msg_id", "last_internal_snd_msg_id"] {
                try agent.run("UPDATE connections SET \(identifier: column) = \(Int64.max)")
            }
            #expect(both(connection) == ["numbersUsedUp", "numbersUsedUp"])
            try AgentConnectionsWriter(agent).markDeleted(connection, of: world.alice)
            #expect(both(connection) == ["agentConnectionNotFound", "agentConnectionNotFound"])
            #expect(try agent.count("SELECT count(*) FROM messages") == 0)
        }
    }

    @Test("a message names its number and the hash of the one sent before it")
    func sending() throws {
        let first = try world.send(.own(secret("one")), on: connection)
        let second = try world.send(.own(secret("two")), on: connection)
        #expect(first.previousHash.isEmpty && first.hash.bytes == [1] && first.body == secret("one"))
        #expect(second.previousHash == first.hash && second.hash.bytes == [2, 1] && second.bodyID == nil)
        try world.read { agent in
            let messages = AgentMessagesRepo(agent)
            let stored = try messages.sent(second.id, on: connection)
            #expect(stored == second)
            #expect(code { try messages.received(second.id, on: connection) } == "agentMessageNotFound")
            #expect(try AgentConnectionsRepo(agent).get(connection).counters.lastSentHash == second.hash)
        }
    }

    @Test("a message that comes twice is known by its hash, on its own connection and until it is forgotten")
    func encryptedHashes() throws {
        let other = try world.connection("d")
        let late = StoredTime(microseconds: AgentWorld.time.microseconds + 1_000)
        try world.write { agent in
            let writer = AgentMessagesWriter(agent, clock: AgentWorld.clock)
            #expect(try writer.remember(encryptedHash: secret("h"), on: connection))
            #expect(try !writer.remember(encryptedHash: secret("h"), on: connection))
            #expect(try writer.remember(encryptedHash: secret("h"), on: other))
            _ = try AgentMessagesWriter(agent, clock: .fixed(late)).remember(encryptedHash: secret("i"), on: other)
            let messages = AgentMessagesRepo(agent)
            #expect(try messages.isKnown(encryptedHash: secret("h"), on: connection))
            #expect(try !messages.isKnown(encryptedHash: secret("i"), on: connection))
            #expect(try writer.forgetEncryptedHashes(before: AgentWorld.time) == 0)
            #expect(try writer.forgetEncryptedHashes(before: late) == 2)
            #expect(try messages.isKnown(encryptedHash: secret("i"), on: other))
            #expect(try writer.remember(encryptedHash: secret("h"), on: connection))
            let missing = AgentConnectionID("x")
            #expect(code { try writer.remember(encryptedHash: secret("h"), on: missing) } == "agentConnectionNotFound")
        }
    }
}
