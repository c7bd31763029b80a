public import Engine
public import Schema

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

    /// What was found.
    public struct Report: Sendable, Hashable {
        /// Every step, in the order it was taken.
        public internal(set) var steps: [Step] = []
        /// Migrations without a way back.
        public internal(set) var irreversible: [String] = []
        /// For a migration whose way back does not lead back: what is then different.
        public internal(set) var failures: [String: [StructureDifference]] = [:]

        init() {}

        /// Several reports as one.
        public init(joining reports: [Report]) {
            for report in reports {
                steps += report.steps
                irreversible += report.irreversible
                failures.merge(report.failures) { first, _ in first }
            }
        }
    }

    let engine: any StorageEngine

    /// A verifier with an engine.
    public init(engine: any StorageEngine) {
        self.engine = engine
    }

    /// Runs a history in memory: each migration up, down, and up again, comparing the schema with the one before; then
    /// from the end all the way down as far as there is a way. Throws `migrationFailed` for a statement that fails.
    public func verify(_ migrations: [Migration], of database: DatabaseName) throws -> Report {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        var report = Report()
        var before = try connection.structure()
        var schemas = [before]
        for migration in migrations {
            try run(.up(migration), of: database, on: connection, into: &report)
            let after = try connection.structure()
            if let down = migration.down {
                try run(.down(migration.name, down, from: .build), of: database, on: connection, into: &report)
                try compare(with: before, after: migration.name, on: connection, into: &report)
                // From a schema that should not be, nothing further can be proved.
                guard report.failures.isEmpty else { return report }
                try run(.up(migration), of: database, on: connection, into: &report)
                try compare(with: after, after: migration.name, on: connection, into: &report)
            } else {
                report.irreversible.append(migration.name)
            }
            before = after
            schemas.append(after)
        }
        for (index, migration) in migrations.enumerated().reversed() {
            guard let down = migration.down else { break }
            try run(.down(migration.name, down, from: .build), of: database, on: connection, into: &report)
            try compare(with: schemas[index], after: migration.name, on: connection, into: &report)
        }
        return report
    }

    private func compare(
        with expected: DatabaseStructure, after migration: String, on connection: any MigrationConnection,
        into report: inout Report
    ) throws {
        let differences = try connection.structure().differences(from: expected)
        if !differences.isEmpty { report.failures[migration] = differences }
    }

    private func run(
        _ step: MigrationStep, of database: DatabaseName, on connection: any MigrationConnection,
        into report: inout Report
    ) throws {
        let began = ContinuousClock.now
        do {
            try MigrationScripts.run(step.script, on: connection)
        } catch let failure as StatementFailure {
            throw MigrationError.migrationFailed(
                FailedStatement(
                    database: database, migration: step.name, direction: step.direction, source: step.script.source,
                    statement: failure.statement.number, line: failure.statement.line,
                    text: failure.statement.firstLine, cause: failure.cause))
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
