import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension AgentMessagesWriter {
    /// Stores a message to send, with the next numbers of its connection. `hashing` makes the message's hash of its
    /// number and of the hash of the one before, both of which the message names; it is called once.
    ///
    /// What it is delivered through is told to `DeliveriesWriter`. Throws `connectionNotFound`, `bodyNotFound` for a
    /// body that no message of the same profile has, and `numbersUsedUp`, and then has changed nothing.
    /// Rule: docs/domain.md, "Agent database", Sending.
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

    /// What of a body is stored with the message, and the shared body it refers to.
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
