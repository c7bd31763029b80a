import ChatDBKit
import Testing

@Suite struct QueuesTests {
    let world: AgentWorld
    let connection: AgentConnectionID

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
    }

    @Test("queues are numbered within their connection and direction, and the first of each is primary")
    func adding() throws {
        try world.receiveQueue("other", on: world.connection("d"))
        for name in ["q1", "q2"] {
            try world.receiveQueue(name, on: connection)
            try world.sendQueue(name, on: connection)
        }
        try world.read { agent in
            let received = try ReceiveQueuesRepo(agent).all(of: connection)
            #expect(received.map(\.number.rawValue) == [1, 2] && received.map(\.isPrimary) == [true, false])
            #expect(received.map(\.status) == [.new, .new] && received[0].keys == receiveKeys())
            let sent = try SendQueuesRepo(agent).all(of: connection)
            #expect(sent.map(\.number.rawValue) == [1, 2] && sent.map(\.isPrimary) == [true, false])
            #expect(try SendQueuesRepo(agent).primary(of: connection) == sent[0])
            #expect(try ReceiveQueuesRepo(agent).primary(of: connection) == received[0])
            #expect(sent[0].keys == sendKeys())
        }
    }

    @Test("a queue that cannot be added is refused with the reason, and nothing is created")
    func refused() throws {
        try world.receiveQueue("q", on: connection)
        try world.sendQueue("q", on: connection)
        let nowhere = AgentServerID(host: "no.example", port: "1")
        try world.write { agent in
            let receive = ReceiveQueuesWriter(agent)
            let send = SendQueuesWriter(agent)
            func add(
                _ address: QueueAddress, _ sender: String = "s", to id: AgentConnectionID? = nil,
                replacing: QueueNumber? = nil
            ) -> [String?] {
                [
                    code {
                        try receive.add(
                            address, senderID: QueueID(sender), keys: receiveKeys(), to: id ?? connection,
                            replacing: replacing)
                    },
                    code { try send.add(address, keys: sendKeys(), to: id ?? connection, replacing: replacing) },
                ]
            }
            #expect(add(queue("q")) == ["queueExists", "queueExists"])
            #expect(add(queue("r"), "sender of q").first == "queueExists")
            try send.markDeleted(queue("r"))
            try send.remove(queue("r"))
            #expect(add(queue("n", at: nowhere)) == ["agentServerNotFound", "agentServerNotFound"])
            #expect(
                add(queue("n"), to: AgentConnectionID("x")) == ["agentConnectionNotFound", "agentConnectionNotFound"])
            let missing = ["replacedQueueNotFound", "replacedQueueNotFound"]
            #expect(add(queue("n"), replacing: QueueNumber(7)) == missing)
            #expect(try ReceiveQueuesRepo(agent).all(of: connection).count == 1)
            #expect(try SendQueuesRepo(agent).all(of: connection).count == 1)
            try agent.run("UPDATE rcv_queues SET rcv_queue_id = \(Int64.max)")
            try agent.run("UPDATE snd_queues SET snd_queue_id = \(Int64.max)")
            #expect(add(queue("n")) == ["numbersUsedUp", "numbersUsedUp"])
        }
    }

    @Test("steps of a queue lead forward only, over some between too, and to itself", arguments: QueueStatus.known)
    func steps(from: QueueStatus) throws {
        let address = try world.receiveQueue("q", on: connection)
        let sending = try world.sendQueue("q", on: connection).address
        let order = ["new", "confirmed", "secured", "active", "disabled"]
        for to in QueueStatus.known + [.unknown("newer")] {
            try world.write { agent in
                try agent.run("UPDATE rcv_queues SET status = \(from)")
                try agent.run("UPDATE snd_queues SET status = \(from)")
                let isForward = (order.firstIndex(of: to.text) ?? -1) >= (order.firstIndex(of: from.text) ?? 9)
                let expected = isForward ? nil : "wrongStatus"
                #expect(code { try ReceiveQueuesWriter(agent).setStatus(to, of: address) } == expected, "\(to)")
                #expect(code { try SendQueuesWriter(agent).setStatus(to, of: sending) } == expected, "\(to)")
                let stored = isForward ? to : from
                #expect(try ReceiveQueuesRepo(agent).get(address).status == stored)
                #expect(try SendQueuesRepo(agent).get(sending).status == stored)
            }
        }
    }

    @Test("a queue is confirmed once, with the other side's key")
    func confirming() throws {
        let address = try world.receiveQueue("q", on: connection)
        try world.write { agent in
            let writer = ReceiveQueuesWriter(agent)
            try writer.confirm(address, senderKey: secret("theirs"), e2eSecret: secret("shared"))
            #expect(code { try writer.confirm(address, senderKey: nil, e2eSecret: secret("x")) } == "wrongStatus")
            let found = try ReceiveQueuesRepo(agent).get(address)
            #expect(found.status == .confirmed && found.keys.senderKey == secret("theirs"))
            #expect(found.keys.e2eSecret == secret("shared"))
        }
    }

    @Test("making a queue primary makes the other not primary, and the queue no longer replaces one")
    func switching() throws {
        let first = try world.receiveQueue("q1", on: connection)
        try world.write { agent in
            let receive = ReceiveQueuesWriter(agent)
            let second = try receive.add(
                queue("q2"), senderID: QueueID("s2"), keys: receiveKeys(), to: connection, replacing: QueueNumber(1))
            #expect(second.replaces == QueueNumber(1))
            try receive.setSwitchStatus(.sendingQUSE, of: first)
            #expect(try ReceiveQueuesRepo(agent).get(first).switchStatus == .sendingQUSE)
            #expect(throws: QueuesError.primaryQueueInUse(first)) { try receive.markDeleted(first) }
            try receive.makePrimary(second.address)
            let queues = try ReceiveQueuesRepo(agent).all(of: connection)
            #expect(queues.map(\.isPrimary) == [false, true] && queues[1].replaces == nil)
            try receive.markDeleted(first)
            #expect(try ReceiveQueuesRepo(agent).all(of: connection).map(\.address) == [second.address])
            // Its number stays taken, as messages may have come through it.
            _ = try AgentMessagesWriter(agent).receive(
                incoming(1, hash: "h", after: "", queue: QueueNumber(5)), on: connection)
            let third = try receive.add(queue("q3"), senderID: QueueID("s3"), keys: receiveKeys(), to: connection)
            #expect(third.number == QueueNumber(6) && !third.isPrimary)
        }
        try world.write { agent in
            let send = SendQueuesWriter(agent)
            let first = try send.add(queue("q1"), keys: sendKeys(), to: connection)
            let second = try send.add(queue("q2"), keys: sendKeys(), to: connection, replacing: first.number)
            try send.setSwitchStatus(.sendingQTEST, of: second.address)
            #expect(throws: QueuesError.primaryQueueInUse(first.address)) { try send.markDeleted(first.address) }
            try send.makePrimary(second.address)
            let queues = try SendQueuesRepo(agent).all(of: connection)
            #expect(queues.map(\.isPrimary) == [false, true] && queues[1].switchStatus == .sendingQTEST)
            #expect(queues[1].replaces == nil)
        }
    }

    @Test("a queue after the only one was marked as deleted is primary")
    func primaryAfterDeleted() throws {
        let first = try world.receiveQueue("q1", on: connection)
        try world.write { try ReceiveQueuesWriter($0).markDeleted(first) }
        let second = try world.receiveQueue("q2", on: connection)
        #expect(try world.read { try ReceiveQueuesRepo($0).primary(of: connection)?.address } == second)
    }

    @Test("a queue's row is removed when its server has confirmed, or when the retries are used up")
    func deleting() throws {
        let address = try world.receiveQueue("q", on: connection)
        try world.write { agent in
            let writer = ReceiveQueuesWriter(agent)
            #expect(code { try writer.remove(address) } == "notMarkedDeleted")
            #expect(code { try writer.deletionFailed(address, attemptsAllowed: 3) } == "notMarkedDeleted")
            try writer.markDeleted(address)
            #expect(code { try writer.markDeleted(address) } == "queueNotFound")
            #expect(try writer.deletionFailed(address, attemptsAllowed: 3) == .willRetry(errors: 1))
            #expect(try writer.deletionFailed(address, attemptsAllowed: 3) == .willRetry(errors: 2))
            #expect(try ReceiveQueuesRepo(agent).get(address, includingDeleted: true).deleteErrors == 2)
            #expect(try writer.deletionFailed(address, attemptsAllowed: 3) == .gaveUp)
            #expect(throws: QueuesError.queueNotFound(address)) { try writer.remove(address) }
        }
    }

    @Test("queues to subscribe to come by server, a page at a time, without deleted and disabled ones")
    func subscribing() throws {
        let names = ["a", "b", "c", "d", "e", "f", "g"]
        for name in names { try world.receiveQueue(name, on: world.connection("conn-\(name)")) }
        try world.write { agent in
            try ReceiveQueuesWriter(agent).setStatus(.disabled, of: queue("b"))
            try ReceiveQueuesWriter(agent).markDeleted(queue("c"))
            try AgentConnectionsWriter(agent).markDeleted(AgentConnectionID("conn-d"), of: world.alice)
            // As an app may leave it that marks the connection alone.
            try agent.run("UPDATE connections SET deleted = 1 WHERE conn_id = \(AgentConnectionID("conn-g"))")
            let queues = ReceiveQueuesRepo(agent)
            let first = try queues.toSubscribe(at: AgentWorld.server, limit: 2)
            #expect(first.map(\.address.id.description) == ["a", "e"])
            let rest = try queues.toSubscribe(at: AgentWorld.server, after: QueueID("e"), limit: 2)
            #expect(rest.map(\.address.id.description) == ["f"])
            #expect(try queues.toSubscribe(at: AgentWorld.server, limit: -1) == [])
            #expect(try queues.toSubscribe(at: AgentServerID(host: "x", port: ""), limit: 9) == [])
            #expect(try queues.toDelete(at: AgentWorld.server).map(\.address.id.description) == ["c", "d"])
        }
    }

    @Test("a notifier id finds its queue, and is one queue's only")
    func notifier() throws {
        let address = try world.receiveQueue("q", on: connection)
        let other = try world.receiveQueue("r", on: connection)
        let notifier = QueueNotifier(
            id: QueueID("n"), publicKey: secret("1"), privateKey: secret("2"), secret: secret("3"))
        try world.write { agent in
            let writer = ReceiveQueuesWriter(agent)
            try writer.setNotifier(notifier, of: address)
            try writer.setNotifier(notifier, of: address)
            #expect(try ReceiveQueuesRepo(agent).find(notifier: queue("n"))?.notifier == notifier)
            #expect(throws: QueuesError.notifierExists(QueueID("n"))) { try writer.setNotifier(notifier, of: other) }
            try writer.setNotifier(nil, of: address)
            #expect(try ReceiveQueuesRepo(agent).find(notifier: queue("n")) == nil)
        }
    }
}
