import Foundation
import Migrations
import Schema

/// What `run`, `up` and `down` have in common: consent, progress and the answer.
struct MigrationCommand {
    let output: Output

    func run(_ migrator: Migrator, mode: ConfirmationMode, dryRun: Bool) throws {
        if dryRun { return try output.write(PlanReport(plan: try migrator.plan())) }
        Signals.interruptsAskToStop()
        var migrator = migrator
        migrator.options.confirmation = confirmation(mode)
        let bar = RunProgress(output)
        migrator.progress = { bar.show($0) }
        let report: MigrationReport
        do {
            report = try migrator.run()
        } catch {
            bar.finish()
            throw error
        }
        bar.finish()
        for warning in RunReport.warnings(report) { output.warn(warning) }
        try output.write(RunReport(report: report))
    }

    private func confirmation(_ mode: ConfirmationMode) -> Confirmation {
        switch mode {
        case .error: .error
        case .yesUp: .yesUp
        case .yesUpDown: .yesUpDown
        case .console: .console { [color = output.color] in try Self.ask($0, Output(color: color)) }
        }
    }

    private static func ask(_ plan: StorePlan, _ output: Output) throws -> Bool {
        try output.show(PlanReport(plan: plan))
        let direction = plan.downs.isEmpty ? "Apply" : plan.ups.isEmpty ? "Undo" : "Apply and undo"
        return try Consent(yes: false).ask("\(direction) \(plan.ups.count + plan.downs.count) migrations?")
    }
}
