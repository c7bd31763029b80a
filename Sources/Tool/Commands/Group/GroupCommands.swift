import ArgumentParser

/// Groups and channels.
struct GroupCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Groups and channels of a profile.",
        discussion: """
            A channel is a group whose messages go through chat relays. A group is named by what the profile calls it, \
            by the name it gives itself, or by its id; where one text is a name and another's id, the name wins: id:3 \
            and name:3 say which is meant.

            Examples:
              chatdb group list
              chatdb group show news
              chatdb group show id:3
              chatdb group create news --relays 2
            """,
        subcommands: [
            GroupList.self, GroupShow.self, GroupMembers.self, GroupRelays.self, GroupCreate.self, GroupPrepare.self,
            GroupStart.self, GroupCancel.self, GroupLeave.self, GroupDelete.self,
        ])
}
