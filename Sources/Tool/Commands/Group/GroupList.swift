import ArgumentParser
import ChatDBKit

struct GroupList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the groups and channels of a profile, newest chat first.",
        discussion: """
            Examples:
              chatdb group list
              chatdb group list --user alice --format csv
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return GroupListReport(
                user: user, groups: try GroupsRepo(chat).all(of: user.id),
                unfinished: try GroupsRepo(chat).unfinished(of: user.id),
                relays: try GroupRelaysRepo(chat).all(of: user.id).mapValues(\.latest), given: profile.repeated)
        }
        try output.write(report)
    }
}

/// The groups and channels of a profile.
struct GroupListReport: Report {
    let user: User
    let groups: [GroupSummary]
    let unfinished: [UnfinishedChannel]
    let relays: [GroupID: [ChannelRelay]]
    /// The options for the next command.
    let given: GivenOptions

    private var rows: [GroupRow] { groups.map { GroupRow(summary: $0, relays: relays[$0.group.id] ?? []) } }

    var json: JSONValue {
        [
            "user": user.reference,
            "groups": .array(
                rows.map { row in
                    .object(GroupRow.fields.members(row) + [.init("relays", .array(row.relays.map(\.json)))])
                }),
        ]
    }

    var document: Document {
        [
            .table(
                GroupRow.listed.table(
                    rows, whenEmpty: given.text("no groups; \(.groupCreate, "NAME") creates a channel"))),
            .notes(unfinishedNotes),
        ]
    }

    /// The next step of unfinished channels. Channels that lack different parts have notes of their own, with names.
    private var unfinishedNotes: [Note] {
        let cancel: Hint = "\(.groupCancel, "GROUP") deletes it"
        let kinds: [(missing: (UnfinishedChannel) -> Bool, step: Hint)] = [
            ({ $0.missing.isEmpty }, "\(.groupFinish, "GROUP") completes a channel, and \(cancel)"),
            (
                { $0.missing == [.link] },
                "\(.groupFinish, "GROUP", "--link", "LINK") completes a channel, and \(cancel)"
            ),
            ({ $0.missing.contains(.relay) }, "a channel without a relay cannot be completed; \(cancel)"),
        ]
        let found = kinds.map { (channels: unfinished.filter($0.missing), step: $0.step) }
            .filter { !$0.channels.isEmpty }
        return found.map { channels, step in
            let names = channels.map(\.summary.group.calledName).joined(separator: ", ")
            return .note("not finished\(found.count > 1 ? " (\(names))" : ""): " + given.text(step))
        }
    }

    var csvTable: Table { GroupRow.fields.csv(rows) }
}

/// A group or channel in the answers of commands.
struct GroupRow {
    let summary: GroupSummary
    /// The relays of the profile's own channel.
    var relays: [ChannelRelay] = []

    private var group: Group { summary.group }
    private var kind: String { group.isChannel ? "channel" : "group" }
    private var progress: String? { group.isChannel ? summary.progressText : nil }
    private var relayNames: String? {
        relays.isEmpty ? nil : relays.map(\.relay.calledName).joined(separator: ", ")
    }
}

extension GroupRow {
    /// The columns for programs and spreadsheets.
    static var fields: [FieldSpec<GroupRow>] {
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
        ]
    }

    /// The groups of a profile, for people.
    fileprivate static var listed: [FieldSpec<GroupRow>] {
        [
            id, .shown("Name", shrinking: .end) { .text($0.group.calledName) }, .shown("Kind") { .text($0.kind) }, role,
            .shown("Membership") { .text($0.group.shownMembership) }, .shown("Active") { .text($0.progress) },
            .shown("Relays", shrinking: .end) { .text($0.relayNames) }, lastChat,
        ]
    }

    private static var id: FieldSpec<GroupRow> { .number("groupId", "Id") { $0.group.id.rawValue } }
    private static var role: FieldSpec<GroupRow> { .text("role", "Role") { $0.group.membership?.role.text } }
    private static var lastChat: FieldSpec<GroupRow> { .time("chatTs", "Last chat") { $0.group.chatTime } }
}

extension RelayProgress {
    /// The numbers, and whether there is nothing to wait for.
    var json: JSONValue {
        ["active": JSONValue(active), "failed": JSONValue(failed), "total": JSONValue(total), "done": .bool(isDone)]
    }
}

extension GroupSummary {
    /// The number of the channel's active relays; nil for a channel of another owner without relays.
    var progressText: String? {
        if progress.total == 0, group.membership?.role != .owner { return nil }
        return "\(progress.active) of \(progress.total)"
    }

    /// The group in JSON.
    var json: JSONValue { GroupRow.fields.json(GroupRow(summary: self)) }
}
