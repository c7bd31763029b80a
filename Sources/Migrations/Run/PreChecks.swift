import ChatDBEngine
import ChatDBSchema

/// What is looked at before a run, inside its transactions.
struct PreChecks {
    let isStrict: Bool
    let cancellation: Cancellation
    let progress: MigrationProgress.Handler

    /// Refuses a damaged database, one with triggers nobody knows, and, when strict, one that is not in order; notes the
    /// rest in the change.
    func check(_ change: DatabaseChange, build: [Migration], schemas: VersionSchemas) throws {
        progress(.checking(change.database))
        let problems = try cancellation.whileRegistered(change.connection.interrupt) {
            try change.connection.integrityProblems()
        }
        guard problems.isEmpty else { throw MigrationError.damaged(change.database, problems: problems) }

        let structure = try change.connection.structure().withoutLedger
        change.danglingBefore = try change.connection.danglingReferences(touching: nil)
        change.numberedBefore = Set(structure.tables.filter { $0.value.numbersRows }.keys)
        let dangling = change.danglingBefore.values.reduce(0, +)
        change.findings.danglingReferences = dangling
        if isStrict, dangling > 0 {
            throw MigrationError.danglingReferences(change.database, count: dangling)
        }
        try checkDrift(of: change, structure, build: build, schemas: schemas)
    }

    private func checkDrift(
        of change: DatabaseChange, _ structure: DatabaseStructure, build: [Migration], schemas: VersionSchemas
    ) throws {
        // A version beyond this build's has a schema this build cannot know.
        guard change.ledger.count <= build.count else { return }
        let expected = try schemas.structure(after: change.ledger.count)
        let drift = structure.differences(from: expected)
        change.driftBefore = drift
        change.findings.drift = drift
        // They would run during the migration, under a name that is known too.
        let unknown = drift.filter { $0.kind != .missing && [.trigger, .view].contains($0.object) }
        guard unknown.isEmpty else {
            throw MigrationError.unknownTrigger(change.database, names: unknown.map(\.name))
        }
        if isStrict, !drift.isEmpty { throw MigrationError.drift(change.database, drift) }
    }
}
