import ArgumentParser
import ChatDBKit

struct MigrateRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Bring a store to this build's version, whichever direction that is.",
        discussion: """
            Makes the store when neither of its files exists. Otherwise it asks on a terminal, and elsewhere needs \
            --confirm: error (do nothing, list what would be done), yes-up (go up), yes-up-down (go up or down), \
            console (ask). --yes is short for --confirm yes-up.

            Examples:
              chatdb migrate run -d ~/chats/me
              chatdb migrate run --confirm yes-up --keep-backups 3
              chatdb migrate run --migrations-dir ./migrations/sqlite --dry-run
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var options: MigrationRunOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("What to do without asking (default: console on a terminal, else error).", valueName: "mode")
    )
    var confirm: ConfirmationMode?

    func run() throws {
        let given = confirm ?? (options.consent.yes ? .yesUp : nil)
        let mode = given ?? (Terminal.current.inputIsTerminal ? .console : .error)
        var migrator = try source.migrator(mayCreate: !options.consent.dryRun)
        options.apply(to: &migrator)
        try MigrationCommand(output: output.output(), migrationsDir: source.migrationsDir).run(
            migrator, mode: mode, given: given, dryRun: options.consent.dryRun)
    }
}

/// The words users of SimpleX know.
enum ConfirmationMode: String, WordArgument {
    case error
    case yesUp = "yes-up"
    case yesUpDown = "yes-up-down"
    case console
}
