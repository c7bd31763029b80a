public import ChatDBSchema

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

        /// Binds an enumeration as its stored text.
        public mutating func appendInterpolation(_ value: some StoredText) {
            query.append(.text(value.text))
        }

        /// Binds an enumeration as its stored text, or NULL.
        public mutating func appendInterpolation(_ value: (some StoredText)?) {
            query.append(value.map { .text($0.text) } ?? .null)
        }

        /// Puts in a piece of SQL with its own values.
        public mutating func appendInterpolation(_ query: Query) {
            self.query.append(query)
        }

        /// Binds each value of a list, with commas between: for `IN (…)`. An empty list is written as `NULL`, which is
        /// in no row; with `NOT IN` it finds no row either.
        public mutating func appendInterpolation(list values: [some ColumnValue]) {
            guard !values.isEmpty else { return query.append(sql: "NULL") }
            for (index, value) in values.enumerated() {
                if index > 0 { query.append(sql: ", ") }
                query.append(value.sqlValue)
            }
        }

        /// The name of a table or column that is known at run time only, quoted by the rule that holds for names read
        /// from a file: quotes doubled, a NUL byte left out, so that no name can end the quotes.
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

    /// Pieces with a separator between: conditions with `" AND "`, columns with `", "`. The separator is written in the
    /// program, as all SQL is: text that is only known at run time does not fit.
    public static func joined(_ queries: [Query], by separator: StaticString) -> Query {
        var joined = Query()
        for (index, query) in queries.enumerated() {
            if index > 0 { joined.append(sql: separator) }
            joined.append(query)
        }
        return joined
    }

    /// SQL that is not known when the program is built: a statement of a migration, a question from the command line.
    /// The long name is a warning: nothing in the text is bound.
    public static func unchecked(sql: String) -> Query {
        var query = Query()
        query.append(sql: sql)
        return query
    }
}
