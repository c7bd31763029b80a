public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The messages of the agent: received and not yet deleted, sent and not yet delivered.
/// Rule: docs/domain.md, "Agent database", Receiving and Sending.
public struct AgentMessagesRepo: Repository {
    package typealias Failure = AgentMessagesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The received message of a connection with a number. Throws `messageNotFound`, for a sent one too.
    public func received(
        _ id: AgentMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> ReceivedMessage {
        let message: ReceivedMessage? = try first(
            """
            SELECT \(ReceivedMessage.columns) FROM \(ReceivedMessage.tables)
            WHERE rcv_messages.conn_id = \(connection) AND rcv_messages.internal_id = \(id)
            """)
        guard let message else { throw .messageNotFound(id, connection: connection) }
        return message
    }

    /// The message of a connection with an id of its server, or nil; of several messages with the id, the first. For a
    /// message that a server sends again because it has no acknowledgement.
    public func received(
        brokerID: BrokerMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> ReceivedMessage? {
        try first(
            """
            SELECT \(ReceivedMessage.columns) FROM \(ReceivedMessage.tables)
            WHERE rcv_messages.conn_id = \(connection) AND rcv_messages.broker_id = \(brokerID)
            ORDER BY rcv_messages.internal_rcv_id LIMIT 1
            """)
    }

    /// The received messages of a connection that the app has not taken, in the order in which they came. The list is
    /// empty when there are none.
    public func unacknowledged(on connection: AgentConnectionID) throws(AgentMessagesError) -> [ReceivedMessage] {
        try all(
            """
            SELECT \(ReceivedMessage.columns) FROM \(ReceivedMessage.tables)
            WHERE rcv_messages.conn_id = \(connection) AND rcv_messages.user_ack = 0
            ORDER BY rcv_messages.internal_rcv_id
            """)
    }

    /// The sent message of a connection with a number. Throws `messageNotFound`, for a received one too.
    public func sent(
        _ id: AgentMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> SentMessage {
        let message: SentMessage? = try first(
            """
            SELECT \(SentMessage.columns) FROM \(SentMessage.tables)
            WHERE snd_messages.conn_id = \(connection) AND snd_messages.internal_id = \(id)
            """)
        guard let message else { throw .messageNotFound(id, connection: connection) }
        return message
    }

    /// Whether the connection received an encrypted message with this hash, and the hash is still stored.
    public func isKnown(
        encryptedHash hash: SecretBytes, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> Bool {
        try count(
            """
            SELECT count(*) FROM encrypted_rcv_message_hashes WHERE conn_id = \(connection) AND hash = \(hash)
            """) > 0
    }
}

/// Changes to the messages of the agent: what is received. Sending is in an extension.
/// Rule: docs/domain.md, "Agent database", Receiving.
public struct AgentMessagesWriter: Writer {
    package typealias Failure = AgentMessagesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Stores a received message, with the next numbers of its connection, and with its integrity, which follows from
    /// the counters of the connection. If the number of this message is higher than the last, the connection continues
    /// from it.
    ///
    /// Throws `connectionNotFound` and `numbersUsedUp`; nothing has changed then.
    public func receive(
        _ message: NewReceivedMessage, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> ReceivedMessage {
        let counters = try counters(of: connection)
        let id = AgentMessageID(try next(counters.lastID.rawValue, of: connection))
        let number = try next(counters.lastReceived, of: connection)
        let integrity = MessageIntegrity(
            of: message.senderNumber, previousHash: message.previousHash, after: counters)

        try insert(id, message.type, message.flags, body: message.body, on: connection)
        try run(
            """
            INSERT INTO rcv_messages (
                conn_id, internal_rcv_id, internal_id, external_snd_id, broker_id, broker_ts, internal_hash,
                external_prev_snd_hash, integrity, rcv_queue_id, created_at, updated_at)
            VALUES (
                \(connection), \(number), \(id), \(message.senderNumber), \(message.brokerID),
                \(message.brokerTime.text), \(message.hash), \(message.previousHash), \(integrity), \(message.queue),
                \(now), \(now))
            """)
        let isLast = integrity.isNewest
        try run(
            """
            UPDATE connections
            SET last_internal_msg_id = \(id), last_internal_rcv_msg_id = \(number),
                last_external_snd_msg_id = \(isLast ? message.senderNumber : counters.lastExternal),
                last_rcv_msg_hash = \(isLast ? message.hash : counters.lastReceivedHash), updated_at = \(now)
            WHERE conn_id = \(connection)
            """)
        return try AgentMessagesRepo(tx).received(id, on: connection)
    }

    /// Counts an attempt to give a received message to the app, before the attempt. Returns the number of attempts,
    /// with this one. So the caller can give up a message that crashes the app. Throws `messageNotFound`.
    public func countAttempt(
        _ id: AgentMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> Int {
        let message = try AgentMessagesRepo(tx).received(id, on: connection)
        let (attempts, isOver) = message.attempts.addingReportingOverflow(1)
        if isOver { return message.attempts }
        try run(
            """
            UPDATE rcv_messages SET receive_attempts = \(attempts), updated_at = \(now)
            WHERE conn_id = \(connection) AND internal_id = \(id)
            """)
        return attempts
    }

    /// Marks a received message as acknowledged by the app, so that its server may remove it. A second call changes
    /// nothing. Throws `messageNotFound`.
    public func acknowledge(
        _ id: AgentMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) {
        let changed = try run(
            """
            UPDATE rcv_messages SET user_ack = 1, updated_at = \(now)
            WHERE conn_id = \(connection) AND internal_id = \(id)
            """)
        if changed == 0 { throw .messageNotFound(id, connection: connection) }
    }

    /// Removes a received message that the app has taken. Throws `messageNotFound` and `notAcknowledged`.
    public func deleteReceived(
        _ id: AgentMessageID, on connection: AgentConnectionID
    ) throws(AgentMessagesError) {
        let message = try AgentMessagesRepo(tx).received(id, on: connection)
        if !message.isAcknowledged { throw .notAcknowledged(id, connection: connection) }
        try run("DELETE FROM messages WHERE conn_id = \(connection) AND internal_id = \(id)")
    }

    /// Stores the hash of an encrypted message, and returns whether it is new: false means that the message came twice.
    /// Throws `connectionNotFound`.
    public func remember(
        encryptedHash hash: SecretBytes, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> Bool {
        try requireConnection(connection)
        return try run(
            """
            INSERT INTO encrypted_rcv_message_hashes (conn_id, hash, created_at, updated_at)
            VALUES (\(connection), \(hash), \(now), \(now)) ON CONFLICT (conn_id, hash) DO NOTHING
            """) > 0
    }

    /// Removes the hashes stored before a time, of all connections, and returns their number.
    @discardableResult
    public func forgetEncryptedHashes(before time: StoredTime) throws(AgentMessagesError) -> Int {
        try run("DELETE FROM encrypted_rcv_message_hashes WHERE created_at < \(time.text)")
    }
}

extension AgentMessagesWriter {
    /// Stores a message to send, with the next numbers of its connection. `hashing` computes the hash of the message
    /// from its number and the hash of the message before. It is called once.
    ///
    /// Its deliveries are made with `DeliveriesWriter`. Throws `connectionNotFound`, `bodyNotFound` for a body that no
    /// message of the same profile has, and `numbersUsedUp`; nothing has changed then. Rule: docs/domain.md, "Agent
    /// database", Sending.
    public func send(
        _ message: NewSentMessage, on connection: AgentConnectionID,
        hashing: (_ number: SenderMessageNumber, _ previousHash: SecretBytes) -> SecretBytes
    ) throws(AgentMessagesError) -> SentMessage {
        let counters = try counters(of: connection)
        let id = AgentMessageID(try next(counters.lastID.rawValue, of: connection))
        let number = SenderMessageNumber(try next(counters.lastSent.rawValue, of: connection))
        let hash = hashing(number, counters.lastSentHash)
        let (own, bodyID) = try store(message.body, for: connection)

        try insert(id, message.type, message.flags, body: own, on: connection)
        try run(
            """
            INSERT INTO snd_messages (
                conn_id, internal_snd_id, internal_id, internal_hash, previous_msg_hash, snd_message_body_id,
                msg_encrypt_key, padded_msg_len, created_at, updated_at)
            VALUES (
                \(connection), \(number), \(id), \(hash), \(counters.lastSentHash), \(bodyID),
                \(message.encryptKey), \(message.paddedLength), \(now), \(now))
            """)
        try run(
            """
            UPDATE connections
            SET last_internal_msg_id = \(id), last_internal_snd_msg_id = \(number), last_snd_msg_hash = \(hash),
                updated_at = \(now)
            WHERE conn_id = \(connection)
            """)
        return try AgentMessagesRepo(tx).sent(id, on: connection)
    }

    /// Removes a sent message, with its deliveries, and its body when no other message shares it. Throws
    /// `messageNotFound`.
    public func deleteSent(_ id: AgentMessageID, on connection: AgentConnectionID) throws(AgentMessagesError) {
        _ = try AgentMessagesRepo(tx).sent(id, on: connection)
        let message: Query = "snd_messages.conn_id = \(connection) AND snd_messages.internal_id = \(id)"
        for query in SentMessages.removal(of: message) { try run(query) }
    }

    /// The part of a body that is stored with the message, and the shared body to which the message refers.
    private func store(
        _ body: SentBody, for connection: AgentConnectionID
    ) throws(AgentMessagesError) -> (own: SecretBytes, shared: AgentMessageBodyID?) {
        let nothing = SecretBytes([])
        switch body {
        case .own(let bytes):
            return (bytes, nil)
        case .toShare(let bytes):
            let id = try insert(
                """
                INSERT INTO snd_message_bodies (agent_msg, created_at, updated_at) VALUES (\(bytes), \(now), \(now))
                """, returning: "snd_message_body_id")
            return (nothing, AgentMessageBodyID(id))
        case .shared(let id):
            let found = try row(
                """
                SELECT snd_messages.internal_id FROM snd_messages
                JOIN connections ON connections.conn_id = snd_messages.conn_id
                JOIN connections own ON own.user_id = connections.user_id AND own.conn_id = \(connection)
                WHERE snd_messages.snd_message_body_id = \(id) LIMIT 1
                """)
            if found == nil { throw .bodyNotFound(id) }
            return (nothing, id)
        }
    }
}

// MARK: - Numbers

extension AgentMessagesWriter {
    func counters(of connection: AgentConnectionID) throws(AgentMessagesError) -> MessageCounters {
        let row = try row(
            "SELECT \(AgentConnection.columns) FROM connections WHERE conn_id = \(connection) AND deleted = 0")
        guard let row else { throw .connectionNotFound(connection) }
        return try reading { () throws(StoreError) in try AgentConnection(row: row).counters }
    }

    func next(_ last: Int64, of connection: AgentConnectionID) throws(AgentMessagesError) -> Int64 {
        let (next, isOver) = last.addingReportingOverflow(1)
        if isOver { throw .numbersUsedUp(connection) }
        return next
    }

    func insert(
        _ id: AgentMessageID, _ type: String, _ flags: String?, body: SecretBytes, on connection: AgentConnectionID
    ) throws(AgentMessagesError) {
        try run(
            """
            INSERT INTO messages (
                conn_id, internal_id, internal_ts, msg_type, msg_flags, msg_body, created_at, updated_at)
            VALUES (\(connection), \(id), \(now), \(type), \(flags), \(body), \(now), \(now))
            """)
    }
}
