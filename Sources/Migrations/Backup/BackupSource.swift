import ChatDBEngine
import ChatDBSchema

/// A database that holds still while it is copied.
protocol BackupSource: AnyObject {
    /// What it is.
    var found: FoundDatabase { get }
    var interrupt: @Sendable () -> Void { get }

    func copy(to path: String, progress: (Double) throws -> Void) throws
    func structure() throws(StoreError) -> DatabaseStructure
    func ordinaryTables() throws(StoreError) -> Set<String>
    func rowCount(of table: String) throws(StoreError) -> Int
}

extension BackupSource {
    var database: DatabaseName { found.name }
    /// The main file.
    var path: String { found.path }
}
