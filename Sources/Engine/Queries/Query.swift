/// SQL with its values. It is written as a string literal, and what is interpolated is bound, never pasted:
///
///     let query: Query = "SELECT display_name FROM chat_relays WHERE user_id = \(user) AND deleted = 0"
///
/// A piece of SQL is put in as another `Query`; a name that is only known at run time as `\(identifier:)`.
public struct Query: Sendable, Hashable {
    /// The SQL in UTF-8, with `?` for every value. Bytes, because every statement is put together anew.
    private var sql: [UInt8] = []
    /// The values in their order.
    private var values: [SQLValue] = []
    /// Where in the SQL the values stand, in bytes of UTF-8: text given as SQL may have a `?` of its own.
    private var places: [Int] = []

    /// The SQL with the engine's placeholders, and the values in their order.
    public func rendered(_ style: PlaceholderStyle) -> (sql: String, values: [SQLValue]) {
        switch style {
        case .questionMark: (String(decoding: sql, as: UTF8.self), values)
        case .dollarNumber: (numbered, values)
        }
    }

    private var numbered: String {
        var text: [UInt8] = []
        var end = 0
        for (index, place) in places.enumerated() {
            text += sql[end..<place] + "$\(index + 1)".utf8
            end = place + 1
        }
        return String(decoding: text + sql[end...], as: UTF8.self)
    }

    mutating func append(sql text: String) { sql.append(contentsOf: text.utf8) }

    mutating func append(sql literal: StaticString) {
        literal.withUTF8Buffer { sql.append(contentsOf: $0) }
    }

    mutating func append(_ value: SQLValue) {
        places.append(sql.count)
        sql.append(UInt8(ascii: "?"))
        values.append(value)
    }

    mutating func append(_ query: Query) {
        let length = sql.count
        for place in query.places { places.append(place + length) }
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
