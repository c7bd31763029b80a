/// SQL with its values. It is written as a string literal, and what is interpolated is bound, never pasted:
///
///     let query: Query = "SELECT display_name FROM chat_relays WHERE user_id = \(user) AND deleted = 0"
///
/// A piece of SQL is put in as another `Query`; a name that is only known at run time as `\(identifier:)`.
public struct Query: Sendable, Hashable {
    /// The SQL, with `?` for every value.
    private(set) var sql = ""
    /// The values in their order.
    private(set) var values: [SQLValue] = []
    /// Where in the SQL the values stand, in bytes of UTF-8: text given as SQL may have a `?` of its own.
    private var places: [Int] = []

    /// The SQL with the engine's placeholders, and the values in their order.
    public func rendered(_ style: PlaceholderStyle) -> (sql: String, values: [SQLValue]) {
        switch style {
        case .questionMark: (sql, values)
        case .dollarNumber: (numbered, values)
        }
    }

    private var numbered: String {
        let bytes = Array(sql.utf8)
        var text: [UInt8] = []
        var end = 0
        for (index, place) in places.enumerated() {
            text += bytes[end..<place] + "$\(index + 1)".utf8
            end = place + 1
        }
        return String(decoding: text + bytes[end...], as: UTF8.self)
    }

    mutating func append(sql text: String) { sql += text }

    mutating func append(_ value: SQLValue) {
        places.append(sql.utf8.count)
        sql += "?"
        values.append(value)
    }

    mutating func append(_ query: Query) {
        let length = sql.utf8.count
        places += query.places.map { $0 + length }
        sql += query.sql
        values += query.values
    }

    mutating func reserve(bytes: Int, values count: Int) {
        sql.reserveCapacity(bytes)
        values.reserveCapacity(count)
        places.reserveCapacity(count)
    }
}

/// How an engine writes the place of a bound value.
public enum PlaceholderStyle: Sendable, Hashable {
    /// `?` for every value (SQLite).
    case questionMark
    /// `$1`, `$2`, … (PostgreSQL).
    case dollarNumber
}
