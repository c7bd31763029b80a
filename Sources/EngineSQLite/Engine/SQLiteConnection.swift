import ChatDBEngine
import ChatDBPOSIX
import GRDB
import Synchronization

/// One open SQLite database: a `StorageConnection` over GRDB's serial queue.
///
/// A queue and not a pool: a pool changes a database in a rollback journal mode to WAL mode for good.
final class SQLiteConnection: StorageConnection {
    private let opened: OpenedDatabase
    private let reentrancy = ReentrancyGuard()
    /// How often `interrupt` was called.
    private let interruptions = Atomic<Int>(0)

    private var queue: DatabaseQueue { opened.queue }
    private var timeLimit: QueryTimeLimit? { opened.timeLimit }
    var notes: [String] { opened.notes }

    init(_ opened: OpenedDatabase) {
        self.opened = opened
    }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        try reentrancy.requireOutside()
        do {
            return try queue.unsafeRead { try inTransaction($0) { try body(transaction(in: $0, isReading: true)) } }
        } catch let error as DatabaseError {
            throw located(error)
        }
    }

    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        try reentrancy.requireOutside()
        do {
            return try queue.writeWithoutTransaction { try writing($0, body) }
        } catch let error as DatabaseError {
            throw located(error)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.unsafeRead { database in
                try self.inTransaction(database) { try body(self.transaction(in: $0, isReading: true)) }
            }
        } catch let error as DatabaseError {
            throw located(error)
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.writeWithoutTransaction { try self.writing($0, body) }
        } catch let error as DatabaseError {
            throw located(error)
        }
    }

    /// A transaction that reads, in which SQLite itself refuses to write: for what `Query` cannot express.
    ///
    /// GRDB's `read` is not used, because it ends the process on a closed connection.
    private func reading<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try inTransaction(database) { database in try database.readOnly { try body(database) } }
    }

    /// A deferred transaction. In it, `ReadTransaction` has SQLite refuse each statement that may write. `readOnly` around
    /// the whole would do the same by `PRAGMA query_only`, after which SQLite prepares all statements of the connection
    /// again.
    private func inTransaction<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try OpenedDatabase.requireOpen(database)
        return try reentrancy.inside {
            try timed(database) {
                try SQLiteErrors.inside(database) {
                    try Self.transaction(.deferred, in: database) { try body(database) }
                }
            }
        }
    }

    /// The error for an error of SQLite. That of a lock names the processes that hold it.
    private func located(_ error: any Error) -> StoreError {
        SQLiteErrors.storeError(error).naming(holdersOf: opened.lockedPath)
    }

    private func timed<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
        try timeLimit.map { try $0.enforced(on: database, body) } ?? body()
    }

    /// IMMEDIATE: a transaction that reads first and cannot get the write lock later would have to start again.
    private func writing<T>(_ database: Database, _ body: (any WriteTransaction) throws -> T) throws -> T {
        try OpenedDatabase.requireOpen(database)
        return try reentrancy.inside {
            try SQLiteErrors.inside(database) {
                try Self.transaction(.immediate, in: database) { try body(transaction(in: database, isReading: false)) }
            }
        }
    }

    private func transaction(in database: Database, isReading: Bool) -> SQLiteTransaction {
        // The caller's time between two queries does not count.
        timeLimit?.pause()
        return SQLiteTransaction(database: database, isReading: isReading, timeLimit: timeLimit)
    }

    private static func transaction<T>(
        _ kind: Database.TransactionKind, in database: Database, _ body: () throws -> T
    ) throws -> T {
        var result: T?
        do {
            try database.inTransaction(kind) {
                result = try body()
                return .commit
            }
        } catch {
            // An interrupt can stop the rollback too, and an open transaction would keep its lock.
            for _ in 0..<1_000 where database.isInsideTransaction { try? database.rollback() }
            throw error
        }
        guard let result else { throw StoreError(.other, "the transaction gave no result") }
        return result
    }

    func requireOutsideTransaction() throws(StoreError) { try reentrancy.requireOutside() }

    func recordCommits(
        in tables: Set<String>, _ receive: @escaping @Sendable (TableChanges) -> Void
    ) throws(StoreError) -> any CommitRecording {
        try reentrancy.requireOutside()
        return try SQLiteErrors.mapped {
            try queue.unsafeRead { database in
                try OpenedDatabase.requireOpen(database)
                return CommitRecorder.install(on: database, tables: tables, receive)
            }
        }
    }

    func sourceStamp() throws(StoreError) -> SourceStamp? {
        guard opened.lockedPath != nil else { return nil }
        // SQLite changes this number for commits of other connections only.
        return try fact { SourceStamp(try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0) }
    }

    func structure() throws(StoreError) -> DatabaseStructure {
        try fact { try StructureReader(database: $0).structure() }
    }

    func applicationMark() throws(StoreError) -> Int64? {
        try fact { try SQLiteFacts.applicationMark($0) }
    }

    func integrityProblems() throws(StoreError) -> [String] {
        var found: [String] = []
        do throws(StoreError) {
            try fact { database in
                let find = { try SQLiteFacts.integrityProblems(database) }
                found = try timeLimit?.duringFullCheck(find) ?? find()
            }
        } catch {
            // Damage that was found can make the end of the transaction fail too.
            if error.kind != .damaged || found.isEmpty { throw error }
        }
        return found
    }

    func damage() throws(StoreError) -> [DatabaseDamage] {
        var found: [DatabaseDamage] = []
        do throws(StoreError) {
            try fact { [timeLimit] database in
                let find = { try DamageReader(database: database, timeLimit: timeLimit).read() }
                found = try timeLimit?.duringFullCheck(find) ?? find()
            }
        } catch {
            // Damage that was found can make the end of the transaction fail too.
            if error.kind != .damaged || found.isEmpty { throw error }
        }
        return found
    }

    func damagedPages() throws(StoreError) -> DamagedPages {
        guard opened.isEncrypted else { return DamagedPages() }
        let before = interruptions.load(ordering: .relaxed)
        var found: DamagedPages?
        do throws(StoreError) {
            try fact { database in
                let verification = try PageVerification(of: database) { [self] in
                    interruptions.load(ordering: .relaxed) != before
                }
                let pages = try verification?.run() ?? DamagedPages()
                if pages.count > 0 { try SQLiteErrors.requireUnchanged(database) }
                found = pages
            }
        } catch {
            // Damage that was found can make the end of the transaction fail too.
            if error.kind != .damaged || found == nil { throw error }
        }
        return found ?? DamagedPages()
    }

    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws {
        try reentrancy.requireOutside()
        do {
            try queue.unsafeRead { database in
                try reading(database) { database in
                    guard let timeLimit else {
                        return try SQLiteFacts.forEachDanglingReference(in: nil, database, body)
                    }
                    try timeLimit.duringFullCheck { try SQLiteFacts.forEachDanglingReference(in: nil, database, body) }
                }
            }
        } catch let error as DatabaseError {
            throw timeLimit?.error ?? located(error)
        }
    }

    func brokenReferences() throws(StoreError) -> [BrokenReference] {
        try fact { try SQLiteFacts.brokenReferences($0) }
    }

    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool {
        try opened.requirePlain()
        return try SearchIndexCopy.make { path throws(StoreError) in
            try copy(to: path)
        } size: { () throws(StoreError) in
            try fact { try SQLiteFacts.size($0) }
        }.isSound(table, timeLimit)
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try fact { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func contentHash(of table: String, columns: [String]) throws(StoreError) -> ContentHash {
        try fact { database in
            let hash = { try SQLiteContentHash.of(table, columns: columns, in: database) }
            return try timeLimit?.duringFullCheck(hash) ?? hash()
        }
    }

    func tableNames() throws(StoreError) -> [String] {
        try fact { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM pragma_table_list
                    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                    """)
        }
    }

    func viewNames() throws(StoreError) -> [String] {
        try fact { try SQLiteSpace(database: $0, timeLimit: timeLimit).viewNames() }
    }

    func space(everyPage: Bool) throws(StoreError) -> DatabaseSpace {
        try fact { database in
            let space = SQLiteSpace(database: database, timeLimit: timeLimit)
            return try space.measure(everyPage: everyPage)
        }
    }

    /// Runs `body` in a reading transaction: for what `Query` cannot express.
    func fact<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        try reentrancy.requireOutside()
        do {
            return try queue.unsafeRead { try reading($0, body) }
        } catch {
            throw timeLimit?.error ?? located(error)
        }
    }

    func copy(to path: String) throws(StoreError) {
        try opened.requirePlain()
        try reentrancy.requireOutside()
        try NewFile.make(at: path)
        do {
            try fact { database in
                let target = try DatabaseQueue(
                    path: SQLitePath.uri(path, "mode=rw"), configuration: DatabaseCopy.configuration)
                defer { try? target.close() }
                try target.writeWithoutTransaction { try database.backup(to: $0) }
            }
        } catch {
            // An incomplete copy must not be taken for a complete one.
            unlink(path)
            throw error
        }
    }

    func interrupt() {
        interruptions.add(1, ordering: .relaxed)
        queue.interrupt()
    }

    func close() throws(StoreError) {
        try reentrancy.requireOutside()
        try SQLiteErrors.mapped { try opened.close() }
    }
}
