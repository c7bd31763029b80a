import Engine
import Foundation
import GRDB
import GRDBSQLite

/// Values between the seam and SQLite.
enum SQLiteValues {
    /// The value as GRDB binds it.
    static func argument(_ value: SQLValue) -> DatabaseValue {
        switch value {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    /// Binds a text whole: GRDB ends it at its first NUL byte. Answers SQLite's code.
    static func bind(_ text: String, at index: CInt, of statement: OpaquePointer) -> CInt {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                return sqlite3_bind_text(statement, index, bytes.baseAddress, CInt(bytes.count), transient)
            }
        }
    }

    /// The values of the row a statement stands on. Read here rather than through GRDB, whose text ends at a NUL byte
    /// and whose numbers end the process when a column holds something else.
    static func current(of statement: OpaquePointer) -> [SQLValue] {
        (0..<sqlite3_column_count(statement)).map { value(of: statement, column: $0) }
    }

    /// What a row takes in memory, about.
    static func bytes(of row: ResultRow) -> Int {
        row.values.reduce(64) { sum, value in
            switch value {
            case .text(let text): sum + 32 + text.utf8.count
            case .blob(let bytes): sum + 64 + bytes.count
            case .null, .integer, .real: sum + 32
            }
        }
    }

    private static func value(of statement: OpaquePointer, column: CInt) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER:
            return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT:
            return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(
                String(decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        default:
            return .null
        }
    }
}
