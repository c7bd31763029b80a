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

/// A hash over the values of one row, with their types, in the order of the columns.
private struct RowHash {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Two numbers, so that rows which exchange their first ones are noticed in the sums of the second.
    var values: (UInt64, UInt64) { (Self.mixed(state), Self.mixed(state ^ 0xD6E8_FEB8_6659_FD93)) }

    mutating func add(_ statement: OpaquePointer?, _ column: CInt) {
        let type = sqlite3_column_type(statement, column)
        add(UInt64(type))
        switch type {
        case SQLITE_INTEGER: add(UInt64(bitPattern: sqlite3_column_int64(statement, column)))
        case SQLITE_FLOAT: add(sqlite3_column_double(statement, column).bitPattern)
        case SQLITE_TEXT, SQLITE_BLOB:
            // The bytes of a text are asked for before their number.
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            add(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        default: break
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        add(rest)
    }

    private mutating func add(_ number: UInt64) {
        state = Self.mixed(state &+ 0x9E37_79B9_7F4A_7C15 ^ number &* 0xC2B2_AE3D_27D4_EB4F)
    }

    /// The last step of SplitMix64: every bit of the number changes half of the bits of the result.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
