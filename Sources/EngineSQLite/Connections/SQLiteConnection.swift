import Engine
import GRDB

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
    private let privateCopy: PrivateCopy?
    let notes: [String]

    init(
        queue: DatabaseQueue, registration: OpenDatabases.Registration? = nil, privateCopy: PrivateCopy? = nil,
        notes: [String] = []
    ) {
        self.queue = queue
        self.registration = registration
        self.privateCopy = privateCopy
        self.notes = notes
    }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        do {
            return try queue.unsafeRead { try Self.reading($0) { try body(SQLiteTransaction(database: $0)) } }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        do {
            return try queue.writeWithoutTransaction { try Self.writing($0, body) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.unsafeRead { try Self.reading($0) { try body(SQLiteTransaction(database: $0)) } }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.writeWithoutTransaction { try Self.writing($0, body) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    /// One transaction in which SQLite itself refuses to write. Not GRDB's `read`, which uses a closed connection and
    /// ends the process.
    private static func reading<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try requireOpen(database)
        return try database.readOnly { try transaction(.deferred, in: database) { try body(database) } }
    }

    /// IMMEDIATE: a transaction that begins by reading and cannot get the lock later would have to start again.
    private static func writing<T>(_ database: Database, _ body: (any WriteTransaction) throws -> T) throws -> T {
        try requireOpen(database)
        return try transaction(.immediate, in: database) { try body(SQLiteTransaction(database: database)) }
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

    func structure() throws(StoreError) -> DatabaseStructure {
        try fact { try StructureReader(database: $0).structure() }
    }

    func applicationMark() throws(StoreError) -> Int64? {
        try fact { try SQLiteFacts.applicationMark($0) }
    }

    func integrityProblems() throws(StoreError) -> [String] {
        try fact { try SQLiteFacts.integrityProblems($0) }
    }

    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws {
        do {
            try queue.unsafeRead {
                try Self.reading($0) { try SQLiteFacts.forEachDanglingReference(in: nil, $0, body) }
            }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool {
        try SearchIndexCopy.make { path throws(StoreError) in
            try copy(to: path)
        } size: { () throws(StoreError) in
            try fact { try SQLiteFacts.size($0) }
        }.isSound(table)
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try fact { try SQLiteFacts.rowCount(of: table, $0) }
    }

    private func fact<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        try SQLiteErrors.mapped { try queue.unsafeRead { try Self.reading($0, body) } }
    }

    func copy(to path: String) throws(StoreError) {
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
        try SQLiteErrors.mapped { try queue.close() }
        registration?.end()
        privateCopy?.remove()
    }
}
