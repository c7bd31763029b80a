public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The route of a message. A shared id identifies a message within it.
public enum MessageRoute: Sendable, Hashable {
    /// A connection to one contact.
    case connection(ConnectionID)
    /// A group, over any of its connections.
    case group(GroupID)
}

/// The messages of a profile as they were sent and received. Rule: docs/domain.md, "Messages".
public struct MessagesRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The message of a profile with a number, or nil; that of another profile is nil.
    public func find(_ id: MessageID, of user: UserID) throws(ChatsError) -> Message? {
        try first("SELECT \(Message.columns) FROM messages WHERE message_id = \(id) AND user_id = \(user)")
    }

    /// The message of a profile with a number. Throws `messageNotFound`.
    public func get(_ id: MessageID, of user: UserID) throws(ChatsError) -> Message {
        guard let message = try find(id, of: user) else { throw .messageNotFound(id) }
        return message
    }

    /// The messages with a shared id on a route, oldest first: the first and what came later under its id. The list is
    /// empty when there are none, also for a route of another profile.
    public func all(
        sharedID: String, on route: MessageRoute, of user: UserID
    ) throws(ChatsError) -> [Message] {
        let place: Query =
            switch route {
            case .connection(let id): "connection_id = \(id)"
            case .group(let id): "group_id = \(id)"
            }
        return try all(
            """
            SELECT \(Message.columns) FROM messages
            WHERE \(place) AND shared_msg_id = \(sharedID) AND +user_id = \(user)
            ORDER BY message_id
            """)
    }

    /// The deliveries of a message, by number. Throws `messageNotFound`.
    public func deliveries(of id: MessageID, of user: UserID) throws(ChatsError) -> [MessageDelivery] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT \(MessageDelivery.columns) FROM msg_deliveries WHERE message_id = \(id) ORDER BY msg_delivery_id
            """)
    }

    /// The deliveries the agent knows by a number on a connection, by number: one message, or those it sent together.
    /// The list is empty when there are none, also for a connection of another profile.
    public func deliveries(
        ofAgentMessage number: AgentMessageID, on connection: ConnectionID, of user: UserID
    ) throws(ChatsError) -> [MessageDelivery] {
        try all(
            """
            SELECT \(MessageDelivery.columns) FROM msg_deliveries
            JOIN messages ON messages.message_id = msg_deliveries.message_id
            WHERE msg_deliveries.connection_id = \(connection) AND msg_deliveries.agent_msg_id = \(number)
                AND +messages.user_id = \(user)
            ORDER BY msg_deliveries.msg_delivery_id
            """)
    }
}

/// A message to be stored.
/// Rule: docs/domain.md, "Messages".
public struct NewMessage: Sendable, Hashable {
    /// Whether the profile sends it.
    public var direction: MessageDirection
    /// The kind of event, such as `x.msg.new`.
    public var event: String
    /// The message, a JSON document.
    public var body: String
    /// The connection by which it came, or by which it is sent to a contact.
    public var connectionID: ConnectionID?
    /// The group it is for.
    public var groupID: GroupID?
    /// The random id by which all sides know it.
    public var sharedMessageID: String?
    /// The member who wrote it.
    public var authorID: GroupMemberID?
    /// The member or relay that passed it on.
    public var forwardedByID: GroupMemberID?
    /// The time when the server took it.
    public var brokerTime: StoredTime?

    /// A message. Its other properties are set afterwards.
    public init(_ direction: MessageDirection, event: String, body: String) {
        self.direction = direction
        self.event = event
        self.body = body
    }
}

/// A delivery of a message over one connection, to be stored with the message.
public struct NewDelivery: Sendable, Hashable {
    /// The connection.
    public var connectionID: ConnectionID
    /// The agent's number of the message there; nil before the agent has it.
    public var agentMessageID: AgentMessageID?
    /// The status.
    public var status: MessageDeliveryStatus

    /// A delivery.
    public init(on connection: ConnectionID, agentMessageID: AgentMessageID? = nil, status: MessageDeliveryStatus) {
        connectionID = connection
        self.agentMessageID = agentMessageID
        self.status = status
    }
}

/// Changes to the messages of a profile. Rule: docs/domain.md, "Messages".
public struct MessagesWriter: Writer {
    package typealias Failure = ChatsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    private var messages: MessagesRepo { MessagesRepo(tx) }

    /// Stores a message with its deliveries: one for a message that was received or is sent to a contact, one per
    /// member for a message to a group. The same connection twice gives two deliveries.
    ///
    /// Throws `connectionNotFound`, `chatNotFound` for the group, and `memberNotFound` for an author or forwarder who
    /// is not in it; nothing is stored then.
    public func add(
        _ new: NewMessage, deliveries: [NewDelivery], of user: UserID
    ) throws(ChatsError) -> Message {
        try requireConnections([new.connectionID].compactMap { $0 } + deliveries.map(\.connectionID), of: user)
        let items = ChatItemsWriter(tx, clock: clock)
        let group = new.groupID.map(ChatID.group)
        if let group { try items.requireChat(group, of: user) }
        try items.requireMember(new.authorID, in: group, of: user)
        try items.requireMember(new.forwardedByID, in: group, of: user)
        let number = newNumber(in: .messages)
        let id = MessageID(
            try insert(
                """
                INSERT INTO messages (
                    \(number.column)user_id, msg_sent, chat_msg_event, msg_body, connection_id, group_id, shared_msg_id,
                    author_group_member_id, forwarded_by_group_member_id, broker_ts, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(new.direction.isSent), \(new.event), \(new.body), \(new.connectionID),
                    \(new.groupID), \(new.sharedMessageID), \(new.authorID), \(new.forwardedByID),
                    \(new.brokerTime?.text), \(now), \(now))
                """, returning: "message_id"))
        try insert(deliveries, of: id)
        return try messages.get(id, of: user)
    }

    /// Sets how far a delivery has come, and with `agentMessage` the number the agent gave it. Throws
    /// `deliveryNotFound`.
    public func setStatus(
        _ status: MessageDeliveryStatus, agentMessage: AgentMessageID? = nil, of id: MessageDeliveryID, of user: UserID
    ) throws(ChatsError) {
        let changed = try run(
            """
            UPDATE msg_deliveries
            SET delivery_status = \(status), agent_msg_id = coalesce(\(agentMessage), agent_msg_id),
                updated_at = \(now)
            WHERE msg_delivery_id = \(id)
                AND EXISTS (
                    SELECT 1 FROM messages
                    WHERE messages.message_id = msg_deliveries.message_id AND messages.user_id = \(user))
            """)
        if changed == 0 { throw .deliveryNotFound(id) }
    }

    /// Removes the messages stored before a time, with their deliveries, and returns their number. Chats keep their
    /// items. Messages are needed only while they are under way, and to recognize one that comes twice.
    @discardableResult
    public func delete(storedBefore time: StoredTime, of user: UserID) throws(ChatsError) -> Int {
        try run("DELETE FROM messages WHERE user_id = \(user) AND created_at < \(time.text)")
    }

    private func requireConnections(_ ids: [ConnectionID], of user: UserID) throws(ChatsError) {
        let found: [ConnectionOfProfile] = try messages.all(
            """
            SELECT connection_id FROM connections
            WHERE connection_id IN (\(tx.dialect.numbers(ids.map(\.rawValue)))) AND +user_id = \(user)
            """)
        let known = Set(found.map(\.id))
        if let missing = ids.first(where: { !known.contains($0) }) { throw .connectionNotFound(missing) }
    }

    /// Split into parts, because a statement takes a limited number of values.
    private func insert(_ deliveries: [NewDelivery], of id: MessageID) throws(ChatsError) {
        var rest = deliveries[...]
        while !rest.isEmpty {
            let rows = rest.prefix(500).map { delivery in
                """
                (\(id), \(delivery.connectionID), \(delivery.agentMessageID), \(delivery.status), \(now), \(now))
                """ as Query
            }
            rest = rest.dropFirst(500)
            try run(
                """
                INSERT INTO msg_deliveries (
                    message_id, connection_id, agent_msg_id, delivery_status, created_at, updated_at)
                VALUES \(Query.joined(rows, by: ", "))
                """)
        }
    }
}

private struct ConnectionOfProfile: RowRecord {
    let id: ConnectionID

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("connection_id")
    }
}

extension Message: RowRecord {
    static let columns: Query = """
        messages.message_id, messages.user_id, messages.msg_sent, messages.chat_msg_event, messages.msg_body,
        messages.connection_id, messages.group_id, messages.shared_msg_id, messages.author_group_member_id,
        messages.forwarded_by_group_member_id, messages.broker_ts
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("message_id"), userID: row.get("user_id"),
            direction: MessageDirection(isSent: row.get("msg_sent")), event: row.get("chat_msg_event"),
            body: row.get("msg_body"), connectionID: row.get("connection_id"), groupID: row.get("group_id"),
            sharedMessageID: row.get("shared_msg_id"), authorID: row.get("author_group_member_id"),
            forwardedByID: row.get("forwarded_by_group_member_id"), brokerTime: row.optionalTime("broker_ts"))
    }
}

extension MessageDelivery: RowRecord {
    static let columns: Query = """
        msg_deliveries.msg_delivery_id, msg_deliveries.message_id, msg_deliveries.connection_id,
        msg_deliveries.agent_msg_id, msg_deliveries.delivery_status
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("msg_delivery_id"), messageID: row.get("message_id"), connectionID: row.get("connection_id"),
            agentMessageID: row.get("agent_msg_id"), status: row.get("delivery_status"))
    }
}
