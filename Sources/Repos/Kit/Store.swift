public import ChatDBEngine
public import ChatDBSchema
import Dispatch
import Foundation
import Synchronization

/// An open store: the chat and the agent database. Rule: docs/domain.md.
///
/// Versions, locks between programs and backups are the caller's responsibility before it opens a store for writing.
public final class Store: Sendable {
    /// Where it is.
    public let location: StoreLocation
    /// The databases that were missing or left out when the store was opened: never both, and always empty for a store
    /// opened for writing.
    public let missing: [DatabaseName]

    private let connections: [DatabaseName: any StorageConnection]
    /// Held by the one caller that uses both databases.
    let turns = NSLock()
    /// Whether the body of a transaction has returned, so that a commit may have been made.
    private let mayHaveCommitted = CommitMark()
    /// Runs what asynchronous callers do in both databases.
    let queue = DispatchQueue(label: "chatdb.store.both")
    /// The changes, for those who observe the store.
    package let changeFeed: ChangeFeed

    /// A store whose databases are open. A database without a connection counts as missing. The store closes the
    /// connections.
    package init(_ location: StoreLocation, _ connections: [DatabaseName: any StorageConnection]) {
        self.location = location
        self.connections = connections
        changeFeed = ChangeFeed(connections)
        missing = DatabaseName.allCases.filter { connections[$0] == nil }
    }

    /// Opens a store that may come from an untrusted source, to read it without changing anything. One of the two
    /// databases may be missing (`missing` names them); when both are, the error is `missing`.
    ///
    /// - Parameters:
    ///   - plans: how a database of another version is shown as this build's; see `VersionViews`.
    ///   - leftOut: existing databases that are not opened, such as one that cannot be read; they count as missing.
    public static func openForReading(
        _ location: StoreLocation, with engine: any StorageEngine, through plans: [DatabaseName: ViewPlan] = [:],
        without leftOut: [DatabaseName] = []
    ) throws(StoreError) -> Store {
        let there = try engine.databases(of: location)
        let missing = DatabaseName.allCases.filter { !there.contains($0) || leftOut.contains($0) }
        if missing.count == DatabaseName.allCases.count {
            throw StoreError(.missing, "there is no store at \(location.prefix)")
        }
        return try open(location, missing: missing) { name throws(StoreError) in
            let path = location.path(of: name)
            if let plan = plans[name] { return try engine.open(path, through: plan) }
            return try engine.open(path, as: .untrusted)
        }
    }

    /// Opens a store to read and write it. Both databases must be there, otherwise the error is `missing`. A store that
    /// was moved to another place is not opened: the error is `moved`.
    public static func openForWriting(
        _ location: StoreLocation, with engine: any StorageEngine
    ) throws(StoreError) -> Store {
        let there = try engine.databases(of: location)
        if there.isEmpty { throw StoreError(.missing, "there is no store at \(location.prefix)") }
        if let first = DatabaseName.allCases.first(where: { !there.contains($0) }) {
            throw noDatabase(first, at: location)
        }
        let store = try open(location, missing: []) { name throws(StoreError) in
            try engine.open(location.path(of: name), as: .existing)
        }
        do throws(StoreError) {
            try store.refuseMoved()
        } catch {
            try? store.close()
            throw error
        }
        return store
    }

