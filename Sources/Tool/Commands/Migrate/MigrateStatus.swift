import ArgumentParser
import ChatDBKit

struct MigrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show a store's versions, and its pending, edited and unknown migrations.",
        discussion: """
            Examples:
              chatdb migrate status
              chatdb migrate status --exit-code || chatdb migrate up
            """)

    @OptionGroup var source: MigrationSourceOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with 78 unless both databases are at this build's version and belong together.")
    var exitCode = false

    func run() throws {
        let output = try output.output()
        let context = try source.contextForReading(output)
        let status = try context.status()
        for note in context.unusedMigrations(in: source.migrationsDir) { output.note(note) }
        for note in status.halfOfPairNotes(at: context.location) { output.note(note) }
        for case .failure(let problem) in status.parts.values { throw problem.error.report(of: problem.path) }
        let lost = status.hasPending ? context.databasesWithLostMigrations : []
        let refusedEdits = status.readable.compactMapValues { context.refusalOfEdits(of: $0) }
        // Other drift is not looked for: making the schema of the version takes longer than the rest.
        let drifted = DatabaseName.allCases.filter { database in
            guard let part = status.readable[database], part.edited.isEmpty, !lost.contains(database),
                part.applied.contains(where: \.isAcceptedEdit)
            else { return false }
            return (try? context.drift(of: database))?.isEmpty == false
        }
        try output.write(
            StatusReport(
                status: status, only: context.only, lost: lost, refusedEdits: refusedEdits, drifted: drifted,
                given: source.repeated))
        let databases = context.only.map { [$0] } ?? DatabaseName.allCases
        if exitCode, !status.isCurrent(databases) { throw Answer(status: .wrongVersion) }
    }
}
