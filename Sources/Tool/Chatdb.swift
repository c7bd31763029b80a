import ArgumentParser
import ChatDBKit

/// The command `chatdb`.
@main
struct Chatdb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatdb",
        abstract: "Migrate, configure and inspect the stores of a SimpleX-style chat application.",
        discussion: """
            A store is two databases that belong together: x_chat.db and x_agent.db. Name it with --store x, or set \
            CHATDB_STORE.

            Examples:
              chatdb migrate run
              chatdb user add alice
              chatdb inspect --store ~/Downloads/simplex
            """,
        version: Version.text,
        subcommands: [
            MigrateCommands.self, SchemaCommands.self, UserCommands.self, OperatorCommands.self, ServerCommands.self,
            ConditionsCommands.self, RelayCommands.self, GroupCommands.self, ContactCommands.self,
            SettingsCommands.self, PresetCommands.self, FindCommand.self, SearchCommand.self, InspectCommand.self,
            CheckCommand.self, DiagnoseCommand.self, QueryCommand.self, NotificationCommands.self, ArchiveCommands.self,
            PassphraseCommands.self, BundleCommands.self, BackupCommands.self, RestoreCommand.self, CopyCommand.self,
            SalvageCommand.self,
            ServeCommand.self, ConfigCommands.self, CompletionCommand.self,
        ])

    /// Runs the command line of this process and ends it with the exit code the answer has.
    static func main() {
        Signals.prepare()
        let arguments = GlobalArguments.behindCommand(Array(CommandLine.arguments.dropFirst()))
        ProcessExit.exit(after: arguments) {
            if let mistake = MistypedCommand(in: arguments) { throw mistake }
            var command = try parsed(arguments)
            // Help needs no settings, and is wanted when they are wrong.
            if type(of: command).configuration.commandName != "help" { _ = try ConfigurationFile.current.get() }
            LockedFolder.removeAbandoned()
            try command.run()
        }
    }

    /// The command of a line. The command that the words name parses its own options, because the parser takes half as
    /// long without the tree of all commands. Requests for help, and lines with errors, are parsed from the root: its
    /// texts have the whole name of the command.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let named = NamedCommand(in: arguments)
        if named.subcommands.isEmpty, let command = try? named.type.parseAsRoot(Array(named.rest)),
            type(of: command) == named.type
        {
            return command
        }
        return try parseAsRoot(arguments)
    }
}
