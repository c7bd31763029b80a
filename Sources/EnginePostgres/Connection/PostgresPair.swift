package import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSchema
import Synchronization

/// The two databases of a store on a server: two schemas of one database, with one connection, so that one transaction
/// changes both or neither. It is used by one thread at a time. Rule: docs/architecture.md, "PostgreSQL".
package final class PostgresPair {
    private var connection: PostgresConnection {
        didSet { canceled.set(connection.cancel) }
    }
    /// What `interrupt` stops: the statement of the present connection.
    private let canceled: Canceled
    private let parameters: [String: String]
    private let schemas: [DatabaseName: String]
    /// How long a writer waits for another one, in milliseconds.
    private let lockTimeout: Int
    /// The schema in which names are found now.
    private var current: String?
    private var cursors = 0

    /// Connects with parameters of libpq.
    ///
    /// - Parameters:
    ///   - schemas: the schema of each database.
    ///   - lockTimeout: how long a writer waits for another one, in seconds; then it throws `busy`.
    package init(
        _ parameters: [String: String], schemas: [DatabaseName: String], lockTimeout: Double = 5
    ) throws(StoreError) {
        connection = try PostgresConnection(parameters)
        canceled = Canceled(connection.cancel)
        self.parameters = parameters
        self.schemas = schemas
        // PostgreSQL takes 0 for no limit, and at most 24 days.
        self.lockTimeout = lockTimeout.isFinite ? Int(min(max(lockTimeout, 0.001), 2_000_000) * 1_000) : 0
    }

    /// Stops the statement that is running, from any thread. It throws `interrupted`.
    package var interrupt: @Sendable () -> Void { { [canceled] in canceled.send() } }

    /// Runs `body` in one transaction of both databases, committed when it returns and rolled back when it throws.
    ///
    /// One writer of a store runs at a time: a rule that `body` checks holds until the commit, as in a file. Throws
    /// `busy` when another writer does not end in time. When the connection is lost at the commit, the server is asked
    /// whether it committed; the error `unreachable` says that it did not, and `commitUnknown` that it is not known.
    @discardableResult
    package func write<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        // In READ COMMITTED, a statement sees what others committed before it: the first one waits for the lock, so the
        // next ones see all of the writer before. A snapshot of the whole transaction would be taken before the wait.
        try transaction("BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE") { chat, agent in
            try lock()
            let number = try transactionNumber()
            let result = try body(chat, agent)
            return (result, number)
        }
    }

    /// Reads both databases as they are at one moment.
    package func read<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try transaction("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY") { chat, agent in
            (try body(chat, agent), nil)
        }
    }

    /// The lock of the writers of this store. It ends with the transaction.
    private func lock() throws(StoreError) {
        try connection.executeScript("SET LOCAL lock_timeout = \(lockTimeout)")
        let name = "chatdb \(schemas[.chat] ?? "") \(schemas[.agent] ?? "")"
        _ = try connection.executeOnce("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(name)])
    }

    /// The number by which the server remembers the transaction.
    private func transactionNumber() throws(StoreError) -> String? {
        let rows = try connection.executeOnce("SELECT pg_current_xact_id()::text AS number", []).rows()
        return try rows.first?.get("number")
    }

    /// `body` returns the number of the transaction too, if it may have changed something.
    private func transaction<T>(
        _ begin: String, _ body: (PostgresTransaction, PostgresTransaction) throws -> (T, number: String?)
    ) throws -> T {
        if connection.isLost { connection = try PostgresConnection(parameters) }
        guard connection.isIdle else {
            throw StoreError(
                .other,
                "this connection is inside a transaction already: use the transaction at hand, or a connection of its own"
            )
        }
        try connection.executeScript(begin)
        current = nil
        let (result, number): (T, String?)
        do {
            (result, number) = try body(try of(.chat), try of(.agent))
        } catch {
            // A lost connection has rolled back already.
            _ = try? connection.executeScript("ROLLBACK")
            throw error
        }
        let end: PostgresResult
        do throws(StoreError) {
            end = try connection.executeScript("COMMIT")
        } catch {
            guard connection.isLost, let number else { throw error }
            try requireCommitted(number)
            return result
        }
        // After the error of a statement, which `body` must have ignored, the server rolls back and reports no error.
        guard end.command == "COMMIT" else {
            throw StoreError(.other, "a statement of the transaction failed before, so nothing was changed")
        }
        return result
    }

    /// Returns when the server has committed a transaction of which the connection is lost. The server may notice the
    /// loss later, or start again meanwhile.
    private func requireCommitted(_ number: String) throws(StoreError) {
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
    private func status(of number: String) -> String? {
        do throws(StoreError) {
            if connection.isLost { connection = try PostgresConnection(parameters) }
            let rows = try connection.executeOnce(
                "SELECT coalesce(pg_xact_status($1::xid8), 'unknown') AS status", [.text(number)]
            ).rows()
            return try rows.first?.get("status")
        } catch {
            return nil
        }
    }

    /// How often the server is asked, and the microseconds between: ten seconds.
    private static let mostQuestions = 100
    private static let pause: UInt32 = 100_000

    private func of(_ name: DatabaseName) throws(StoreError) -> PostgresTransaction {
        guard let schema = schemas[name] else { throw StoreError(.missing, "the store has no \(name) database") }
        return PostgresTransaction(pair: self, schema: schema)
    }

    func execute(_ query: Query, in schema: String) throws(StoreError) -> PostgresResult {
        let (sql, values) = query.rendered(.dollarNumber)
        return try execute(sql, values, in: schema)
    }

    func execute(
        _ sql: String, _ values: [SQLValue], in schema: String, once: Bool = false
    ) throws(StoreError) -> PostgresResult {
        if current != schema {
            // Until the end of the transaction. The schema of temporary tables is last: none can hide a table.
            try connection.executeScript("SET LOCAL search_path = \(SQLName.quoted(schema)), pg_temp")
            current = schema
        }
        return once ? try connection.executeOnce(sql, values) : try connection.execute(sql, values, in: schema)
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
