import ChatDBKit
import Testing

@Suite struct NotificationsTests {
    let world: AgentWorld
    let connection: AgentConnectionID
    private let server = AgentServerID(host: "ntf.example", port: "443")

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
        let server = server
        try world.write { try NotificationTokensWriter($0).addServer(server, keyHash: "n=") }
    }

    private let keys = NotificationTokenKeys(
        publicKey: secret("1"), privateKey: secret("2"), dhPublicKey: secret("3"), dhPrivateKey: secret("4"))

    @Test("a device registers with a server, is registered, and may get another address")
    func tokens() throws {
        try world.write { agent in
            let writer = NotificationTokensWriter(agent)
            #expect(code { try writer.addServer(server, keyHash: "other=") } == "differentKeyHash")
            try writer.addServer(server, keyHash: "n=")
            func create(_ device: String, _ id: AgentServerID) throws -> NotificationToken {
                try writer.create(secret(device), provider: "apns", at: id, keys: keys, mode: nil)
            }
            #expect(code { try create("device", AgentWorld.server) } == "agentServerNotFound")
            let token = try create("device", server)
            #expect(token.status == .new && token.action == .register && token.id == nil && token.keys == keys)
            #expect(code { try create("device", server) } == "tokenExists")
            let registered = try writer.registered(token, id: NotificationTokenID("t"), secret: secret("s"))
            #expect(registered.status == .registered && registered.action == nil && registered.secret == secret("s"))
            #expect(try writer.set(token, status: .active, action: .check).action == .check)
            #expect(try writer.setMode(.instant, of: token).mode == .instant)
            let other = try create("other", server)
            #expect(code { try writer.replaceDeviceToken(of: token, with: other.deviceToken) } == "tokenExists")
            let moved = try writer.replaceDeviceToken(of: token, with: secret("new"))
            #expect(moved.deviceToken == secret("new") && moved.action == .register)
            #expect(code { try writer.set(token, status: .active, action: nil) } == "tokenNotFound")
            try writer.delete(other)
            #expect(code { try writer.delete(other) } == "tokenNotFound")
            #expect(try NotificationTokensRepo(agent).all() == [moved])
            let found = try NotificationTokensRepo(agent).find(secret("new"), provider: "apns", at: server)
            #expect(found == moved)
        }
    }

    @Test("due subscriptions of a server are sorted by time, without those that failed or are due elsewhere")
    func due() throws {
        let now = AgentWorld.time
        func time(_ seconds: Int64) -> StoredTime { StoredTime(microseconds: now.microseconds + seconds * 1_000_000) }
        for name in ["a", "b", "d"] { try world.connection(name) }
        try world.write { agent in
            let writer = NotificationSubscriptionsWriter(agent)
            let subscriptions = NotificationSubscriptionsRepo(agent)
            func create(_ name: String, _ action: NotificationAction, _ due: Int64) throws {
                try writer.create(
                    AgentConnectionID(name), queueServer: AgentWorld.server, at: server, next: action, due: time(due))
            }
            func dueThere(_ limit: Int = 9) throws -> [String] {
                try subscriptions.due(atNotificationServer: server, by: time(5), limit: limit)
                    .map(\.connectionID.description)
            }
            func dueHere() throws -> [String] {
                try subscriptions.due(atMessageServer: AgentWorld.server, by: time(5), limit: 9)
                    .map(\.connectionID.description)
            }
            try create("a", .notificationServer(.create), 5)
            try create("b", .notificationServer(.check), 1)
            try create("c", .notificationServer(.check), 6)
            try create("d", .messageServer(.createKey), 0)
            #expect(code { try create("a", .messageServer(.delete), 0) } == "subscriptionExists")
            #expect(code { try create("x", .messageServer(.delete), 0) } == "agentConnectionNotFound")
            #expect(try dueThere() == ["b", "a"] && dueThere(1) == ["b"] && dueThere(-1) == [])
            #expect(try dueHere() == ["d"])
            let withID = try writer.setIDs(AgentConnectionID("d"), notifier: QueueID("n"))
            #expect(withID.notifierID == QueueID("n") && withID.id == nil)
            #expect(
                try writer.setIDs(AgentConnectionID("d"), subscription: NotificationSubscriptionID("s")).notifierID
                    == QueueID("n"))
            #expect(try writer.failed(AgentConnectionID("d")).isFailed)
            #expect(try writer.failed(AgentConnectionID("b")).isFailed)
            #expect(try dueHere() == [] && dueThere() == ["a"])
            try writer.set(AgentConnectionID("d"), status: .new, next: (.messageServer(.createKey), time(0)))
            #expect(try dueHere() == ["d"], "what had failed counts no more")
            #expect(try writer.failed(AgentConnectionID("d")).isFailed)
            let again = try writer.set(
                AgentConnectionID("d"), status: .pending, next: (.notificationServer(.create), time(0)))
            #expect(again.action == .notificationServer(.create) && !again.isFailed && again.status == .pending)
            #expect(try dueThere() == ["d", "a"] && dueHere() == [])
            let idle = try writer.set(AgentConnectionID("d"), status: .active, next: nil)
            #expect(idle.action == nil && idle.dueAt == nil)
            #expect(try dueThere() == ["a"])
            try writer.delete(AgentConnectionID("a"))
            #expect(code { try subscriptions.get(AgentConnectionID("a")) } == "subscriptionNotFound")
            #expect(code { try writer.delete(AgentConnectionID("a")) } == "subscriptionNotFound")
            #expect(code { try writer.failed(AgentConnectionID("a")) } == "subscriptionNotFound")
        }
    }

    @Test("a subscription needs servers that are known")
    func servers() throws {
        try world.write { agent in
            let nowhere = AgentServerID(host: "no.example", port: "1")
            for (queue, notification) in [(nowhere, server), (AgentWorld.server, nowhere)] {
                let failure = code {
                    try NotificationSubscriptionsWriter(agent).create(
                        connection, queueServer: queue, at: notification, next: .messageServer(.createKey),
                        due: AgentWorld.time)
                }
                #expect(failure == "agentServerNotFound")
            }
        }
    }
}
