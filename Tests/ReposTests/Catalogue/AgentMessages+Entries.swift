import ChatDBKit

extension RepositoryCatalogue {
    static let agentMessages: [CatalogueEntry] = [
        .store("AgentMessagesRepo.received(_:on:)") {
            try AgentMessagesRepo($0.agent).received($0.things.receivedMessage, on: $0.things.agentConnection)
        },
        .store("AgentMessagesRepo.received(brokerID:on:)") {
            try AgentMessagesRepo($0.agent).received(
                brokerID: BrokerMessageID("broker-\($0.things.name)"), on: $0.things.agentConnection) as Any
        },
        .store("AgentMessagesRepo.unacknowledged(on:)") {
            try AgentMessagesRepo($0.agent).unacknowledged(on: $0.things.agentConnection)
        },
        .store("AgentMessagesRepo.sent(_:on:)") {
            try AgentMessagesRepo($0.agent).sent($0.things.sharedMessage, on: $0.things.agentConnection)
        },
        .store("AgentMessagesRepo.isKnown(encryptedHash:on:)") {
            try AgentMessagesRepo($0.agent).isKnown(encryptedHash: secret("h"), on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.receive(_:on:)") {
            try AgentMessagesWriter($0.agent).receive(
                incoming(3, hash: "h", after: "", queue: QueueNumber(1)), on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.countAttempt(_:on:)") {
            try AgentMessagesWriter($0.agent).countAttempt($0.things.receivedMessage, on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.acknowledge(_:on:)") {
            try AgentMessagesWriter($0.agent).acknowledge($0.things.receivedMessage, on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.deleteReceived(_:on:)") {
            try AgentMessagesWriter($0.agent).deleteReceived(
                $0.things.acknowledgedMessage, on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.remember(encryptedHash:on:)") {
            try AgentMessagesWriter($0.agent).remember(encryptedHash: secret("h"), on: $0.things.agentConnection)
        },
        .store("AgentMessagesWriter.forgetEncryptedHashes(before:)") {
            try AgentMessagesWriter($0.agent).forgetEncryptedHashes(before: AgentWorld.time)
        },
        .store("AgentMessagesWriter.send(_:on:hashing:)") { call in
            let bodies: [SentBody] = [.own(secret("b")), .toShare(secret("b")), .shared(call.things.sharedBody)]
            return try bodies.map { body in
                try AgentMessagesWriter(call.agent).send(
                    NewSentMessage(type: "M", body: body, encryptKey: secret("k"), paddedLength: 16),
                    on: call.things.agentConnection
                ) { _, _ in secret("h") }
            }
        },
        .store("AgentMessagesWriter.deleteSent(_:on:)") {
            try AgentMessagesWriter($0.agent).deleteSent($0.things.sharedMessage, on: $0.things.agentConnection)
        },
    ]

    static let deliveries: [CatalogueEntry] = [
        .store("DeliveriesRepo.next(through:of:)") {
            try DeliveriesRepo($0.agent).next(through: QueueNumber(1), of: $0.things.agentConnection) as Any
        },
        .store("DeliveriesRepo.waiting(through:of:)") {
            try DeliveriesRepo($0.agent).waiting(through: QueueNumber(1), of: $0.things.agentConnection)
        },
        .store("DeliveriesWriter.add(_:on:through:)") {
            try DeliveriesWriter($0.agent).add(
                $0.things.sentMessage, on: $0.things.agentConnection, through: [QueueNumber(2)])
        },
        .store("DeliveriesWriter.delivered(_:)") { try DeliveriesWriter($0.agent).delivered($0.things.agentDelivery) },
        .store("DeliveriesWriter.failed(_:)") { try DeliveriesWriter($0.agent).failed($0.things.agentDelivery) },
        .store("DeliveriesWriter.dropExpired(before:)") {
            let late = StoredTime(microseconds: AgentWorld.time.microseconds + 100 * 86_400_000_000)
            return try DeliveriesWriter($0.agent).dropExpired(before: late)
        },
    ]
}
