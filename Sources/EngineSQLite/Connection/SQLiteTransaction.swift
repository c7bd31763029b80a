import ChatDBEngine
import GRDB
import GRDBSQLite

/// A transaction of SQLite, for reading and writing; which of the two a caller may do is the type it is handed as.
struct SQLiteTransaction: WriteTransaction {
    let database: Database
    /// For a file that anybody may have sent.
    var patience: Patience?
    /// How much an answer from such a file may take in memory. Pages that lead to the same next ones give rows without
    /// end.
    private static let mostBytes = 256 << 20

    var dialect: Dialect { SQLiteEngine.dialect }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try SQLiteErrors.mapped {
            var rows: [ResultRow] = []
            var room = patience == nil ? Int.max : Self.mostBytes
            try walk(query) { row in
                if patience != nil { room -= SQLiteValues.bytes(of: row) }
                if room < 0 {
                    throw StoreError(.beyondLimits, "an answer is longer than a file from elsewhere is given")
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
            throw SQLiteErrors.storeError(error)
        }
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        patience?.begin()
        return try SQLiteErrors.mapped {
            try prepared(query).execute()
            return database.changesCount
        }
    }

    private func walk(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        patience?.begin()
        let statement = try prepared(query)
        let cursor = try Row.fetchCursor(statement)
        let columns = RowColumns(statement.columnNames)
        while try advance(cursor) {
            let row = ResultRow(columns: columns, values: SQLiteValues.current(of: statement.sqliteStatement))
            // What the caller does with the row is not held against the file.
            patience?.rest()
            try body(row)
            patience?.begin()
        }
        patience?.rest()
    }

    private func advance(_ cursor: RowCursor) throws -> Bool {
        do {
            return try cursor.next() != nil
        } catch {
            throw patience?.error ?? error
        }
    }

    /// The statement of a query with its values bound, by ourselves: GRDB is told that there are none.
    private func prepared(_ query: Query) throws -> Statement {
        let (sql, values) = query.rendered(.questionMark)
        let statement = try database.cachedStatement(sql: sql)
        let handle = statement.sqliteStatement
        let places = Int(sqlite3_bind_parameter_count(handle))
        guard places == values.count else {
            throw StoreError(.sql, "a query with \(places) places has \(values.count) values")
        }
        // Tells what went wrong the last time, if anything did, which GRDB would take for a mistake of today.
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
