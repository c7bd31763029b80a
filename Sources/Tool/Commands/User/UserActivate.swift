import ArgumentParser
import Repos
import Schema

struct UserActivate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Make a profile the active one.",
        discussion: """
            Examples:
              chatdb user activate work
              chatdb user activate id:2
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Find hidden profiles too.")
    var showHidden = false

    func run() throws {
        let hidden: HiddenProfiles = showHidden ? .shown : .leftOut
        let active = try StoreSession.write(store, output.output()) { store in
            try store.write { chat in
                let found = try ProfileFinder.find(user, hidden: hidden, in: chat)
                return try UsersWriter(chat).activate(found.id, hidden: hidden)
            }
        }
        try output.write(UserActivateReport(user: active))
    }
}

/// The profile that is active now.
struct UserActivateReport: Report {
    let user: User

    var json: JSONValue { ["user": user.json] }
    var document: Document { [.paragraph("The profile \(user.name) is active.")] }
    var csvTable: Table { UserListReport(users: [user], hidden: 0).csvTable }
}
