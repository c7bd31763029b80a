import ChatDBEngine
import ChatDBSchema

/// The schemas of one database's versions, built in memory: by the definitions that the build records for its own
/// migrations (``RecordedVersions``), and otherwise by running the migrations. So every version's schema is known, also
/// for migrations from a folder. A version is a list of migrations in the order in which a database has applied them: the
/// order decides that of the columns.
final class VersionSchemas {
    let engine: any StorageEngine
    private let database: DatabaseName?
    private var connection: any MigrationConnection
    /// The names of the migrations that have run on the connection.
    private var applied: [String] = []
    /// Whether the connection has recorded definitions. Such a schema lacks the rows that migrations add, so no later
    /// migration runs on it. `rehearse` runs down SQL on it: chatdb's own migrations add no rows to an empty database,
    /// which a test holds.
    private var isRecorded = false
    private var known: [[String]: DatabaseStructure] = [:]

    /// - Parameter database: the database, which the error of a migration that fails names; nil for a history alone.
    init(engine: any StorageEngine, of database: DatabaseName? = nil) throws(StoreError) {
        self.engine = engine
        self.database = database
        connection = try engine.scratch()
        try connection.begin()
    }

    deinit { connection.close() }

    /// Builds the schemas of several versions, the shortest first, so that one is the beginning of the next: a run needs
    /// those of its start and its target.
    func prepare(after versions: [[Migration]]) throws {
        for version in versions.sorted(by: { $0.count < $1.count }) { _ = try structure(after: version) }
    }

    /// The schema after these migrations. The error of a migration that fails names its file and line; it is
    /// `migrationFailed`, as in a run, if the database is known.
    func structure(after migrations: [Migration]) throws -> DatabaseStructure {
        let names = migrations.map(\.name)
        if let structure = known[names] { return structure }
        try make(migrations)
        let structure = try connection.structure()
        known[names] = structure
        return structure
    }

    /// The SQL of the triggers after these migrations, by name, as the dialect reads it.
    func triggers(after migrations: [Migration]) throws -> [String: String] {
        try make(migrations)
        var triggers: [String: String] = [:]
        for row in try connection.rows(connection.dialect.triggers) {
            triggers[try row.get("name")] = try row.get("sql")
        }
        return triggers
    }

    /// The triggers and views that need what these migrations have removed; see
    /// `MigrationConnection.brokenDefinitions`.
    func brokenDefinitions(after migrations: [Migration]) throws -> [BrokenDefinition] {
        try make(migrations)
        return try connection.brokenDefinitions()
    }

    /// The foreign keys after these migrations that the engine cannot check; see `MigrationConnection.brokenReferences`.
    func brokenReferences(after migrations: [Migration]) throws -> [BrokenReference] {
        try make(migrations)
        return try connection.brokenReferences()
    }

    /// Undoes migrations on the schema after them. Returns the schema that results; nil if it has not undone all. Throws
    /// `migrationFailed` for a statement that fails. It stops at SQL from the database: a plan does not run SQL of a file
    /// that may be hostile. With migrations of a folder, `StoredDownTrial` tries it on an empty copy of the schema.
    /// - Parameter run: undoes one of them.
    func rehearse(
        _ steps: [MigrationStep], of database: DatabaseName, after migrations: [Migration],
        run: (MigrationStep, any MigrationConnection) throws -> Void = { try MigrationScripts.run($0.script, on: $1) }
    ) throws -> DatabaseStructure? {
        try make(migrations)
        let tried = steps.prefix(while: { $0.origin == .build })
        let result: DatabaseStructure
        do {
            for step in tried {
                do {
                    try run(step, connection)
                } catch let failed as StatementFailure {
                    throw MigrationError.migrationFailed(FailedStatement(failed, of: step, database))
                }
            }
            result = try connection.structure()
        } catch {
            try beginAgain()
            throw error
        }
        try beginAgain()
        return tried.count == steps.count ? result : nil
    }

    private func make(_ migrations: [Migration]) throws {
        let names = migrations.map(\.name)
        if isRecorded, names == applied { return }
        if isRecorded || !names.starts(with: applied) { try beginAgain() }
        if applied.isEmpty, let definitions = RecordedVersions.definitions(after: migrations) {
            for sql in definitions { try connection.run(.unchecked(sql: sql)) }
            (applied, isRecorded) = (names, true)
            return
        }
        for migration in migrations.dropFirst(applied.count) {
            do {
                try MigrationScripts.run(migration.up, on: connection)
            } catch {
                // The migration may have run in part.
                try beginAgain()
                throw try (error as? StatementFailure)?.error(in: migration, of: database) ?? error
            }
            applied.append(migration.name)
        }
    }
}

extension VersionSchemas {
    /// A version that does not begin with the last one built: its migrations run from the start.
    private func beginAgain() throws(StoreError) {
        connection.close()
        connection = try engine.scratch()
        try connection.begin()
        (applied, isRecorded) = ([], false)
    }
}

/// How far a run is within one migration.
public struct StatementProgress: Sendable, Hashable {
    /// The statements that are done.
    public let completed: Int
    /// All statements of the migration.
    public let total: Int
    /// The steps that the engine has done for the statement that runs, 0 at its start. The number of steps to come is
    /// not known.
    public let steps: Int64

    /// Whether the migration begins.
    public var isStart: Bool { completed == 0 && steps == 0 }
}

/// Runs a whole script.
enum MigrationScripts {
    /// Runs every statement; calls `before` and `after` with each statement and the tables that it touches, and
    /// `progress` at the start of each statement and while it runs.
    static func run(
        _ script: MigrationScript, on connection: any MigrationConnection,
        progress: ((StatementProgress) -> Void)? = nil,
        before: (SQLStatement, StatementEffect) throws -> Void = { _, _ in },
        after: (SQLStatement, StatementEffect) throws -> Void = { _, _ in }
    ) throws {
        let isRebuild = try script.directives.contains(.rebuild)
        let statements = try script.statements
        for (index, statement) in statements.enumerated() {
            do {
                var touched = StatementEffect()
                let report = progress.map { progress in
                    { progress(StatementProgress(completed: index, total: statements.count, steps: $0)) }
                }
                report?(0)
                try connection.execute(
                    statement: statement.text, rebuild: isRebuild, protected: Ledger.tables, progress: report
                ) { effect in
                    touched = effect
                    try before(statement, effect)
                }
                try after(statement, touched)
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
    fileprivate func error(
        in migration: Migration, of database: DatabaseName?
    ) throws(MigrationFileError) -> any Error {
        if cause.kind == .interrupted { return cause }
        if let database {
            return MigrationError.migrationFailed(FailedStatement(self, of: try .up(migration), database))
        }
        return StoreError(
            cause.kind,
            "migration \(migration.name) failed, statement \(statement.number), \(migration.up.source) line "
                + "\(statement.line) (\(statement.firstLine)): \(cause.message)")
    }
}

extension [Migration] {
    /// Those with these names, in the order of the names given.
    func named(_ names: [String]) -> [Migration] {
        let all = Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return names.compactMap { all[$0] }
    }

    /// The same; nil if one of the names is not among these migrations.
    func allNamed(_ names: [String]) -> [Migration]? {
        let found = named(names)
        return found.count == names.count ? found : nil
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
