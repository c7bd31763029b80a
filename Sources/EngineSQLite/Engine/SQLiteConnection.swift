import ChatDBEngine
import GRDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One open SQLite database: GRDB's serial queue behind the seam.
///
/// A queue and not a pool: a pool rewrites a database in a rollback journal mode to WAL for good.
final class SQLiteConnection: StorageConnection {
    private let queue: DatabaseQueue
    private let registration: OpenDatabases.Registration?
    private let privateCopy: Mutex<PrivateCopy?>
    private let patience: Patience?
    private let user = ConnectionUser()
    let notes: [String]

    init(
        queue: DatabaseQueue, registration: OpenDatabases.Registration? = nil, privateCopy: PrivateCopy? = nil,
        patience: Patience? = nil, notes: [String] = []
    ) {
        self.queue = queue
        self.registration = registration
        self.privateCopy = Mutex(privateCopy)
        self.patience = patience
        self.notes = notes
    }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        try user.refuseNested()
        do {
            return try queue.unsafeRead { try reading($0) { try body(transaction(in: $0)) } }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        try user.refuseNested()
        do {
            return try queue.writeWithoutTransaction { try writing($0, body) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.unsafeRead { try self.reading($0) { try body(self.transaction(in: $0)) } }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.writeWithoutTransaction { try self.writing($0, body) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    /// One transaction in which SQLite itself refuses to write. Not GRDB's `read`, which uses a closed connection and
    /// ends the process.
    private func reading<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try Self.requireOpen(database)
        return try user.inside {
            try watched(database) {
                try database.readOnly { try Self.transaction(.deferred, in: database) { try body(database) } }
            }
        }
    }

    private func watched<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
        try patience.map { try $0.whileWatching(database, body) } ?? body()
    }

    /// IMMEDIATE: a transaction that begins by reading and cannot get the lock later would have to start again.
    private func writing<T>(_ database: Database, _ body: (any WriteTransaction) throws -> T) throws -> T {
        try Self.requireOpen(database)
        return try user.inside {
            try Self.transaction(.immediate, in: database) { try body(transaction(in: database)) }
        }
    }

    private func transaction(in database: Database) -> SQLiteTransaction {
        // What happens between two questions is the caller's.
        patience?.rest()
        return SQLiteTransaction(database: database, patience: patience)
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
            // A request to stop can strike the rollback too, and what stays open would hold its lock.
            for _ in 0..<1_000 where database.isInsideTransaction { try? database.rollback() }
            throw error
        }
        guard let result else { throw StoreError(.other, "the transaction gave no result") }
        return result
    }

    private static func requireOpen(_ database: Database) throws {
        if database.sqliteConnection == nil { throw StoreError(.other, "the database is closed") }
    }

    func requireOutsideTransaction() throws(StoreError) { try user.refuseNested() }

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
                found = try patience?.whileChecking(find) ?? find()
            }
        } catch {
            // Damage that was named can spoil the end of the transaction too.
            if error.kind != .damaged || found.isEmpty { throw error }
        }
        return found
    }

    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws {
        try user.refuseNested()
        do {
            try queue.unsafeRead { database in
                try reading(database) { database in
                    guard let patience else { return try SQLiteFacts.forEachDanglingReference(in: nil, database, body) }
                    try patience.whileChecking { try SQLiteFacts.forEachDanglingReference(in: nil, database, body) }
                }
            }
        } catch let error as DatabaseError {
            throw patience?.error ?? SQLiteErrors.storeError(error)
        }
    }

    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool {
        try SearchIndexCopy.make { path throws(StoreError) in
            try copy(to: path)
        } size: { () throws(StoreError) in
            try fact { try SQLiteFacts.size($0) }
        }.isSound(table, patience)
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try fact { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func space(everyPage: Bool) throws(StoreError) -> DatabaseSpace {
        try fact { database in
            let space = SQLiteSpace(database: database, patience: patience)
            return try space.measure(everyPage: everyPage)
        }
    }

    /// Reads in a transaction what the seam has no query for.
    func fact<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        try user.refuseNested()
        do {
            return try queue.unsafeRead { try reading($0, body) }
        } catch {
            throw patience?.error ?? SQLiteErrors.storeError(error)
        }
    }

    func copy(to path: String) throws(StoreError) {
        try user.refuseNested()
        try NewFile.make(at: path)
        do {
            try fact { database in
                let target = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"))
                defer { try? target.close() }
                try target.writeWithoutTransaction { try database.backup(to: $0) }
            }
        } catch {
            // Half a copy must not be taken for a whole one.
            unlink(path)
            throw error
        }
    }

    func interrupt() {
        queue.interrupt()
    }

    func close() throws(StoreError) {
        try user.refuseNested()
        try SQLiteErrors.mapped { try queue.close() }
        registration?.end()
        privateCopy.withLock { $0 = nil }
    }
}
