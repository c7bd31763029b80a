/// A transaction that may read: all answers are of one moment.
public protocol ReadTransaction {
    /// The SQL in which engines differ.
    var dialect: Dialect { get }

    /// All rows of an answer, in its order; an empty list for an empty answer.
    func rows(_ query: Query) throws(StoreError) -> [ResultRow]

    /// Calls `body` with one row after the other, in constant memory. An error of `body` ends the iteration and is
    /// rethrown.
    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws

    /// Runs `body`, which may have a statement that fails, and rethrows its error. The transaction must go on
    /// afterwards. An engine whose transaction ends with such a statement must undo what `body` changed, in both
    /// databases if they share the transaction.
    func attempt<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T
}

extension ReadTransaction {
    /// For an engine that undoes a statement that fails, and goes on.
    public func attempt<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T { try body() }

    /// The first row of an answer, or nil when there is none.
    public func first(_ query: Query) throws(StoreError) -> ResultRow? {
        try rows(query).first
    }

    /// The one number of an answer (`SELECT count(*) …`); 0 for no row or NULL.
    public func count(_ query: Query) throws(StoreError) -> Int {
        guard let row = try first(query), let value = row.values.first, value != .null else { return 0 }
        guard let number = Int(sqlValue: value) else {
            throw .unexpectedValue(column: row.columns.names.first ?? "", expected: "Int", found: value.typeName)
        }
        return number
    }
}

/// A transaction that may read and write. All of its changes are committed, or none.
public protocol WriteTransaction: ReadTransaction {
    /// Runs a statement and returns how many rows it inserted, changed or deleted, without those of triggers.
    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int

    /// Gets the locks that the commit needs. The error is `busy` if another program holds one. Before the first of two
    /// commits, it shows whether the second one would be refused.
    func prepareCommit() throws(StoreError)
}

extension WriteTransaction {
    /// For an engine that has all locks when it writes.
    public func prepareCommit() throws(StoreError) {}
}

extension ReadTransaction {
    /// The place to which the store of this database was moved; nil if it was not, and for a store of another program.
    package func movedTo() throws(StoreError) -> String? {
        guard try first(dialect.tableExists("store")) != nil, let row = try first("SELECT * FROM store"),
            row.columns.names.contains("store_id"), row.columns.names.contains("moved_to")
        else { return nil }
        return try row.get("moved_to")
    }
}

extension WriteTransaction {
    /// Runs an INSERT and returns the number that the database gave the new row in column `key`.
    public func insert(_ query: Query, returning key: String) throws(StoreError) -> Int64 {
        guard let row = try first(query + " RETURNING \(identifier: key)") else {
            throw StoreError(.unexpectedRow, "the INSERT made no row")
        }
        return try row.get(key)
    }
}
