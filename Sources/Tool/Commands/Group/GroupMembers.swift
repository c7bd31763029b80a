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

/// A page of the members of a group.
struct GroupMembersReport: Report {
    let user: User
    let group: GroupSummary
    let page: GroupMemberPage

    var json: JSONValue {
        [
            "user": user.reference, "group": group.json, "members": .array(page.members.map(\.json)),
            "next": page.next.map { .integer($0.rawValue) } ?? .null,
        ]
    }

    var document: Document {
        var blocks: [Block] = [
            .heading("Members of \(group.group.calledName)"),
            .table(GroupMember.listed.table(page.members, whenEmpty: "no members")),
        ]
        if let next = page.next { blocks.append(.notes([.note("more members follow: --after \(next)")])) }
        return Document(blocks)
    }
}

extension GroupMember {
    /// The member as programs read it.
    var json: JSONValue { Self.fields.json(self) }

    private static var fields: [FieldSpec<GroupMember>] {
        [
            idField, memberIDField, .text("name") { $0.localDisplayName }, roleField,
            .text("category") { $0.category.text },
            statusField, .flag("own") { $0.isOwn }, .text("relayLink") { $0.relayLink },
        ]
    }

    fileprivate static var listed: [FieldSpec<GroupMember>] {
        [
            idField,
            FieldSpec("name", Column("Name", key: "name", shrinking: .end), json: nil, csv: nil) {
                .text($0.localDisplayName, $0.isOwn ? .strong : nil)
            }, roleField, statusField,
            FieldSpec("category", Column("Category", key: "category"), json: nil, csv: nil) {
                .text($0.isOwn ? "you" : $0.category.text)
            }, memberIDField,
        ]
    }

    private static var idField: FieldSpec<GroupMember> { .number("groupMemberId", "Id") { $0.id.rawValue } }
    private static var roleField: FieldSpec<GroupMember> { .text("role", "Role") { $0.role.text } }
    private static var statusField: FieldSpec<GroupMember> { .text("status", "Status") { $0.status.text } }
    private static var memberIDField: FieldSpec<GroupMember> {
        .text("memberId", "Member id", shrinking: .middle) { $0.memberID }
    }
}
