import ChatDBEngine
import GRDB
import GRDBSQLite

/// The function of SQL that says whether texts are UTF-8. SQLite has none, and reads other bytes as if they were other
/// characters. GRDB's functions get a text without its wrong bytes.
enum TextFunction {
    private static let name = "chatdb_are_texts"
    /// The largest number of arguments of a call. A hardened connection does not allow more.
    private static let most = 16

    /// The condition that none of these values is a text with wrong bytes. NULL, numbers and bytes are right.
    @Sendable static func call(_ values: [Query]) -> Query {
        let calls = stride(from: 0, to: values.count, by: most).map { start -> Query in
            let part = values[start..<min(start + most, values.count)]
            return Query.unchecked(sql: name) + "(\(Query.joined(Array(part), by: ", ")))"
        }
        return calls.isEmpty ? "1" : Query.joined(calls, by: " AND ")
    }

    /// Adds the function to a connection. A schema cannot call it.
    static func add(to database: Database) {
        sqlite3_create_function_v2(
            database.sqliteConnection, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, count, values in
                let isWrong = (0..<Int(count)).contains { index in
                    guard let value = values?[index], sqlite3_value_type(value) == SQLITE_TEXT,
                        let start = sqlite3_value_text(value)
                    else { return false }
                    let count = Int(sqlite3_value_bytes(value))
                    return !TextFunction.isUTF8(UnsafeRawBufferPointer(start: start, count: count))
                }
                sqlite3_result_int(context, isWrong ? 0 : 1)
            }, nil, nil, nil)
    }

    /// Whether bytes are UTF-8 as RFC 3629 defines it. Most texts are ASCII, so eight bytes are read at once.
    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            if bytes.count - place >= 8 {
                let eight = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                if eight & 0x8080_8080_8080_8080 == 0 {
                    place += 8
                    continue
                }
            }
            let length = lengthOfCharacter(bytes, at: place)
            if length == 0 { return false }
            place += length
        }
        return true
    }

    /// The number of bytes of the character that begins at a place; 0 if no character does.
    private static func lengthOfCharacter(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let first = bytes[place]
        let length: Int
        // The values of the second byte: fewer where others would be a longer form, a surrogate, or beyond Unicode.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard bytes.count - place >= length, second.contains(bytes[place + 1]) else { return 0 }
        let isWhole = bytes[(place + 2)..<(place + length)].allSatisfy { $0 & 0xC0 == 0x80 }
        return isWhole ? length : 0
    }
}
