package import ChatDBKit

extension UncountedRelayRow {
    private typealias Field = FieldSpec<UncountedRelayRow>

    /// The row as programs read it.
    package static var fields: [FieldSpec<UncountedRelayRow>] {
        [
            row, .json("groupId") { .integer($0.groupID.rawValue) }, .json("name") { JSONValue($0.channel) },
            .json("userId") { JSONValue($0.userID?.rawValue) }, .json("relayStatus") { .string($0.status.text) },
            .json("reason") { .string($0.reason.rawValue) },
        ]
    }

    /// The row for people.
    package static var listed: [FieldSpec<UncountedRelayRow>] {
        [
            row, .shown("Channel", shrinking: .end) { .text($0.channelWords) },
            .shown("Status") { .text($0.status.shownName) },
            .shown("Reason", shrinking: .wrapped) { .text($0.reasonWords) },
        ]
    }

    private static var row: Field { .number("groupRelayId", "Row") { $0.id.rawValue } }

    /// The channel, by its name or its number.
    private var channelWords: String { channel ?? "group \(groupID)" }

    private var reasonWords: String {
        switch reason {
        case .memberMissing:
            hasUnknownRole
                ? "its member has a role that this version does not know"
                : "the channel does not have the relay as a member"
        case .otherProfile: "a channel of \(userName.map { "the profile \($0)" } ?? "another profile")"
        case .groupMissing: "the channel is missing"
        }
    }

    /// The row in a sentence: `row 3 of the channel news`.
    fileprivate var words: String {
        switch reason {
        case .memberMissing: "row \(id) of the channel \(channelWords)"
        case .otherProfile: "row \(id) of a channel of \(userName ?? "another profile")"
        case .groupMissing: "row \(id) of a missing channel"
        }
    }
}

extension ChannelOfLostRow {
    /// The channel as programs read it.
    package var json: JSONValue {
        ["groupId": .integer(groupID.rawValue), "localDisplayName": .string(localDisplayName)]
    }
}

extension [ChannelOfLostRow] {
    /// A clause about the channels that have lost their row of a relay: `the channel news has lost its row of the relay`.
    /// If the row may be of another relay, the clause says so. Of many channels, the first three. Empty for no channels.
    package var clause: String {
        if isEmpty { return "" }
        let isOfRelay = allSatisfy(\.isNamed)
        if count == 1 {
            return "the channel \(self[0].localDisplayName) has lost "
                + (isOfRelay ? "its row of the relay" : "a row that may be of the relay")
        }
        let named = prefix(3).map(\.localDisplayName) + (count > 3 ? ["\(count - 3) more"] : [])
        return "the channels \(named.dropLast().joined(separator: ", ")) and \(named[named.count - 1]) have lost "
            + (isOfRelay ? "their rows of the relay" : "rows that may be of the relay")
    }
}

extension [UncountedRelayRow] {
    /// The predicate of a sentence about rows that do not count: `row 3 of the channel news refers to it, and does not
    /// count`. Of many rows, the first three. Empty for no rows.
    package var predicate: String {
        if isEmpty { return "" }
        let named = prefix(3).map(\.words)
        let rest = count > named.count ? " and \(count - named.count) more" : ""
        let verbs = count == 1 ? "refers to it, and does not count" : "refer to it, and do not count"
        return "\(named.joined(separator: ", "))\(rest) \(verbs)"
    }
}
