import ChatDBKit

/// `events`: what changes in the store, by this client and by others.
enum EventMethods {
    static let all: [RequestMethod] = [
        .service(
            "events.subscribe", .read,
            "Sends a notification after each change that is committed from now on. A second call changes nothing.",
            result: .members(["subscribed": .flag])
        ) { call in
            try call.setSubscribed(true)
            return ["subscribed": true]
        },
        .service(
            "events.unsubscribe", .read, "Sends no further notifications.", result: .members(["subscribed": .flag])
        ) { call in
            try call.setSubscribed(false)
            return ["subscribed": false]
        },
    ]
}
