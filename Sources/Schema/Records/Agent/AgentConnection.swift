/// A connection of the agent, with its counters. Rule: docs/domain.md, "Agent database", Numbers of messages.
public struct AgentConnection: Sendable, Hashable {
    /// Its id; `connections.agent_conn_id` of the chat database.
    public let id: AgentConnectionID
    /// The profile it belongs to.
    public let userID: AgentUserID
    /// How it was made.
    public let mode: ConnectionMode
    /// Its counters and the hashes of its last messages.
    public let counters: MessageCounters
    /// Whether its messages may raise a notification.
    public let hasNotifications: Bool
    /// Whether its queues are being deleted at their servers.
    public let isDeleted: Bool
    /// Whether both ratchets agree.
    public let ratchetSyncState: RatchetSyncState

    package init(
        id: AgentConnectionID, userID: AgentUserID, mode: ConnectionMode, counters: MessageCounters,
        hasNotifications: Bool, isDeleted: Bool, ratchetSyncState: RatchetSyncState
    ) {
        self.id = id
        self.userID = userID
        self.mode = mode
        self.counters = counters
        self.hasNotifications = hasNotifications
        self.isDeleted = isDeleted
        self.ratchetSyncState = ratchetSyncState
    }
}
