import ArgumentParser
import Repos
import Schema

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles, the one used last first.",
        discussion: """
            Hidden profiles are only counted, unless --show-hidden is given.

            Examples:
              chatdb user list
              chatdb user list --format json
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "List hidden profiles too.")
    var showHidden = false

    func run() throws {
        let report = try StoreSession.read(store, output.output()) { store in
            try store.read { chat in
                let users = UsersRepo(chat)
                return UserListReport(
                    users: try users.all(hidden: showHidden ? .shown : .leftOut),
                    hidden: showHidden ? 0 : try users.hiddenCount())
            }
        }
        try output.write(report)
    }
}

/// The profiles of a store.
struct UserListReport: Report {
    let users: [User]
    let hidden: Int

    var json: JSONValue {
        ["users": .array(users.map(\.json)), "hiddenUsers": JSONValue(hidden)]
    }

    var document: Document {
        let rows: [[Cell]] = users.map { user in
            [
                .number(user.id.rawValue), .text(user.name, user.isActive ? .strong : nil), .yesNo(user.isActive),
                .yesNo(user.isHidden),
            ]
        }
        let table = Table(
            [
                Column("Id", key: "userId", alignment: .right), Column("Name", shrinking: .end), Column("Active"),
                Column("Hidden"),
            ],
            rows: rows, whenEmpty: "no profiles; chatdb user add NAME makes one")
        let notes: [Note] = hidden == 0 ? [] : [.note("and \(hidden) hidden \(hidden == 1 ? "profile" : "profiles")")]
        return [.table(table), .notes(notes)]
    }
}

extension User {
    /// The profile as programs are told of it.
    var json: JSONValue {
        [
            "userId": .integer(id.rawValue), "name": .string(name), "active": .bool(isActive),
            "hidden": .bool(isHidden), "agentUserId": .integer(agentUserID.rawValue),
        ]
    }

    /// The profile as part of another answer.
    var reference: JSONValue { ["userId": .integer(id.rawValue), "name": .string(name)] }
}
