import ChatDBKit

extension RepositoryCatalogue {
    static let receiveQueues: [CatalogueEntry] = [
        .store("ReceiveQueuesRepo.all(of:includingDeleted:)") {
            try ReceiveQueuesRepo($0.agent).all(of: $0.things.agentConnection, includingDeleted: true)
        },
        .store("ReceiveQueuesRepo.find(_:includingDeleted:)") {
            try ReceiveQueuesRepo($0.agent).find($0.things.receiveQueue) as Any
        },
        .store("ReceiveQueuesRepo.get(_:includingDeleted:)") {
            try ReceiveQueuesRepo($0.agent).get($0.things.receiveQueue)
        },
        .store("ReceiveQueuesRepo.find(notifier:)") {
            try ReceiveQueuesRepo($0.agent).find(notifier: $0.things.notifier) as Any
        },
        .store("ReceiveQueuesRepo.primary(of:)") {
            try ReceiveQueuesRepo($0.agent).primary(of: $0.things.agentConnection) as Any
        },
        .store("ReceiveQueuesRepo.toSubscribe(at:after:limit:)") { call in
            try [nil, call.things.receiveQueue.id].map {
                try ReceiveQueuesRepo(call.agent).toSubscribe(at: AgentWorld.server, after: $0, limit: 10)
            }
        },
        .store("ReceiveQueuesRepo.toDelete(at:)") { try ReceiveQueuesRepo($0.agent).toDelete(at: AgentWorld.server) },
        .store("ReceiveQueuesWriter.add(_:senderID:keys:to:replacing:)") {
            try ReceiveQueuesWriter($0.agent).add(
                queue("new"), senderID: QueueID("new"), keys: receiveKeys(), to: $0.things.agentConnection,
                replacing: QueueNumber(1))
        },
        .store("ReceiveQueuesWriter.setStatus(_:of:)") {
            try ReceiveQueuesWriter($0.agent).setStatus(.disabled, of: $0.things.receiveQueue)
        },
        .store("ReceiveQueuesWriter.confirm(_:senderKey:e2eSecret:)") {
            try ReceiveQueuesWriter($0.agent).confirm(
                $0.things.secondReceiveQueue, senderKey: nil, e2eSecret: secret("s"))
        },
        .store("ReceiveQueuesWriter.setSwitchStatus(_:of:)") {
            try ReceiveQueuesWriter($0.agent).setSwitchStatus(.switchStarted, of: $0.things.receiveQueue)
        },
        .store("ReceiveQueuesWriter.makePrimary(_:)") {
            try ReceiveQueuesWriter($0.agent).makePrimary($0.things.secondReceiveQueue)
        },
        .store("ReceiveQueuesWriter.setNotifier(_:of:)") {
            let notifier = QueueNotifier(
                id: QueueID("new"), publicKey: secret("1"), privateKey: secret("2"), secret: secret("3"))
            return try ReceiveQueuesWriter($0.agent).setNotifier(notifier, of: $0.things.receiveQueue)
        },
        .store("ReceiveQueuesWriter.markDeleted(_:)") {
            try ReceiveQueuesWriter($0.agent).markDeleted($0.things.secondReceiveQueue)
        },
        .store("ReceiveQueuesWriter.remove(_:)") {
            try ReceiveQueuesWriter($0.agent).remove($0.things.deletedReceiveQueue)
        },
        .store("ReceiveQueuesWriter.deletionFailed(_:attemptsAllowed:)") { call in
            let queues = ReceiveQueuesWriter(call.agent)
            let retried = try queues.deletionFailed(call.things.deletedReceiveQueue, attemptsAllowed: 2)
            try queues.markDeleted(call.things.secondReceiveQueue)
            return [retried, try queues.deletionFailed(call.things.secondReceiveQueue, attemptsAllowed: 1)]
        },
    ]

    static let sendQueues: [CatalogueEntry] = [
        .store("SendQueuesRepo.all(of:includingDeleted:)") {
            try SendQueuesRepo($0.agent).all(of: $0.things.agentConnection, includingDeleted: true)
        },
        .store("SendQueuesRepo.find(_:includingDeleted:)") {
            try SendQueuesRepo($0.agent).find($0.things.sendQueue) as Any
        },
        .store("SendQueuesRepo.get(_:includingDeleted:)") { try SendQueuesRepo($0.agent).get($0.things.sendQueue) },
        .store("SendQueuesRepo.primary(of:)") {
            try SendQueuesRepo($0.agent).primary(of: $0.things.agentConnection) as Any
        },
        .store("SendQueuesRepo.withDeliveries(at:)") {
            try SendQueuesRepo($0.agent).withDeliveries(at: AgentWorld.server)
        },
        .store("SendQueuesWriter.add(_:keys:to:replacing:)") {
            try SendQueuesWriter($0.agent).add(
                queue("new"), keys: sendKeys(), to: $0.things.agentConnection, replacing: QueueNumber(1))
        },
        .store("SendQueuesWriter.setStatus(_:of:)") {
            try SendQueuesWriter($0.agent).setStatus(.disabled, of: $0.things.sendQueue)
        },
        .store("SendQueuesWriter.setSwitchStatus(_:of:)") {
            try SendQueuesWriter($0.agent).setSwitchStatus(.sendingQTEST, of: $0.things.sendQueue)
        },
        .store("SendQueuesWriter.makePrimary(_:)") {
            try SendQueuesWriter($0.agent).makePrimary($0.things.secondSendQueue)
        },
        .store("SendQueuesWriter.markDeleted(_:)") {
            try SendQueuesWriter($0.agent).markDeleted($0.things.secondSendQueue)
        },
        .store("SendQueuesWriter.remove(_:)") {
            try SendQueuesWriter($0.agent).remove($0.things.deletedSendQueue)
        },
    ]
}
