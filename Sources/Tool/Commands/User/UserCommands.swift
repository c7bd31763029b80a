import ArgumentParser

/// Profiles.
struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Profiles of a store.",
        discussion: """
            A profile is named by its name or id; id:2 and name:2 say which is meant. Hidden profiles are not there, \
            unless their password comes on standard input (--password-stdin) or they are asked for (--show-hidden).

            Examples:
              chatdb user list
              chatdb user add alice
              chatdb user activate work
            """,
        subcommands: [
            UserList.self, UserShow.self, UserAdd.self, UserActivate.self, UserRename.self, UserHide.self,
            UserUnhide.self, UserDelete.self,
        ])
}
