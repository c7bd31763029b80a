import ArgumentParser
import ChatDBKit

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles with their unread messages, the one used last first.",
        discussion: """
            Hidden profiles are only counted, unless --show-hidden is given, or the password of one on standard input.

            Examples:
              chatdb user list
              chatdb user list --show-hidden
              chatdb user list --format json
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession.read(store, output.output()) { store in
            try store.read { chat in
                let users = UsersRepo(chat)
                let infos = try users.infos(hidden: try hidden.choice(in: chat))
                return UserListReport(
                    users: infos, hidden: try users.hiddenCount() - infos.count(where: \.user.isHidden),
                    given: self.store.repeated)
            }
        }
        try output.write(report)
    }
}

/// The profiles of a store.
struct UserListReport: Report {
    let users: [UserInfo]
    /// How many are left out.
    let hidden: Int
    /// For the command that follows.
    let given: GivenOptions

    var json: JSONValue {
        [
            "users": .array(users.map { .object($0.user.members + [.init("unread", JSONValue($0.unread))]) }),
            "hiddenUsers": JSONValue(hidden),
        ]
    }

    var document: Document {
        let rows: [[Cell]] = users.map { info in
            [
                .number(info.user.id.rawValue), .text(info.user.name, info.user.isActive ? .strong : nil),
                .yesNo(info.user.isActive), .yesNo(info.user.isHidden), .count(info.unread),
            ]
        }
        let table = Table(
            [
                Column("Id", key: "userId", alignment: .right), Column("Name", shrinking: .end), Column("Active"),
                Column("Hidden"), Column("Unread", alignment: .right),
            ],
            rows: rows, whenEmpty: given.text("no profiles; \(UserAdd.self, "NAME") makes one"))
        let notes: [Note] = hidden == 0 ? [] : [.note("and \(hidden) hidden \(hidden == 1 ? "profile" : "profiles")")]
        return [.table(table), .notes(notes)]
    }
}
