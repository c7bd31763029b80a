import ArgumentParser

struct ConfigCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show the configuration of chatdb.",
        discussion: """
            The configuration file is $XDG_CONFIG_HOME/chatdb/config.toml, or ~/.config/chatdb/config.toml. It may set \
            store, format, color and wide. Options and environment variables take precedence over it.

            Examples:
              chatdb config show
            """,
        subcommands: [ConfigShow.self])
}
