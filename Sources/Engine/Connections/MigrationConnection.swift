/// A database whose schema is being changed: one connection with one transaction. The caller begins and ends the
/// transaction, because two databases must be complete before the first is committed.
///
/// An implementation must never enforce foreign keys, must not wait long for a lock, and must make `commit` durable
/// before it returns.
public protocol MigrationConnection: WriteTransaction {
    /// Begins the transaction and takes the write lock. Throws `busy` when another connection has it.
    func begin() throws(StoreError)

    /// Commits. After it returns, a power cut cannot undo the commit.
    func commit() throws(StoreError)

    /// Rolls back the transaction, if one is open.
    func rollback()

    /// Whether a transaction is open.
    var isInTransaction: Bool { get }

    /// Prepares one statement of a migration, calls `before` with what it will touch, and runs the statement.
    ///
    /// While the statement runs, it calls `progress` now and then with the number of steps that the engine has done for
    /// the statement. A step is small, and its duration varies; the number shows only that the work continues.
    ///
    /// An implementation must refuse (`denied`) every statement that ends or opens a transaction, attaches a database,
    /// loads an extension, changes a setting, or touches one of the `protected` tables.
    func execute(
        statement: String, rebuild: Bool, protected: Set<String>, progress: ((_ steps: Int64) -> Void)?,
        before: (StatementEffect) throws -> Void
    ) throws

    /// The mark that says which program made the database; nil when it has none.
    func applicationMark() throws(StoreError) -> Int64?

    /// Sets the mark.
    func setApplicationMark(_ mark: Int64) throws(StoreError)

    /// The schema as it is now, inside the transaction.
    func structure() throws(StoreError) -> DatabaseStructure

    /// The triggers and views that need a table or column that does not exist, in the order in which the engine finds
    /// them; empty if all have what they need. A view that only reads such a view is not among them. An engine that
    /// never removes what they need always returns none. What a program adds to the engine, such as functions of its
    /// own, may be missing here.
    func brokenDefinitions() throws(StoreError) -> [BrokenDefinition]

    /// The foreign keys that the engine cannot check, in the order of the schema. An engine that never makes such a key
    /// always returns none.
    func brokenReferences() throws(StoreError) -> [BrokenReference]

    /// The damage that a full check of the file finds, a sentence each; empty without damage.
    func integrityProblems() throws(StoreError) -> [String]

    /// References to missing rows, with the number of equal ones: those of a table without row IDs can be equal. With
    /// `tables`, only those of these tables and of tables that refer to them. Those of foreign keys to columns that are
    /// not unique are not among them.
    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> [DanglingReference: Int]

    /// The tables that hold rows of their own: without views, virtual tables and tables of the engine.
    func ordinaryTables() throws(StoreError) -> Set<String>

    /// The columns of each of these tables in their order, without generated columns.
    func columns() throws(StoreError) -> [String: [String]]

    /// The number of rows of a table, counted in the table and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// The last number that each table gave to a row and that it gives to no other row, where the engine forgets this
    /// number with the table; empty for any other engine.
    func lastNumbers() throws(StoreError) -> [String: Int64]

    /// Makes each table that is still there, and gives no number twice, give larger numbers than these.
    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError)

    /// The bytes that these tables and their indexes take on the disk.
    func bytes(of tables: Set<String>) throws(StoreError) -> Int64

    /// The bytes of the whole file, and of its unused pages.
    func size() throws(StoreError) -> (total: Int64, free: Int64)

    /// Refreshes the query planner's statistics of these tables, within a limit. Callers may ignore a failure.
    func refreshStatistics(of tables: Set<String>) throws(StoreError)

    /// Copies the database as it was before this transaction into a new file for the owner alone. It calls `progress`
    /// with the part done (0…1), which may throw to stop, and returns when the copy is on the disk.
    func backUp(to path: String, progress: (Double) throws -> Void) throws

    /// Prepares the transaction of a store that is copied and then marked as moved. It stays open during the copy, and
    /// no other program can change a row of the database until its end. Throws `busy` when another program writes it,
    /// and `accessDenied` when the caller would not have the right to write the mark.
    /// - Parameter seconds: how long to wait for other programs.
    func holdForMove(waiting seconds: Double) throws(StoreError)

    /// Interrupts the statement that is running. Any thread may call it.
    var interrupt: @Sendable () -> Void { get }

    /// Closes the connection; an open transaction is rolled back.
    func close()
}

