public import ChatDBEngine
public import ChatDBSchema
import Dispatch
import Foundation

/// In which order the two databases of a store commit. A crash between the two commits leaves what the second would
/// have changed as it was.
public enum CommitOrder: Sendable, Hashable, CaseIterable {
    /// The agent database first, for what is made: a crash leaves an agent row nobody refers to, which is harmless.
    case agentFirst
    /// The chat database first, for what is deleted, for the same reason.
    case chatFirst
}

extension Store {
    /// Reads one database in one transaction; the chat database unless another is named.
    public func read<T>(_ name: DatabaseName = .chat, _ body: (any ReadTransaction) throws -> T) throws -> T {
        try connection(name).read(body)
    }

    /// Reads both databases, each in one transaction.
    public func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try onBoth { chat, agent in
            try chat.read { chat in try agent.read { try body(chat, $0) } }
        }
    }

    /// Writes to one database in one transaction; the chat database unless another is named. Kept when `body` returns,
    /// undone when it throws.
    public func write<T>(_ name: DatabaseName = .chat, _ body: (any WriteTransaction) throws -> T) throws -> T {
        try connection(name).write(body)
    }

    /// Writes to both databases, each in one transaction. Both are kept when `body` returns and undone when it throws;
    /// `order` decides what a crash between the two commits leaves.
    public func writeBoth<T>(
        committing order: CommitOrder,
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        try onBoth { chat, agent in
            // The inner transaction commits before the outer one.
            switch order {
            case .agentFirst: try chat.write { chat in try agent.write { try body(chat, $0) } }
            case .chatFirst: try agent.write { agent in try chat.write { try body($0, agent) } }
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
    /// commit order: two callers at once would each hold one database and wait for the other for ever.
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
