import Dispatch
import Engine
import GRDB
import GRDBSQLite
import Synchronization

/// How much room a database takes: so many statements, however many tables it has.
struct SQLiteSpace {
    let database: Database
    let patience: Patience?
    /// How many times the processor time of a query the rows may take to count, by the clock on the wall: the disk may be
    /// slow.
    private static let factorForCounting: Int64 = 6
    /// How many tables are counted: all that real stores have. A result has no room for many more columns.
    private static let mostTables = 400

    func measure(everyPage: Bool) throws -> DatabaseSpace {
        let transaction = SQLiteTransaction(database: database, patience: patience)
        let tables = try tableNames(transaction)
        let rows = try? counted(tables, transaction)
        let bytes = everyPage ? try? bytesByTable(transaction) : nil
        return DatabaseSpace(
            pageSize: try pragma("page_size"), pages: try pragma("page_count"),
            freePages: try pragma("freelist_count"),
            tables: tables.sorted().map { DatabaseSpace.Table(name: $0, rows: rows?[$0], bytes: bytes?[$0]) },
            views: try names(of: "type = 'view'", transaction).sorted())
    }

    private func pragma(_ name: String) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
    }

    /// The tables that hold rows themselves, without SQLite's own. Views are not run, and what a virtual table counts is
    /// another's.
    private func tableNames(_ transaction: SQLiteTransaction) throws -> [String] {
        try names(of: "type = 'table' AND rootpage > 0 AND name NOT GLOB 'sqlite_*'", transaction)
    }

    private func names(of condition: Query, _ transaction: SQLiteTransaction) throws -> [String] {
        try transaction.rows(
            "SELECT name FROM sqlite_master WHERE \(condition) ORDER BY rowid LIMIT \(Self.mostTables)"
        ).map { try $0.get("name") }
    }

    /// One statement for all. SQLite counts a whole table in one step, in which it does not ask whether to go on: a file
    /// with many pages that lead to the same next one would be counted for ever. But it hears that it is interrupted.
    private func counted(_ names: [String], _ transaction: SQLiteTransaction) throws -> [String: Int64] {
        if names.isEmpty { return [:] }
        var query: Query = "SELECT "
        for (number, name) in names.enumerated() {
            let comma: Query = number == 0 ? "" : ", "
            query = "\(query)\(comma)(SELECT count(*) FROM \(identifier: name)) AS \(identifier: "n\(number)")"
        }
        let row = try interruptible { try transaction.rows(query).first }
        guard let row else { return [:] }
        var counts: [String: Int64] = [:]
        for (number, name) in names.enumerated() { counts[name] = try row.get("n\(number)") }
        return counts
    }

    /// Bytes of each table and its indexes. Page by page, because SQLite does not let itself be stopped while it adds
    /// them up on its own; by their own names, because it has them in that order and need not sort what may be millions.
    private func bytesByTable(_ transaction: SQLiteTransaction) throws -> [String: Int64] {
        var tables: [String: String] = [:]
        for row in try transaction.rows("SELECT name, tbl_name FROM sqlite_master WHERE rootpage > 0") {
            tables[try row.get("name")] = try row.get("tbl_name")
        }
        let read = {
            try transaction.rows("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name")
        }
        var bytes: [String: Int64] = [:]
        for row in try patience.map({ try $0.whileChecking(read) }) ?? read() {
            let (name, size): (String, Int64) = (try row.get("name"), try row.get("bytes"))
            if let table = tables[name] { bytes[table, default: 0] += size }
        }
        return bytes
    }

    /// Runs `body`, and interrupts the connection when it takes too long.
    private func interruptible<T>(_ body: () throws -> T) throws -> T {
        guard let connection = database.sqliteConnection else { throw StoreError(.other, "the database is closed") }
        guard let patience else { return try body() }
        let (limit, isTooMuch) = patience.limit.multipliedReportingOverflow(by: Self.factorForCounting)
        if isTooMuch { return try body() }
        let watch = Watch(connection)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(limit))) { watch.strike() }
        let result = Result { try body() }
        if watch.end() { throw StoreError(.beyondLimits, "counting the rows took too long") }
        return try result.get()
    }

    /// Interrupts a connection unless what it watches has ended.
    private final class Watch: Sendable {
        private enum State {
            case watching(UInt)
            case struck
            case ended
        }

        /// The address of the connection, which cannot be closed before `end` is called.
        private let state: Mutex<State>

        init(_ connection: OpaquePointer) { state = Mutex(.watching(UInt(bitPattern: connection))) }

        func strike() {
            state.withLock { state in
                guard case .watching(let address) = state else { return }
                sqlite3_interrupt(OpaquePointer(bitPattern: address))
                state = .struck
            }
        }

        /// Whether it struck.
        func end() -> Bool {
            state.withLock { state in
                if case .struck = state { return true }
                state = .ended
                return false
            }
        }
    }
}
