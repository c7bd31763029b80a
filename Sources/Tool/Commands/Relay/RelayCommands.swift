import ArgumentParser

/// Chat relays.
struct RelayCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Manage the chat relays of a profile.",
        discussion: """
            Chat relays forward messages in channels you create.

            Examples:
              chatdb relay list
              chatdb relay add 'https://relay.example.org/r#…' --name 'my relay'
              chatdb relay show 'my relay'
            """,
        subcommands: [
            RelayList.self, RelayShow.self, RelayUsageCommand.self, RelayAdd.self, RelayEditCommand.self,
            RelayEnable.self, RelayDisable.self, RelayTest.self, RelayMarkTested.self, RelayDelete.self,
        ])
}

/// The relay of a command.
struct RelayArgument: ParsableArguments {
    @Argument(help: "The relay, by name, id, address or unique host.")
    var relay: String
}
