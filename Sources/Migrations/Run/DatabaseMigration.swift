import ChatDBEngine
import ChatDBSchema

/// One database of a run: its connection, inside its transaction, and the facts about it.
final class DatabaseMigration {
    let found: FoundDatabase
    let connection: any MigrationConnection

    var database: DatabaseName { found.name }
    var path: String { found.path }

    /// Opens an existing database and begins a transaction.
    init(
        _ database: DatabaseName, path: String, in context: StoreContext, from connections: any MigrationConnections
    ) throws {
        let connection = try connections.open(path, creating: false)
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

    /// Begins a transaction in a new database: empty, marked as chatdb's, with chatdb's internal tables.
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

extension StoreContext {
    /// Opens the databases and begins a transaction in each, when no other program has them open. Agent first.
    func takeDatabases() throws -> [DatabaseMigration] {
        // Another chatdb that only reads ends within a moment. A server lets others read meanwhile.
        let others = OtherPrograms(self, waiting: lockTimeout)
        for database in databases where location.server == nil {
            try others.waitToLeave(database, at: location.path(of: database))
        }
        let connections = engine.migrationConnections(waiting: lockTimeout)
        return try databases.map { database in
            let path = location.path(of: database)
            do {
                return try DatabaseMigration(database, path: path, in: self, from: connections)
            } catch let error as StoreError {
                if error.kind == .busy { throw MigrationError.inUse(database, by: engine.holders(of: path) ?? []) }
                throw MigrationError.database(database, path: path, error)
            }
        }
    }
}

/// A run has not changed the database when it copies it: its write lock prevents changes by others.
extension DatabaseMigration: BackupSource {
    var interrupt: @Sendable () -> Void { connection.interrupt }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try connection.backUp(to: path, progress: progress)
    }

    func structure() throws(StoreError) -> DatabaseStructure { try connection.structure() }
    func ordinaryTables() throws(StoreError) -> Set<String> { try connection.ordinaryTables() }
    func rowCount(of table: String) throws(StoreError) -> Int { try connection.rowCount(of: table) }
    func requireUnchanged() throws(StoreError) {}
}
