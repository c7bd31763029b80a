import ChatDBEngine
import ChatDBSchema

/// The facts about a database before a run, with which the result is compared.
struct CheckedDatabase {
    /// Its schema, without chatdb's internal tables.
    let structure: DatabaseStructure
    /// References to missing rows.
    var dangling: DanglingReferences
    /// Foreign keys that the engine cannot check, whose references are not among them.
    var unchecked: [BrokenReference] = []
    /// Tables whose rows have stable numbers.
    var numbered: Set<String>
    /// The differences from the schema of its version; nil when this build does not know that version.
    var drift: [StructureDifference]?

    /// The same under the current names of tables and columns; `structure` keeps the old names.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> CheckedDatabase {
        var copy = self
        copy.dangling = dangling.renamed(renames, now)
        copy.unchecked = unchecked.map { $0.renamed(renames, now) }
        copy.numbered = Set(numbered.map { renames.name(of: $0, among: now.keys) })
        copy.drift = drift?.map { $0.renamed(renames, now) }
        return copy
    }
}

/// Checks a database inside its transaction: before a run, and before its commit.
struct DatabaseCheck {
    let database: DatabaseName
    let connection: any MigrationConnection
    let build: [Migration]
    let schemas: VersionSchemas

    /// Builds the schemas of the plan's start and, for a plan down, of its target, in one pass. Not those after it: the
    /// run reports the faults of pending migrations, with the statement.
    func prepare(for plan: DatabasePlan) throws {
        guard let applied = build.allNamed(plan.applied) else { return }
        try schemas.prepare(after: plan.direction == .down ? [applied, build.named(plan.appliedAfter)] : [applied])
    }

    /// Refuses a damaged database, one with triggers that its version does not have and, when strict, one with
    /// warnings.
    /// - Parameter applied: the applied migrations, in the order in which they were applied.
    func before(applied: [String], isStrict: Bool, _ cancellation: Cancellation) throws -> CheckedDatabase {
        let problems = try cancellation.whileRegistered(connection.interrupt) {
            try connection.integrityProblems()
        }
        guard problems.isEmpty else { throw MigrationError.damaged(database, problems: KnownNames.shown(problems)) }
        return try facts(applied: applied, isStrict: isStrict)
    }

    /// The same without the search for damage.
    func facts(applied: [String], isStrict: Bool) throws -> CheckedDatabase {
        let structure = try connection.structure().withoutLedger
        let dangling = try connection.danglingReferences(touching: nil)
        let count = dangling.values.reduce(0, +)
        if isStrict, count > 0 { throw MigrationError.danglingReferences(database, count: count) }
        return CheckedDatabase(
            structure: structure, dangling: dangling,
            unchecked: try connection.brokenReferences().filter { !$0.lacksParent },
            numbered: Set(structure.tables.filter { $0.value.numbersRows }.keys),
            drift: try drift(of: structure, applied: applied, isStrict: isStrict))
    }

    private func drift(
        of structure: DatabaseStructure, applied: [String], isStrict: Bool
    ) throws -> [StructureDifference]? {
        // This build does not know the schema of a newer version.
        guard let migrations = build.allNamed(applied) else { return nil }
        let drift = structure.differences(from: try schemas.structure(after: migrations))
        let unknown = drift.runningParts
        guard unknown.isEmpty else { throw KnownTriggers.error(unknown, in: database, of: build) }
        if isStrict, !drift.isEmpty { throw MigrationError.drift(database, drift) }
        return drift
    }

    /// Refuses a result that differs from the version's schema, except for differences from before the run; a version
    /// whose schema has triggers, views or foreign keys that lack what they need, except for those of the version before
    /// the run; and new dangling references.
    /// - Parameters:
    ///   - plan: the plan that was carried out.
    ///   - before: the facts from before the run, under the current names.
    ///   - touched: the tables that the run wrote.
    ///   - written: the same for each step, with all names of a table.
    func after(
        _ plan: DatabasePlan, _ before: CheckedDatabase, touched: Set<String>, written: [WrittenTables]
    ) throws {
        let migrations = build.named(plan.appliedAfter)
        let isConfirmed = try NewestSchema.isConfirmed(database, migrations, inside: connection)
        // The error names the migration, and comes before that of rows whose table is missing.
        if !isConfirmed { try schemas.refuseBrokenReferences(of: database, after: plan, of: build) }
        let structure = try connection.structure().withoutLedger
        let made = try connection.danglingReferences(touching: touched)
            .without(before.unchecked)
            .made(since: before.dangling, numbered: before.numbered, in: structure)
        guard made.isEmpty else {
            throw MigrationError.madeDanglingReferences(
                database, migrations: written.migrations(leaving: made), made)
        }
        if isConfirmed { return }
        let unexplained = structure.differences(from: try schemas.structure(after: migrations))
            .filter { difference in
                !(before.drift ?? []).contains { $0.isAboutTheSame(as: difference) }
            }
        guard unexplained.isEmpty else { throw MigrationError.wrongResult(database, version: plan.to, unexplained) }
        try schemas.refuseBrokenDefinitions(of: database, after: plan, of: build)
    }
}
