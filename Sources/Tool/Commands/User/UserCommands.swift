import ArgumentParser

/// Profiles.
struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the profiles of a store.",
        discussion: """
            Name a profile by its name or id; id:2 and name:2 are explicit. Commands ignore hidden profiles, unless \
            --show-hidden is given, or --password-stdin reads the password of one from standard input.

            Examples:
              chatdb user list
              chatdb user add alice
              chatdb user activate work
            """,
        subcommands: [
            UserList.self, UserShow.self, UserAdd.self, UserActivate.self, UserRename.self, UserEdit.self,
            UserHide.self,
            UserUnhide.self, UserDelete.self,
        ], aliases: ["profile"])
}
