import ChatDBEngine
import ChatDBSchema

extension StoreContext {
    /// The fault in the down SQL of the migrations that a plan applies, as far as a run of it in memory finds it: a statement
    /// that fails (`migrationFailed`), or another schema than the one before (`wrongResult`). Nil without a fault, for a
    /// plan down, and if the schema cannot be made. The tests show that chatdb's own migrations can be undone.
    ///
    /// Rule: docs/migrations.md, "The plan".
    func downFault(of plan: DatabasePlan, in database: DatabaseName, _ schemas: StoreSchemas) -> MigrationError? {
        guard !hasOwnMigrations, plan.direction == .up, let build = build[database]?.allNamed(plan.appliedAfter) else {
            return nil
        }
        do {
            var downs: [MigrationStep] = []
            for step in plan.steps.reversed() {
                guard let down = step.migration?.down else { break }
                downs.append(try .down(step.name, down, from: .build))
            }
            if downs.isEmpty { return nil }
            let before = Array(build.dropLast(downs.count))
            let schemas = try schemas.of(database)
            try schemas.prepare(after: [before, build])
            let target = try schemas.structure(after: before)
            let differences = try schemas.rehearse(downs, of: database, after: build)?.differences(from: target) ?? []
            return differences.isEmpty ? nil : .wrongResult(database, version: before.last?.name, differences)
        } catch let error as MigrationError {
            guard case .migrationFailed(let failed) = error, failed.direction == .down else { return nil }
            return error
        } catch {
            return nil
        }
    }
}
