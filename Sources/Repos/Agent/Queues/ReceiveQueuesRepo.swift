public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The queues from which this device receives. Rule: docs/domain.md, "Agent database", Queues.
///
/// Queues that are being deleted are in an answer only where it says so.
public struct ReceiveQueuesRepo: Repository {
    package typealias Failure = QueuesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The queues of a connection, by number. None is an empty list, and so is no connection.
    public func all(
        of connection: AgentConnectionID, includingDeleted: Bool = false
    ) throws(QueuesError) -> [ReceiveQueue] {
        try all(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE conn_id = \(connection) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY rcv_queue_id
            """)
    }

    /// The queue a server knows by an id of the receiver, or nil.
    public func find(
        _ address: QueueAddress, includingDeleted: Bool = false
    ) throws(QueuesError) -> ReceiveQueue? {
        try first(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE \(Self.isAt(address)) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The queue a server knows by an id of the receiver. Throws `queueNotFound`.
    public func get(_ address: QueueAddress, includingDeleted: Bool = false) throws(QueuesError) -> ReceiveQueue {
        guard let queue = try find(address, includingDeleted: includingDeleted) else { throw .queueNotFound(address) }
        return queue
    }

    /// The queue a notification names by a server and a notifier id, or nil.
    public func find(notifier address: QueueAddress) throws(QueuesError) -> ReceiveQueue? {
        try first(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE \(Self.isOfNotifier(address))
            """)
    }

    /// The primary queue of a connection, or nil.
    public func primary(of connection: AgentConnectionID) throws(QueuesError) -> ReceiveQueue? {
        try first(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE conn_id = \(connection) AND rcv_primary = 1 AND deleted = 0
            """)
    }

    /// The queues to subscribe to at a server: not disabled, of connections that are not being deleted. A page of at
    /// most `limit`, by id, of those after `last`; none is an empty list.
    public func toSubscribe(
        at server: AgentServerID, after last: QueueID? = nil, limit: Int
    ) throws(QueuesError) -> [ReceiveQueue] {
        let isAfter: Query = last.map { "rcv_queues.rcv_id > \($0)" } ?? "1 = 1"
        return try all(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            JOIN connections ON connections.conn_id = rcv_queues.conn_id
            WHERE rcv_queues.host = \(server.host) AND rcv_queues.port = \(server.port) AND \(isAfter)
                AND \(Self.isSubscribed)
            ORDER BY rcv_queues.rcv_id LIMIT \(PageSize.upTo(limit))
            """)
    }

    /// The queues that are to be deleted at a server, those of deleted connections and others, by id. None is an empty
    /// list.
    public func toDelete(at server: AgentServerID) throws(QueuesError) -> [ReceiveQueue] {
        try all(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE host = \(server.host) AND port = \(server.port) AND deleted = 1 ORDER BY rcv_id
            """)
    }

    /// Of queues that are joined with their connections.
    static let isSubscribed: Query = """
        rcv_queues.deleted = 0 AND rcv_queues.status <> \(QueueStatus.disabled) AND connections.deleted = 0
        """

    /// The condition that a queue is the one a notification names, and is not being deleted.
    package static func isOfNotifier(_ address: QueueAddress) -> Query {
        """
        rcv_queues.host = \(address.server.host) AND rcv_queues.port = \(address.server.port)
        AND rcv_queues.ntf_id = \(address.id) AND rcv_queues.deleted = 0
        """
    }

    static func isAt(_ address: QueueAddress) -> Query {
        "host = \(address.server.host) AND port = \(address.server.port) AND rcv_id = \(address.id)"
    }
}
