import ChatDBEngine
import ChatDBSchema

/// One database that a run has taken: its connection, inside its transaction, and what was found there.
final class DatabaseMigration {
    let found: FoundDatabase
    let connection: any MigrationConnection

    var database: DatabaseName { found.name }
    var path: String { found.path }

    /// Takes a database that exists: opens it and begins.
    init(_ database: DatabaseName, path: String, in context: StoreContext) throws {
        let connection = try context.engine.openForMigration(path, creating: false)
        self.connection = connection
        do {
            try connection.begin()
            found = try FoundDatabase(
                database, at: path, mark: connection.applicationMark(), build: context.build[database] ?? [],
                in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Takes a database that was just made and begins: empty, marked as ours, with the engine's own tables.
    init(
        creating database: DatabaseName, path: String, identity: StoreIdentity, on connection: any MigrationConnection
    ) throws {
        let mark = StoreMark.of(database)
        found = FoundDatabase(database, at: path, mark: mark, build: [], applied: [], identity: identity)
        self.connection = connection
        do {
            try connection.begin()
            try connection.setApplicationMark(mark)
            try Ledger.create(in: connection)
            try identity.insert(in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    deinit { connection.close() }
}

/// A run has changed nothing yet when it copies the database: its write lock keeps others from changing it.
extension DatabaseMigration: BackupSource {
    var interrupt: @Sendable () -> Void { connection.interrupt }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try connection.backUp(to: path, progress: progress)
    }

    func structure() throws(StoreError) -> DatabaseStructure { try connection.structure() }
    func ordinaryTables() throws(StoreError) -> Set<String> { try connection.ordinaryTables() }
    func rowCount(of table: String) throws(StoreError) -> Int { try connection.rowCount(of: table) }
}
