import ArgumentParser
import EngineSQLite
import Migrations
import Schema

struct MigrateRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Bring a store to this build's version.")
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions
    @Flag var yes = false

    func run() throws {
        Signals.interruptsAskToStop()
        var migrator = Migrator(
            engine: SQLiteEngine(), location: try store.locationForCreating(), build: try MigrationSource.build.load())
        migrator.cancellation = Signals.cancellation
        if yes { migrator.options.confirmation = .yesUpDown }
        let report = try migrator.run()
        try output.output().note(
            "\(report.created) \(report.applied(.chat)) \(report.applied(.agent)) \(report.backup ?? "-")")
    }
}
