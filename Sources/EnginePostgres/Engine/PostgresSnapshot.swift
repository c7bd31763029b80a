import ChatDBEngine
import ChatDBSchema

/// The transaction in which a copy reads both schemas of a store, as they are at one moment. Connections share it.
// Unchecked: a copy uses the connections of its snapshot from one thread.
final class PostgresSnapshotSession: @unchecked Sendable {
    let session: PostgresSession
    /// How long a statement waits for the lock of a table, in seconds.
    private let lockTimeout: Double

    init(
        _ parameters: [String: String], schemas: [DatabaseName: String], lockTimeout: Double
    ) throws(StoreError) {
        session = try PostgresSession(parameters, schemas: schemas)
        self.lockTimeout = lockTimeout
    }

    deinit { session.rollback() }

    /// Begins the transaction, if it has not begun.
    func begin() throws(StoreError) {
        guard session.isIdle else { return }
        try session.begin(.reading, lockTimeout: lockTimeout)
        // The first statement after the settings: it takes the moment.
        try session.removeTimeLimits()
    }
}

/// The connections of one snapshot. Each snapshot has a session of its own: one that began later shows a later moment.
final class PostgresSnapshotConnections: SnapshotConnections {
    private let make: () throws(StoreError) -> PostgresSnapshotSession
    private let database: (_ path: String) throws(StoreError) -> DatabaseName
    private var session: PostgresSnapshotSession?

    /// - Parameters:
    ///   - make: connects; called for the first database.
    ///   - database: finds the database at a path, which must be there.
    init(
        _ make: @escaping () throws(StoreError) -> PostgresSnapshotSession,
        _ database: @escaping (_ path: String) throws(StoreError) -> DatabaseName
    ) {
        self.make = make
        self.database = database
    }

    func open(_ path: String) throws(StoreError) -> any SnapshotConnection {
        let name = try database(path)
        if let session { return PostgresSnapshot(session, name) }
        let made = try make()
        session = made
        return PostgresSnapshot(made, name)
    }
}

/// One schema of a snapshot.
final class PostgresSnapshot: SnapshotConnection, TableSource, PostgresTableReading {
    private let shared: PostgresSnapshotSession
    private let name: DatabaseName
    let notes: [String] = []
    let dialect: Dialect = .postgres

    init(_ shared: PostgresSnapshotSession, _ name: DatabaseName) { (self.shared, self.name) = (shared, name) }

    func transaction() throws(StoreError) -> PostgresTransaction {
        try shared.begin()
        return try shared.session.transaction(name)
    }

    /// Always the same number: both schemas have one transaction, which stays as it is.
    func renew() throws(StoreError) -> Int64 {
        try shared.begin()
        return 0
    }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] { try transaction().rows(query) }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws { try transaction().forEach(query, body) }

    func applicationMark() throws(StoreError) -> Int64? { try PostgresMark.read(in: transaction()) }

    func structure() throws(StoreError) -> DatabaseStructure { try PostgresStructure.read(in: transaction()) }

    func ordinaryTables() throws(StoreError) -> Set<String> { try PostgresFacts.ordinaryTables(in: transaction()) }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try PostgresFacts.rowCount(of: table, in: transaction())
    }

    /// Throws `denied`: the server's own program copies schemas into a file.
    func copy(to path: String, progress: (Double) throws -> Void) throws {
        throw StoreError(.denied, "chatdb copies only files")
    }

    func requireUnchanged() throws(StoreError) {}

    var interrupt: @Sendable () -> Void { shared.session.interrupt }

    /// The transaction ends when no connection uses it.
    func close() {}

    // MARK: Rows

    func lastNumbers() throws(StoreError) -> [String: Int64] {
        try PostgresTableRows.lastNumbers(in: transaction())
    }

    /// The server would have to read each table: none is known to be empty.
    func emptyIndexes(of indexes: [String: IndexStructure]) throws(StoreError) -> Set<String> { [] }

    func forEachMissingReference(_ body: (DanglingReference) throws -> Void) throws {
        try PostgresFacts.forEachDanglingReference(everyConstraint: true, touching: nil, in: transaction(), body)
    }
}
