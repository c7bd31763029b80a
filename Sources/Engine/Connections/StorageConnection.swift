/// One open database.
public protocol StorageConnection: Sendable {
    /// Reads in one transaction. Several may run at once where the engine can.
    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T

    /// Writes in one transaction: kept when `body` returns, undone when it throws.
    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T

    /// Reads in one transaction, without blocking the caller's thread.
    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T

    /// Writes in one transaction, without blocking the caller's thread.
    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T

    /// Throws when the calling thread is inside a transaction of this connection: another one would wait for it for ever.
    func requireOutsideTransaction() throws(StoreError)

    /// Tables, indexes, triggers and views as they are now.
    func structure() throws(StoreError) -> DatabaseStructure

    /// The mark that tells which program made the database; nil when it bears none.
    func applicationMark() throws(StoreError) -> Int64?

    /// Damage that a full check of the file finds, a sentence each; empty when it is whole.
    func integrityProblems() throws(StoreError) -> [String]

    /// Calls `body` with each reference to a row that is not there, in constant memory.
    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws

    /// Whether a full-text index holds the words of its texts, all of them and no others. What has to be written to find
    /// out is written into a private copy; `diskFull` when there is no room for one.
    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool

    /// The number of rows of a table, counted in the table itself and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// How much room the database takes, with the rows of every table; with `everyPage` also the bytes of each, for
    /// which the whole file is read. What cannot be counted, be it in a minute, is nil.
    func space(everyPage: Bool) throws(StoreError) -> DatabaseSpace

    /// Copies the database as it is now into a new file for the owner alone.
    func copy(to path: String) throws(StoreError)

    /// What was done to read the database without changing it, a clause each; empty for the usual case.
    var notes: [String] { get }

    /// Stops the statement that is running, from any thread; its caller gets `interrupted`.
    func interrupt()

    /// Closes. Further calls fail.
    func close() throws(StoreError)
}
