import ArgumentParser

/// Groups and channels.
struct GroupCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Manage the groups and channels of a profile.",
        discussion: """
            A channel is a group whose messages go through chat relays. Name a group by the profile's name for it, by \
            its own name, or by its id. A name takes precedence over an id; id:3 and name:3 are explicit.

            Examples:
              chatdb group list
              chatdb group show news
              chatdb group show id:3
              chatdb group create news --relays 2
            """,
        subcommands: [
            GroupList.self, GroupShow.self, GroupMembers.self, GroupRelays.self, GroupCreate.self, GroupPrepare.self,
            GroupStart.self, GroupFinish.self, GroupSetLink.self, GroupRelayCommands.self, GroupCancel.self,
            GroupLeave.self, GroupDelete.self,
        ], aliases: ["channel"])
}
