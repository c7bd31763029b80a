/// A message as it was sent or received, before it became a chat item. Rule: docs/domain.md, "Messages".
public struct Message: Sendable, Hashable {
    /// Its number.
    public let id: MessageID
    /// The profile it belongs to.
    public let userID: UserID
    /// Whether the profile sent it.
    public let direction: MessageDirection
    /// What kind of event it is, such as `x.msg.new`.
    public let event: String
    /// The message, a JSON document; nil once its item is fully deleted.
    public let body: String?
    /// The connection it came by; nil for one sent to a group.
    public let connectionID: ConnectionID?
    /// The group it was for.
    public let groupID: GroupID?
    /// The random id by which all sides know it.
    public let sharedMessageID: String?
    /// The member who wrote it.
    public let authorID: GroupMemberID?
    /// The member or relay that passed it on.
    public let forwardedByID: GroupMemberID?
    /// When the server took it.
    public let brokerTime: StoredTime?

    package init(
        id: MessageID, userID: UserID, direction: MessageDirection, event: String, body: String?,
        connectionID: ConnectionID?, groupID: GroupID?, sharedMessageID: String?, authorID: GroupMemberID?,
        forwardedByID: GroupMemberID?, brokerTime: StoredTime?
    ) {
        self.id = id
        self.userID = userID
        self.direction = direction
        self.event = event
        self.body = body
        self.connectionID = connectionID
        self.groupID = groupID
        self.sharedMessageID = sharedMessageID
        self.authorID = authorID
        self.forwardedByID = forwardedByID
        self.brokerTime = brokerTime
    }
}

/// A message on one connection.
public struct MessageDelivery: Sendable, Hashable {
    /// Its number.
    public let id: MessageDeliveryID
    /// The message.
    public let messageID: MessageID
    /// The connection.
    public let connectionID: ConnectionID
    /// The agent's number of the message on that connection; nil before the agent has it.
    public let agentMessageID: AgentMessageID?
    /// How far it has come.
    public let status: MessageDeliveryStatus

    package init(
        id: MessageDeliveryID, messageID: MessageID, connectionID: ConnectionID, agentMessageID: AgentMessageID?,
        status: MessageDeliveryStatus
    ) {
        self.id = id
        self.messageID = messageID
        self.connectionID = connectionID
        self.agentMessageID = agentMessageID
        self.status = status
    }
}
