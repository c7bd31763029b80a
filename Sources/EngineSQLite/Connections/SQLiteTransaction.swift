import Engine
import GRDB
import GRDBSQLite

/// A transaction of SQLite, for reading and writing; which of the two a caller may do is the type it is handed as.
struct SQLiteTransaction: WriteTransaction {
    let database: Database

    var dialect: Dialect { SQLiteEngine.dialect }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try SQLiteErrors.mapped {
            var rows: [ResultRow] = []
            try walk(query) { rows.append($0) }
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
        try SQLiteErrors.mapped {
            let (statement, arguments) = try prepared(query)
            try statement.execute(arguments: arguments)
            return database.changesCount
        }
    }

    private func walk(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        let (statement, arguments) = try prepared(query)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        let columns = RowColumns(statement.columnNames)
        while try cursor.next() != nil {
            try body(ResultRow(columns: columns, values: SQLiteValues.current(of: statement.sqliteStatement)))
        }
    }

    private func prepared(_ query: Query) throws -> (Statement, StatementArguments) {
        let (sql, values) = query.rendered(.questionMark)
        return (try database.cachedStatement(sql: sql), StatementArguments(values.map(SQLiteValues.argument)))
    }
}
