/// One open database.
public protocol StorageConnection: Sendable {
    /// Reads in one transaction. Several may run at once where the engine supports it.
    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T

    /// Writes in one transaction: committed when `body` returns, rolled back when it throws.
    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T

    /// Reads in one transaction, without blocking the caller's thread.
    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T

    /// Writes in one transaction, without blocking the caller's thread.
    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T

    /// The transactions that this database shares with the other one of its store; nil when each has its own, as files
    /// have.
    var shared: (any SharedTransactions)? { get }

    /// Throws when the calling thread is inside a transaction of this connection: a second one would wait forever.
    func requireOutsideTransaction() throws(StoreError)

    /// Calls `receive` once after each commit of this connection that changed rows of these tables, until the returned
    /// recording is released. A transaction that is rolled back is not reported.
    ///
    /// `receive` must return at once, and must not use the connection: the connection waits for it. An implementation
    /// must report the rows that triggers and foreign keys change too, and must do nothing before the first recording.
    func recordCommits(
        in tables: Set<String>, _ receive: @escaping @Sendable (TableChanges) -> Void
    ) throws(StoreError) -> any CommitRecording

    /// The stamp of the database as it is now. It is nil if this connection does not see what other connections commit:
    /// it reads a copy, or reads without locks.
    func sourceStamp() throws(StoreError) -> SourceStamp?

    /// The schema as it is now.
    func structure() throws(StoreError) -> DatabaseStructure

    /// The mark that says which program made the database; nil when it has none.
    func applicationMark() throws(StoreError) -> Int64?

    /// The damage that a full check of the file finds, a sentence each; empty without damage.
    func integrityProblems() throws(StoreError) -> [String]

    /// The damaged parts of the database, in the order of their tables' names; empty without damage. It reads every row
    /// of a table in which a full check of the file finds something. Throws `damaged` when it finds no part.
    func damage() throws(StoreError) -> [DatabaseDamage]

    /// The damaged pages of an encrypted database, found by verifying every page. None of a database that is not
    /// encrypted: its pages have no authentication codes.
    func damagedPages() throws(StoreError) -> DamagedPages

    /// Calls `body` with each reference to a missing row, in constant memory.
    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws

    /// The foreign keys that the engine cannot check; see ``MigrationConnection/brokenReferences()``.
    func brokenReferences() throws(StoreError) -> [BrokenReference]

    /// Whether a full-text index holds all words of its texts and no others. The check writes into a private copy; it
    /// throws `diskFull` when there is no room for one.
    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool

    /// The number of rows of a table, counted in the table and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// A hash over the values of some columns in all rows of a table. It does not depend on the order of the rows, and
    /// two tables with other values have the same one only by an accident of 1 in 2^64 or less. It is no protection
    /// against a person who looks for such an accident.
    func contentHash(of table: String, columns: [String]) throws(StoreError) -> ContentHash

    /// The names of the ordinary tables, sorted; not those of a module or of the engine itself, and no views.
    func tableNames() throws(StoreError) -> [String]

    /// The names of the views, sorted; empty without views. No view is run.
    func viewNames() throws(StoreError) -> [String]

    /// The space that the database takes, and the number of rows of every table. With `everyPage` it reads the whole
    /// file and adds the bytes of every table. A number is nil when it cannot be found within the time limit.
    func space(everyPage: Bool) throws(StoreError) -> DatabaseSpace

    /// Copies the database as it is now into a new file for the owner alone. The copy is for this process: it is not
    /// synced to the disk.
    func copy(to path: String) throws(StoreError)

    /// Notes on how the database was read without changing it, a clause each; usually empty.
    var notes: [String] { get }

    /// Interrupts the statement that is running, which throws `interrupted`. Any thread may call it.
    func interrupt()

    /// Closes the connection. Further calls throw.
    func close() throws(StoreError)
}

extension StorageConnection {
    /// None.
    public var shared: (any SharedTransactions)? { nil }
}

/// Transactions over both databases of a store on a server.
public protocol SharedTransactions: Sendable {
    /// Reads both databases as they are at one moment.
    func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T

    /// Writes both databases in one transaction: committed when `body` returns, rolled back when it throws.
    func writeBoth<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T
}

/// A hash over the rows of a table, in any order.
public struct ContentHash: Sendable, Hashable {
    private let sum: UInt64
    private let others: UInt64

    /// A hash, from two sums over the hashes of rows.
    package init(sum: UInt64, others: UInt64) {
        self.sum = sum
        self.others = others
    }
}

/// A database as it was at one moment, to be counted and copied while other programs go on writing.
///
/// An implementation must change nothing in the database, and must hold a reader's lock at most.
public protocol SnapshotConnection: ReadTransaction {
    /// Begins a new snapshot, in the place of the last one, and returns a number that differs from the last one when
    /// another connection has written in between.
    func renew() throws(StoreError) -> Int64

    /// The mark that says which program made the database; nil when it has none.
    func applicationMark() throws(StoreError) -> Int64?

    /// The schema.
    func structure() throws(StoreError) -> DatabaseStructure

    /// The tables that hold rows of their own: without views, virtual tables and tables of the engine.
    func ordinaryTables() throws(StoreError) -> Set<String>

    /// The number of rows of a table, counted in the table and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// Copies the database into a new file for the owner alone. It calls `progress` with the part done (0…1), which may
    /// throw to stop, and returns when the copy is on the disk.
    func copy(to path: String, progress: (Double) throws -> Void) throws

    /// Throws `busy` when another program has written the file so that this snapshot is no longer of one moment. That
    /// happens only to a database that no program had open when the snapshot began.
    func requireUnchanged() throws(StoreError)

    /// Notes on how the database was read without changing it, a clause each; usually empty.
    var notes: [String] { get }

    /// Interrupts the statement that is running. Any thread may call it.
    var interrupt: @Sendable () -> Void { get }

    /// Closes the connection.
    func close()
}

/// The space that a database and its tables take.
public struct DatabaseSpace: Sendable, Hashable {
    /// One table with its indexes.
    public struct Table: Sendable, Hashable {
        /// Its name. It is untrusted: escape it before printing.
        public let name: String
        /// The number of its rows; nil when they could not be counted.
        public let rows: Int64?
        /// The bytes of the table and its indexes; nil when they were not measured, or the engine cannot measure them.
        public let bytes: Int64?

        /// A table and what is known of it.
        public init(name: String, rows: Int64?, bytes: Int64?) {
            self.name = name
            self.rows = rows
            self.bytes = bytes
        }
    }

    /// Bytes of a page.
    public let pageSize: Int64
    /// The number of pages, free ones among them.
    public let pages: Int64
    /// The number of free pages.
    public let freePages: Int64
    /// The tables, by name.
    public let tables: [Table]

    /// A database and what is known of its tables.
    public init(pageSize: Int64, pages: Int64, freePages: Int64, tables: [Table]) {
        self.pageSize = pageSize
        self.pages = pages
        self.freePages = freePages
        self.tables = tables
    }
}
