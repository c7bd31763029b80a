import ChatDBEngine
import GRDBSQLite

/// Values between the seam and SQLite.
enum SQLiteValues {
    /// Binds a value and returns SQLite's result code. A text is bound whole; GRDB ends it at its first NUL byte.
    static func bind(_ value: SQLValue, at index: CInt, of statement: OpaquePointer) -> CInt {
        switch value {
        case .null:
            return sqlite3_bind_null(statement, index)
        case .integer(let number):
            return sqlite3_bind_int64(statement, index, number)
        case .real(let number):
            return sqlite3_bind_double(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    sqlite3_bind_text64(
                        statement, index, bytes.baseAddress, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            // An empty array has no address, and SQLite binds NULL for none.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
            return bytes.withUnsafeBytes { bytes in
                sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), copied)
            }
        }
    }

    /// `SQLITE_TRANSIENT`: SQLite makes a copy of the value.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// The values of a statement's current row. They are read here and not by GRDB, whose texts end at a NUL byte and
    /// whose numbers end the process when a column holds another type.
    static func current(of statement: OpaquePointer) -> [SQLValue] {
        (0..<sqlite3_column_count(statement)).map { value(of: statement, column: $0) }
    }

    /// Roughly how many bytes of memory a row takes.
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

/// The bytes that a text takes in the answer at most, in whichever format: characters that are not shown as they are
/// become `\\u{1b}`, for example.
enum WrittenSize {
    static func of(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var size = bytes.count
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case 0x00...0x1F, 0x7F: size += 7
                case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): size += 4
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["),
                    UInt8(ascii: "]"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: "_"):
                    size += 1
                // The first bytes of the other unsafe characters.
                case 0xC2, 0xD8: if index + 1 < bytes.count, bytes[index + 1] < 0xA0 { size += 7 }
                case 0xE2: if index + 1 < bytes.count, bytes[index + 1] < 0x82 { size += 7 }
                default: break
                }
            }
            return size
        }
    }
}
