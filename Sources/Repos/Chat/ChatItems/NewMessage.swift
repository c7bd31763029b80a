public import ChatDBSchema

/// A message to be stored.
/// Rule: docs/domain.md, "Messages".
public struct NewMessage: Sendable, Hashable {
    /// Whether the profile sends it.
    public var direction: MessageDirection
    /// What kind of event it is, such as `x.msg.new`.
    public var event: String
    /// The message, a JSON document.
    public var body: String
    /// The connection it came by, or goes by when it goes to one other.
    public var connectionID: ConnectionID?
    /// The group it is for.
    public var groupID: GroupID?
    /// The random id by which all sides know it.
    public var sharedMessageID: String?
    /// The member who wrote it.
    public var authorID: GroupMemberID?
    /// The member or relay that passed it on.
    public var forwardedByID: GroupMemberID?
    /// When the server took it.
    public var brokerTime: StoredTime?

    /// A message; what else it has is set afterwards.
    public init(_ direction: MessageDirection, event: String, body: String) {
        self.direction = direction
        self.event = event
        self.body = body
    }
}

/// A message's way over one connection, to be stored with it.
public struct NewDelivery: Sendable, Hashable {
    /// The connection.
    public var connectionID: ConnectionID
    /// The agent's number of the message there; nil before the agent has it.
    public var agentMessageID: AgentMessageID?
    /// How far it has come.
    public var status: MessageDeliveryStatus

    /// A delivery.
    public init(on connection: ConnectionID, agentMessageID: AgentMessageID? = nil, status: MessageDeliveryStatus) {
        connectionID = connection
        self.agentMessageID = agentMessageID
        self.status = status
    }
}
