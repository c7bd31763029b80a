import ChatDBEngine
import GRDB
import GRDBSQLite

/// A hash over the rows of a table. It reads the values with SQLite's C interface: a row as a Swift value takes a
/// hundred times as long, and a store may have millions of rows.
enum SQLiteContentHash {
    static func of(_ table: String, columns: [String], in database: Database) throws -> ContentHash {
        guard let connection = database.sqliteConnection else { throw StoreError(.other, "the database is closed") }
        // Each row counts too, where no column is to be read.
        let names = (["1"] + columns.map(SQLName.quoted)).joined(separator: ", ")
        let sql = "SELECT \(names) FROM main.\(SQLName.quoted(table)) NOT INDEXED"
        var statement: OpaquePointer?
        func error() -> StoreError {
            SQLiteErrors.storeError(
                code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)),
                sql: sql)
        }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw error() }
        defer { sqlite3_finalize(statement) }
        let count = sqlite3_column_count(statement)
        var (sum, others): (UInt64, UInt64) = (0, 0)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                var row = RowHash()
                for column in 0..<count { row.add(statement, column) }
                let (first, second) = row.values
                sum &+= first
                others &+= second
            case SQLITE_DONE: return ContentHash(sum: sum, others: others)
            default: throw error()
            }
        }
    }
}

extension RowHash {
    fileprivate mutating func add(_ statement: OpaquePointer?, _ column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: add(integer: sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: add(real: sqlite3_column_double(statement, column))
        case SQLITE_TEXT: add(text: Self.bytes(statement, column))
        case SQLITE_BLOB: add(blob: Self.bytes(statement, column))
        default: addNull()
        }
    }

    private static func bytes(_ statement: OpaquePointer?, _ column: CInt) -> UnsafeRawBufferPointer {
        // The bytes of a text are asked for before their number.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
