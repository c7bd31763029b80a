import ChatDBKit
import ChatDBReports

/// `connections` and `notifications`: what of the agent database is served. No key, queue or ratchet is.
enum ConnectionMethods {
    private static let queue = Parameter.text("queue", "The queue that the notification names: HOST:PORT/ID.")

    static let all: [RequestMethod] = [
        .service(
            "connections.counts", .read, "Counts connections, queues and waiting messages of each profile.",
            result: .members([
                "profiles": .array(
                    Shapes.profile.and([
                        "hasAgentUser": .flag, "contacts": .integer, "groups": .integer, "connections": .integer,
                        "agentConnections": .integer, "deletedConnections": .integer, "receiveQueues": .integer,
                        "sendQueues": .integer, "waitingDeliveries": .integer,
                    ]))
            ])
        ) { call in
            let counts = try call.store { store in
                try store.readBoth { chat, agent in
                    try CrossStoreRepo(chat: chat, agent: agent).counts(hidden: call.hidden)
                }
            }
            return ["profiles": .array(counts.map(json))]
        },
        .service(
            "notifications.target", .read, "Finds the profile and the chat that a notification is for.", [queue],
            result: .members([
                "target": .members([
                    "user": Shapes.profile, "kind": .word(["contact", "member", "link", "file", "none"]),
                    "contactId": .nullable(.integer), "groupId": .nullable(.integer),
                    "groupMemberId": .nullable(.integer), "userContactLinkId": .nullable(.integer),
                    "fileId": .nullable(.integer), "connectionId": .integer, "agentConnId": .nullable(.text),
                    "notifications": .flag,
                ])
            ]), target),
    ]

    private static func json(_ counts: CrossStoreCounts) -> JSONValue {
        [
            "userId": .integer(counts.user.id.rawValue), "name": .string(counts.user.name),
            "hasAgentUser": .bool(counts.hasAgentUser), "contacts": JSONValue(counts.contacts),
            "groups": JSONValue(counts.groups), "connections": JSONValue(counts.chatConnections),
            "agentConnections": JSONValue(counts.agentConnections),
            "deletedConnections": JSONValue(counts.deletedConnections),
            "receiveQueues": JSONValue(counts.receiveQueues), "sendQueues": JSONValue(counts.sendQueues),
            "waitingDeliveries": JSONValue(counts.waitingDeliveries),
        ]
    }

    private static func target(_ call: Call) throws -> JSONValue {
        guard let queue = NotificationQueue(try call[queue]) else {
            throw RequestError(
                code: .invalidParameters, message: "the parameter \"queue\" is HOST:PORT/ID",
                data: [.init("parameter", "queue")])
        }
        let found = try call.store { store in
            try store.readBoth { chat, agent -> NotificationTarget? in
                let both = CrossStoreRepo(chat: chat, agent: agent)
                for address in queue.addresses {
                    if let target = try both.target(ofNotification: address, hidden: call.hidden) { return target }
                }
                return nil
            }
        }
        guard let found else { throw ServiceError.notificationTargetNotFound }
        return NotificationTargetReport(target: found).json
    }
}
