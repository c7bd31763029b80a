/// A database whose schema is being changed: one connection, one transaction that the caller begins and ends, because
/// two databases must be complete before the first of them is committed.
///
/// An implementation must keep foreign keys unenforced for its whole life, must wait for no lock longer than a moment,
/// and must make `commit` durable before it returns.
public protocol MigrationConnection: WriteTransaction {
    /// Begins the transaction and takes the write lock. Fails with `busy` when somebody else has it.
    func begin() throws(StoreError)

    /// Commits. When it has returned, a power cut cannot undo it.
    func commit() throws(StoreError)

    /// Ends the transaction without a trace. Harmless when none is open.
    func rollback()

    /// Whether a transaction is open.
    var isInTransaction: Bool { get }

    /// Prepares one statement of a migration, runs `before` with what it is going to touch, and runs the statement.
    ///
    /// An implementation must refuse (`denied`) whatever ends or opens a transaction, attaches a database, loads an
    /// extension, changes a setting, or touches one of the `protected` tables.
    func execute(
        statement: String, rebuild: Bool, protected: Set<String>, before: (StatementEffect) throws -> Void
    ) throws

    /// Names that mark a database as made by this program; nil when it bears none.
    func applicationMark() throws(StoreError) -> Int64?

    /// Marks the database.
    func setApplicationMark(_ mark: Int64) throws(StoreError)

    /// Tables, indexes, triggers and views as they are now, inside the transaction.
    func structure() throws(StoreError) -> DatabaseStructure

    /// Damage that a full check of the file finds, a sentence each; empty when it is whole.
    func integrityProblems() throws(StoreError) -> [String]

    /// References to rows that are not there, with how many look the same: rows of a table without row ids do. With
    /// `tables`, only those of these tables and of tables that refer to them.
    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> [DanglingReference: Int]

    /// The tables that hold rows of their own: no views, no virtual tables, none of the engine's.
    func ordinaryTables() throws(StoreError) -> Set<String>

    /// The columns of each of these tables in their order, those left out whose values are made from others.
    func columns() throws(StoreError) -> [String: [String]]

    /// The number of rows of a table, counted in the table itself and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// Bytes the named tables and their indexes take on the disk.
    func bytes(of tables: Set<String>) throws(StoreError) -> Int64

    /// Bytes of the whole file, and of the unused pages in it.
    func size() throws(StoreError) -> (total: Int64, free: Int64)

    /// Refreshes the query planner's statistics of these tables, within a limit; a failure is of no consequence.
    func refreshStatistics(of tables: Set<String>) throws(StoreError)

    /// Copies the database as it was before this transaction into a new file for the owner alone, calling `progress`
    /// with the part done (0…1), and answers when the copy is on the disk. `progress` may throw to stop.
    func backUp(to path: String, progress: (Double) throws -> Void) throws

    /// Stops the statement that is running. May be called from any thread.
    var interrupt: @Sendable () -> Void { get }

    /// Closes; an open transaction is undone.
    func close()
}

/// What a statement of a migration is going to touch.
public struct StatementEffect: Sendable, Hashable {
    /// Tables that lose, gain or change rows, or go; those written by triggers are among them.
    public var written: Set<String> = []
    /// Tables that ALTER TABLE changes or renames.
    public var altered: Set<String> = []

    /// Nothing touched yet.
    public init() {}
}

/// A row whose reference leads nowhere.
public struct DanglingReference: Sendable, Hashable {
    /// The table of the row.
    public let table: String
    /// The row, nil in a table without row ids.
    public let row: Int64?
    /// The table referred to.
    public let parent: String
    /// The columns of the reference.
    public let columns: [String]

    /// A dangling reference.
    public init(table: String, row: Int64?, parent: String, columns: [String]) {
        self.table = table
        self.row = row
        self.parent = parent
        self.columns = columns
    }
}
