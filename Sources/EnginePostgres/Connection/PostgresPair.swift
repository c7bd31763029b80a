package import ChatDBEngine
package import ChatDBSchema
import Foundation

/// The two databases of a store on a server: two schemas of one database, with one connection, so that one transaction
/// changes both or neither. Threads take turns. Rule: docs/architecture.md, "PostgreSQL".
// Unchecked: `turn` guards the session and the expected generation.
package final class PostgresPair: @unchecked Sendable {
    private let session: PostgresSession
    /// Held by the thread that uses the session.
    private let turn = NSLock()
    private let reentrancy = ReentrancyGuard()
    /// How long a writer waits for another one, and every statement for a lock, in seconds.
    private let lockTimeout: Double
    /// The generation that the store must have when it is written; nil for any.
    private var expected: Int64?

    /// Stops the statement that is running, from any thread. It throws `interrupted`.
    package let interrupt: @Sendable () -> Void

    /// Connects with parameters of libpq.
    ///
    /// - Parameters:
    ///   - schemas: the schema of each database.
    ///   - lockTimeout: how long a writer waits for another one, in seconds; then it throws `busy`.
    package init(
        _ parameters: [String: String], schemas: [DatabaseName: String], lockTimeout: Double = 5
    ) throws(StoreError) {
        session = try PostgresSession(parameters, schemas: schemas)
        interrupt = session.interrupt
        self.lockTimeout = lockTimeout
    }

    /// Runs `body` in one transaction of both databases, committed when it returns and rolled back when it throws.
    ///
    /// One writer of a store runs at a time: a rule that `body` checks holds until the commit, as in a file. Throws
    /// `busy` when another writer does not end in time, and `inUse` when the store was migrated since
    /// ``expectGeneration()``. When the connection is lost at the commit, the server is asked whether it committed; the
    /// error `unreachable` says that it did not, and `commitUnknown` that it is not known.
    @discardableResult
    package func write<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try transaction(.writing) { chat, agent in
            try session.lock(timeout: lockTimeout)
            let number = try session.transactionNumber()
            if let expected, try generation() != expected {
                throw StoreError(.inUse, "another program has migrated the store meanwhile, and nothing was changed")
            }
            return (try body(chat, agent), number)
        }
    }

    /// Reads both databases as they are at one moment.
    package func read<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try transaction(.reading) { chat, agent in (try body(chat, agent), nil) }
    }

    /// From now on, a write throws if a migration has run in between. A caller that reads a store to decide how to write
    /// it calls this before.
    func expectGeneration() throws {
        try transaction(.reading) { _, _ in (expected = try generation(), nil) }
    }

    private func generation() throws -> Int64? {
        let chat = try session.transaction(.chat)
        guard try chat.first(chat.dialect.tableExists("store")) != nil else { return nil }
        return try chat.first("SELECT generation FROM store")?.get("generation")
    }

    /// Throws when the calling thread is inside a transaction of these databases.
    func requireOutside() throws(StoreError) { try reentrancy.requireOutside() }

    /// The programs that have the lock of the writers.
    func lockHolders() throws -> [FileHolder] {
        try requireOutside()
        return try turn.withLock { try session.lockHolders() }
    }

    /// `body` returns the number of the transaction too, if it may have changed something.
    private func transaction<T>(
        _ mode: PostgresSession.Mode,
        _ body: (PostgresTransaction, PostgresTransaction) throws -> (T, TransactionNumber?)
    ) throws -> T {
        try requireOutside()
        return try turn.withLock {
            try reentrancy.inside {
                try session.begin(mode, lockTimeout: lockTimeout)
                let (result, number): (T, TransactionNumber?)
                do {
                    (result, number) = try body(try session.transaction(.chat), try session.transaction(.agent))
                } catch {
                    session.rollback()
                    throw error
                }
                try session.commit(number)
                return result
            }
        }
    }
}

extension PostgresPair: SharedTransactions {
    package func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try read(body)
    }

    package func writeBoth<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try write(body)
    }
}
