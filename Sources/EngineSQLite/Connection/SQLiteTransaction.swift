import ChatDBEngine
import GRDB
import GRDBSQLite

/// A transaction of SQLite. The type as which a caller gets it, `ReadTransaction` or `WriteTransaction`, decides what
/// the caller may do.
struct SQLiteTransaction: WriteTransaction {
    let database: Database
    /// Whether statements that write are refused.
    var isReading = false
    /// For an untrusted file; nil for one of our own.
    var timeLimit: QueryTimeLimit?
    /// The bytes of memory that a result from an untrusted file may take. Pages that lead to the same next ones give
    /// rows without end.
    private static let mostBytes = 256 << 20
    /// The bytes that the texts of such a result may take in an answer, in which some characters take several.
    private static let mostTextBytes = 96 << 20

    var dialect: Dialect { .sqlite }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try SQLiteErrors.mapped(in: database) {
            var rows: [ResultRow] = []
            var room = timeLimit == nil ? Int.max : Self.mostBytes
            var textRoom = timeLimit == nil ? Int.max : Self.mostTextBytes
            try walk(query) { row in
                if timeLimit != nil {
                    room -= SQLiteValues.bytes(of: row)
                    for case .text(let text) in row.values { textRoom -= WrittenSize.of(text) }
                }
                if room < 0 || textRoom < 0 {
                    throw StoreError(.beyondLimits, "a result exceeds the limit for an untrusted file")
                }
                rows.append(row)
            }
            return rows
        }
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        do {
            try walk(query, body)
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error, in: database)
        }
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        timeLimit?.restart()
        return try SQLiteErrors.mapped(in: database) {
            try prepared(query).execute()
            return database.changesCount
        }
    }

    /// In rollback mode, a commit needs the exclusive lock, which SQLite also takes to write changed pages before the
    /// commit. The rollback puts them back from the journal. In WAL mode, the pages get into the log, and no reader is
    /// in the way.
    func prepareCommit() throws(StoreError) {
        let code = sqlite3_db_cacheflush(database.sqliteConnection)
        if code == SQLITE_OK { return }
        let handle = database.sqliteConnection
        let message = String(cString: sqlite3_errstr(code))
        let error = SQLiteErrors.storeError(code: code, message: message, connection: handle)
        throw error.naming(holdersOf: sqlite3_db_filename(handle, "main").map { String(cString: $0) })
    }

    private func walk(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        timeLimit?.restart()
        let statement = try prepared(query)
        if isReading, sqlite3_stmt_readonly(statement.sqliteStatement) == 0 {
            // SQLite refuses it if it writes, and answers a PRAGMA that only asks.
            return try database.readOnly { try walk(statement, body) }
        }
        try walk(statement, body)
    }

    private func walk(_ statement: Statement, _ body: (ResultRow) throws -> Void) throws {
        let cursor = try Row.fetchCursor(statement)
        let columns = RowColumns(statement.columnNames)
        while try advance(cursor) {
            let row = ResultRow(columns: columns, values: SQLiteValues.current(of: statement.sqliteStatement))
            // The caller's time does not count.
            timeLimit?.pause()
            try body(row)
            timeLimit?.restart()
        }
        timeLimit?.pause()
    }

    private func advance(_ cursor: RowCursor) throws -> Bool {
        do {
            return try cursor.next() != nil
        } catch {
            throw timeLimit?.error ?? error
        }
    }

    /// Whether the statement names a table as a value would be given. There may be thousands of such statements, one
    /// for each table of a file, and GRDB's cache takes time by the square of their number (*measured*: 40 of 48
    /// seconds of a bundle of 5,000 tables).
    private static func isOfOneTable(_ sql: String) -> Bool { sql.utf8.contains(UInt8(ascii: "\"")) }

    /// The statement of a query with its values bound. They are bound here and not by GRDB, which gets no arguments.
    private func prepared(_ query: Query) throws -> Statement {
        let (sql, values) = query.rendered(.questionMark)
        let statement =
            try Self.isOfOneTable(sql) ? database.makeStatement(sql: sql) : database.cachedStatement(sql: sql)
        let handle = statement.sqliteStatement
        let places = Int(sqlite3_bind_parameter_count(handle))
        guard places == values.count else {
            throw StoreError(.sql, "a query with \(places) places has \(values.count) values")
        }
        // Clears the error of the statement's last run, which GRDB would report as one of this run.
        sqlite3_reset(handle)
        statement.setUncheckedArguments([])
        for (index, value) in values.enumerated() {
            let code = SQLiteValues.bind(value, at: CInt(index + 1), of: handle)
            guard code == SQLITE_OK else {
                throw StoreError(.beyondLimits, "a value cannot be bound", engineCode: Int(code))
            }
        }
        return statement
    }
}