    /// Two copies of a store that both change would break the encryption of their conversations.
    private func refuseMoved() throws(StoreError) {
        do {
            for connection in connections.values {
                if let place = try connection.read({ try $0.movedTo() }) { throw StoreError.moved(to: place) }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
    }

    private static func open(
        _ location: StoreLocation, missing: [DatabaseName],
        _ connect: (DatabaseName) throws(StoreError) -> any StorageConnection
    ) throws(StoreError) -> Store {
        var connections: [DatabaseName: any StorageConnection] = [:]
        do throws(StoreError) {
            for name in DatabaseName.allCases where !missing.contains(name) {
                connections[name] = try connect(name)
            }
        } catch {
            // The open database must be closed. An error of closing it matters less than the error of opening the
            // other.
            for connection in connections.values { try? connection.close() }
            throw error
        }
        return Store(location, connections)
    }

    /// Notes on how the databases were read without changing them, a clause each, chat first; usually empty.
    public var notes: [String] {
        DatabaseName.allCases.flatMap { name in
            connections[name]?.notes.map { "the \(name) database: \($0)" } ?? []
        }
    }

    /// The connection to one database; fails with `missing` when it was not there.
    public func connection(_ name: DatabaseName) throws(StoreError) -> any StorageConnection {
        guard let connection = connections[name] else { throw Self.noDatabase(name, at: location) }
        return connection
    }

    /// Stops the statements that are running, from any thread.
    public func interrupt() {
        for connection in connections.values { connection.interrupt() }
    }

    /// Closes both databases and ends all observations. Further calls fail. The first error is thrown after both were
    /// tried. Inside a transaction of the store it throws and changes nothing.
    public func close() throws(StoreError) {
        for connection in connections.values { try connection.requireOutsideTransaction() }
        changeFeed.end()
        var failure: StoreError?
        for name in DatabaseName.allCases {
            do throws(StoreError) {
                try connections[name]?.close()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private static func noDatabase(_ name: DatabaseName, at location: StoreLocation) -> StoreError {
        StoreError(.missing, "the \(name) database of the store is missing (\(location.path(of: name)))")
    }
}

/// The order in which the two databases of a store commit. A crash between the two commits loses the changes of the
/// second database.
public enum CommitOrder: Sendable, Hashable, CaseIterable {
    /// The agent database first, for new rows: a crash leaves an agent row without references, which is harmless.
    case agentFirst
    /// The chat database first, for deletions, for the same reason.
    case chatFirst
}

extension Store {
    /// Reads one database in one transaction; the chat database unless another is named.
    public func read<T>(_ name: DatabaseName = .chat, _ body: (any ReadTransaction) throws -> T) throws -> T {
        try connection(name).read(body)
    }

    /// Reads both databases, each in one transaction; those of a server in the same.
    public func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try onBoth { chat, agent in
            if let shared = chat.shared { return try shared.readBoth(body) }
            return try chat.read { chat in try agent.read { try body(chat, $0) } }
        }
    }

    /// Writes to one database in one transaction; the chat database unless another is named. Commits when `body`
    /// returns, and rolls back when it throws.
    public func write<T>(_ name: DatabaseName = .chat, _ body: (any WriteTransaction) throws -> T) throws -> T {
        try connection(name).write { transaction in
            let answer = try body(transaction)
            mayHaveCommitted.set()
            return answer
        }
    }

    /// Whether a change of this store reached its commit. Until then, nothing was changed.
    package var reachedCommit: Bool { mayHaveCommitted.isSet }

    /// Writes to both databases, each in one transaction. Commits both when `body` returns, and rolls back both when it
    /// throws. `order` decides what a crash between the two commits leaves. On a server there is one commit. A program
    /// that reads one of the databases, and so would make its commit fail, changes nothing: the error is `busy`.
    public func writeBoth<T>(
        committing order: CommitOrder,
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try writeBoth(committing: order, betweenCommits: {}, body)
    }

    /// The same. Calls `betweenCommits` when the first database is committed, and the second one is not yet.
    package func writeBoth<T>(
        committing order: CommitOrder, betweenCommits: () -> Void,
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try onBoth { chat, agent in
            if let shared = chat.shared {
                return try shared.writeBoth { chat, agent in
                    let answer = try body(chat, agent)
                    mayHaveCommitted.set()
                    return answer
                }
            }
            // The inner transaction commits before the outer one, whose locks are taken before that: a program that
            // reads the second database makes the change fail before it is half made.
            switch order {
            case .agentFirst:
                return try chat.write { chat in
                    let answer = try agent.write { agent in
                        let answer = try body(chat, agent)
                        try chat.prepareCommit()
                        mayHaveCommitted.set()
                        return answer
                    }
                    betweenCommits()
                    return answer
                }
            case .chatFirst:
                return try agent.write { agent in
                    let answer = try chat.write { chat in
                        let answer = try body(chat, agent)
                        try agent.prepareCommit()
                        mayHaveCommitted.set()
                        return answer
                    }
                    betweenCommits()
                    return answer
                }
            }
        }
    }

    /// Reads one database without blocking the caller's thread.
    public func read<T: Sendable>(
        _ name: DatabaseName = .chat, _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T {
        try await connection(name).read(body)
    }

    /// Reads both databases without blocking the caller's thread.
    public func readBoth<T: Sendable>(
        _ body: @escaping @Sendable (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) async throws -> T {
        try await withoutBlocking { try self.readBoth(body) }
    }

    /// Writes to one database without blocking the caller's thread.
    public func write<T: Sendable>(
        _ name: DatabaseName = .chat, _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
        try await connection(name).write(body)
    }

    /// Writes to both databases without blocking the caller's thread.
    public func writeBoth<T: Sendable>(
        committing order: CommitOrder,
        _ body: @escaping @Sendable (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) async throws -> T {
        try await withoutBlocking { try self.writeBoth(committing: order, body) }
    }

    /// Runs `body` with both connections, one caller at a time. The order in which `body` enters them depends on the
    /// commit order: two concurrent callers would each hold one database and wait for the other forever.
    private func onBoth<T>(
        _ body: (_ chat: any StorageConnection, _ agent: any StorageConnection) throws -> T
    ) throws -> T {
        let chat = try connection(.chat)
        let agent = try connection(.agent)
        try chat.requireOutsideTransaction()
        try agent.requireOutsideTransaction()
        return try turns.withLock { try body(chat, agent) }
    }

    /// Runs `body` on a thread of a queue, which may block. A thread of Swift's cooperative pool may not.
    private func withoutBlocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A flag that can be set once.
private final class CommitMark: Sendable {
    private let mark = Mutex(false)

    var isSet: Bool { mark.withLock(\.self) }

    func set() { mark.withLock { $0 = true } }
}
