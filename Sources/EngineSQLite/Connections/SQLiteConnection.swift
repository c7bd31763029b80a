import Engine
import GRDB

/// One open SQLite database: GRDB's serial queue behind the seam.
///
/// A queue and not a pool: a pool rewrites a database in a rollback journal mode to WAL for good.
final class SQLiteConnection: StorageConnection {
    private let queue: DatabaseQueue
    private let privateCopy: PrivateCopy?
    let notes: [String]

    init(queue: DatabaseQueue, privateCopy: PrivateCopy? = nil, notes: [String] = []) {
        self.queue = queue
        self.privateCopy = privateCopy
        self.notes = notes
    }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        do {
            return try queue.read { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        do {
            // IMMEDIATE: a transaction that begins by reading and cannot get the lock later would have to start again.
            return try queue.writeWithoutTransaction { database in
                var result: T?
                try database.inTransaction(.immediate) {
                    result = try body(SQLiteTransaction(database: database))
                    return .commit
                }
                guard let result else { throw StoreError(.other, "the transaction gave no result") }
                return result
            }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.read { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T {
        do {
            return try await queue.write { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }

    func structure() throws(StoreError) -> DatabaseStructure {
        try SQLiteErrors.mapped {
            try queue.read { try StructureReader(database: $0).structure() }
        }
    }

    func applicationMark() throws(StoreError) -> Int64? {
        try SQLiteErrors.mapped { try queue.read { try SQLiteFacts.applicationMark($0) } }
    }

    func integrityProblems() throws(StoreError) -> [String] {
        try SQLiteErrors.mapped { try queue.read { try SQLiteFacts.integrityProblems($0) } }
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try SQLiteErrors.mapped { try queue.read { try SQLiteFacts.rowCount(of: table, $0) } }
    }

    func copy(to path: String) throws(StoreError) {
        try NewFile.make(at: path)
        try SQLiteErrors.mapped {
            let target = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"))
            defer { try? target.close() }
            try queue.backup(to: target)
        }
    }

    func interrupt() {
        queue.interrupt()
    }

    func close() throws(StoreError) {
        try SQLiteErrors.mapped { try queue.close() }
        privateCopy?.remove()
    }
}
