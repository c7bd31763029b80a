import ChatDBEngine
import ChatDBSchema

/// The databases of a store as they were at one moment, while other programs may write them.
final class StoreSnapshot {
    /// One of the databases.
    final class Part: BackupSource {
        let connection: any SnapshotConnection
        /// Without ledger and identity until both databases are of one moment; then they are read.
        fileprivate(set) var found: FoundDatabase

        fileprivate init(
            _ database: DatabaseName, path: String, _ connections: any SnapshotConnections
        ) throws(MigrationError) {
            found = FoundDatabase(database, at: path, mark: nil, build: [], applied: [], identity: nil)
            do throws(StoreError) {
                connection = try connections.open(path)
            } catch {
                throw .database(database, path: path, error)
            }
        }

        deinit { connection.close() }

        var interrupt: @Sendable () -> Void { connection.interrupt }

        func copy(to path: String, progress: (Double) throws -> Void) throws {
            try connection.copy(to: path, progress: progress)
        }

        func structure() throws(StoreError) -> DatabaseStructure { try connection.structure() }
        func ordinaryTables() throws(StoreError) -> Set<String> { try connection.ordinaryTables() }
        func rowCount(of table: String) throws(StoreError) -> Int { try connection.rowCount(of: table) }
        func requireUnchanged() throws(StoreError) { try connection.requireUnchanged() }
    }

    let parts: [Part]

    /// Opens these databases of a store. Waits up to `patience` seconds for a moment at which no program writes them.
    init(
        of databases: [DatabaseName], at location: StoreLocation, engine: any StorageEngine, patience: Double,
        cancellation: Cancellation
    ) throws(MigrationError) {
        let paths = Dictionary(uniqueKeysWithValues: databases.map { ($0, location.path(of: $0)) })
        parts = try Self.open(databases, paths, engine)
        if parts.count == 2, !(try Self.settle(parts[0], parts[1], Waiting(seconds: patience), cancellation)) {
            throw .inUse(parts[0].database, by: engine.holders(of: parts[0].path) ?? [])
        }
        try readHistory()
    }

    /// Opens databases that no program writes: those of a backup.
    init(
        databases: [DatabaseName], paths: [DatabaseName: String], engine: any StorageEngine
    ) throws(MigrationError) {
        parts = try Self.open(databases, paths, engine)
        try readHistory()
    }

    private static func open(
        _ databases: [DatabaseName], _ paths: [DatabaseName: String], _ engine: any StorageEngine
    ) throws(MigrationError) -> [Part] {
        var parts: [Part] = []
        let connections = engine.snapshotConnections()
        for database in databases {
            let part = try Part(database, path: paths[database] ?? "", connections)
            try namingErrors(of: part) { () throws(StoreError) in _ = try part.connection.renew() }
            parts.append(part)
        }
        return parts
    }

    private func readHistory() throws(MigrationError) {
        for part in parts {
            try Self.namingErrors(of: part) { () throws(StoreError) in
                part.found = try FoundDatabase(
                    part.database, at: part.path, mark: part.connection.applicationMark(), build: [],
                    in: part.connection)
            }
        }
    }

    /// The id and generation that all databases have; nil without them, or when they differ.
    var identity: StoreIdentity? {
        let first = parts.first?.found.identity
        return parts.allSatisfy { $0.found.identity == first } ? first : nil
    }

    /// The version and identity of each database.
    var places: [DatabaseName: IntentRecord.Place] {
        Dictionary(uniqueKeysWithValues: parts.map { ($0.database, $0.found.place) })
    }

    /// Renews the two snapshots in turn until one database was not written between two readings: the snapshot of the
    /// other one, taken in between, is then of the same moment. False when time runs out.
    private static func settle(
        _ first: Part, _ second: Part, _ waiting: Waiting, _ cancellation: Cancellation
    ) throws(MigrationError) -> Bool {
        var versions: [DatabaseName: Int64] = [:]
        for part in [first, second] {
            versions[part.database] = try namingErrors(of: part) { () throws(StoreError) in try part.connection.renew()
            }
        }
        var turn = (first, second)
        while !waiting.isOver {
            if cancellation.isRequested { throw .interrupted }
            let part = turn.0
            let version = try namingErrors(of: part) { () throws(StoreError) in try part.connection.renew() }
            if version == versions[part.database] { return true }
            versions[part.database] = version
            turn = (turn.1, turn.0)
        }
        return false
    }

    private static func namingErrors<T>(
        of part: Part, _ body: () throws(StoreError) -> T
    ) throws(MigrationError) -> T {
        do throws(StoreError) {
            return try body()
        } catch {
            if error.kind == .damaged { throw .damaged(part.database, problems: [error.message]) }
            throw .database(part.database, path: part.path, error)
        }
    }
}
