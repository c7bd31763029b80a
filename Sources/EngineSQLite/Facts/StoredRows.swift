import ChatDBEngine
import GRDB
import GRDBSQLite

/// The rows of a table as a copy reads and writes them, with SQLite's C interface: texts have the bytes that are
/// stored, also NUL and those that are not UTF-8, and a row takes no Swift values of its own.
enum StoredRows {
    /// Reads all rows in the order of their numbers.
    static func forEach(
        of table: String, columns: [String], in database: Database, _ body: ([CopiedValue]) throws -> Void
    ) throws {
        let names = (columns.isEmpty ? ["1"] : columns.map(SQLName.quoted)).joined(separator: ", ")
        let statement = try RawStatement("SELECT \(names) FROM main.\(SQLName.quoted(table)) NOT INDEXED", database)
        defer { statement.finalize() }
        var values = [CopiedValue](repeating: .null, count: columns.count)
        while try statement.step() {
            for index in values.indices { values[index] = value(of: statement.handle, CInt(index)) }
            try body(values)
        }
    }

    /// Inserts the rows with which `rows` calls its argument.
    static func insert(
        into table: String, _ columns: [CopiedColumn], in database: Database,
        _ rows: (_ insert: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws {
        let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try RawStatement(
            "INSERT INTO main.\(SQLName.quoted(table))(\(names)) VALUES (\(places))", database)
        defer { statement.finalize() }
        try rows { values in
            guard values.count == columns.count else {
                throw StoreError(.unexpectedRow, "a row has another number of columns than its table")
            }
            for (index, value) in values.enumerated() {
                let code = bind(value, at: CInt(index + 1), of: statement.handle)
                guard code == SQLITE_OK else {
                    throw StoreError(
                        .beyondLimits,
                        "column \(columns[index].name) has a value of more bytes than SQLite stores in a row",
                        engineCode: Int(code))
                }
            }
            _ = try statement.step()
            sqlite3_reset(statement.handle)
        }
    }

    private static func value(of statement: OpaquePointer, _ column: CInt) -> CopiedValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // The bytes are asked for before their number.
            let start = sqlite3_column_text(statement, column)
            return .text(bytes(UnsafeRawPointer(start), sqlite3_column_bytes(statement, column)))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            return .bytes(bytes(start, sqlite3_column_bytes(statement, column)))
        default: return .null
        }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }

    /// Binds a value without a copy: its bytes are there until the statement has run.
    private static func bind(_ value: CopiedValue, at place: CInt, of statement: OpaquePointer) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .real(let number): return sqlite3_bind_double(statement, place, number)
        // SQLite binds NULL for bytes without an address.
        case .text(let bytes) where bytes.isEmpty: return sqlite3_bind_text(statement, place, "", 0, copied)
        case .bytes(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(statement, place, 0)
        case .text(let bytes):
            return sqlite3_bind_text64(
                statement, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
                UInt8(SQLITE_UTF8))
        case .bytes(let bytes):
            return sqlite3_bind_blob64(statement, place, bytes.baseAddress, UInt64(bytes.count), nil)
        }
    }

    /// `SQLITE_TRANSIENT`: SQLite makes a copy of the value.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// A statement of SQLite's C interface.
private struct RawStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    init(_ sql: String, _ database: Database) throws(StoreError) {
        guard let connection = database.sqliteConnection else { throw StoreError(.other, "the database is closed") }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(connection, sql) }
        (handle, self.connection, self.sql) = (statement, connection, sql)
    }

    /// Runs the statement to its next row. Returns false after the last.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw Self.error(connection, sql)
        }
    }

    func finalize() { sqlite3_finalize(handle) }

    private static func error(_ connection: OpaquePointer, _ sql: String) -> StoreError {
        SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql,
            connection: connection)
    }
}
