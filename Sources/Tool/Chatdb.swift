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
            RelayCommands.self, GroupCommands.self, PresetCommands.self, InspectCommand.self, CheckCommand.self,
            QueryCommand.self,
            BundleCommand.self, BackupCommand.self, RestoreCommand.self,
        ])

    /// Runs the command line of this process and ends it with the exit code the answer has.
    static func main() {
        Signals.prepare()
        let arguments = GlobalArguments.behindCommand(Array(CommandLine.arguments.dropFirst()))
        ProcessExit.exit(after: arguments) {
            if let mistake = MistypedCommand(in: arguments) { throw mistake }
            var command = try Chatdb.parseAsRoot(arguments)
            LockedFolder.removeAbandoned()
            try command.run()
        }
    }
}
