import ChatDBEngine
import ChatDBSchema

/// The schemas of a history's versions, built by running it in memory. So every version's schema is known, also for
/// migrations from a folder, and does not depend on a file that could be out of date.
final class VersionSchemas {
    private let migrations: [Migration]
    private let engine: any StorageEngine
    private var connection: any MigrationConnection
    private var applied = 0
    private var known: [Int: DatabaseStructure] = [:]

    /// For one database's migrations.
    init(_ migrations: [Migration], engine: any StorageEngine) throws(StoreError) {
        self.migrations = migrations
        self.engine = engine
        connection = try engine.scratch()
        try connection.begin()
    }

    deinit { connection.close() }

    /// Builds the schemas of several versions in one pass: a run needs those of its start and its target.
    func prepare(after counts: [Int]) throws {
        for count in counts.sorted() where count <= migrations.count { _ = try structure(after: count) }
    }

    /// The schema after the first `count` migrations. The error of a migration that fails names its file and line.
    func structure(after count: Int) throws -> DatabaseStructure {
        if let structure = known[count] { return structure }
        if applied > count { try beginAgain() }
        while applied < count {
            let migration = migrations[applied]
            do {
                try MigrationScripts.run(migration.up, on: connection)
            } catch let failure as StatementFailure {
                throw failure.error(in: migration)
            }
            applied += 1
        }
        let structure = try connection.structure()
        known[count] = structure
        return structure
    }
}

extension VersionSchemas {
    /// A version before the last one built: the history runs once more.
    private func beginAgain() throws(StoreError) {
        connection.close()
        connection = try engine.scratch()
        try connection.begin()
        applied = 0
    }
}

/// Runs a whole script.
enum MigrationScripts {
    /// Runs every statement; calls `before` with each statement and the tables that it will touch.
    static func run(
        _ script: MigrationScript, on connection: any MigrationConnection,
        before: (SQLStatement, StatementEffect) throws -> Void = { _, _ in },
        after: (StatementEffect) throws -> Void = { _ in }
    ) throws {
        let isRebuild = try script.directives.contains(.rebuild)
        for statement in try script.statements {
            do {
                var touched = StatementEffect()
                try connection.execute(
                    statement: statement.text, rebuild: isRebuild, protected: Ledger.tables
                ) { effect in
                    touched = effect
                    try before(statement, effect)
                }
                try after(touched)
            } catch let error as StoreError {
                throw StatementFailure(statement: statement, cause: error)
            }
        }
    }
}

/// A failed statement without its migration.
struct StatementFailure: Error {
    let statement: SQLStatement
    let cause: StoreError
}

extension FailedStatement {
    /// A failed statement of a step.
    init(_ failure: StatementFailure, of step: MigrationStep, _ database: DatabaseName) {
        self.init(
            database: database, migration: step.name, direction: step.direction, source: step.script.source,
            statement: failure.statement.number, line: failure.statement.line, text: failure.statement.firstLine,
            cause: failure.cause)
    }
}

extension StatementFailure {
    /// The failure without a store, with the position in the migration.
    fileprivate func error(in migration: Migration) -> StoreError {
        if cause.kind == .interrupted { return cause }
        return StoreError(
            cause.kind,
            "migration \(migration.name) failed, statement \(statement.number), \(migration.up.source) line "
                + "\(statement.line) (\(statement.firstLine)): \(cause.message)")
    }
}

extension [Migration] {
    /// The number of these migrations in a version; 0 without a version.
    func count(upTo version: String?) -> Int {
        version.map { name in prefix { $0.name <= name }.count } ?? 0
    }
}

extension DatabaseStructure {
    /// Without chatdb's internal tables, which belong to no version.
    var withoutLedger: DatabaseStructure {
        var copy = self
        for table in Ledger.tables { copy.tables[table] = nil }
        return copy
    }
}
