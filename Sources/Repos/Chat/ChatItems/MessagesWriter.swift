public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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

    /// Stores a message with its deliveries: one for what was received or goes to one other, one per member for what goes
    /// to a group. The same connection twice is two deliveries.
    ///
    /// Throws `connectionNotFound`, `chatNotFound` for the group, and `memberNotFound` for an author or forwarder who is
    /// not in it; nothing is stored then.
    public func add(
        _ new: NewMessage, deliveries: [NewDelivery], of user: UserID
    ) throws(ChatsError) -> Message {
        try requireConnections([new.connectionID].compactMap { $0 } + deliveries.map(\.connectionID), of: user)
        let items = ChatItemsWriter(tx, clock: clock)
        let group = new.groupID.map(ChatID.group)
        if let group { try items.requireChat(group, of: user) }
        try items.requireMember(new.authorID, in: group, of: user)
        try items.requireMember(new.forwardedByID, in: group, of: user)
        let id = MessageID(
            try insert(
                """
                INSERT INTO messages (
                    user_id, msg_sent, chat_msg_event, msg_body, connection_id, group_id, shared_msg_id,
                    author_group_member_id, forwarded_by_group_member_id, broker_ts, created_at, updated_at)
                VALUES (
                    \(user), \(new.direction.isSent), \(new.event), \(new.body), \(new.connectionID), \(new.groupID),
                    \(new.sharedMessageID), \(new.authorID), \(new.forwardedByID), \(new.brokerTime?.text), \(now),
                    \(now))
                """, returning: "message_id"))
        try insert(deliveries, of: id)
        return try messages.get(id, of: user)
    }

    /// Sets how far a delivery has come, and with `agentMessage` the number the agent gave it. Throws `deliveryNotFound`.
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

    /// Removes the messages stored before a time, with their deliveries, and answers how many: chats keep their items,
    /// and messages are of use only while they are under way and may come twice.
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

    /// In parts, because a statement takes only so many values.
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
