public import ChatDBSchema

/// A connection that one database has and the other lacks.
/// Rule: docs/domain.md, "Between the two databases", Orphans.
public struct OrphanConnection: Sendable, Hashable {
    /// Its profile, by the number it has in the database that has the connection.
    public enum Profile: Sendable, Hashable {
        /// The chat database has it.
        case chat(UserID)
        /// The agent database has it.
        case agent(AgentUserID)
    }

    /// Its id, which the two would share.
    public let id: AgentConnectionID
    /// Whose it is.
    public let profile: Profile

    /// The database that has it.
    public var database: DatabaseName {
        switch profile {
        case .chat: .chat
        case .agent: .agent
        }
    }
}

/// A profile that one database has and the other lacks.
public struct OrphanUser: Sendable, Hashable {
    /// The number the agent database would have it by.
    public let agentUserID: AgentUserID
    /// The profile in the chat database; nil when only the agent database has it.
    public let userID: UserID?

    /// The database that has it.
    public var database: DatabaseName { userID == nil ? .agent : .chat }
}

/// How many rows lack their partner in the other database.
public struct OrphanCounts: Sendable, Hashable {
    /// Connections of the chat database that the agent lacks.
    public let chatConnections: Int
    /// Connections of the agent, not being deleted, that the chat database lacks.
    public let agentConnections: Int
    /// Profiles of the chat database that the agent lacks.
    public let chatUsers: Int
    /// Profiles of the agent, not being deleted, that the chat database lacks.
    public let agentUsers: Int

    /// Whether every row has its partner.
    public var isEmpty: Bool { chatConnections + agentConnections + chatUsers + agentUsers == 0 }
}
