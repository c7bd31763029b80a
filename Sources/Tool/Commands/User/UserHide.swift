import ArgumentParser
import ChatDBKit

struct UserHide: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide a profile with a password, and mute it.",
        discussion: """
            Lists, exports and reports omit a hidden profile; it still receives messages. The active profile cannot be \
            hidden. chatdb asks for the password twice, or reads it from standard input. The store contains only a \
            hash of it.

            Examples:
              chatdb user hide work
              chatdb user hide id:2
              printf %s "$PASSWORD" | chatdb user hide work --password-stdin
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
        // Refuses a profile that cannot be hidden before the question for a password.
        let found = try session.readToWrite { store in
            try store.read { chat in
                try UsersRepo(chat).hideable(ProfileFinder.find(user, hidden: .leftOut, in: chat).id)
            }
        }
        let password =
            passwordStdin
            ? try PasswordInput.piped()
            : try PasswordInput.typed("Password for \(TextEscaping.line(found.name))", twice: true)
        let hidden = try session.write { store in
            try store.write { chat in
                guard try UsersRepo(chat).find(found.id)?.agentUserID == found.agentUserID else { throw PlanOutdated() }
                return try UsersWriter(chat).hide(found.id, password: password)
            }
        }
        try answer.write(
            UserReport(
                user: hidden, sentence: "The profile \(hidden.name) is hidden.",
                notes: [
                    store.repeated.text("\(.userUnhide, "id:\(hidden.id)") unhides it, with its password")
                ]))
    }
}
