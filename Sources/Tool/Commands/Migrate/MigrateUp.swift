import ArgumentParser
import ChatDBKit

struct MigrateUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Apply pending migrations.",
        discussion: """
            Does not ask for confirmation, not even if a migration deletes data and declares it. It makes a backup \
            first, unless --no-backup is given, and reports what was deleted. To see beforehand what would be deleted, \
            use --dry-run, or chatdb migrate plan. To be asked, use chatdb migrate run.

            With --to, it migrates both databases to the version whose last migration is NAME, in the order of the \
            names. With --encrypt, a new store is encrypted, as migrate run makes it.

            Examples:
              chatdb migrate up
              chatdb migrate up --to 20260316_relay_soft_delete
              chatdb migrate up --to 20260316_relay_soft_delete -d ~/chats/old --encrypt
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var options: MigrationRunOptions
    @OptionGroup var order: OutOfOrderOptions
    @OptionGroup var creation: CreationOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The last migration to apply.", valueName: "name"))
    var to: String?

    func run() throws {
        try source.store.requireWritableOwn()
        source.store.limitWaiting(to: options.lock)
        let words = to.map { ["--to", $0] } ?? []
        var migrator = try source.migrator(
            creation.newStore(isPlanned: options.consent.dryRun, by: .migrateUp, only: source.only, words))
        options.apply(to: &migrator)
        order.apply(to: &migrator)
        creation.apply(to: &migrator)
        migrator.options.target = .up(to: to)
        try MigrationCommand(
            output: output.output(), migrationsDir: source.migrationsDir,
            repeated: source.repeated(acceptsEdited: options.acceptEdited)
        ).run(
            migrator, mode: .yesUp, dryRun: options.consent.dryRun)
    }
}
