/// The right to read, inside a transaction: all answers are of one moment.
public protocol ReadTransaction {
    /// What differs between engines.
    var dialect: Dialect { get }

    /// All rows of an answer, in its order; none is an empty list.
    func rows(_ query: Query) throws(StoreError) -> [ResultRow]

    /// Calls `body` with one row after the other, in constant memory. An error of `body` ends the walk and is thrown on.
    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws
}

extension ReadTransaction {
    /// The first row of an answer, or nil when there is none.
    public func first(_ query: Query) throws(StoreError) -> ResultRow? {
        try rows(query).first
    }

    /// The one number an answer consists of (`SELECT count(*) …`); 0 when it has no row or a NULL.
    public func count(_ query: Query) throws(StoreError) -> Int {
        guard let row = try first(query), let value = row.values.first, value != .null else { return 0 }
        guard let number = Int(sqlValue: value) else {
            throw .unexpectedValue(column: row.columns.names.first ?? "", expected: "Int", found: value.typeName)
        }
        return number
    }
}

/// The right to read and write, inside a transaction that is kept whole or not at all.
public protocol WriteTransaction: ReadTransaction {
    /// Runs a statement and answers how many rows it inserted, changed or deleted (those of triggers not counted).
    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int
}

extension WriteTransaction {
    /// Runs an INSERT and answers the number the database gave the new row in column `key`.
    public func insert(_ query: Query, returning key: String) throws(StoreError) -> Int64 {
        guard let row = try first(query + " RETURNING \(identifier: key)") else {
            throw StoreError(.unexpectedRow, "the INSERT made no row")
        }
        return try row.get(key)
    }
}
