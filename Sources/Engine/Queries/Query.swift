/// SQL with its values. It is written as a string literal, and what is interpolated is bound, never pasted:
///
///     let query: Query = "SELECT display_name FROM chat_relays WHERE user_id = \(user) AND deleted = 0"
///
/// A piece of SQL is put in as another `Query`; a name that is only known at run time as `\(identifier:)`.
public struct Query: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case sql(String)
        case value(SQLValue)
    }

    var pieces: [Piece]

    /// The SQL with the engine's placeholders, and the values in their order.
    public func rendered(_ style: PlaceholderStyle) -> (sql: String, values: [SQLValue]) {
        var sql = ""
        var values: [SQLValue] = []
        for piece in pieces {
            switch piece {
            case .sql(let text):
                sql += text
            case .value(let value):
                values.append(value)
                sql += style.placeholder(values.count)
            }
        }
        return (sql, values)
    }
}

/// How an engine writes the place of a bound value.
public enum PlaceholderStyle: Sendable, Hashable {
    /// `?` for every value (SQLite).
    case questionMark
    /// `$1`, `$2`, … (PostgreSQL).
    case dollarNumber

    func placeholder(_ number: Int) -> String {
        switch self {
        case .questionMark: "?"
        case .dollarNumber: "$\(number)"
        }
    }
}
