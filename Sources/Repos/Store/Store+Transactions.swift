public import Engine
public import Schema

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
        let agent = try connection(.agent)
        return try connection(.chat).read { chat in
            try agent.read { try body(chat, $0) }
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
        let chat = try connection(.chat)
        let agent = try connection(.agent)
        // The transaction inside ends, and so commits, before the one around it.
        switch order {
        case .agentFirst: return try chat.write { chat in try agent.write { try body(chat, $0) } }
        case .chatFirst: return try agent.write { agent in try chat.write { try body($0, agent) } }
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
        let agent = try connection(.agent)
        return try await connection(.chat).read { chat in
            try agent.read { try body(chat, $0) }
        }
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
        let chat = try connection(.chat)
        let agent = try connection(.agent)
        switch order {
        case .agentFirst: return try await chat.write { chat in try agent.write { try body(chat, $0) } }
        case .chatFirst: return try await agent.write { agent in try chat.write { try body($0, agent) } }
        }
    }
}
