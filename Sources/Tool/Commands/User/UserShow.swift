import ArgumentParser
import ChatDBKit

struct UserShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings of a profile, and the number of its contacts and other entries.",
        discussion: """
            Examples:
              chatdb user show
              chatdb user show work --format json
              printf %s "$PASSWORD" | chatdb user show secret --password-stdin
            """)

    @Argument(help: "The profile, by name or id (default: the active one).")
    var user: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if user != nil, profile.user != nil {
            throw ValidationError("name the profile once, as an argument or with --user")
        }
    }

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            try UserShowReport(of: profile.profile(orNamed: user, in: chat), in: chat)
        }
        try output.write(report)
    }
}

extension ProfileOptions {
    /// The profile that the argument names, or else the options.
    func profile(orNamed given: String?, in chat: any ReadTransaction) throws -> User {
        guard let given else { return try profile(in: chat) }
        return try ProfileFinder.find(given, hidden: try hidden.choice(in: chat), in: chat)
    }
}
