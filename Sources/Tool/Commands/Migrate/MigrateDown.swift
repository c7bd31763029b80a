import ArgumentParser
import ChatDBKit

struct MigrateDown: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Undo migrations.",
        discussion: """
            Shows the migrations to undo and the data that is lost, and asks for confirmation. The migrations of both \
            databases are one history, ordered by name: --steps 2 undoes the last two of them, --to NAME keeps NAME \
            and undoes all after it. A migration that both databases have counts as two.

            Examples:
              chatdb migrate down --steps 1
              chatdb migrate down --to 20260608_search --dry-run
              chatdb migrate down --steps 2 --yes
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var options: MigrationRunOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The migration to keep as the last one.", valueName: "name"))
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of migrations to undo, of both databases together.", valueName: "n"))
    var steps: Int?

    func validate() throws {
        guard (to == nil) != (steps == nil) else { throw ValidationError("specify either --to NAME or --steps N") }
        if let steps, steps < 1 { throw ValidationError("--steps must be at least 1") }
    }

    func run() throws {
        try source.store.requireWritableOwn()
        source.store.limitWaiting(to: options.lock)
        var migrator = try source.migrator()
        options.apply(to: &migrator)
        migrator.options.target = to.map { .down(to: $0) } ?? .downSteps(steps ?? 1)
        try MigrationCommand(
            output: output.output(), migrationsDir: source.migrationsDir,
            repeated: source.repeated(acceptsEdited: options.acceptEdited)
        ).run(
            migrator, mode: options.consent.yes ? .yesUpDown : .console, dryRun: options.consent.dryRun)
    }
}