extension MigrationConnection {
    /// None: the statements of a migration say where a new table begins to count.
    public func lastNumbers() throws(StoreError) -> [String: Int64] { [:] }

    /// Nothing.
    public func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {}

    /// Nothing: the lock of a file that `begin` takes keeps all other writers away.
    public func holdForMove(waiting seconds: Double) throws(StoreError) {}

    /// Runs one statement of a migration without reports.
    package func execute(
        statement: String, rebuild: Bool, protected: Set<String>, before: (StatementEffect) throws -> Void
    ) throws {
        try execute(statement: statement, rebuild: rebuild, protected: protected, progress: nil, before: before)
    }
}

/// The tables that a statement of a migration will read or change.
public struct StatementEffect: Sendable, Hashable {
    /// Tables that lose, gain or change rows, or are dropped; those that triggers write are among them.
    public var written: Set<String> = []
    /// Tables that ALTER TABLE changes or renames.
    public var altered: Set<String> = []

    /// Nothing touched yet.
    public init() {}
}

/// A trigger or view that needs a table or column that does not exist.
public struct BrokenDefinition: Sendable, Hashable {
    /// A trigger or a view.
    public let object: StructureDifference.Object
    /// Its name.
    public let name: String
    /// What it lacks, in the words of the engine: `no such table: main.t`.
    public let reason: String

    /// A trigger or view with what it lacks.
    public init(_ object: StructureDifference.Object, _ name: String, reason: String) {
        (self.object, self.name, self.reason) = (object, name, reason)
    }

    /// Whether the other one is the same trigger or view, which may lack something else.
    package func isAboutTheSame(as other: BrokenDefinition) -> Bool { object == other.object && name == other.name }
}

/// A foreign key to a table that does not exist, or to columns that are neither the primary key of their table nor
/// unique. While the engine checks foreign keys, it refuses to write the table.
public struct BrokenReference: Sendable, Hashable {
    /// The table with the foreign key.
    public let table: String
    /// The referring columns.
    public package(set) var columns: [String] = []
    /// The table referred to.
    public let parent: String
    /// The columns referred to; empty when the parent's primary key is meant.
    public package(set) var parentColumns: [String] = []
    /// Whether the table referred to does not exist.
    public let lacksParent: Bool
    /// Whether it is a view.
    public let refersToView: Bool

    /// A foreign key.
    public init(
        table: String, columns: [String] = [], parent: String, parentColumns: [String] = [], lacksParent: Bool,
        refersToView: Bool = false
    ) {
        (self.table, self.columns, self.parent) = (table, columns, parent)
        (self.parentColumns, self.lacksParent, self.refersToView) = (parentColumns, lacksParent, refersToView)
    }

    /// What is wrong, a clause: `notes(owner) refers to the table people, which does not exist`.
    public var reason: String {
        let subject = "\(table)(\(columns.joined(separator: ", "))) refers to"
        if lacksParent { return "\(subject) the table \(parent), which does not exist" }
        if refersToView { return "\(subject) \(parent), which is a view and no table" }
        if parentColumns.isEmpty { return "\(subject) the primary key of \(parent), which does not fit it" }
        let columns = parentColumns.joined(separator: ", ")
        return "\(subject) \(parent)(\(columns)), which needs PRIMARY KEY or UNIQUE"
    }

    /// Whether the other one is the same foreign key, which may lack something else. A name may have another case.
    package func isAboutTheSame(as other: BrokenReference) -> Bool {
        func folded(_ names: [String]) -> [String] { names.map { $0.lowercased() } }
        return folded([table, parent]) == folded([other.table, other.parent])
            && folded(columns) == folded(other.columns) && folded(parentColumns) == folded(other.parentColumns)
    }
}

/// A row with a reference to a missing row.
public struct DanglingReference: Sendable, Hashable {
    /// The table of the row.
    public let table: String
    /// The row ID; nil in a table without row IDs.
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
