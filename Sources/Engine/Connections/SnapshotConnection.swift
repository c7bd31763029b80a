/// A database held as it was at one moment, to be counted and copied while others go on writing.
///
/// An implementation must change nothing in the database, and must hold no more than a reader's lock.
public protocol SnapshotConnection: ReadTransaction {
    /// Lets go of the moment held, if any, holds this one, and answers a number that differs from the last answer when
    /// somebody has written in between.
    func renew() throws(StoreError) -> Int64

    /// The mark that tells which program made the database; nil when it bears none.
    func applicationMark() throws(StoreError) -> Int64?

    /// Tables, indexes, triggers and views.
    func structure() throws(StoreError) -> DatabaseStructure

    /// The tables that hold rows of their own: no views, no virtual tables, none of the engine's.
    func ordinaryTables() throws(StoreError) -> Set<String>

    /// The number of rows of a table, counted in the table itself and not in an index.
    func rowCount(of table: String) throws(StoreError) -> Int

    /// Copies the database into a new file for the owner alone, calling `progress` with the part done (0…1), and answers
    /// when the copy is on the disk. `progress` may throw to stop.
    func copy(to path: String, progress: (Double) throws -> Void) throws

    /// What was done to read the database without changing it, a clause each; empty for the usual case.
    var notes: [String] { get }

    /// Stops the statement that is running. May be called from any thread.
    var interrupt: @Sendable () -> Void { get }

    /// Closes.
    func close()
}
