import ArgumentParser
import ChatDBKit

struct MigrateRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Migrate a store to this build's version, up or down.",
        discussion: """
            Creates the store if neither of its files exists. For a file that --database chat=FILE names, and for a \
            store whose name is that of a database file, such as app.db, it does so only with --create. If the store \
            exists, or has lost its databases and has backups or replaced files, the command asks for confirmation on a \
            terminal, and requires --yes elsewhere. With --yes it goes up, never down.

            --confirm takes the words of SimpleX Chat: error (do nothing, list the migrations), yes-up (as --yes), \
            yes-up-down (go up or down), console (ask).

            With --encrypt, a new store is encrypted, with the passphrase of --passphrase-file or --passphrase-stdin. On \
            a terminal, chatdb asks for it twice. An encrypted store needs no --encrypt later; its backups are encrypted \
            too.

            Examples:
              chatdb migrate run -d ~/chats/me
              chatdb migrate run -d ~/chats/me --encrypt
              chatdb migrate run --yes --keep-backups 3
              chatdb migrate run --migrations-dir ./migrations/sqlite --dry-run
              chatdb migrate run --allow-out-of-order "merge of branch tags"
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var options: MigrationRunOptions
    @OptionGroup var order: OutOfOrderOptions
    @OptionGroup var creation: CreationOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("How to confirm (default: console on a terminal, else error).", valueName: "mode")
    )
    var confirm: ConfirmationMode?

    func run() throws {
        let given = confirm ?? (options.consent.yes ? .yesUp : nil)
        let mode = given ?? (Terminal.current.inputIsTerminal ? .console : .error)
        try source.store.requireWritableOwn()
        source.store.limitWaiting(to: options.lock)
        var migrator = try source.migrator(
            creation.newStore(isPlanned: options.consent.dryRun, by: .migrateRun, only: source.only))
        options.apply(to: &migrator)
        order.apply(to: &migrator)
        creation.apply(to: &migrator)
        try MigrationCommand(
            output: output.output(), migrationsDir: source.migrationsDir,
            repeated: source.repeated(acceptsEdited: options.acceptEdited)
        ).run(
            migrator, mode: mode, given: given, dryRun: options.consent.dryRun)
    }
}

/// The modes of confirmation, with the names that users of SimpleX know.
enum ConfirmationMode: String, WordArgument {
    case error
    case yesUp = "yes-up"
    case yesUpDown = "yes-up-down"
    case console
}
