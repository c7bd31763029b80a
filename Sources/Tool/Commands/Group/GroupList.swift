import ArgumentParser
import Repos
import Schema

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
                return GroupListReport(user: user, groups: try GroupsRepo(chat).all(of: user.id))
            }
        }
        try output.write(report)
    }
}

/// The groups and channels of a profile.
struct GroupListReport: Report {
    let user: User
    let groups: [GroupSummary]

    var json: JSONValue { ["user": user.reference, "groups": .array(groups.map(\.json))] }

    var document: Document {
        [
            .table(
                Table(
                    [
                        Column("Id", key: "groupId", alignment: .right), Column("Name", shrinking: .end), Column("Kind"),
                        Column("Role"), Column("Membership"),
                        Column("Relays active", key: "progress", alignment: .right), Column("Last chat", key: "chatTs"),
                    ], rows: groups.map(\.cells), whenEmpty: "no groups; chatdb group create NAME makes a channel"))
        ]
    }
}

extension GroupSummary {
    fileprivate var cells: [Cell] {
        [
            .number(group.id.rawValue), .text(group.displayName), .text(group.isChannel ? "channel" : "group"),
            .text(group.membership?.role.text ?? "–"), .text(group.membership?.status.text ?? "–"),
            group.isChannel ? .text("\(progress.active) of \(progress.total)") : .nothing, .time(group.chatTime.date),
        ]
    }

    /// The group as programs are told of it.
    var json: JSONValue {
        [
            "groupId": .integer(group.id.rawValue), "name": .string(group.displayName),
            "localDisplayName": .string(group.localDisplayName), "useRelays": .bool(group.isChannel),
            "role": JSONValue(group.membership?.role.text), "membership": JSONValue(group.membership?.status.text),
            "creatingInProgress": .bool(group.isCreating), "nextConnectPrepared": .bool(group.nextConnectPrepared),
            "link": JSONValue(group.link), "chatTs": .string(group.chatTime.iso8601),
            "progress": ["active": JSONValue(progress.active), "total": JSONValue(progress.total)],
        ]
    }
}
