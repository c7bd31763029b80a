import ChatDBKit
import ChatDBReports

/// What changed in the store, as a notification for a client. Rule: docs/requests.md, "Events".
struct StoreEvent: Sendable {
    let subject: StoreChange.Subject
    /// The number of transactions that it stands for.
    var transactions: Int
    /// The channel of `groupRelays.changed`, with its relays.
    let channel: StoreChange.Channel?
    /// The profile; nil if the change concerns all profiles, or if the profile is not known.
    var profile: UserID?
    /// Whether only clients that have unlocked the profile get the event.
    var isOfHiddenProfile = false

    init(_ subject: StoreChange.Subject, transactions: Int = 1, channel: StoreChange.Channel? = nil) {
        self.subject = subject
        self.transactions = transactions
        self.channel = channel
    }

    /// Whether a later event makes this one superfluous.
    func isReplaced(by other: StoreEvent) -> Bool {
        subject == other.subject && profile == other.profile && channel?.group == other.channel?.group
    }

    /// The notification, without a newline.
    var text: String {
        var parameters: [JSONValue.Member] = [
            .init("userId", JSONValue(profile?.rawValue)), .init("transactions", JSONValue(transactions)),
        ]
        if subject == .groupRelays {
            parameters.append(.init("channel", channel.map(Self.json) ?? .null))
        }
        let notification: JSONValue = [
            "jsonrpc": "2.0", "method": .string(subject.rawValue), "params": .object(parameters),
        ]
        return notification.text(.compact)
    }

    private static func json(_ channel: StoreChange.Channel) -> JSONValue {
        [
            "groupId": .integer(channel.group.rawValue),
            "relays": .array(ChannelRelayRow.rows(of: channel.progress).map(\.json)),
            "progress": channel.progress.progress.json,
        ]
    }
}
