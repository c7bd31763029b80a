package import ChatDBKit

/// A group or channel in the answers of commands.
package struct GroupRow {
    package let summary: GroupSummary
    /// The relays of the profile's own channel.
    package var relays: [ChannelRelayRow] = []
    /// The rows of the channel that lack their relay or their member.
    private let incomplete: [IncompleteGroupRelay]

    package init(
        summary: GroupSummary, relays: [ChannelRelayRow] = [], incomplete: [IncompleteGroupRelay] = []
    ) {
        self.summary = summary
        self.relays = relays
        self.incomplete = incomplete
    }

    private var group: Group { summary.group }
    private var kind: String { group.isChannel ? "channel" : "group" }
    private var progress: String? { group.isChannel ? summary.progressText : nil }
    /// The names of the relays that the number of active relays is out of, and then of those that do not count.
    private var relayNames: String? {
        let names = countedNames + incomplete.map { "\($0.name) (\($0.stateWords))" }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    /// The same for a table, which omits the end of a long text: those that do not count come first, each behind what it
    /// lacks.
    private var shownRelays: String? {
        let names = incomplete.map(\.nameBehindState) + countedNames
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    private var countedNames: [String] {
        // Without a row that counts, the relays are those that the channel has as members.
        let lost = summary.hasUnknownProgress ? Set(incomplete.map(\.groupRelay.memberID)) : []
        return relays.filter { !$0.isRemoved && !lost.contains($0.member) }.map(\.calledName)
    }
}

extension GroupRow {
    /// The columns for programs and spreadsheets.
    package static var fields: [FieldSpec<GroupRow>] {
        [
            id, .json("name") { .string($0.group.displayName) },
            .json("localDisplayName") { .string($0.group.localDisplayName) },
            .csv("localDisplayName") { .text($0.group.calledName) }, .csv("kind") { .text($0.kind) },
            .json("useRelays") { .bool($0.group.isChannel) }, role,
            .text("membership") { $0.group.membership?.status.text },
            .json("creatingInProgress") { .bool($0.group.isCreating) },
            .csv("creatingInProgress") { .yesNo($0.group.isCreating) },
            .json("nextConnectPrepared") { .bool($0.group.nextConnectPrepared) },
            .json("link") { JSONValue($0.group.link) }, .csv("progress") { .text($0.progress) },
            .csv("relays") { .text($0.relayNames) }, lastChat,
            .json("progress") { $0.summary.progress.json },
            .json("progressUnknown") { .bool($0.summary.hasUnknownProgress) },
        ]
    }

    /// The groups of a profile, for people.
    package static var listed: [FieldSpec<GroupRow>] {
        [
            id, .shown("Name", shrinking: .end) { .text($0.group.calledName) }, .shown("Kind") { .text($0.kind) }, role,
            .shown("Membership") { .text($0.group.shownMembership) }, .shown("Active") { .text($0.progress) },
            .shown("Relays", shrinking: .end) { .text($0.shownRelays) }, lastChat,
        ]
    }

    private static var id: FieldSpec<GroupRow> { .number("groupId", "Id") { $0.group.id.rawValue } }
    private static var role: FieldSpec<GroupRow> { .text("role", "Role") { $0.group.membership?.role.text } }
    private static var lastChat: FieldSpec<GroupRow> { .time("chatTs", "Last chat") { $0.group.chatTime } }
}

extension RelayProgress {
    /// The numbers, and whether there is nothing to wait for.
    package var json: JSONValue {
        [
            "active": JSONValue(active), "failed": JSONValue(failed), "removed": JSONValue(removed),
            "total": JSONValue(total), "done": .bool(isDone),
        ]
    }
}

extension GroupSummary {
    /// The number of the channel's active relays out of those that were not removed, the same in every answer; unknown
    /// if rows about its relays are lost, and nil for a channel of another owner without relays.
    package var progressText: String? {
        if hasUnknownProgress { return "unknown" }
        if progress.total == 0, group.membership?.role != .owner { return nil }
        return "\(progress.active) of \(progress.present)"
    }

    /// The same as a clause.
    package var progressClause: String? {
        hasUnknownProgress ? "status unknown" : progressText.map { "\($0) active" }
    }

    /// The group in JSON.
    package var json: JSONValue { GroupRow.fields.json(GroupRow(summary: self)) }
}

extension Group {
    /// The name in sentences: the profile's own name for it, which no other group has.
    package var calledName: String { localDisplayName }

    /// `channel` or `group`.
    package var kind: String { isChannel ? "channel" : "group" }
}
