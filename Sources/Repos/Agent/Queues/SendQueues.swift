public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The queues to which this device sends. Rule: docs/domain.md, "Agent database", Queues.
///
/// Queues that are being deleted are in a result only where its description says so.
public struct SendQueuesRepo: Repository {
    package typealias Failure = QueuesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The queues of a connection, by number. The list is empty when there are none, and for a connection that does not
    /// exist.
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

    /// The queue at a server with an id of the sender, or nil.
    public func find(_ address: QueueAddress, includingDeleted: Bool = false) throws(QueuesError) -> SendQueue? {
        try first(
            """
            SELECT \(SendQueue.columns) FROM snd_queues
            WHERE \(Self.isAt(address)) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The queue at a server with an id of the sender. Throws `queueNotFound`.
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

    /// The queues at a server with pending deliveries that have not failed, by id. The list is
    /// empty when there are none.
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

/// Changes to the queues to which this device sends. Rule: docs/domain.md, "Agent database", Queues.
public struct SendQueuesWriter: Writer {
    package typealias Failure = QueuesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Adds a queue to a connection, numbered after its other queues. The first queue is primary. Another is not, and
    /// may be the replacement of the primary one.
    ///
    /// Throws `connectionNotFound`, `serverNotFound`, `queueExists`, `replacedQueueNotFound` and `numbersUsedUp`;
    /// nothing has changed then.
    @discardableResult
    public func add(
        _ address: QueueAddress, keys: SendQueueKeys, to connection: AgentConnectionID,
        replacing replaced: QueueNumber? = nil
    ) throws(QueuesError) -> SendQueue {
        try requireConnection(connection)
        try requireServer(address.server)
        let queues = SendQueuesRepo(tx)
        if try queues.find(address, includingDeleted: true) != nil { throw .queueExists(address) }
        let others = try queues.all(of: connection)
        if let replaced, !others.contains(where: { $0.number == replaced }) { throw .replacedQueueNotFound(replaced) }

        let number = try numberAfter(
            ["SELECT max(snd_queue_id) AS last FROM snd_queues WHERE conn_id = \(connection)"], of: connection)
        let isPrimary = !others.contains(where: \.isPrimary)
        if isPrimary { try clearPrimary(of: connection) }
        try run(
            """
            INSERT INTO snd_queues (
                host, port, snd_id, conn_id, snd_queue_id, snd_primary, replace_snd_queue_id, snd_public_key,
                snd_private_key, e2e_pub_key, e2e_dh_secret, status, created_at, updated_at)
            VALUES (
                \(address.server.host), \(address.server.port), \(address.id), \(connection), \(number), \(isPrimary),
                \(replaced), \(keys.publicKey), \(keys.privateKey), \(keys.e2ePublicKey), \(keys.e2eSecret),
                \(QueueStatus.new), \(now), \(now))
            """)
        return try queues.get(address)
    }

    /// Sets the status of a queue; the present status changes nothing. Throws `queueNotFound` and `wrongStatus`.
    public func setStatus(_ status: QueueStatus, of address: QueueAddress) throws(QueuesError) {
        let queue = try SendQueuesRepo(tx).get(address)
        if !queue.status.mayBecome(status) { throw .wrongStatus(address, from: queue.status, to: status) }
        try change(address, "status = \(status)")
    }

    /// Stores the status of the move of a queue to another server; nil when it does not move. Throws `queueNotFound`.
    public func setSwitchStatus(_ status: SendSwitchStatus?, of address: QueueAddress) throws(QueuesError) {
        _ = try SendQueuesRepo(tx).get(address)
        try change(address, "switch_status = \(status)")
    }

    /// Makes a queue the only primary one of its connection. It no longer replaces another queue. Throws
    /// `queueNotFound`.
    public func makePrimary(_ address: QueueAddress) throws(QueuesError) {
        let queue = try SendQueuesRepo(tx).get(address)
        try clearPrimary(of: queue.connectionID)
        try change(address, "snd_primary = 1, replace_snd_queue_id = NULL")
    }

    /// Marks a queue as being deleted: it gets no new deliveries, and its pending ones are still made. Throws
    /// `queueNotFound`, for one that is marked already too, and `primaryQueueInUse` while the connection has others.
    public func markDeleted(_ address: QueueAddress) throws(QueuesError) {
        let queues = SendQueuesRepo(tx)
        let queue = try queues.get(address)
        if queue.isPrimary, try queues.all(of: queue.connectionID).count > 1 { throw .primaryQueueInUse(address) }
        try change(address, "deleted = 1")
    }

    /// Removes the row of a queue that is marked as deleted, with its deliveries; messages that wait for no other
    /// queue go too, and bodies that no other message shares. Throws `queueNotFound` and `notMarkedDeleted`.
    public func remove(_ address: QueueAddress) throws(QueuesError) {
        let queue = try SendQueuesRepo(tx).get(address, includingDeleted: true)
        if !queue.isDeleted { throw .notMarkedDeleted(address) }
        let lost: Query = """
            snd_messages.conn_id = \(queue.connectionID)
                AND EXISTS (
                    SELECT 1 FROM snd_message_deliveries here
                    WHERE here.conn_id = snd_messages.conn_id AND here.internal_id = snd_messages.internal_id
                        AND here.snd_queue_id = \(queue.number))
                AND NOT EXISTS (
                    SELECT 1 FROM snd_message_deliveries elsewhere
                    WHERE elsewhere.conn_id = snd_messages.conn_id
                        AND elsewhere.internal_id = snd_messages.internal_id
                        AND elsewhere.snd_queue_id <> \(queue.number))
            """
        for query in SentMessages.removal(of: lost) { try run(query) }
        try run("DELETE FROM snd_queues WHERE \(SendQueuesRepo.isAt(address))")
    }
}
