import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite

/// A database whose schema is being changed. Its transaction may stay open between calls, because two databases must
/// both be complete before either commits.
final class SQLiteMigrationConnection: MigrationConnection {
    private let opened: OpenedDatabase
    /// Nil for a database in memory.
    private let path: String?
    private let authorizer: MigrationAuthorizer
    /// The columns as they were read last, with the version of the schema. It takes longer to read them than to run most
    /// statements of a migration.
    private var readColumns: (schema: Int64, columns: [String: [String]])?

    var queue: DatabaseQueue { opened.queue }
    var dialect: Dialect { .sqlite }

    private init(_ opened: OpenedDatabase, path: String?) {
        self.opened = opened
        self.path = path
        let authorizer = MigrationAuthorizer(encrypted: opened.isEncrypted)
        self.authorizer = authorizer
        queue.unsafeReentrantWrite { database in
            if let connection = database.sqliteConnection { authorizer.install(on: connection) }
        }
    }

    /// Opens a database, or makes one. The connection waits for a lock of another program for `patience` seconds, and
    /// for a second at most: a run waits until no other program has the store open before it begins.
    static func open(
        _ path: String, creating: Bool, patience: Double
    ) throws(StoreError) -> SQLiteMigrationConnection {
        guard creating else { return try connect(path, creating: false, patience) }
        try NewFile.make(at: path)
        do {
            return try connect(path, creating: true, patience)
        } catch {
            for suffix in ["-wal", "-shm", "-journal", ""] { unlink(path + suffix) }
            throw error
        }
    }

    private static func connect(
        _ path: String, creating: Bool, _ patience: Double
    ) throws(StoreError) -> SQLiteMigrationConnection {
        try WritingProfile.requireWritable(path)
        let registration = OpenDatabases.Registration(path)
        let configuration = configuration(patience) { database in
            if creating { try WritingProfile.useWriteAheadLog(database) }
            try WritingProfile.applySettings(to: database)
        }
        return try SQLiteErrors.mapped(lockedAt: path) {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            try queue.unsafeReentrantWrite { try WritingProfile.applySettings(to: $0) }
            return SQLiteMigrationConnection(
                OpenedDatabase(queue, registration: registration), path: SQLitePath.absolute(path))
        }
    }

    /// Opens an encrypted database that is written in place.
    static func open(
        encrypted path: String, _ codec: PageCodec, isNew: Bool, patience: Double
    ) throws(StoreError) -> SQLiteMigrationConnection {
        let opened = try EncryptedOpening.open(path, codec, isNew: isNew, configuration(patience) { _ in })
        return SQLiteMigrationConnection(opened, path: SQLitePath.absolute(path))
    }

    /// Makes an encrypted database.
    static func create(
        encrypted path: String, _ keys: DatabaseKeys, patience: Double
    ) throws(StoreError) -> SQLiteMigrationConnection {
        let codec = try keys.codecOfNew(path)
        try NewFile.make(at: path)
        do {
            return try open(encrypted: path, codec, isNew: true, patience: patience)
        } catch {
            SideFiles.removeDatabase(at: path)
            throw error
        }
    }

    static func inMemory() throws(StoreError) -> SQLiteMigrationConnection {
        try SQLiteErrors.mapped {
            SQLiteMigrationConnection(
                OpenedDatabase(try DatabaseQueue(configuration: configuration(0) { _ in })), path: nil)
        }
    }

    private static func configuration(
        _ patience: Double, _ prepare: @escaping @Sendable (Database) throws -> Void
    ) -> Configuration {
        var configuration = Configuration()
        // Off for the whole connection: SQLite ignores the pragma inside a transaction, and with foreign keys a rebuild
        // would delete the rows that refer to the rebuilt table.
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(min(1, patience))
        configuration.label = "chatdb.migrating"
        configuration.prepareDatabase { database in
            try ConnectionOptions.disableExtensions(of: database)
            try prepare(database)
        }
        return configuration
    }

    // MARK: Transaction

    func begin() throws(StoreError) {
        readColumns = nil
        try run(own: "BEGIN IMMEDIATE")
    }

    func commit() throws(StoreError) {
        try run(own: "COMMIT")
    }

