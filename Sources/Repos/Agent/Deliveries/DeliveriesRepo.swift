public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// What waits to be delivered. Rule: docs/domain.md, "Agent database", Sending.
public struct DeliveriesRepo: Repository {
    package typealias Failure = DeliveriesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// What is to be delivered next through a queue of a connection: the oldest that has not failed. Nil when nothing
    /// waits.
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

    /// How many deliveries wait for a queue of a connection; those that have failed are not counted.
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
