public import ChatDBSchema

/// SQL with its values. It is written as a string literal; interpolated values are bound and never pasted:
///
///     let query: Query = "SELECT display_name FROM chat_relays WHERE user_id = \(user) AND deleted = 0"
///
/// A piece of SQL is put in as another `Query`; a name that is only known at run time as `\(identifier:)`.
public struct Query: Sendable, Hashable {
    /// The SQL in UTF-8, with `?` for every value. Bytes, because every statement is composed anew.
    private var sql: [UInt8] = []
    /// The values in their order.
    private var values: [SQLValue] = []
    /// The places of the values in the SQL, in bytes of UTF-8: SQL text may have a `?` of its own.
    private var places: [Int] = []
    /// Whether the best plan depends on the values, so that an engine must not make one plan for all.
    package private(set) var isPlannedForValues = false

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
            text += sql[end..<place]
            text += "$\(index + 1)".utf8
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
        isPlannedForValues = isPlannedForValues || query.isPlannedForValues
    }

    mutating func reserve(bytes: Int, values count: Int) {
        sql.reserveCapacity(bytes)
        values.reserveCapacity(count)
        places.reserveCapacity(count)
    }
}

/// The placeholders that an engine uses for bound values.
public enum PlaceholderStyle: Sendable, Hashable {
    /// `?` for every value (SQLite).
    case questionMark
    /// `$1`, `$2`, … (PostgreSQL).
    case dollarNumber
}

extension Query: ExpressibleByStringInterpolation {
    /// SQL without values.
    public init(stringLiteral sql: StaticString) {
        append(sql: sql)
    }

    /// SQL and the values between.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.query
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var query = Query()

        /// Begins an empty query.
        public init(literalCapacity: Int, interpolationCount: Int) {
            query.reserve(bytes: literalCapacity + interpolationCount, values: interpolationCount)
        }

        /// The SQL as it is written.
        public mutating func appendLiteral(_ sql: StaticString) {
            query.append(sql: sql)
        }

        /// Binds a value.
        public mutating func appendInterpolation(_ value: some ColumnValue) {
            query.append(value.sqlValue)
        }

        /// Binds a value, or NULL.
        public mutating func appendInterpolation(_ value: (some ColumnValue)?) {
            query.append(value?.sqlValue ?? .null)
        }

        /// Binds an identifier.
        public mutating func appendInterpolation(_ identifier: RowID<some Any>) {
            query.append(.integer(identifier.rawValue))
        }

        /// Binds an identifier, or NULL.
        public mutating func appendInterpolation(_ identifier: RowID<some Any>?) {
            query.append(identifier.map { .integer($0.rawValue) } ?? .null)
        }

        /// Binds an identifier of bytes.
        public mutating func appendInterpolation(_ identifier: BytesID<some Any>) {
            query.append(.blob(identifier.bytes))
        }

        /// Binds an identifier of bytes, or NULL.
        public mutating func appendInterpolation(_ identifier: BytesID<some Any>?) {
            query.append(identifier.map { .blob($0.bytes) } ?? .null)
        }

        /// Binds an enumeration as its stored text.
        public mutating func appendInterpolation(_ value: some StoredText) {
            query.append(.text(value.text))
        }

        /// Binds an enumeration as its stored text, or NULL.
        public mutating func appendInterpolation(_ value: (some StoredText)?) {
            query.append(value.map { .text($0.text) } ?? .null)
        }

        /// Inserts a number of the program as it is, such as the size of a page: PostgreSQL makes one plan for all
        /// values that are bound, and a plan for pages of unknown size reads whole tables.
        public mutating func appendInterpolation(number: Int) {
            query.append(sql: String(number))
        }

        /// Inserts a comparison for after a column: `= ` and the bound value, or `IS NULL`.
        public mutating func appendInterpolation(isSame value: (some ColumnValue)?) {
            guard let value else { return query.append(sql: "IS NULL") }
            query.append(sql: "= ")
            query.append(value.sqlValue)
        }

        /// Inserts a comparison for after a column: `= ` and the bound identifier, or `IS NULL`.
        public mutating func appendInterpolation(isSame identifier: RowID<some Any>?) {
            appendInterpolation(isSame: identifier?.rawValue)
        }

        /// Inserts a comparison for after a column: `= ` and the stored text of an enumeration, or `IS NULL`.
        public mutating func appendInterpolation(isSame value: (some StoredText)?) {
            appendInterpolation(isSame: value?.text)
        }

        /// Inserts a piece of SQL with its own values.
        public mutating func appendInterpolation(_ query: Query) {
            self.query.append(query)
        }

        /// Binds each value of a list, with commas between: for `IN (…)`. An empty list is written as `NULL`: `IN
        /// (NULL)` finds no row, and neither does `NOT IN (NULL)`.
        public mutating func appendInterpolation(list values: [some ColumnValue]) {
            guard !values.isEmpty else { return query.append(sql: "NULL") }
            for (index, value) in values.enumerated() {
                if index > 0 { query.append(sql: ", ") }
                query.append(value.sqlValue)
            }
        }

        /// Inserts the name of a table or column that is known at run time only, quoted by `SQLName`.
        public mutating func appendInterpolation(identifier name: String) {
            query.append(sql: SQLName.quoted(name))
        }
    }
}

extension Query {
    /// Two pieces, one after the other.
    public static func + (first: Query, second: Query) -> Query {
        var both = first
        both.append(second)
        return both
    }

    /// Joins pieces with a separator: conditions with `" AND "`, columns with `", "`. The separator is a literal of the
    /// program: a `StaticString` cannot hold text that is known at run time only.
    public static func joined(_ queries: [Query], by separator: StaticString) -> Query {
        var joined = Query()
        for (index, query) in queries.enumerated() {
            if index > 0 { joined.append(sql: separator) }
            joined.append(query)
        }
        return joined
    }

    /// The same piece, for which, and for every statement with it, the engine makes a plan at each execution.
    package var plannedForValues: Query {
        var query = self
        query.isPlannedForValues = true
        return query
    }

    /// SQL that is known at run time only: a statement of a migration, a question from the command line. Nothing in the
    /// text is bound, hence the name.
    public static func unchecked(sql: String) -> Query {
        var query = Query()
        query.append(sql: sql)
        return query
    }
}

/// Names of tables and columns as SQL.
public enum SQLName {
    /// The name in double quotes. Quotes in it are doubled and NUL bytes left out, so that a name in a hostile file
    /// cannot end the quotes (with GRDB's own quoting it can).
    public static func quoted(_ name: String) -> String {
        var text = "\""
        for character in name.unicodeScalars where character != "\0" {
            if character == "\"" { text.unicodeScalars.append("\"") }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// The name as people write it: in double quotes only where it needs them.
    public static func written(_ name: String) -> String {
        SQLLexer.needsQuotes(name) ? quoted(name) : name
    }
}
