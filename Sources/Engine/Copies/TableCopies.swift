/// A database whose tables a copy reads.
package protocol TableReading {
    /// The tables with an index of a search. Their rows are made from texts of other tables.
    func searchIndexes() throws(StoreError) -> Set<String>

    /// The columns of a table with their forms, in their order; nil if the engine is not a server, whose types decide.
    func forms(of table: String) throws(StoreError) -> [CopiedColumn]?

    /// Calls `body` with one row after the other, in constant memory. The rows come in the order in which they are
    /// stored, which is that of their numbers in SQLite. An error of `body` ends the iteration and is rethrown.
    func forEachStoredRow(of table: String, columns: [String], _ body: ([CopiedValue]) throws -> Void) throws

    /// The sum of a table as the server computes it from what it stores; nil if the engine is not a server.
    func serverSum(of table: String, _ columns: [CopiedColumn]) throws(StoreError) -> RowSum?
}

/// A database of one moment that is copied.
package protocol TableSource: TableReading {
    /// The last number that each table gave to a row and that it gives to no other row. Tables that have given none,
    /// and those that may give a number again, are left out.
    func lastNumbers() throws(StoreError) -> [String: Int64]

    /// The partial indexes of a copy in which no row will be, as far as the engine finds them quickly. Unique indexes
    /// are left out.
    /// - Parameter indexes: the indexes of the copy, by name.
    func emptyIndexes(of indexes: [String: IndexStructure]) throws(StoreError) -> Set<String>

    /// Calls `body` with each reference to a missing row.
    func forEachMissingReference(_ body: (DanglingReference) throws -> Void) throws
}

/// A new database that a copy fills, inside the transaction that made its tables.
package protocol TableTarget: TableReading {
    /// Removes the indexes, references and triggers, with which filling would take several times as long. Returns what
    /// makes them again.
    func setAside() throws(StoreError) -> [SetAside]

    /// Makes a part again. A reference to a missing row, or two rows with the same key, are an error.
    func putBack(_ part: SetAside) throws(StoreError)

    /// Inserts rows into an empty table. `rows` is called with what inserts one row.
    func fill(
        _ table: String, _ columns: [CopiedColumn], _ rows: (_ insert: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws

    /// Fills an empty index of a search, in constant memory. An engine that does not make it from its own rows calls
    /// `read` for those of the source: its last argument is called with one row after the other.
    func fillSearchIndex(
        _ index: String,
        _ read: (_ table: String, _ columns: [String], _ body: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws

    /// Makes each table give larger numbers than those of its rows, and larger ones than `numbers`.
    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError)
}

/// An index, a constraint or a trigger that was removed for the time of a copy.
package struct SetAside: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// The statement that makes it again.
    package let sql: String
    /// The table of an index or a key on a server; nil for other parts.
    package let table: String?

    /// A part.
    package init(name: String, sql: String, of table: String? = nil) {
        self.name = name
        self.sql = sql
        self.table = table
    }
}
