public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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

    /// Adds a queue to a connection, numbered after those it has: primary when there is no other, otherwise beside
    /// the primary one, which it may be there to replace.
    ///
    /// Throws `connectionNotFound`, `serverNotFound`, `queueExists`, `replacedQueueNotFound` and `numbersUsedUp`, and
    /// then has changed nothing.
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

    /// Sets how far a queue is; to what it is already changes nothing. Throws `queueNotFound` and `wrongStatus`.
    public func setStatus(_ status: QueueStatus, of address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        if !queue.status.mayBecome(status) { throw .wrongStatus(address, from: queue.status, to: status) }
        try change(address, "status = \(status)")
    }

    /// Notes the other side's key and the secret shared with it: the queue is *confirmed*. Throws `queueNotFound` and
    /// `wrongStatus`, since a key that is in use is never exchanged.
    public func confirm(
        _ address: QueueAddress, senderKey: SecretBytes?, e2eSecret: SecretBytes
    ) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        guard queue.status == .new else { throw .wrongStatus(address, from: queue.status, to: .confirmed) }
        try change(
            address, "snd_key = \(senderKey), e2e_dh_secret = \(e2eSecret), status = \(QueueStatus.confirmed)")
    }

    /// Notes how far the move of a queue to another server is; nil when it does not move. Throws `queueNotFound`.
    public func setSwitchStatus(_ status: ReceiveSwitchStatus?, of address: QueueAddress) throws(QueuesError) {
        _ = try ReceiveQueuesRepo(tx).get(address)
        try change(address, "switch_status = \(status)")
    }

    /// Makes a queue the primary one of its connection, and no other; it replaces none any more. Throws
    /// `queueNotFound`.
    public func makePrimary(_ address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address)
        try clearPrimary(of: queue.connectionID)
        try change(address, "rcv_primary = 1, replace_rcv_queue_id = NULL")
    }

    /// Gives a queue the notifier its server made, or takes it away. Throws `queueNotFound` and `notifierExists`.
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
