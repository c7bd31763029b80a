import ChatDBKit
import Testing

@Suite struct DeliveriesTests {
    let world: AgentWorld
    let connection: AgentConnectionID
    let first: SendQueue
    let second: SendQueue

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
        first = try world.sendQueue("q1", on: connection)
        second = try world.sendQueue("q2", on: connection)
    }

    @Test("deliveries of a queue are done in the order in which they were made, and failed ones are skipped")
    func order() throws {
        let messages = try (1...3).map {
            try world.send(.own(secret("\($0)")), on: connection, through: [second.number, first.number])
        }
        try world.write { agent in
            let deliveries = DeliveriesRepo(agent)
            let writer = DeliveriesWriter(agent)
            func next() throws -> PendingDelivery? { try deliveries.next(through: first.number, of: connection) }
            let head = try #require(try next())
            #expect(head.message == messages[0] && head.queue == first.number)
            #expect(try !writer.delivered(head.id), "it waits for the other queue")
            let failing = try #require(try next())
            #expect(failing.message == messages[1])
            try writer.failed(failing.id)
            #expect(try next()?.message == messages[2])
            #expect(try deliveries.waiting(through: first.number, of: connection) == 1)
            #expect(try deliveries.waiting(through: second.number, of: connection) == 3)
            let other = try #require(try deliveries.next(through: second.number, of: connection))
            #expect(try writer.delivered(other.id), "the last delivery of the message")
            #expect(
                code { try AgentMessagesRepo(agent).sent(messages[0].id, on: connection) } == "agentMessageNotFound")
            #expect(code { try writer.delivered(other.id) } == "agentDeliveryNotFound")
            #expect(code { try writer.failed(other.id) } == "agentDeliveryNotFound")
            let queues = try SendQueuesRepo(agent).withDeliveries(at: AgentWorld.server)
            #expect(queues.map(\.address) == [first.address, second.address])
        }
    }

    @Test("a message that cannot be delivered is refused with the reason, and no delivery is stored")
    func refused() throws {
        let message = try world.send(.own(secret("m")), on: connection)
        try world.write { agent in
            let writer = DeliveriesWriter(agent)
            func add(_ id: AgentMessageID, _ queues: [QueueNumber]) -> String? {
                code { try writer.add(id, on: connection, through: queues) }
            }
            #expect(add(message.id, []) == "noQueues")
            #expect(add(AgentMessageID(9), [first.number]) == "agentMessageNotFound")
            #expect(add(message.id, [first.number, QueueNumber(9)]) == "queueNotFound")
            try SendQueuesWriter(agent).markDeleted(second.address)
            #expect(add(message.id, [second.number]) == "queueNotFound")
            #expect(try agent.count("SELECT count(*) FROM snd_message_deliveries") == 0)
            #expect(add(message.id, [first.number, first.number]) == nil)
            #expect(add(message.id, [first.number]) == "deliveryExists")
            #expect(try DeliveriesRepo(agent).waiting(through: first.number, of: connection) == 1)
            try AgentConnectionsWriter(agent).markDeleted(connection, of: world.alice)
            #expect(add(message.id, [first.number]) == "agentConnectionNotFound")
        }
    }

    @Test("messages that are too old are removed, with failed deliveries and bodies; received messages stay")
    func expiry() throws {
        let late = StoredTime(microseconds: AgentWorld.time.microseconds + 1_000)
        let old = try world.send(.toShare(secret("b")), on: connection, through: [first.number])
        let failed = try world.send(.own(secret("o")), on: connection, through: [first.number])
        let young = try world.send(
            .own(secret("y")), on: connection, through: [first.number], clock: .fixed(late))
        try world.write { agent in
            _ = try AgentMessagesWriter(agent, clock: AgentWorld.clock).receive(
                incoming(1, hash: "h", after: ""), on: connection)
            let ids = try agent.rows("SELECT max(snd_message_delivery_id) - 1 AS id FROM snd_message_deliveries")
            try DeliveriesWriter(agent).failed(ids[0].get("id"))
            #expect(try DeliveriesWriter(agent).dropExpired(before: AgentWorld.time) == [])
            let dropped = try DeliveriesWriter(agent).dropExpired(before: late)
            #expect(
                dropped.map(\.id) == [old.id, failed.id] && dropped.map(\.connectionID) == [connection, connection])
            #expect(try DeliveriesRepo(agent).next(through: first.number, of: connection)?.message == young)
            #expect(try agent.count("SELECT count(*) FROM snd_message_bodies") == 0)
            #expect(try agent.count("SELECT count(*) FROM messages") == 2)
        }
    }

    @Test("removing a queue removes its deliveries, and the messages that wait for no other queue")
    func removingQueue() throws {
        let lost = try world.send(.toShare(secret("b")), on: connection, through: [second.number])
        let kept = try world.send(.own(secret("k")), on: connection, through: [first.number, second.number])
        try world.write { agent in
            let queues = SendQueuesWriter(agent)
            #expect(code { try queues.remove(second.address) } == "notMarkedDeleted")
            try queues.markDeleted(second.address)
            #expect(code { try queues.markDeleted(second.address) } == "queueNotFound")
            try queues.remove(second.address)
            #expect(code { try AgentMessagesRepo(agent).sent(lost.id, on: connection) } == "agentMessageNotFound")
            #expect(try DeliveriesRepo(agent).next(through: first.number, of: connection)?.message == kept)
            #expect(try agent.count("SELECT count(*) FROM snd_message_bodies") == 0)
        }
    }
}
