import ArgumentParser
import ChatDBKit

struct UserActivate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Make a profile active.",
        discussion: """
            Examples:
              chatdb user activate work
              chatdb user activate id:2
              printf %s "$PASSWORD" | chatdb user activate secret --password-stdin
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (active, wasActive) = try StoreSession(store, output.output()).write { store in
            try store.write { chat in
                let found = try ProfileFinder.find(user, hidden: try hidden.choice(in: chat), in: chat)
                // Among several active profiles, it becomes the only one.
                let others = try UsersRepo(chat).all(hidden: .shown).contains { $0.isActive && $0.id != found.id }
                if found.isActive, !others { return (found, true) }
                return (try UsersWriter(chat).activate(found.id, hidden: .shown), false)
            }
        }
        let state = wasActive ? "is active already; nothing was changed" : "is active"
        let sentence = "The profile \(active.name) \(state)."
        try output.write(UserReport(user: active, sentence: sentence))
    }
}
