import ArgumentParser
import ChatDBKit

struct GroupList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the groups and channels of a profile, newest chat first.",
        discussion: """
            Examples:
              chatdb group list
              chatdb group list --user alice --format csv
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession.read(profile.store, output.output()) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                return GroupListReport(
                    user: user, groups: try GroupsRepo(chat).all(of: user.id),
                    relays: try GroupRelaysRepo(chat).all(of: user.id).mapValues(\.latest), given: profile.repeated)
            }
        }
        try output.write(report)
    }
}

/// The groups and channels of a profile.
struct GroupListReport: Report {
    let user: User
    let groups: [GroupSummary]
    let relays: [GroupID: [ChannelRelay]]
    /// For the command that follows.
    let given: GivenOptions

    var json: JSONValue {
        [
            "user": user.reference,
            "groups": .array(
                groups.map { summary in
                    let relays = relays[summary.group.id] ?? []
                    return .object(summary.members + [.init("relays", .array(relays.map(\.json)))])
                }),
        ]
    }

    var document: Document { [.table(table(membership: \.shownMembership))] }

    /// With the stored texts.
    var csvTable: Table { table(membership: \.membership?.status.text) }

    private func table(membership: (Group) -> String?) -> Table {
        Table(
            [
                Column("Id", key: "groupId", alignment: .right),
                Column("Name", key: "localDisplayName", shrinking: .end),
                Column("Kind"), Column("Role"), Column("Membership"), Column("Active", key: "progress"),
                Column("Relays", shrinking: .end), Column("Last chat", key: "chatTs"),
            ],
            rows: groups.map { cells($0, membership: membership($0.group)) },
            whenEmpty: given.text("no groups; \(.groupCreate, "NAME") creates a channel"))
    }

    private func cells(_ summary: GroupSummary, membership: String?) -> [Cell] {
        let group = summary.group
        let names = (relays[group.id] ?? []).map(\.relay.calledName)
        return [
            .number(group.id.rawValue), .text(group.calledName), .text(group.isChannel ? "channel" : "group"),
            .text(group.membership?.role.text), .text(membership),
            group.isChannel ? .text(summary.progressText) : .nothing,
            .text(names.isEmpty ? nil : names.joined(separator: ", ")), .time(group.chatTime.date),
        ]
    }
}

extension GroupSummary {
    /// How many of the channel's relays are active; nil where that is not known, in a channel of another owner.
    var progressText: String? {
        if progress.total == 0, group.membership?.role != .owner { return nil }
        return "\(progress.active) of \(progress.total)"
    }

    /// The group in JSON.
    var json: JSONValue { .object(members) }

    var members: [JSONValue.Member] {
        [
            .init("groupId", .integer(group.id.rawValue)), .init("name", .string(group.displayName)),
            .init("localDisplayName", .string(group.localDisplayName)), .init("useRelays", .bool(group.isChannel)),
            .init("role", JSONValue(group.membership?.role.text)),
            .init("membership", JSONValue(group.membership?.status.text)),
            .init("creatingInProgress", .bool(group.isCreating)),
            .init("nextConnectPrepared", .bool(group.nextConnectPrepared)), .init("link", JSONValue(group.link)),
            .init("chatTs", .string(group.chatTime.iso8601)),
            .init("progress", ["active": JSONValue(progress.active), "total": JSONValue(progress.total)]),
        ]
    }
}
