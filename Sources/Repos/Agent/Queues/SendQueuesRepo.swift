public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The queues to which this device sends. Rule: docs/domain.md, "Agent database", Queues.
///
/// Queues that are on their way out are in an answer only where it says so.
public struct SendQueuesRepo: Repository {
    package typealias Failure = QueuesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The queues of a connection, by number. None is an empty list, and so is no connection.
    public func all(
        of connection: AgentConnectionID, includingDeleted: Bool = false
    ) throws(QueuesError) -> [SendQueue] {
        try all(
            """
            SELECT \(SendQueue.columns) FROM snd_queues
            WHERE conn_id = \(connection) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY snd_queue_id
            """)
    }

    /// The queue a server knows by an id of the sender, or nil.
    public func find(_ address: QueueAddress, includingDeleted: Bool = false) throws(QueuesError) -> SendQueue? {
        try first(
            """
            SELECT \(SendQueue.columns) FROM snd_queues
            WHERE \(Self.isAt(address)) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The queue a server knows by an id of the sender. Throws `queueNotFound`.
    public func get(_ address: QueueAddress, includingDeleted: Bool = false) throws(QueuesError) -> SendQueue {
        guard let queue = try find(address, includingDeleted: includingDeleted) else { throw .queueNotFound(address) }
        return queue
    }

    /// The primary queue of a connection, or nil.
    public func primary(of connection: AgentConnectionID) throws(QueuesError) -> SendQueue? {
        try first(
            """
            SELECT \(SendQueue.columns) FROM snd_queues
            WHERE conn_id = \(connection) AND snd_primary = 1 AND deleted = 0
            """)
    }

    /// The queues at a server through which something waits to be delivered that has not failed, by id. None is an
    /// empty list.
    public func withDeliveries(at server: AgentServerID) throws(QueuesError) -> [SendQueue] {
        try all(
            """
            SELECT \(SendQueue.columns) FROM snd_queues
            JOIN connections ON connections.conn_id = snd_queues.conn_id
            WHERE snd_queues.host = \(server.host) AND snd_queues.port = \(server.port) AND connections.deleted = 0
                AND EXISTS (
                    SELECT 1 FROM snd_message_deliveries
                    WHERE snd_message_deliveries.conn_id = snd_queues.conn_id
                        AND snd_message_deliveries.snd_queue_id = snd_queues.snd_queue_id
                        AND snd_message_deliveries.failed = 0)
            ORDER BY snd_queues.snd_id
            """)
    }

    static func isAt(_ address: QueueAddress) -> Query {
        "host = \(address.server.host) AND port = \(address.server.port) AND snd_id = \(address.id)"
    }
}
