import ArgumentParser

/// Chat relays.
struct RelayCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Chat relays of a profile.",
        discussion: """
            Chat relays forward messages in channels you create.

            Examples:
              chatdb relay list
              chatdb relay add 'https://relay.example.org/r#…' --name 'my relay'
            """,
        subcommands: [RelayList.self, RelayAdd.self])
}
