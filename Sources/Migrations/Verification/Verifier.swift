public import ChatDBEngine
public import ChatDBSchema

/// Verifies a history: every migration up from the empty database, down, and up again.
/// Rule: docs/migrations.md, "A migration".
public struct Verifier: Sendable {
    /// The cost of one step.
    public struct Step: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// The migration.
        public let migration: String
        /// Up or down.
        public let direction: MigrationStep.Direction
        /// The duration in milliseconds.
        public let milliseconds: Double
        /// The rows in all tables after it, except chatdb's internal ones.
        public let rows: Int
        /// The size of the database after it, in bytes.
        public let bytes: Int64
        /// The largest size of database, log and journal together so far, in bytes.
        public internal(set) var peakBytes: Int64
    }

    /// A migration of one database; both may have one of the same name.
    public struct Subject: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// The migration.
        public let migration: String
    }

    /// A migration whose down SQL does not restore the schema, or that has another result the second time.
    public struct Failure: Sendable, Hashable {
        /// The migration.
        public let subject: Subject
        /// The differences, sorted.
        public let differences: [StructureDifference]
    }

    /// Data that a step has lost without declaring it (`-- chatdb: data-loss`). Every run refuses such a step, although
    /// the schema is right.
    public struct UndeclaredStepLoss: Sendable, Hashable {
        /// The migration.
        public let subject: Subject
        /// Up or down.
        public let direction: MigrationStep.Direction
        /// The data. For a column, its rows are those of the table.
        public let loss: Loss
    }

    /// The result of a verification.
    public struct Report: Sendable, Hashable {
        /// Every step, in the order of the run.
        public internal(set) var steps: [Step] = []
        /// Migrations without down SQL, in their order.
        public internal(set) var irreversible: [Subject] = []
        /// The irreversible migrations in the order found; each migration once.
        public internal(set) var failures: [Failure] = []
        /// What steps have lost without declaring it, each once, in the order found.
        public internal(set) var undeclared: [UndeclaredStepLoss] = []
        /// Whether the verification found nothing wrong.
        public var isOK: Bool { failures.isEmpty && undeclared.isEmpty && downFaults.isEmpty }
        /// The data that a rehearsal has lost in the copy of each database, as the report of a run has it. A database
        /// without losses has no entry.
        public internal(set) var losses: [DatabaseName: [Loss]] = [:]
        /// The indexes and triggers that steps up remove without naming them, in the order of the steps. A database
        /// without such may have no entry.
        public internal(set) var removed: [DatabaseName: [RemovedParts]] = [:]
        /// The fault for which a run would not undo the migrations of a rehearsal up in the copy of each database. A
        /// rehearsal does not undo chatdb's own migrations. A verification throws
        /// `migrationFailed`, or has it in `failures` or `undeclared`.
        public internal(set) var downFaults: [DatabaseName: MigrationError] = [:]

        init() {}

        /// Merges several reports.
        public init(joining reports: [Report]) {
            for report in reports {
                steps += report.steps
                irreversible += report.irreversible
                failures += report.failures
                undeclared += report.undeclared
                losses.merge(report.losses) { $0 + $1 }
                removed.merge(report.removed) { $0 + $1 }
                downFaults.merge(report.downFaults) { first, _ in first }
            }
        }
    }

    let engine: any StorageEngine
    /// Measures the free space for a rehearsal.
    var free: SpaceCheck.Measure = FileSpace.free(at:)

    /// A verifier with an engine.
    public init(engine: any StorageEngine) {
        self.engine = engine
    }

    /// Runs a history in memory: each migration up, down, and up again, and compares the schema with the one before.
    /// Then runs from the end down as far as down SQL exists. It stops at the first failure, because a wrong schema
    /// proves nothing further. The rows are those that the migrations themselves insert: a step that loses some of them
    /// has to declare that, as in a run. Throws `migrationFailed` for a statement that fails, and
    /// `brokenDefinitions` for a migration that leaves triggers or views without what they need. A foreign key that the
    /// engine cannot check after the last migration is `migrationFailed` too.
    public func verify(_ migrations: [Migration], of database: DatabaseName) throws -> Report {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        var report = Report()
        var before = try connection.structure()
        var schemas = [before]
        for migration in migrations {
            let subject = Subject(database: database, migration: migration.name)
            let step = try MigrationStep.up(migration)
            try run(step, of: database, on: connection, into: &report)
            let after = try connection.structure()
            let broken = try connection.brokenDefinitions()
            guard broken.isEmpty else {
                throw MigrationError.brokenDefinitions(database, version: migration.name, broken)
            }
            if step.mayRemoveParts {
                report.removed[database, default: []] += try step.removedParts(from: before, to: after)
            }
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
        if let broken = try connection.brokenReferences().first {
            throw try migrations.error(leaving: broken, in: database, engine)
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
        var counts = try RowCounts(connection)
        do {
            try MigrationScripts.run(
                step.script, on: connection, before: { _, effect in try counts.note(effect) },
                after: { _, effect in try counts.follow(effect) })
        } catch let failure as StatementFailure {
            throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
        }
        let duration = ContinuousClock.now - began
        let subject = Subject(database: database, migration: step.name)
        for loss in try undeclaredLosses(counts, step, on: connection) {
            let found = UndeclaredStepLoss(subject: subject, direction: step.direction, loss: loss)
            // Each step runs twice.
            if !report.undeclared.contains(found) { report.undeclared.append(found) }
        }
        let bytes = try connection.size().total
        report.steps.append(
            Step(
                database: database, migration: step.name, direction: step.direction,
                milliseconds: duration.milliseconds, rows: try connection.rowsOfAllTables(), bytes: bytes,
                peakBytes: max(bytes, report.steps.last { $0.database == database }?.peakBytes ?? 0)))
    }

    /// The losses for which a run refuses the step, sorted by table.
    private func undeclaredLosses(
        _ counts: RowCounts, _ step: MigrationStep, on connection: any MigrationConnection
    ) throws -> [Loss] {
        if step.directives.contains(.dataLoss) { return [] }
        let (shorter, gone) = try counts.lost()
        var losses = gone.sorted { $0.key < $1.key }.map { Loss(table: $0.key, column: nil, rows: $0.value) }
        losses += shorter.sorted { $0.key < $1.key }.map { Loss(deletedFrom: $0.key, rows: $0.value) }
        // A migration down declares the columns that it drops by being one.
        guard step.direction == .up else { return losses }
        for (table, column) in try counts.lostColumns() {
            losses.append(Loss(table: table, column: column, rows: counts.rows(before: table)))
        }
        return losses
    }
}