    func rollback() {
        // The next change gives the schema a number that it had before.
        readColumns = nil
        if isInTransaction { try? run(own: "ROLLBACK") }
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
            try OpenedDatabase.requireOpen(database)
            try SQLiteTransaction(database: database).forEach(query, body)
        }
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        try access { try SQLiteTransaction(database: $0).run(query) }
    }

    // MARK: Statements of a migration

    func execute(
        statement: String, rebuild: Bool, protected: Set<String>, progress: ((_ steps: Int64) -> Void)?,
        before: (StatementEffect) throws -> Void
    ) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try ConnectionOptions.set(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, to: rebuild, of: database)
            authorizer.begin(protecting: protected)
            defer {
                authorizer.end()
                try? ConnectionOptions.set(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, to: false, of: database)
            }
            do {
                let prepared = try MigrationStatement(statement, on: database)
                defer { prepared.finalize() }
                let effect = authorizer.effect
                authorizer.end()
                try before(effect)
                authorizer.begin(protecting: protected)
                if let progress {
                    try StepCounter(progress).counting(on: database, prepared.run)
                } else {
                    try prepared.run()
                }
            } catch let error as StoreError where error.kind == .denied || authorizer.refusal != nil {
                // A virtual table reports a refusal with a message of its own.
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

    func brokenDefinitions() throws(StoreError) -> [BrokenDefinition] {
        try run(own: "SAVEPOINT probe")
        defer { try? run(own: "ROLLBACK TO probe; RELEASE probe") }
        return try access { try DefinitionProbe(database: $0).broken() }
    }

    func brokenReferences() throws(StoreError) -> [BrokenReference] {
        try access { try SQLiteFacts.brokenReferences($0) }
    }

    var interrupt: @Sendable () -> Void { { [queue] in queue.interrupt() } }

    func close() {
        rollback()
        try? opened.close()
    }

    /// Reentrant, because the caller of `execute` looks at tables while the statement waits.
    func access<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        try SQLiteErrors.mapped(lockedAt: path) {
            try queue.unsafeReentrantWrite { database in
                try OpenedDatabase.requireOpen(database)
                return try SQLiteErrors.inside(database) { try body(database) }
            }
        }
    }

    /// Runs a statement of this connection's own, not of a migration.
    private func run(own sql: String) throws(StoreError) {
        try access { try $0.execute(sql: sql) }
    }

    // MARK: Checks

    func applicationMark() throws(StoreError) -> Int64? {
        try access { try SQLiteFacts.applicationMark($0) }
    }

    func setApplicationMark(_ mark: Int64) throws(StoreError) {
        try run(own: "PRAGMA application_id = \(mark)")
    }

    func integrityProblems() throws(StoreError) -> [String] {
        try access { try SQLiteFacts.integrityProblems($0) }
    }

    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> [DanglingReference: Int] {
        try access { database in
            var found: [DanglingReference: Int] = [:]
            let names: [String?] = try tables.map { try Self.affected(by: $0, in: database) } ?? [nil]
            for table in names {
                try SQLiteFacts.forEachDanglingReference(in: table, database) { found[$0, default: 0] += 1 }
            }
            return found
        }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        try access { try SQLiteFacts.ordinaryTables($0) }
    }

    func columns() throws(StoreError) -> [String: [String]] {
        let schema: Int64 = try rows("PRAGMA main.schema_version").first?.get("schema_version") ?? 0
        if let readColumns, readColumns.schema == schema { return readColumns.columns }
        let sql = """
            SELECT t.name, c.name AS "column" FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
            WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY t.name, c.cid
            """
        var columns: [String: [String]] = [:]
        for row in try rows(.unchecked(sql: sql)) {
            columns[try row.get("name"), default: []].append(try row.get("column"))
        }
        readColumns = (schema, columns)
        return columns
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try access { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func bytes(of tables: Set<String>) throws(StoreError) -> Int64 {
        try access { database in
            var total: Int64 = 0
            let sql = """
                SELECT coalesce(sum(pgsize), 0) FROM dbstat
                WHERE aggregate = 1 AND name IN (SELECT name FROM sqlite_master WHERE tbl_name = ?)
                """
            for table in tables { total += try Int64.fetchOne(database, sql: sql, arguments: [table]) ?? 0 }
            return total
        }
    }

    func size() throws(StoreError) -> (total: Int64, free: Int64) {
        try access { database in
            let page = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return (page * pages, page * free)
        }
    }

    func refreshStatistics(of tables: Set<String>) throws(StoreError) {
        try access { database in
            try database.execute(sql: "PRAGMA analysis_limit = 1000")
            try database.inTransaction(.immediate) {
                for table in tables.sorted() { try database.execute(sql: "ANALYZE \(SQLName.quoted(table))") }
                return .commit
            }
        }
    }

    /// Those of the tables that exist, and the tables that refer to one of them.
    private static func affected(by tables: Set<String>, in database: Database) throws -> [String] {
        let sql = """
            SELECT DISTINCT t.name, f."table" AS parent
            FROM pragma_table_list AS t LEFT JOIN pragma_foreign_key_list(t.name) AS f
            WHERE t.schema = 'main' AND t.type = 'table'
            """
        // A reference may write the name of its table in another case.
        let tables = Set(tables.map { $0.lowercased() })
        var names: Set<String> = []
        for row in try SQLiteTransaction(database: database).rows(.unchecked(sql: sql)) {
            let name: String = try row.get("name")
            let parent: String? = try row.get("parent")
            if [name, parent ?? name].contains(where: { tables.contains($0.lowercased()) }) { names.insert(name) }
        }
        return names.sorted()
    }

    // MARK: Backup

    func backUp(to target: String, progress: (Double) throws -> Void) throws {
        guard let path else { throw StoreError(.other, "a database in memory has no backup") }
        do {
            // A second connection sees the state before this one's transaction, whose write lock prevents changes by
            // others meanwhile.
            let source = try ReadingProfile.plain().open(opened.uriForReading ?? SQLitePath.uri(path, "mode=ro"))
            defer { try? source.close() }
            try withoutActuallyEscaping(progress) { progress in
                try source.unsafeRead { try DatabaseCopy.make(of: $0, at: target, progress: progress) }
            }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }
}
