import Engine
import Schema

/// One database in the hands of a run: its connection, inside its transaction, and what was found there.
final class DatabaseChange {
    let database: DatabaseName
    let path: String
    let connection: any MigrationConnection
    let ledger: [LedgerEntry]
    let identity: StoreIdentity?
    /// Set by the checks before the run.
    var findings = MigrationReport.Findings()
    var danglingBefore: Set<DanglingReference> = []
    /// What differs from the schema of the version before; nil when this build does not know that version.
    var driftBefore: [StructureDifference]?
    /// Tables the run has written.
    private(set) var touched: Set<String> = []

    /// Takes a database that exists: opens it and begins.
    init(_ database: DatabaseName, path: String, engine: any StorageEngine) throws {
        self.database = database
        self.path = path
        let connection = try engine.openForMigration(path, creating: false)
        self.connection = connection
        do {
            try connection.begin()
            ledger = try Ledger.entries(in: connection)
            identity = try StoreIdentity.read(in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Makes a new database and begins: empty, marked as ours, with the engine's own tables.
    init(creating database: DatabaseName, path: String, identity: StoreIdentity, engine: any StorageEngine) throws {
        self.database = database
        self.path = path
        self.identity = identity
        ledger = []
        let connection = try engine.openForMigration(path, creating: true)
        self.connection = connection
        do {
            try connection.begin()
            try connection.setApplicationMark(StoreMark.of(database))
            try Ledger.create(in: connection)
            try identity.insert(in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    deinit { connection.close() }

    /// Applies or undoes one migration and notes it in the ledger.
    /// - Parameter countingRows: whether to watch that no rows get lost; a new database has none.
    func perform(_ step: MigrationStep, countingRows: Bool, cancellation: Cancellation) throws {
        var counts = countingRows ? try RowCounts(connection) : nil
        do {
            try MigrationScripts.run(step.script, on: connection) { _, effect in
                try cancellation.check()
                try counts?.note(effect)
            } after: { effect in
                try counts?.follow(effect)
            }
        } catch let failure as StatementFailure {
            if failure.cause.kind == .interrupted, cancellation.isRequested { throw MigrationError.interrupted }
            throw MigrationError.migrationFailed(
                FailedStatement(
                    database: database, migration: step.name, direction: step.direction, source: step.script.source,
                    statement: failure.statement.number, line: failure.statement.line,
                    text: failure.statement.firstLine, cause: failure.cause))
        }
        if let counts {
            if !step.directives.contains(.dataLoss) { try counts.check(database, migration: step.name) }
            touched.formUnion(counts.touched)
        }
        if let migration = step.migration {
            try Ledger.add(migration, in: connection)
        } else {
            try Ledger.remove(step.name, in: connection)
        }
    }
}

extension DatabaseStructure {
    /// Without the engine's own tables, which belong to no version.
    var withoutLedger: DatabaseStructure {
        var copy = self
        for table in Ledger.tables { copy.tables[table] = nil }
        return copy
    }
}
