public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The pending deliveries. Rule: docs/domain.md, "Agent database", Sending.
public struct DeliveriesRepo: Repository {
    package typealias Failure = DeliveriesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The next delivery through a queue of a connection: the oldest that has not failed. Nil when nothing waits.
    public func next(
        through queue: QueueNumber, of connection: AgentConnectionID
    ) throws(DeliveriesError) -> PendingDelivery? {
        try first(
            """
            SELECT \(PendingDelivery.columns) FROM \(PendingDelivery.tables)
            WHERE snd_message_deliveries.conn_id = \(connection) AND snd_message_deliveries.snd_queue_id = \(queue)
                AND snd_message_deliveries.failed = 0
            ORDER BY snd_message_deliveries.snd_message_delivery_id LIMIT 1
            """)
    }

    /// The number of deliveries that wait for a queue of a connection, without those that have failed.
    public func waiting(
        through queue: QueueNumber, of connection: AgentConnectionID
    ) throws(DeliveriesError) -> Int {
        try count(
            """
            SELECT count(*) FROM snd_message_deliveries
            WHERE conn_id = \(connection) AND snd_queue_id = \(queue) AND failed = 0
            """)
    }
}

/// A message that was too old to be delivered, and was dropped.
public struct DroppedMessage: Sendable, Hashable {
    /// Its connection.
    public let connectionID: AgentConnectionID
    /// Its number there.
    public let id: AgentMessageID
}

/// Changes to the pending deliveries. Rule: docs/domain.md, "Agent database", Sending.
public struct DeliveriesWriter: Writer {
    package typealias Failure = DeliveriesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Adds deliveries of a sent message through queues of its connection, after all others of each queue.
    ///
    /// Throws `noQueues`, `connectionNotFound`, `messageNotFound`, `queueNotFound`, for a queue on its way out too, and
    /// `deliveryExists`; nothing has changed then.
    public func add(
        _ message: AgentMessageID, on connection: AgentConnectionID, through queues: [QueueNumber]
    ) throws(DeliveriesError) {
        if queues.isEmpty { throw .noQueues(connection) }
        try requireConnection(connection)
        let sent = try row(
            "SELECT internal_id FROM snd_messages WHERE conn_id = \(connection) AND internal_id = \(message)")
        if sent == nil { throw .messageNotFound(message, connection: connection) }
        let known = try SendQueues.numbers(of: connection, in: self)
        if let missing = queues.first(where: { !known.contains($0) }) {
            throw .queueNotFound(missing, connection: connection)
        }
        if let double = try firstUnderWay(message, connection, queues) {
            throw .deliveryExists(double, message: message)
        }
        // Sorted by number, so that the numbers of the deliveries do not depend on the query plan.
        try run(
            """
            INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id, created_at, updated_at)
            SELECT conn_id, snd_queue_id, \(message), \(now), \(now) FROM snd_queues
            WHERE conn_id = \(connection) AND snd_queue_id IN (\(list: queues.map(\.rawValue)))
            ORDER BY snd_queue_id
            """)
    }

    /// Removes a delivery that was made through a queue; with the last delivery also the message, and with the last
    /// message also a shared body. Returns whether the message was removed. Throws `deliveryNotFound`.
    @discardableResult
    public func delivered(_ id: AgentDeliveryID) throws(DeliveriesError) -> Bool {
        let row = try row(
            """
            DELETE FROM snd_message_deliveries WHERE snd_message_delivery_id = \(id) RETURNING conn_id, internal_id
            """)
        guard let row else { throw .deliveryNotFound(id) }
        let (connection, message): (AgentConnectionID, AgentMessageID) = try reading { () throws(StoreError) in
            try (row.get("conn_id"), row.get("internal_id"))
        }
        let isDone: Query = """
            snd_messages.conn_id = \(connection) AND snd_messages.internal_id = \(message)
                AND NOT EXISTS (
                    SELECT 1 FROM snd_message_deliveries
                    WHERE snd_message_deliveries.conn_id = snd_messages.conn_id
                        AND snd_message_deliveries.internal_id = snd_messages.internal_id)
            """
        var removed = 0
        for query in SentMessages.removal(of: isDone) { removed = try run(query) }
        return removed > 0
    }

    /// Marks a delivery as failed for good: it is skipped from now on, and removed with its message. Throws
    /// `deliveryNotFound`.
    public func failed(_ id: AgentDeliveryID) throws(DeliveriesError) {
        let changed = try run(
            """
            UPDATE snd_message_deliveries SET failed = 1, updated_at = \(now) WHERE snd_message_delivery_id = \(id)
            """)
        if changed == 0 { throw .deliveryNotFound(id) }
    }

    /// Drops the messages that were sent before a time and still wait, failed deliveries among them, with the bodies
    /// that no other message shares. Returns them by connection and number; empty when there were none.
    @discardableResult
    public func dropExpired(before time: StoredTime) throws(DeliveriesError) -> [DroppedMessage] {
        let isExpired: Query = """
            (snd_messages.conn_id, snd_messages.internal_id) IN (
                SELECT messages.conn_id, messages.internal_id FROM messages WHERE messages.internal_ts < \(time.text))
            """
        let dropped = try reading { () throws(StoreError) in
            try tx.rows(
                """
                SELECT snd_messages.conn_id, snd_messages.internal_id FROM messages
                JOIN snd_messages ON snd_messages.conn_id = messages.conn_id
                    AND snd_messages.internal_id = messages.internal_id
                WHERE messages.internal_ts < \(time.text)
                """
            ).map { row throws(StoreError) in
                try DroppedMessage(connectionID: row.get("conn_id"), id: row.get("internal_id"))
            }
        }
        // The code sorts here. With `ORDER BY`, the database would walk over all sent messages instead of the old ones.
        .sorted { ($0.connectionID, $0.id) < ($1.connectionID, $1.id) }
        if !dropped.isEmpty {
            for query in SentMessages.removal(of: isExpired) { try run(query) }
        }
        return dropped
    }

    private func firstUnderWay(
        _ message: AgentMessageID, _ connection: AgentConnectionID, _ queues: [QueueNumber]
    ) throws(DeliveriesError) -> QueueNumber? {
        let row = try row(
            """
            SELECT snd_queue_id FROM snd_message_deliveries
            WHERE conn_id = \(connection) AND internal_id = \(message)
                AND snd_queue_id IN (\(list: queues.map(\.rawValue)))
            ORDER BY snd_queue_id LIMIT 1
            """)
        return try reading { () throws(StoreError) in try row?.get("snd_queue_id") }
    }
}

/// The queues to send to that take new messages.
private enum SendQueues {
    static func numbers(
        of connection: AgentConnectionID, in writer: DeliveriesWriter
    ) throws(DeliveriesError) -> Set<QueueNumber> {
        try writer.reading { () throws(StoreError) in
            var numbers: Set<QueueNumber> = []
            let rows = try writer.tx.rows(
                "SELECT snd_queue_id FROM snd_queues WHERE conn_id = \(connection) AND deleted = 0")
            for row in rows { numbers.insert(try row.get("snd_queue_id")) }
            return numbers
        }
    }
}
