import ArgumentParser
import ChatDBKit

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles and their unread messages, most recently used first.",
        discussion: """
            Hidden profiles are only counted. Use --show-hidden to list them, or --password-stdin to list the one \
            whose password is on standard input.

            Examples:
              chatdb user list
              chatdb user list --show-hidden
              chatdb user list --format json
            """, aliases: ["ls"])

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(store, output.output()).list { chat in
            let users = UsersRepo(chat)
            let infos = try users.infos(hidden: try hidden.choice(in: chat))
            return UserListReport(
                users: infos, hidden: try users.hiddenCount() - infos.count(where: \.user.isHidden),
                given: self.store.repeated)
        }
        try output.write(report)
    }
}

/// The profiles of a store.
struct UserListReport: Report {
    let users: [UserInfo]
    /// The number of omitted profiles.
    let hidden: Int
    /// The options for the next command.
    let given: GivenOptions

    var json: JSONValue {
        ["users": .array(users.map { Self.fields.json($0) }), "hiddenUsers": JSONValue(hidden)]
    }

    private static var fields: [FieldSpec<UserInfo>] {
        [id, .text("name") { $0.user.name }, active, isHidden, .number("agentUserId") { $0.user.agentUserID.rawValue }]
            + [unread]
    }

    private static var listed: [FieldSpec<UserInfo>] {
        [
            id,
            FieldSpec("name", Column("Name", key: "name", shrinking: .end), json: nil, csv: nil) {
                .text($0.user.name, $0.user.isActive ? .strong : nil)
            }, active, isHidden, unread,
        ]
    }

    private static var id: FieldSpec<UserInfo> { .number("userId", "Id") { $0.user.id.rawValue } }
    private static var active: FieldSpec<UserInfo> { .flag("active", "Active") { $0.user.isActive } }
    private static var isHidden: FieldSpec<UserInfo> { .flag("hidden", "Hidden") { $0.user.isHidden } }
    private static var unread: FieldSpec<UserInfo> { .count("unread", "Unread") { $0.unread } }

    var document: Document {
        let table = Self.listed.table(
            users, whenEmpty: given.text("no profiles; \(.userAdd, "NAME") creates one"))
        let notes: [Note] = hidden == 0 ? [] : [.note("and \(hidden) hidden \(hidden == 1 ? "profile" : "profiles")")]
        return [.table(table), .notes(notes)]
    }
}
