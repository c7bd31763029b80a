package import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSchema
import Synchronization

/// One connection to the schemas of a store, and the transaction that is open on it. It is used by one thread at a time.
package final class PostgresSession {
    private var connection: PostgresConnection {
        didSet { canceled.set(connection.cancel) }
    }
    /// What `interrupt` stops: the statement of the present connection.
    private let canceled: Canceled
    private let parameters: [String: String]
    private let schemas: [DatabaseName: String]
    /// The schema in which names are found now.
    private var current: String?
    private var cursors = 0

    /// Connects with parameters of libpq.
    package init(_ parameters: [String: String], schemas: [DatabaseName: String]) throws(StoreError) {
        connection = try PostgresConnection(parameters)
        canceled = Canceled(connection.cancel)
        self.parameters = parameters
        self.schemas = schemas
    }

    /// Stops the statement that is running, from any thread. It throws `interrupted`.
    package var interrupt: @Sendable () -> Void { { [canceled] in canceled.send() } }

    /// Whether no transaction is open.
    var isIdle: Bool { connection.isIdle }

    /// The name of the schema of a database.
    func schema(of name: DatabaseName) throws(StoreError) -> String {
        guard let schema = schemas[name] else { throw StoreError(.missing, "the store has no \(name) database") }
        return schema
    }

    /// The transaction in one schema.
    /// - Parameter views: what stands before its tables; nil for the tables themselves.
    func transaction(
        _ name: DatabaseName, through views: PostgresViews? = nil
    ) throws(StoreError) -> PostgresTransaction {
        PostgresTransaction(session: self, schema: try schema(of: name), views: views)
    }

    // MARK: Transactions

    /// How a transaction may use the databases.
    enum Mode: String {
        /// A statement sees what others committed before it: the first one waits for the lock, so the next ones see all
        /// of the writer before. A snapshot of the whole transaction would be taken before the wait.
        case writing = "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE"
        /// One moment of both databases.
        case reading = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    /// Begins a transaction, on a new connection if the server has ended the old one.
    ///
    /// - Parameter lockTimeout: how long a statement waits for a lock, in seconds; nil for the time of the server.
    func begin(_ mode: Mode, lockTimeout: Double? = nil) throws(StoreError) {
        if connection.isLost { connection = try PostgresConnection(parameters) }
        do throws(StoreError) {
            try start(mode, lockTimeout)
        } catch {
            // The server has ended the connection since the last transaction, and this one has done nothing yet.
            guard connection.isLost else { throw error }
            connection = try PostgresConnection(parameters)
            try start(mode, lockTimeout)
        }
        current = nil
    }

    private func start(_ mode: Mode, _ lockTimeout: Double?) throws(StoreError) {
        let wait = lockTimeout.map { "; SET LOCAL lock_timeout = \(Self.milliseconds($0))" } ?? ""
        let durable = mode == .writing ? "; \(Self.durable)" : ""
        do throws(StoreError) {
            try connection.executeScript("\(mode.rawValue); \(Self.settings)\(durable)\(wait)")
        } catch {
            rollback()
            if mode == .writing, isReplica() {
                throw StoreError(.readOnly, "the server is a replica, on which nothing can be written")
            }
            throw error
        }
    }

    /// What a role or a database can set, and what would change the meaning of chatdb's statements or the texts of the
    /// server's catalogue. Until a schema is used, names are found only among the server's own.
    private static let settings = """
        SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL quote_all_identifiers = off; \
        SET LOCAL standard_conforming_strings = on; SET LOCAL transform_null_equals = off
        """

    /// With `off`, a server reports a commit that a power cut can undo. Other values are as strict or stricter.
    private static let durable = """
        SELECT set_config('synchronous_commit', 'on', TRUE) WHERE current_setting('synchronous_commit') = 'off'
        """

    /// What the server ends transactions by, if the role or the database sets it; 17 and newer have the last.
    private static let timeLimits = ["statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"]

    /// Switches the server's time limits off for this transaction: a copy of a large store takes hours.
    func removeTimeLimits() throws(StoreError) {
        let names = Self.timeLimits.map { "'\($0)'" }.joined(separator: ", ")
        try connection.executeScript(
            "SELECT set_config(name, '0', TRUE) FROM pg_catalog.pg_settings WHERE name IN (\(names))")
    }

    /// Lets this transaction make each index in 128 MiB of the server's memory. A larger setting of the server stays.
    func raiseMemoryOfIndexes() throws(StoreError) {
        try connection.executeScript(
            """
            SELECT set_config('maintenance_work_mem', '128MB', TRUE)
            WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('128MB')
            """)
    }

    /// Takes a lock of these tables that only lets other transactions read, until the end of this one.
    ///
    /// - Parameter timeout: how long to wait, in seconds.
    func lock(_ tables: [String], in schema: String, timeout: Double) throws(StoreError) {
        if tables.isEmpty { return }
        let names = tables.map { "\(SQLName.quoted(schema)).\(SQLName.quoted($0))" }.joined(separator: ", ")
        // A vacuum that the server began itself gives way after `deadlock_timeout`, which is 1 second by default.
        try connection.executeScript("SET LOCAL lock_timeout = \(Self.milliseconds(max(timeout, 2)))")
        try connection.executeScript("LOCK TABLE \(names) IN SHARE MODE")
    }

    private func isReplica() -> Bool {
        do throws(StoreError) {
            let rows = try connection.executeOnce("SELECT pg_catalog.pg_is_in_recovery() AS answer", []).rows()
            let answer: Int64? = try rows.first?.get("answer")
            return answer == 1
        } catch {
            return false
        }
    }

    /// A time limit of PostgreSQL, which takes 0 for no limit, and at most 24 days.
    private static func milliseconds(_ seconds: Double) -> Int {
        seconds.isFinite ? Int(min(max(seconds, 0.001), 2_000_000) * 1_000) : 0
    }

    /// Waits for the lock of the writers of this store, which ends with the transaction. When another writer does not
    /// end in time, rolls back and throws `busy`, with the programs that have the lock.
    ///
    /// - Parameter timeout: how long to wait, in seconds.
    func lock(timeout: Double) throws(StoreError) {
        try connection.executeScript("SET LOCAL lock_timeout = \(Self.milliseconds(timeout))")
        do throws(StoreError) {
            _ = try connection.executeOnce("SELECT pg_advisory_xact_lock(\(Self.key))", [.text(lockName)])
        } catch {
            guard error.kind == .busy, !connection.isLost else { throw error }
            rollback()
            let holders = (try? lockHolders()) ?? []
            // The lock may be free by now.
            if holders.isEmpty { throw error }
            throw StoreError(.busy, "\(error.message): \(holders.namesOfServer)")
        }
    }

    private var lockName: String { "chatdb \(schemas[.chat] ?? "") \(schemas[.agent] ?? "")" }

    /// The number of the lock, from its name.
    private static let key = "hashtextextended($1, 0)"

    /// The processes of the server that have the lock, by the names that their programs gave.
    func lockHolders() throws(StoreError) -> [FileHolder] {
        try begin(.reading)
        defer { rollback() }
        let rows = try connection.executeOnce(
            """
            SELECT pg_stat_activity.pid::bigint AS pid, coalesce(application_name, '') AS program
            FROM pg_catalog.pg_locks JOIN pg_catalog.pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
            WHERE locktype = 'advisory' AND granted AND objsubid = 1
                AND (classid::bigint << 32 | objid::bigint) = \(Self.key)
                AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            ORDER BY 1
            """, [.text(lockName)]
        ).rows()
        var holders: [FileHolder] = []
        for row in rows {
            let pid: Int64 = try row.get("pid")
            let program: String = try row.get("program")
            holders.append(FileHolder(pid: Int32(truncatingIfNeeded: pid), program: program, isOfServer: true))
        }
        return holders
    }

    /// The number by which the server remembers the transaction.
    func transactionNumber() throws(StoreError) -> TransactionNumber? {
        let history = try connection.history()
        let rows = try connection.executeOnce("SELECT pg_current_xact_id()::text AS number", []).rows()
        guard let row = rows.first else { return nil }
        return TransactionNumber(text: try row.get("number"), history: history)
    }

    /// Commits. When the connection is lost meanwhile, the server is asked whether it committed; the error `unreachable`
    /// says that it did not, and `commitUnknown` that it is not known.
    ///
    /// - Parameter number: the number of a transaction that may have changed something.
    func commit(_ number: TransactionNumber?) throws(StoreError) {
        let end: PostgresResult
        do throws(StoreError) {
            end = try connection.executeScript("COMMIT")
        } catch {
            guard connection.isLost, let number else { throw error }
            return try requireCommitted(number)
        }
        // After the error of a statement, which the caller must have ignored, the server rolls back and reports no
        // error.
        guard end.command == "COMMIT" else {
            throw StoreError(.other, "a statement of the transaction failed before, so nothing was changed")
        }
    }

    /// Rolls back, if a transaction is open. A lost connection has rolled back already.
    func rollback() {
        if !connection.isIdle { _ = try? connection.executeScript("ROLLBACK") }
    }

    /// Returns when the server has committed a transaction of which the connection is lost. The server may notice the
    /// loss later, or start again meanwhile.
    private func requireCommitted(_ number: TransactionNumber) throws(StoreError) {
        for _ in 0..<Self.mostQuestions {
            switch status(of: number) {
            case "committed": return
            case "aborted":
                throw StoreError(
                    .unreachable, "the connection to the server was lost at the commit, and nothing was changed")
            case "in progress", nil: usleep(Self.pause)
            default: throw Self.unknown
            }
        }
        throw Self.unknown
    }

    private static let unknown = StoreError(
        .commitUnknown,
        "the connection to the server was lost at the commit, and it is not known whether the changes were committed")

    /// The status of a transaction; nil if the server does not answer.
    private func status(of number: TransactionNumber) -> String? {
        do throws(StoreError) {
            try begin(.reading)
            defer { rollback() }
            return try connection.executeOnce(number.question, number.values).rows().first?.get("status")
        } catch {
            return nil
        }
    }

    /// How often the server is asked, and the microseconds between: ten seconds.
    private static let mostQuestions = 100
    private static let pause: UInt32 = 100_000

    // MARK: Attempts

    /// Marks a place in the transaction to which a failed statement can go back. Returns whether it did: otherwise the
    /// next statement throws the reason.
    func save() -> Bool { (try? connection.executeScript("SAVEPOINT \(Self.attempt)")) != nil }

    /// Forgets the last place that was marked.
    func forgetSaved() { _ = try? connection.executeScript("RELEASE SAVEPOINT \(Self.attempt)") }

    /// Goes back to the last place that was marked, and forgets it. The search path is that of the place again.
    func goBackToSaved() {
        _ = try? connection.executeScript("ROLLBACK TO SAVEPOINT \(Self.attempt)")
        forgetSaved()
        current = nil
    }

    private static let attempt = "chatdb_attempt"

    // MARK: Statements

    func execute(_ query: Query, in schema: String) throws(StoreError) -> PostgresResult {
        let (sql, values) = query.rendered(.dollarNumber)
        return try execute(sql, values, in: schema)
    }

    func execute(
        _ sql: String, _ values: [SQLValue], in schema: String, once: Bool = false
    ) throws(StoreError) -> PostgresResult {
        try use(schema)
        return once ? try connection.executeOnce(sql, values) : try connection.execute(sql, values, in: schema)
    }

    /// Makes the schema the one in which names are found.
    private func use(_ schema: String) throws(StoreError) {
        guard current != schema else { return }
        // Until the end of the transaction. The schema of temporary tables is last: none can hide a table.
        try connection.executeScript("SET LOCAL search_path = \(SQLName.quoted(schema)), pg_temp")
        current = schema
    }

    /// Begins `COPY … FROM STDIN`.
    func beginCopyIn(_ sql: String, in schema: String) throws(StoreError) -> PostgresCopyIn {
        try use(schema)
        return try connection.beginCopyIn(sql)
    }

    /// Runs `COPY … TO STDOUT`, and calls `body` with each part that the server sends.
    func copyOut(_ sql: String, in schema: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try use(schema)
        try connection.copyOut(sql, body)
    }

    /// A name for a cursor that no other has.
    func nextCursor() -> String {
        cursors += 1
        return "chatdb_cursor_\(cursors)"
    }
}

/// The present way to stop a statement, which changes when the connection does.
private final class Canceled: Sendable {
    private let present: Mutex<PostgresCancel>

    init(_ cancel: PostgresCancel) { present = Mutex(cancel) }

    func set(_ cancel: PostgresCancel) { present.withLock { $0 = cancel } }

    func send() { present.withLock(\.self).send() }
}
