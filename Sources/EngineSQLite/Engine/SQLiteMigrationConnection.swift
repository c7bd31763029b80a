import ChatDBEngine
import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A database whose schema is being changed. GRDB's queue is opened so that a transaction may stay open between calls,
/// because two databases must both be complete before either commits.
final class SQLiteMigrationConnection: MigrationConnection {
    let queue: DatabaseQueue
    let path: String?
    private let authorizer: MigrationAuthorizer
    private let registration: OpenDatabases.Registration?

    var dialect: Dialect { SQLiteEngine.dialect }

    private init(queue: DatabaseQueue, path: String?, registration: OpenDatabases.Registration? = nil) {
        self.queue = queue
        self.path = path
        self.registration = registration
        let authorizer = MigrationAuthorizer()
        self.authorizer = authorizer
        queue.unsafeReentrantWrite { database in
            if let connection = database.sqliteConnection { authorizer.install(on: connection) }
        }
    }

    static func open(_ path: String, creating: Bool) throws(StoreError) -> SQLiteMigrationConnection {
        guard creating else { return try connect(path, creating: false) }
        try NewFile.make(at: path)
        do {
            return try connect(path, creating: true)
        } catch {
            for suffix in ["-wal", "-shm", "-journal", ""] { unlink(path + suffix) }
            throw error
        }
    }

    private static func connect(_ path: String, creating: Bool) throws(StoreError) -> SQLiteMigrationConnection {
        try WritingProfile.requireWritable(path)
        let registration = OpenDatabases.Registration(path)
        let configuration = configuration { database in
            if creating { try WritingProfile.useWriteAheadLog(database) }
            try WritingProfile.applySettings(to: database)
        }
        return try SQLiteErrors.mapped {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            try queue.unsafeReentrantWrite { try WritingProfile.applySettings(to: $0) }
            return SQLiteMigrationConnection(
                queue: queue, path: SQLitePath.absolute(path), registration: registration)
        }
    }

    static func inMemory() throws(StoreError) -> SQLiteMigrationConnection {
        try SQLiteErrors.mapped {
            try SQLiteMigrationConnection(queue: DatabaseQueue(configuration: configuration { _ in }), path: nil)
        }
    }

    private static func configuration(_ prepare: @escaping @Sendable (Database) throws -> Void) -> Configuration {
        var configuration = Configuration()
        // Off for the whole connection: inside a transaction the pragma is ignored, and a rebuild would then delete
        // the rows that refer to the rebuilt table.
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(1)
        configuration.label = "chatdb.migrating"
        configuration.prepareDatabase { database in
            try WritingProfile.closeDoors(of: database)
            try prepare(database)
        }
        return configuration
    }

    // MARK: Transaction

    func begin() throws(StoreError) {
        try run(unwatched: "BEGIN IMMEDIATE")
    }

    func commit() throws(StoreError) {
        try run(unwatched: "COMMIT")
    }

    func rollback() {
        if isInTransaction { try? run(unwatched: "ROLLBACK") }
    }

    var isInTransaction: Bool {
        (try? access { $0.isInsideTransaction }) ?? false
    }

    // MARK: Queries

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try access { try SQLiteTransaction(database: $0).rows(query) }
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try Self.requireOpen(database)
            try SQLiteTransaction(database: database).forEach(query, body)
        }
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        try access { try SQLiteTransaction(database: $0).run(query) }
    }

    // MARK: Statements of a migration

    func execute(
        statement: String, rebuild: Bool, protected: Set<String>, before: (StatementEffect) throws -> Void
    ) throws {
        try queue.unsafeReentrantWrite { database in
            try Self.requireOpen(database)
            try ConnectionOptions.set(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, to: rebuild, of: database)
            authorizer.watch(protecting: protected)
            defer {
                authorizer.stopWatching()
                try? ConnectionOptions.set(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, to: false, of: database)
            }
            do {
                let prepared = try MigrationStatement(statement, on: database)
                defer { prepared.finalize() }
                let effect = authorizer.noted
                authorizer.stopWatching()
                try before(effect)
                authorizer.watch(protecting: protected)
                try prepared.run()
            } catch let error as StoreError where error.kind == .denied || authorizer.refusal != nil {
                // A virtual table that was refused something says in its own words that it failed.
                throw StoreError(.denied, authorizer.refusal ?? error.message, engineCode: error.engineCode)
            }
            guard database.isInsideTransaction else {
                throw StoreError(.denied, "it ended the transaction")
            }
        }
    }

    // MARK: Facts

    func structure() throws(StoreError) -> DatabaseStructure {
        try access { try StructureReader(database: $0).structure() }
    }

    var interrupt: @Sendable () -> Void { { [queue] in queue.interrupt() } }

    func close() {
        rollback()
        try? queue.close()
        registration?.end()
    }

    /// Reentrant, because what a statement is going to touch is looked at while the statement waits.
    func access<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        try SQLiteErrors.mapped {
            try queue.unsafeReentrantWrite { database in
                try Self.requireOpen(database)
                return try body(database)
            }
        }
    }

    /// Some of GRDB's calls end the process on a closed connection.
    private static func requireOpen(_ database: Database) throws {
        if database.sqliteConnection == nil { throw StoreError(.other, "the database is closed") }
    }

    func run(unwatched sql: String) throws(StoreError) {
        try access { try $0.execute(sql: sql) }
    }
}
