public import ChatDBEngine
public import ChatDBSchema

/// Proves a history: every migration up from nothing, each one's way back, and up again.
/// Rule: docs/migrations.md, "A migration".
public struct Verifier: Sendable {
    /// What one step took.
    public struct Step: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// The migration.
        public let migration: String
        /// Up or down.
        public let direction: MigrationStep.Direction
        /// How long it took, in milliseconds.
        public let milliseconds: Double
        /// Rows in all tables after it, those of the engine's own tables not counted.
        public let rows: Int
        /// Size of the database after it, in bytes.
        public let bytes: Int64
        /// The most the database, its log and its journal have taken so far, in bytes.
        public internal(set) var peakBytes: Int64
    }

    /// A migration of one database; both may have one of the same name.
    public struct Subject: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// The migration.
        public let migration: String
    }

    /// A migration whose way back does not lead back, or that does something else the second time.
    public struct Failure: Sendable, Hashable {
        /// Which migration.
        public let subject: Subject
        /// What is different then, sorted.
        public let differences: [StructureDifference]
    }

    /// What was found.
    public struct Report: Sendable, Hashable {
        /// Every step, in the order it was taken.
        public internal(set) var steps: [Step] = []
        /// Migrations without a way back, in their order.
        public internal(set) var irreversible: [Subject] = []
        /// What does not lead back, in the order it was found; each migration once.
        public internal(set) var failures: [Failure] = []

        init() {}

        /// Several reports as one.
        public init(joining reports: [Report]) {
            for report in reports {
                steps += report.steps
                irreversible += report.irreversible
                failures += report.failures
            }
        }
    }

    let engine: any StorageEngine
    /// How the room for a rehearsal is measured.
    var free: SpaceCheck.Measure = FileSpace.free(at:)

    /// A verifier with an engine.
    public init(engine: any StorageEngine) {
        self.engine = engine
    }

    /// Runs a history in memory: each migration up, down, and up again, comparing the schema with the one before; then
    /// from the end all the way down as far as there is a way. It ends at the first failure: from a schema that should
    /// not be, nothing further can be proved. Throws `migrationFailed` for a statement that fails.
    public func verify(_ migrations: [Migration], of database: DatabaseName) throws -> Report {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        var report = Report()
        var before = try connection.structure()
        var schemas = [before]
        for migration in migrations {
            let subject = Subject(database: database, migration: migration.name)
            try run(.up(migration), of: database, on: connection, into: &report)
            let after = try connection.structure()
            if let down = migration.down {
                try run(.down(migration.name, down, from: .build), of: database, on: connection, into: &report)
                try compare(with: before, after: subject, on: connection, into: &report)
                guard report.failures.isEmpty else { return report }
                try run(.up(migration), of: database, on: connection, into: &report)
                try compare(with: after, after: subject, on: connection, into: &report)
                guard report.failures.isEmpty else { return report }
            } else {
                report.irreversible.append(subject)
            }
            before = after
            schemas.append(after)
        }
        for (index, migration) in migrations.enumerated().reversed() {
            guard let down = migration.down else { break }
            try run(.down(migration.name, down, from: .build), of: database, on: connection, into: &report)
            try compare(
                with: schemas[index], after: Subject(database: database, migration: migration.name), on: connection,
                into: &report)
            guard report.failures.isEmpty else { break }
        }
        return report
    }

    private func compare(
        with expected: DatabaseStructure, after subject: Subject, on connection: any MigrationConnection,
        into report: inout Report
    ) throws {
        let differences = try connection.structure().differences(from: expected)
        if !differences.isEmpty { report.failures.append(Failure(subject: subject, differences: differences)) }
    }

    private func run(
        _ step: MigrationStep, of database: DatabaseName, on connection: any MigrationConnection,
        into report: inout Report
    ) throws {
        let began = ContinuousClock.now
        do {
            try MigrationScripts.run(step.script, on: connection)
        } catch let failure as StatementFailure {
            throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
        }
        let duration = ContinuousClock.now - began
        let bytes = try connection.size().total
        report.steps.append(
            Step(
                database: database, migration: step.name, direction: step.direction,
                milliseconds: duration.milliseconds, rows: try connection.rowsOfAllTables(), bytes: bytes,
                peakBytes: max(bytes, report.steps.last { $0.database == database }?.peakBytes ?? 0)))
    }
}
