import ArgumentParser

/// Profiles.
struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Profiles of a store.",
        discussion: """
            Examples:
              chatdb user list
              chatdb user add alice
              chatdb user activate work
            """,
        subcommands: [UserList.self, UserAdd.self, UserActivate.self])
}
