import ChatDBEngine
import ChatDBSchema

extension StoreContext {
    /// The refusals of a run with this plan that are known before it runs: triggers and views that the version of a
    /// database does not have, triggers, views and foreign keys that the plan leaves without what they need, down SQL
    /// that does not make the schema of the target version, new columns that SQLite refuses because the table has rows,
    /// and new things that the database has already. Under `strict`, also drift. Empty if there are none, and for
    /// databases whose version this build does not know. Changes nothing.
    ///
    /// Rule: docs/migrations.md, "Drift" and "What chatdb refuses in a file".
    package func refusals(of plan: StorePlan, isStrict: Bool = false) -> [MigrationError] {
        DatabaseName.allCases.flatMap { database -> [MigrationError] in
            guard let steps = plan.databases[database] else { return [] }
            let differences = isStrict ? steps.differences : []
            let drift = differences.isEmpty ? nil : MigrationError.drift(database, differences)
            if steps.steps.isEmpty { return drift.map { [$0] } ?? [] }
            let isLater = plan.creates || plan.interrupted != nil && !plan.isUndone
            let broken = brokenParts(of: database, after: steps)
            return [
                plan.creates
                    ? nil : refusedParts(of: database, steps) ?? refusal { try checkTriggers(of: database) } ?? drift,
                broken.definitions,
                broken.reference,
                steps.wrongResult.isEmpty
                    ? nil : MigrationError.wrongResult(database, version: steps.to, steps.wrongResult),
                isLater ? nil : refusedColumn(of: database, after: steps),
                isLater ? nil : refusedCreation(in: database, by: steps),
            ].compactMap(\.self)
        }
    }

    /// The refusal of the parts of the drift that would run during the migration.
    private func refusedParts(of database: DatabaseName, _ plan: DatabasePlan) -> MigrationError? {
        let parts = plan.differences.runningParts
        return parts.isEmpty ? nil : KnownTriggers.error(parts, in: database, of: build[database] ?? [])
    }

    /// The refusal that a check throws. The run reports all other errors.
    private func refusal(_ check: () throws -> Void) -> MigrationError? {
        do {
            try check()
        } catch let error as MigrationError {
            switch error {
            case .unknownTrigger, .brokenDefinitions: return error
            default: break
            }
        } catch {}
        return nil
    }

    private func checkTriggers(of database: DatabaseName) throws {
        let found = try find(database)
        guard let applied = build[database]?.allNamed(found.applied.namesAsApplied) else { return }
        try KnownTriggers.check(found.triggers, in: database, applied: applied, engine: engine)
    }

    /// The refusals of a plan up that leaves something broken. The tests show that chatdb's own migrations do not.
    private func brokenParts(
        of database: DatabaseName, after plan: DatabasePlan
    ) -> (definitions: MigrationError?, reference: MigrationError?) {
        guard plan.direction == .up, isOfFolder, let build = build[database],
            let schemas = try? VersionSchemas(engine: engine, of: database)
        else { return (nil, nil) }
        return (
            refusal { try schemas.refuseBrokenDefinitions(of: database, after: plan, of: build) },
            try? schemas.brokenReference(in: database, after: plan, of: build)
        )
    }
}

extension [StructureDifference] {
    /// The triggers, views and functions that a version lacks or has otherwise: they would run during a migration, even
    /// under a known name.
    var runningParts: [String] {
        filter { $0.kind != .missing && [.trigger, .view, .function].contains($0.object) }.map(\.name)
    }
}

extension VersionSchemas {
    /// Throws `brokenDefinitions` for a plan up to a version whose schema has triggers or views that lack what they
    /// need, except for those of the version before it. The version to which a plan goes down was there before.
    func refuseBrokenDefinitions(of database: DatabaseName, after plan: DatabasePlan, of build: [Migration]) throws {
        guard plan.direction == .up, let version = plan.to else { return }
        var broken = try brokenDefinitions(after: build.named(plan.appliedAfter))
        if broken.isEmpty { return }
        let before = try brokenDefinitions(after: build.named(plan.applied))
        broken.removeAll { definition in before.contains { $0.isAboutTheSame(as: definition) } }
        guard broken.isEmpty else { throw MigrationError.brokenDefinitions(database, version: version, broken) }
    }

    /// Throws the error of `brokenReference`, if there is one.
    func refuseBrokenReferences(of database: DatabaseName, after plan: DatabasePlan, of build: [Migration]) throws {
        if let error = try brokenReference(in: database, after: plan, of: build) { throw error }
    }

    /// `migrationFailed` for a plan up to a version with a foreign key that the engine cannot check, except for those of
    /// the version before it, also under the names that the plan gives; nil without one. SQLite permits a reference to a
    /// table that a later migration creates, so only the last version counts.
    func brokenReference(
        in database: DatabaseName, after plan: DatabasePlan, of build: [Migration]
    ) throws -> MigrationError? {
        guard plan.direction == .up else { return nil }
        let migrations = build.named(plan.appliedAfter)
        let broken = try brokenReferences(after: migrations)
        if broken.isEmpty { return nil }
        let now = try structure(after: migrations).tables.mapValues { $0.columns.map(\.name) }
        let applied = build.named(plan.applied)
        let renames = Renames(
            reading: try plan.steps.flatMap { try $0.script.facts }, syntax: plan.steps.syntax,
            of: try structure(after: applied))
        let before = try brokenReferences(after: applied).map { $0.renamed(renames, now) }
        let new = broken.first { reference in !before.contains { $0.isAboutTheSame(as: reference) } }
        return try new.map { try migrations.error(leaving: $0, in: database, engine) }
    }
}

extension [Migration] {
    /// The error of a foreign key that the engine cannot check after these migrations. It names the statement after which
    /// the key is there until the end.
    func error(
        leaving reference: BrokenReference, in database: DatabaseName, _ engine: any StorageEngine
    ) throws -> MigrationError {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        let cause = StoreError(.sql, reference.reason)
        var found: FailedStatement?
        for migration in self {
            let step = try MigrationStep.up(migration)
            do {
                try MigrationScripts.run(
                    migration.up, on: connection,
                    after: { statement, _ in
                        if try !connection.brokenReferences().contains(reference) {
                            found = nil
                        } else if found == nil {
                            let failure = StatementFailure(statement: statement, cause: cause)
                            found = FailedStatement(failure, of: step, database)
                        }
                    })
            } catch let failure as StatementFailure {
                throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
            }
        }
        return found.map { .migrationFailed($0) } ?? .system(cause)
    }
}
