import ArgumentParser
import ChatDBKit

struct UserUnhide: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide", abstract: "Unhide a profile, with its password.",
        discussion: """
            A wrong password and a profile that does not exist give the same error.

            Examples:
              chatdb user unhide work
              chatdb user unhide id:2
              printf %s "$PASSWORD" | chatdb user unhide work --password-stdin
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input.")
    var passwordStdin = false

    func run() throws {
        let answer = try output.output()
        let session = try StoreSession(store, answer)
        // The error about a missing store comes before the question for the password.
        try session.readToWrite { _ in }
        let password = passwordStdin ? try PasswordInput.piped() : try PasswordInput.typed("Password")
        let shown = try session.write { store in
            try store.write { chat in
                let unlocked = try UsersRepo(chat).unlocked(by: password)
                let found = try ProfileFinder.find(user, hidden: .unlocked(unlocked), in: chat)
                return try UsersWriter(chat).unhide(found.id, password: password)
            }
        }
        try answer.write(
            UserReport(
                user: shown, sentence: "The profile \(shown.name) is no longer hidden, and its notifications are on."))
    }
}
