import ArgumentParser

/// Groups and channels.
struct GroupCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Groups and channels of a profile.",
        discussion: """
            A channel is a group whose messages go through chat relays.

            Examples:
              chatdb group list
              chatdb group show news
              chatdb group create news --relays 2
            """,
        subcommands: [
            GroupList.self, GroupShow.self, GroupMembers.self, GroupRelays.self, GroupCreate.self, GroupPrepare.self,
            GroupStart.self, GroupCancel.self, GroupLeave.self, GroupDelete.self,
        ])
}
