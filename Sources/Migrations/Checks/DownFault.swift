import ChatDBEngine
import ChatDBSchema

extension LossReader {
    /// The fault in the down SQL of the migrations that a plan applies, as far as a run of it in memory finds it: a
    /// statement that fails (`migrationFailed`), rows of the migrations that it loses without declaring it (`lostRows`),
    /// or another schema than the one before (`wrongResult`). Nil without a fault, for a plan down, and if the schema
    /// cannot be made. The tests show that chatdb's own migrations can be undone.
    ///
    /// Rule: docs/migrations.md, "The plan".
    func downFault(of plan: DatabasePlan, in database: DatabaseName) -> MigrationError? {
        guard plan.direction == .up, context.isOfFolder,
            let build = context.build[database]?.allNamed(plan.appliedAfter)
        else { return nil }
        do {
            let downs = try plan.stepsBack()
            if downs.isEmpty { return nil }
            let before = Array(build.dropLast(downs.count))
            let schemas = try schemas.of(database)
            try schemas.prepare(after: [before, build])
            let target = try schemas.structure(after: before)
            let result = try schemas.rehearse(downs, of: database, after: build) { step, connection in
                try refuseLosses(of: step, in: database, on: connection)
            }
            let differences = result?.differences(from: target) ?? []
            return differences.isEmpty ? nil : .wrongResult(database, version: before.last?.name, differences)
        } catch let error as MigrationError {
            switch error {
            case .migrationFailed(let failed) where failed.direction == .down: return error
            case .lostRows: return error
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// Undoes a migration, and throws `lostRows`, as a run does, if it loses rows without declaring that.
    private func refuseLosses(
        of step: MigrationStep, in database: DatabaseName, on connection: any MigrationConnection
    ) throws {
        var counts = try RowCounts(connection)
        try MigrationScripts.run(
            step.script, on: connection, before: { _, effect in try counts.note(effect) },
            after: { _, effect in try counts.follow(effect) })
        if !step.directives.contains(.dataLoss) { try counts.check(database, migration: step.name) }
    }
}

extension DatabasePlan {
    /// The steps that undo those of a plan up, the last one first, until one has no down SQL.
    func stepsBack() throws -> [MigrationStep] {
        try steps.reversed().map { ($0.name, $0.migration?.down) }.prefix { $0.1 != nil }.compactMap { name, down in
            try down.map { try .down(name, $0, from: .build) }
        }
    }
}
