/// The number of a message in the chat database: `messages.message_id`.
public typealias MessageID = RowID<Message>

/// The number of a message on one connection: `msg_deliveries.msg_delivery_id`.
public typealias MessageDeliveryID = RowID<MessageDelivery>

/// The direction of a message, an item or a file. Stored as `0` (received) or `1` (sent).
public enum MessageDirection: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Another person sent it.
    case received
    /// The profile sent it.
    case sent

    /// The direction of the stored switch `item_sent` or `msg_sent`.
    public init(isSent: Bool) {
        self = isSent ? .sent : .received
    }

    /// The stored switch.
    public var isSent: Bool { self == .sent }

    /// `received` or `sent`.
    public var description: String { rawValue }
}

/// The state of a message on one connection. Rule: docs/domain.md, "Messages".
public enum MessageDeliveryStatus: StoredText {
    /// The agent has received it.
    case rcvAgent
    /// Its receipt was acknowledged to the agent.
    case rcvAcknowledged
    /// The message waits for the agent.
    case sndPending
    /// The agent has it.
    case sndAgent
    /// The server has it.
    case sndSent
    /// A text that this build does not know: it has details, or a newer app stored it.
    case unknown(String)

    /// Received first, each in the order of its steps.
    public static let texts: StoredTexts<MessageDeliveryStatus> = [
        .rcvAgent: "rcv_agent",
        .rcvAcknowledged: "rcv_acknowledged",
        .sndPending: "snd_pending",
        .sndAgent: "snd_agent",
        .sndSent: "snd_sent",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// A message as it was sent or received, before it became a chat item. Rule: docs/domain.md, "Messages".
public struct Message: Sendable, Hashable {
    /// The row's key, `messages.message_id`.
    public let id: MessageID
    /// The profile it belongs to.
    public let userID: UserID
    /// Whether the profile sent it.
    public let direction: MessageDirection
    /// The kind of event, such as `x.msg.new`.
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
    /// The time when the server took it.
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
    /// The row's key, `msg_deliveries.msg_delivery_id`.
    public let id: MessageDeliveryID
    /// The message.
    public let messageID: MessageID
    /// The connection.
    public let connectionID: ConnectionID
    /// The agent's number of the message on that connection; nil before the agent has it.
    public let agentMessageID: AgentMessageID?
    /// Its state.
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

extension CatalogueTable {
    /// Messages that were sent or received over connections.
    static let chatMessages: [CatalogueTable] = [
        CatalogueTable(
            "messages", "A message as it was sent or received, before it became a chat item.",
            [
                .public("message_id", "the message's number"),
                .public("user_id", "the profile whose message it is"),
                .public("msg_sent", "1 sent, 0 received"),
                .word("chat_msg_event", "what kind of event it is, such as x.msg.new", messageEvents),
                .personal("msg_body", "the message: a JSON document"),
                .public("connection_id", "the connection it came by, or NULL"),
                .public("group_id", "the group it was for, or NULL"),
                .personal("shared_msg_id", "random id by which both sides know it"),
                .public("author_group_member_id", "the member who wrote it, or NULL"),
                .public("forwarded_by_group_member_id", "the member or relay that passed it on, or NULL"),
                .personal("broker_ts", "when the server took it, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "msg_deliveries", "A message on one connection.",
            [
                .public("msg_delivery_id", "the delivery's number"),
                .public("message_id", "the message"),
                .public("connection_id", "the connection"),
                .public("agent_msg_id", "the agent's number of the message on that connection"),
                .state("delivery_status", "how far it has come", MessageDeliveryStatus.self, others: ["snd_rcvd"]),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]

    /// The events of SimpleX Chat's protocol, and `F` for a part of a file. An app keeps the word of an unknown one as
    /// the sender wrote it.
    private static let messageEvents = Set(
        """
        x.msg.new x.msg.file.descr x.msg.update x.msg.del x.msg.deleted x.msg.react x.file x.file.acpt x.file.acpt.inv
        x.file.cancel x.info x.contact x.member x.direct.del x.grp.inv x.grp.acpt x.grp.link.inv x.grp.link.reject
        x.grp.link.mem x.grp.link.acpt x.grp.relay.inv x.grp.relay.acpt x.grp.relay.test x.grp.mem.new x.grp.mem.intro
        x.grp.mem.inv x.grp.mem.fwd x.grp.mem.info x.grp.mem.role x.grp.mem.restrict x.grp.mem.con x.grp.mem.con.all
        x.grp.mem.del x.grp.leave x.grp.del x.grp.info x.grp.prefs x.grp.direct.inv x.grp.msg.forward x.info.probe
        x.info.probe.check x.info.probe.ok x.call.inv x.call.offer x.call.answer x.call.extra x.call.end x.ok F
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
