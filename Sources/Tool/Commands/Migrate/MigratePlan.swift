import ArgumentParser
import ChatDBKit

struct MigratePlan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what migrate run would do. Changes nothing.",
        discussion: """
            Reads the store and compares schemas. It lists the tables, columns and rows that the migrations would \
            delete, and counts the rows. It names the columns whose values an UPDATE overwrites, and does not count \
            these values. It does not run the migrations, so it can miss a statement that fails because of the rows of \
            the store, and the number of rows may be an estimate. To try them on a private copy of the store, use \
            chatdb migrate verify --data STORE.

            Examples:
              chatdb migrate plan
              chatdb migrate plan -d old_chat.db --format json
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var order: OutOfOrderOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Accept applied migrations that were edited afterwards, and show how their files differ.")
    var acceptEdited = false

    @Flag(help: "Show the plan of a new store that is encrypted, as migrate run --encrypt makes it.")
    var encrypt = false

    func run() throws {
        let new = NewStore(
            isPlanned: true, isEncrypted: encrypt, encrypting: NewStore.encrypting(.migrateRun, only: source.only))
        var migrator = try source.migrator(new)
        migrator.options.acceptsEdited = acceptEdited
        order.apply(to: &migrator)
        migrator.options.mayCreate = !CreationOptions.isNeeded(for: migrator.context.location)
        try migrator.warnOfReplacedStore(output.output(), source.repeated)
        let plan = try MigrationHint.adding(for: migrator, in: source.migrationsDir) { try migrator.plan() }
        let lost = migrator.context.databasesWithLostMigrations(in: plan)
        let report = PlanReport(
            plan: plan, folder: source.migrationsDir, lost: lost,
            errors: migrator.context.refusals(of: plan),
            unused: migrator.context.unusedMigrations(in: source.migrationsDir),
            given: source.repeated(acceptsEdited: acceptEdited))
        try report.write(to: output.output())
        if plan.creates { try migrator.warnOfSimilarStore(output.output()) }
        if let status = report.refusal(nil) { throw Answer(status: status) }
    }
}

extension PlanReport {
    /// Writes the answer. Standard error has what does not fit into CSV.
    func write(to output: Output) throws {
        try output.write(self)
        guard output.format == .csv else { return }
        for plans in [plan.completes, plan.databases] {
            for note in Self.stepNotes({ plans[$0]?.steps ?? [] }) { output.note(note) }
            for clause in LossBlocks.clauses({ plans[$0]?.losses ?? [] }) { output.note("lost: \(clause)") }
        }
        for warning in warnings { output.warn(warning) }
        for note in notes { output.note(note) }
        for name in plan.acceptedEdits { output.note("accepted as edited: \(name)") }
    }
}
