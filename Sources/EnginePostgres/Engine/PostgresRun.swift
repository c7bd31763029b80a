import ChatDBEngine
import ChatDBSchema

/// The transaction of a run of migrations: it begins with the first connection that begins, and commits with the last.
final class PostgresRun {
    let session: PostgresSession
    /// How long to wait for other writers, in seconds; nil for a run that needs no lock.
    private let lockTimeout: Double?
    /// The number by which the server remembers the transaction.
    private var number: TransactionNumber?
    /// The schemas whose connection has begun, and not committed.
    private var open: Set<String> = []

    init(_ session: PostgresSession, lockTimeout: Double?) {
        self.session = session
        self.lockTimeout = lockTimeout
    }

    func begin(_ schema: String) throws(StoreError) {
        if session.isIdle {
            open = []
            try session.begin(.writing)
            do throws(StoreError) {
                if let lockTimeout { try session.lock(timeout: lockTimeout) }
                number = try session.transactionNumber()
            } catch {
                session.rollback()
                throw error
            }
        }
        open.insert(schema)
    }

    /// Commits, if no other connection is inside the transaction.
    func commit(_ schema: String) throws(StoreError) {
        open.remove(schema)
        guard open.isEmpty else { return }
        try session.commit(number)
    }

    /// Rolls back all connections.
    func rollback() {
        open = []
        session.rollback()
    }

    /// Whether the connection is inside the transaction.
    func isOpen(_ schema: String) -> Bool { open.contains(schema) && !session.isIdle }

    /// Throws when a statement has ended the transaction.
    func requireSameTransaction() throws(StoreError) {
        if session.isIdle { throw StoreError(.denied, "a statement of the migration ended the transaction of the run") }
    }
}

/// The connections of a run to the schemas of a store, with one transaction.
final class PostgresMigrationConnections: MigrationConnections {
    let commitTogether = true
    private let parameters: [String: String]
    private let schemas: [DatabaseName: String]
    private let lockTimeout: Double
    private let database: (_ path: String) throws(StoreError) -> DatabaseName
    private var run: PostgresRun?

    /// - Parameter database: finds the database at a path.
    init(
        _ parameters: [String: String], schemas: [DatabaseName: String], lockTimeout: Double,
        _ database: @escaping (_ path: String) throws(StoreError) -> DatabaseName
    ) {
        self.parameters = parameters
        self.schemas = schemas
        self.lockTimeout = lockTimeout
        self.database = database
    }

    func open(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        let name = try database(path)
        let run = try sharedRun()
        return PostgresMigrationConnection(
            run, schema: try run.session.schema(of: name), of: name, creating ? .creating : .existing)
    }

    private func sharedRun() throws(StoreError) -> PostgresRun {
        if let run { return run }
        let made = PostgresRun(try PostgresSession(parameters, schemas: schemas), lockTimeout: lockTimeout)
        run = made
        return made
    }
}
