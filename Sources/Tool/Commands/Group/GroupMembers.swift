import ArgumentParser
import ChatDBKit

struct GroupMembers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "List the members of a group or channel.",
        discussion: """
            Use --past to include members who left or were removed. chatdb shows a long list in pages; use --after for \
            the next page.

            Examples:
              chatdb group members news
              chatdb group members news --role owner --role admin
              chatdb group members news --limit 1000 --after 2041 --format csv
            """)

    @OptionGroup var group: GroupArgument

    @Option(
        name: .customLong("role"),
        help: "List only this role: relay, observer, author, member, moderator, admin or owner. May be repeated.")
    var roles: [GroupMemberRole] = []

    @Flag(help: "Include past members.")
    var past = false

    @Option(help: ArgumentHelp("Maximum number of members.", valueName: "n"))
    var limit = 100

    @Option(help: ArgumentHelp("Start after the member with this id.", valueName: "id"))
    var after: Int64?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        let report = try StoreSession(group.profile.store, output.output()).list { chat in
            let user = try group.profile.profile(in: chat)
            let found = try GroupFinder.find(group.group, of: user, in: chat)
            let page = try GroupMembersRepo(chat).page(
                of: found.group.id, of: user.id, roles: roles,
                includingPast: past, after: after.map { GroupMemberID($0) }, limit: limit)
            return GroupMembersReport(user: user, group: found, page: page)
        }
        try output.write(report)
    }
}
