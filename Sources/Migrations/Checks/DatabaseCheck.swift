import ChatDBEngine
import ChatDBSchema

/// What a database was before a run: the facts that the result is compared with.
struct CheckedDatabase {
    /// Its schema, without the engine's own tables.
    let structure: DatabaseStructure
    /// References to rows that are not there.
    var dangling: DanglingReferences
    /// Tables whose rows have numbers that stay.
    var numbered: Set<String>
    /// What differs from the schema of its version; nil when this build does not know that version.
    var drift: [StructureDifference]?

    /// The same under the names that tables and columns have now; `structure` keeps the old ones.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> CheckedDatabase {
        var copy = self
        copy.dangling = dangling.renamed(renames, now)
        copy.numbered = Set(numbered.map { renames.name(of: $0, among: now.keys) })
        copy.drift = drift?.map { $0.renamed(renames, now) }
        return copy
    }
}

/// Looks through a database inside its transaction: before a run, and before its commit.
struct DatabaseCheck {
    let database: DatabaseName
    let connection: any MigrationConnection
    let build: [Migration]
    let schemas: VersionSchemas

    /// Refuses a damaged database, one with triggers that its version does not have, and, when strict, one that is not
    /// in order.
    /// - Parameter applied: how many migrations were applied.
    func before(applied: Int, isStrict: Bool, _ cancellation: Cancellation) throws -> CheckedDatabase {
        let problems = try cancellation.whileRegistered(connection.interrupt) {
            try connection.integrityProblems()
        }
        guard problems.isEmpty else { throw MigrationError.damaged(database, problems: problems) }

        let structure = try connection.structure().withoutLedger
        let dangling = try connection.danglingReferences(touching: nil)
        let count = dangling.values.reduce(0, +)
        if isStrict, count > 0 { throw MigrationError.danglingReferences(database, count: count) }
        return CheckedDatabase(
            structure: structure, dangling: dangling,
            numbered: Set(structure.tables.filter { $0.value.numbersRows }.keys),
            drift: try drift(of: structure, applied: applied, isStrict: isStrict))
    }

    private func drift(
        of structure: DatabaseStructure, applied: Int, isStrict: Bool
    ) throws -> [StructureDifference]? {
        // A version beyond this build's has a schema that this build cannot know.
        guard applied <= build.count else { return nil }
        let drift = structure.differences(from: try schemas.structure(after: applied))
        // They would run during the migration, under a name that is known too.
        let unknown = drift.filter { $0.kind != .missing && [.trigger, .view].contains($0.object) }
        guard unknown.isEmpty else { throw MigrationError.unknownTrigger(database, names: unknown.map(\.name)) }
        if isStrict, !drift.isEmpty { throw MigrationError.drift(database, drift) }
        return drift
    }

    /// Refuses a result that is not the schema of the version, apart from what differed before, and references to rows
    /// that are not there and were not dangling before.
    /// - Parameters:
    ///   - before: what was found before the run, under the names that things have now.
    ///   - touched: the tables that the run has written.
    func after(_ version: String?, _ before: CheckedDatabase, touched: Set<String>) throws {
        let structure = try connection.structure().withoutLedger
        let made = try connection.danglingReferences(touching: touched)
            .made(since: before.dangling, numbered: before.numbered, in: structure)
        guard made.isEmpty else { throw MigrationError.madeDanglingReferences(database, made) }
        let unexplained = structure.differences(from: try schemas.structure(after: build.count(upTo: version)))
            .filter { difference in
                !(before.drift ?? []).contains { $0.isAboutTheSame(as: difference) }
            }
        guard unexplained.isEmpty else { throw MigrationError.wrongResult(database, version: version, unexplained) }
    }
}
