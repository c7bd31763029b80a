public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The queues from which this device receives. Rule: docs/domain.md, "Agent database", Queues.
///
/// Queues that are being deleted are in a result only where its description says so.
public struct ReceiveQueuesRepo: Repository {
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
    ) throws(QueuesError) -> [ReceiveQueue] {
        try all(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE conn_id = \(connection) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY rcv_queue_id
            """)
    }

    /// The queue at a server with an id of the receiver, or nil.
    public func find(
        _ address: QueueAddress, includingDeleted: Bool = false
    ) throws(QueuesError) -> ReceiveQueue? {
        try first(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE \(Self.isAt(address)) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The queue at a server with an id of the receiver. Throws `queueNotFound`.
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
    /// most `limit`, by id, of those after `last`; it may be empty.
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
            ORDER BY rcv_queues.rcv_id LIMIT \(number: PageSize.upTo(limit))
            """)
    }

    /// The queues that are to be deleted at a server, those of deleted connections and others, by id. The list is empty
    /// when there are none.
    public func toDelete(at server: AgentServerID) throws(QueuesError) -> [ReceiveQueue] {
        try all(
            """
            SELECT \(ReceiveQueue.columns) FROM rcv_queues
            WHERE host = \(server.host) AND port = \(server.port) AND deleted = 1 ORDER BY rcv_id
            """)
    }

    /// A condition on queues that are joined with their connections.
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

/// Changes to the queues from which this device receives. Rule: docs/domain.md, "Agent database", Queues.
public struct ReceiveQueuesWriter: Writer {
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
        _ address: QueueAddress, senderID: QueueID, keys: ReceiveQueueKeys, to connection: AgentConnectionID,
        replacing replaced: QueueNumber? = nil
    ) throws(QueuesError) -> ReceiveQueue {
        try requireConnection(connection)
        try requireServer(address.server)
        let queues = ReceiveQueuesRepo(tx)
        let taken = try row(
            """
            SELECT rcv_id FROM rcv_queues WHERE \(ReceiveQueuesRepo.isAt(address))
            UNION ALL
            SELECT rcv_id FROM rcv_queues
            WHERE host = \(address.server.host) AND port = \(address.server.port) AND snd_id = \(senderID)
            """)
        if taken != nil { throw .queueExists(address) }
        let others = try queues.all(of: connection)
        if let replaced, !others.contains(where: { $0.number == replaced }) { throw .replacedQueueNotFound(replaced) }

        let number = try nextNumber(of: connection)
        let isPrimary = !others.contains(where: \.isPrimary)
        if isPrimary { try clearPrimary(of: connection) }
        try run(
            """
            INSERT INTO rcv_queues (
                host, port, rcv_id, conn_id, rcv_queue_id, rcv_primary, replace_rcv_queue_id, rcv_private_key,
                rcv_dh_secret, e2e_priv_key, e2e_dh_secret, snd_id, snd_key, status, created_at, updated_at)
            VALUES (
                \(address.server.host), \(address.server.port), \(address.id), \(connection), \(number), \(isPrimary),
                \(replaced), \(keys.privateKey), \(keys.serverSecret), \(keys.e2ePrivateKey), \(keys.e2eSecret),
                \(senderID), \(keys.senderKey), \(QueueStatus.new), \(now), \(now))
            """)
        return try queues.get(address)
    }

    /// Sets the status of a queue; the present status changes nothing. Throws `queueNotFound` and `wrongStatus`.
    public func setStatus(_ status: QueueStatus, of address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        if !queue.status.mayBecome(status) { throw .wrongStatus(address, from: queue.status, to: status) }
        try change(address, "status = \(status)")
    }

    /// Stores the other side's key and the secret shared with it: the queue is *confirmed*. Throws `queueNotFound`, and
    /// `wrongStatus` for a queue that has a key already.
    public func confirm(
        _ address: QueueAddress, senderKey: SecretBytes?, e2eSecret: SecretBytes
    ) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        guard queue.status == .new else { throw .wrongStatus(address, from: queue.status, to: .confirmed) }
        try change(
            address, "snd_key = \(senderKey), e2e_dh_secret = \(e2eSecret), status = \(QueueStatus.confirmed)")
    }

    /// Stores the status of the move of a queue to another server; nil when it does not move. Throws `queueNotFound`.
    public func setSwitchStatus(_ status: ReceiveSwitchStatus?, of address: QueueAddress) throws(QueuesError) {
        _ = try ReceiveQueuesRepo(tx).get(address)
        try change(address, "switch_status = \(status)")
    }

    /// Makes a queue the only primary one of its connection. It no longer replaces another queue. Throws
    /// `queueNotFound`.
    public func makePrimary(_ address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        try clearPrimary(of: queue.connectionID)
        try change(address, "rcv_primary = 1, replace_rcv_queue_id = NULL")
    }

    /// Stores the notifier that the server made for a queue, or removes it. Throws `queueNotFound` and
    /// `notifierExists`.
    public func setNotifier(_ notifier: QueueNotifier?, of address: QueueAddress) throws(QueuesError) {
        let queues = ReceiveQueuesRepo(tx)
        _ = try queues.get(address)
        if let notifier {
            let other = try row(
                """
                SELECT rcv_id FROM rcv_queues
                WHERE host = \(address.server.host) AND port = \(address.server.port) AND ntf_id = \(notifier.id)
                    AND rcv_id <> \(address.id)
                """)
            if other != nil { throw .notifierExists(notifier.id) }
        }
        try change(
            address,
            """
            ntf_id = \(notifier?.id), ntf_public_key = \(notifier?.publicKey),
            ntf_private_key = \(notifier?.privateKey), rcv_ntf_dh_secret = \(notifier?.secret)
            """)
    }
}

