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
    /// `busy` when another writer does not end in time. After ``expectGeneration()``, it throws `inUse` when the store was
    /// migrated since, and `moved` when the store was moved to another place. When the connection is lost at the commit, the server is asked whether it committed; the
    /// error `unreachable` says that it did not, and `commitUnknown` that it is not known.
    @discardableResult
    package func write<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try transaction(.writing) { chat, agent in
            try session.lock(timeout: lockTimeout)
            let number = try session.transactionNumber()
            try requireExpected()
            return (try body(chat, agent), number)
        }
    }

    /// Reads both databases as they are at one moment.
    package func read<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try read(through: [:], body)
    }

    /// The same, through views that stand before the tables.
    func read<T>(
        through views: [DatabaseName: PostgresViews],
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try transaction(.reading, through: views) { chat, agent in (try body(chat, agent), nil) }
    }

    /// From now on, a write throws if a migration has run in between. A caller that reads a store to decide how to write
    /// it calls this before.
    func expectGeneration() throws {
        try transaction(.reading) { _, _ in (expected = try record().generation, nil) }
    }

    /// Throws unless the store is as the caller read it. This happens under the lock: what a writer before has
    /// committed while this one waited for the lock counts too.
    private func requireExpected() throws {
        guard let expected else { return }
        let (generation, place) = try record()
        if let place { throw StoreError.moved(to: place) }
        guard generation == expected else {
            throw StoreError(.inUse, "another program has migrated the store meanwhile, and nothing was changed")
        }
    }

    /// The generation, and the place to which the store was moved; nil for a store without them.
    private func record() throws -> (generation: Int64?, movedTo: String?) {
        let chat = try session.transaction(.chat)
        // The row as JSON, because a store that was never moved may lack the column.
        guard try chat.first(chat.dialect.tableExists("store")) != nil,
            let row = try chat.first("SELECT generation, to_jsonb(store) ->> 'moved_to' AS moved_to FROM store")
        else { return (nil, nil) }
        return (try row.get("generation"), try row.get("moved_to"))
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
        _ mode: PostgresSession.Mode, through views: [DatabaseName: PostgresViews] = [:],
        _ body: (PostgresTransaction, PostgresTransaction) throws -> (T, TransactionNumber?)
    ) throws -> T {
        try requireOutside()
        return try turn.withLock {
            try reentrancy.inside {
                try session.begin(mode, lockTimeout: lockTimeout)
                let (result, number): (T, TransactionNumber?)
                do {
                    (result, number) = try body(
                        try session.transaction(.chat, through: views[.chat]),
                        try session.transaction(.agent, through: views[.agent]))
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
