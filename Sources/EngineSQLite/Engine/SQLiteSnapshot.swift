import ChatDBEngine
import GRDB
import Synchronization

/// A database inside a transaction that only reads, and stays open between calls: it pins the moment. In WAL mode others
/// go on writing; with a rollback journal they wait for the transaction's end.
final class SQLiteSnapshot: SnapshotConnection {
    private let queue: DatabaseQueue
    private let patience: Patience
    private let registration: OpenDatabases.Registration?
    private let privateCopy: Mutex<PrivateCopy?>
    let notes: [String]

    var dialect: Dialect { SQLiteEngine.dialect }

    init(
        queue: DatabaseQueue, _ patience: Patience, registration: OpenDatabases.Registration? = nil,
        privateCopy: PrivateCopy? = nil,
        notes: [String] = []
    ) {
        self.queue = queue
        self.patience = patience
        self.registration = registration
        self.privateCopy = Mutex(privateCopy)
        self.notes = notes
    }

    deinit { close() }

    func renew() throws(StoreError) -> Int64 {
        try access { database in
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
            try database.execute(sql: "BEGIN")
            // A transaction holds nothing before it has read something.
            _ = try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
            return try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
        }
    }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try access { try SQLiteTransaction(database: $0, patience: patience).rows(query) }
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try Self.requireOpen(database)
            try patience.whileWatching(database) {
                try SQLiteTransaction(database: database, patience: patience).forEach(query, body)
            }
        }
    }

    func applicationMark() throws(StoreError) -> Int64? {
        try access { try SQLiteFacts.applicationMark($0) }
    }

    func structure() throws(StoreError) -> DatabaseStructure {
        try access { try StructureReader(database: $0).structure() }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        try access { try SQLiteFacts.ordinaryTables($0) }
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try access { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try Self.requireOpen(database)
            try DatabaseCopy.make(of: database, at: path, progress: progress)
        }
    }

    var interrupt: @Sendable () -> Void { { [queue] in queue.interrupt() } }

    func close() {
        try? queue.unsafeReentrantWrite { database in
            if database.sqliteConnection != nil, database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        }
        try? queue.close()
        registration?.end()
        privateCopy.withLock { $0 = nil }
    }

    private func access<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try queue.unsafeReentrantWrite { database in
                try Self.requireOpen(database)
                return try patience.whileWatching(database) { try body(database) }
            }
        } catch {
            throw patience.error ?? SQLiteErrors.storeError(error)
        }
    }

    /// Some of GRDB's calls end the process on a closed connection.
    private static func requireOpen(_ database: Database) throws {
        if database.sqliteConnection == nil { throw StoreError(.other, "the database is closed") }
    }
}