/// The result of a failure to delete a queue at its server.
public enum QueueDeletion: Sendable, Hashable {
    /// The number of failures so far; the deletion is to be tried again.
    case willRetry(errors: Int)
    /// The retries are used up, and the row was removed.
    case gaveUp
}

extension ReceiveQueuesWriter {
    /// Marks a queue as deleted. The next step is to delete it at its server. Throws `queueNotFound`, for one that is
    /// marked already too, and `primaryQueueInUse` while the connection has others. Rule: docs/domain.md, "Soft
    /// delete".
    public func markDeleted(_ address: QueueAddress) throws(QueuesError) {
        let queues = ReceiveQueuesRepo(tx)
        let queue = try queues.get(address)
        if queue.isPrimary, try queues.all(of: queue.connectionID).count > 1 { throw .primaryQueueInUse(address) }
        try change(address, "deleted = 1")
    }

    /// Removes the row of a queue that is marked as deleted, after its server has confirmed. Throws `queueNotFound` and
    /// `notMarkedDeleted`.
    public func remove(_ address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address, includingDeleted: true)
        if !queue.isDeleted { throw .notMarkedDeleted(address) }
        try run("DELETE FROM rcv_queues WHERE \(ReceiveQueuesRepo.isAt(address))")
    }

    /// Counts a failure to delete a queue at its server. After the allowed number of failures, removes the row
    /// nevertheless. Throws `queueNotFound` and `notMarkedDeleted`.
    public func deletionFailed(
        _ address: QueueAddress, attemptsAllowed: Int
    ) throws(QueuesError) -> QueueDeletion {
        let queue = try ReceiveQueuesRepo(tx).get(address, includingDeleted: true)
        if !queue.isDeleted { throw .notMarkedDeleted(address) }
        // The highest count also means that the retries are used up.
        let (errors, isOver) = queue.deleteErrors.addingReportingOverflow(1)
        if isOver || errors >= attemptsAllowed {
            try remove(address)
            return .gaveUp
        }
        try change(address, "delete_errors = \(errors)")
        return .willRetry(errors: errors)
    }
}
