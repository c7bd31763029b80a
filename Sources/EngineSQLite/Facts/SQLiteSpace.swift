import ChatDBEngine
import GRDB
import GRDBSQLite

/// Measures how much space a database takes, with a fixed number of statements however many tables it has.
struct SQLiteSpace {
    let database: Database
    let timeLimit: QueryTimeLimit?
    /// The largest number of tables that are counted; real stores have fewer. The limit of columns in a result is not
    /// much higher.
    private static let mostTables = 400

    func measure(everyPage: Bool) throws -> DatabaseSpace {
        let transaction = SQLiteTransaction(database: database, timeLimit: timeLimit)
        let tables = try tableNames(transaction)
        let rows = try? counted(tables, transaction)
        let bytes = everyPage ? try? bytesByTable(transaction) : nil
        return DatabaseSpace(
            pageSize: try pragma("page_size"), pages: try pragma("page_count"),
            freePages: try pragma("freelist_count"),
            tables: tables.sorted().map { DatabaseSpace.Table(name: $0, rows: rows?[$0], bytes: bytes?[$0]) })
    }

    /// The names of the views, sorted.
    func viewNames() throws -> [String] {
        try names(of: "type = 'view'", SQLiteTransaction(database: database, timeLimit: timeLimit)).sorted()
    }

    private func pragma(_ name: String) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
    }

    /// The tables that hold rows themselves, without SQLite's own. Views are not run, and the rows of a virtual table
    /// are stored in other tables.
    private func tableNames(_ transaction: SQLiteTransaction) throws -> [String] {
        try names(of: "type = 'table' AND rootpage > 0 AND name NOT GLOB 'sqlite_*'", transaction)
    }

    private func names(of condition: Query, _ transaction: SQLiteTransaction) throws -> [String] {
        try transaction.rows(
            "SELECT name FROM sqlite_master WHERE \(condition) ORDER BY rowid LIMIT \(Self.mostTables)"
        ).map { try $0.get("name") }
    }

    /// Counts the rows of all tables in one statement.
    private func counted(_ names: [String], _ transaction: SQLiteTransaction) throws -> [String: Int64] {
        if names.isEmpty { return [:] }
        var query: Query = "SELECT "
        for (number, name) in names.enumerated() {
            let comma: Query = number == 0 ? "" : ", "
            query = "\(query)\(comma)(SELECT count(*) FROM \(identifier: name)) AS \(identifier: "n\(number)")"
        }
        let read = { try transaction.rows(query).first }
        let row = try timeLimit.map { try $0.duringOptionalCount(read) } ?? read()
        guard let row else { return [:] }
        var counts: [String: Int64] = [:]
        for (number, name) in names.enumerated() { counts[name] = try row.get("n\(number)") }
        return counts
    }

    /// The bytes of each table and its indexes. They are added up here, page by page, because SQLite cannot be
    /// interrupted while it does so itself. A tree that leads to one page in several ways has more pages than the file;
    /// that is an error.
    private func bytesByTable(_ transaction: SQLiteTransaction) throws -> [String: Int64] {
        var tables: [String: String] = [:]
        for row in try transaction.rows("SELECT name, tbl_name FROM sqlite_master WHERE rootpage > 0") {
            tables[try row.get("name")] = try row.get("tbl_name")
        }
        let read = { try bytesByTree() }
        var bytes: [String: Int64] = [:]
        for (name, size) in try timeLimit.map({ try $0.duringFullCheck(read) }) ?? read() {
            if let table = tables[name] { bytes[table, default: 0] += size }
        }
        return bytes
    }

    private func bytesByTree() throws -> [String: Int64] {
        var pages = try pragma("page_count")
        timeLimit?.restart()
        let statement = try database.makeStatement(sql: "SELECT name, pgsize FROM dbstat")
        let cursor = try Row.fetchCursor(statement)
        var bytes: [String: Int64] = [:]
        while try cursor.next() != nil {
            pages -= 1
            if pages < 0 { throw StoreError(.damaged, "several pages refer to the same page") }
            let name = sqlite3_column_text(statement.sqliteStatement, 0).map { String(cString: $0) } ?? ""
            bytes[name, default: 0] += sqlite3_column_int64(statement.sqliteStatement, 1)
        }
        return bytes
    }
}
