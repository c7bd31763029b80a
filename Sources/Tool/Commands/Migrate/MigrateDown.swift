import ArgumentParser
import ChatDBKit

struct MigrateDown: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Undo migrations.",
        discussion: """
            Shows what is undone and what is lost with it, and asks. Both databases are one history in the order of the \
            names: --steps 2 undoes the two latest of both, --to NAME leaves NAME applied and undoes all after it.

            Examples:
              chatdb migrate down --steps 1
              chatdb migrate down --to 20260608_search --dry-run
              chatdb migrate down --steps 2 --yes
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var options: MigrationRunOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The migration that is then the last.", valueName: "name"))
    var to: String?

    @Option(help: ArgumentHelp("How many migrations to undo.", valueName: "n"))
    var steps: Int?

    func validate() throws {
        guard (to == nil) != (steps == nil) else { throw ValidationError("give either --to NAME or --steps N") }
        if let steps, steps < 1 { throw ValidationError("--steps must be at least 1") }
    }

    func run() throws {
        var migrator = try source.migrator()
        options.apply(to: &migrator)
        migrator.options.target = to.map { .down(to: $0) } ?? .downSteps(steps ?? 1)
        try MigrationCommand(output: output.output(), migrationsDir: source.migrationsDir).run(
            migrator, mode: options.yes ? .yesUpDown : .console, dryRun: options.dryRun)
    }
}
