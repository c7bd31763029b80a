import ChatDBEngine
import ChatDBSchema

/// A database that holds still while it is copied.
protocol BackupSource: AnyObject {
    var database: DatabaseName { get }
    /// The main file.
    var path: String { get }
    /// What was applied to it.
    var ledger: [LedgerEntry] { get }
    var interrupt: @Sendable () -> Void { get }

    func copy(to path: String, progress: (Double) throws -> Void) throws
    func structure() throws(StoreError) -> DatabaseStructure
    func ordinaryTables() throws(StoreError) -> Set<String>
    func rowCount(of table: String) throws(StoreError) -> Int
}

/// In the hands of a run, which has changed nothing yet: its write lock keeps others from changing anything.
extension DatabaseChange: BackupSource {
    var interrupt: @Sendable () -> Void { connection.interrupt }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try connection.backUp(to: path, progress: progress)
    }

    func structure() throws(StoreError) -> DatabaseStructure { try connection.structure() }
    func ordinaryTables() throws(StoreError) -> Set<String> { try connection.ordinaryTables() }
    func rowCount(of table: String) throws(StoreError) -> Int { try connection.rowCount(of: table) }
}
