import ChatDBKit
import Testing

extension RepositoryCatalogue {
    private static let server = AgentServerID(host: "ntf.example", port: "443")

    private static func token(_ call: Call) throws -> NotificationToken {
        try #require(try NotificationTokensRepo(call.agent).all().first)
    }

    private static func subscriptions(_ call: Call) -> NotificationSubscriptionsWriter {
        NotificationSubscriptionsWriter(call.agent)
    }

    static let notificationTokens: [CatalogueEntry] = [
        .store("NotificationTokensRepo.all()") { try NotificationTokensRepo($0.agent).all() },
        .store("NotificationTokensRepo.find(_:provider:at:)") {
            try NotificationTokensRepo($0.agent).find(secret("device"), provider: "apns", at: server) as Any
        },
        .store("NotificationTokensWriter.addServer(_:keyHash:)") { call in
            try [server, AgentWorld.server].map {
                try NotificationTokensWriter(call.agent).addServer($0, keyHash: "k=")
            }
        },
        .store("NotificationTokensWriter.create(_:provider:at:keys:mode:)") {
            let keys = NotificationTokenKeys(
                publicKey: secret("1"), privateKey: secret("2"), dhPublicKey: secret("3"), dhPrivateKey: secret("4"))
            return try NotificationTokensWriter($0.agent).create(
                secret("new"), provider: "apns", at: server, keys: keys, mode: .instant)
        },
        .store("NotificationTokensWriter.registered(_:id:secret:)") {
            try NotificationTokensWriter($0.agent).registered(
                token($0), id: NotificationTokenID("t"), secret: secret("s"))
        },
        .store("NotificationTokensWriter.set(_:status:action:)") {
            try NotificationTokensWriter($0.agent).set(token($0), status: .active, action: nil)
        },
        .store("NotificationTokensWriter.setMode(_:of:)") {
            try NotificationTokensWriter($0.agent).setMode(.periodic, of: token($0))
        },
        .store("NotificationTokensWriter.replaceDeviceToken(of:with:)") {
            try NotificationTokensWriter($0.agent).replaceDeviceToken(of: token($0), with: secret("new"))
        },
        .store("NotificationTokensWriter.delete(_:)") { try NotificationTokensWriter($0.agent).delete(token($0)) },
    ]

    static let notificationSubscriptions: [CatalogueEntry] = [
        .store("NotificationSubscriptionsRepo.find(_:)") {
            try NotificationSubscriptionsRepo($0.agent).find($0.things.agentConnection) as Any
        },
        .store("NotificationSubscriptionsRepo.get(_:)") {
            try NotificationSubscriptionsRepo($0.agent).get($0.things.agentConnection)
        },
        .store("NotificationSubscriptionsRepo.due(atNotificationServer:by:limit:)") {
            try NotificationSubscriptionsRepo($0.agent).due(
                atNotificationServer: server, by: AgentWorld.time, limit: 10)
        },
        .store("NotificationSubscriptionsRepo.due(atMessageServer:by:limit:)") {
            try NotificationSubscriptionsRepo($0.agent).due(
                atMessageServer: AgentWorld.server, by: AgentWorld.time, limit: 10)
        },
        .store("NotificationSubscriptionsWriter.create(_:queueServer:at:next:due:)") {
            try subscriptions($0).create(
                $0.things.secondAgentConnection, queueServer: AgentWorld.server, at: server,
                next: .messageServer(.createKey), due: AgentWorld.time)
        },
        .store("NotificationSubscriptionsWriter.set(_:status:next:)") {
            try subscriptions($0).set($0.things.agentConnection, status: .active, next: nil)
        },
        .store("NotificationSubscriptionsWriter.setIDs(_:notifier:subscription:)") {
            try subscriptions($0).setIDs(
                $0.things.agentConnection, notifier: QueueID("new"), subscription: NotificationSubscriptionID("new"))
        },
        .store("NotificationSubscriptionsWriter.failed(_:)") { call in
            try subscriptions(call).create(
                call.things.secondAgentConnection, queueServer: AgentWorld.server, at: server,
                next: .messageServer(.createKey), due: AgentWorld.time)
            return try [call.things.agentConnection, call.things.secondAgentConnection].map {
                try subscriptions(call).failed($0)
            }
        },
        .store("NotificationSubscriptionsWriter.delete(_:)") {
            try subscriptions($0).delete($0.things.agentConnection)
        },
    ]
}
