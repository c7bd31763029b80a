public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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

    /// Stores a message that came, with the next numbers of its connection and with its integrity, which is told from
    /// what the connection remembers. The connection remembers the message as its last one when its number went up.
    ///
    /// Throws `connectionNotFound` and `numbersUsedUp`, and then has changed nothing.
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

    /// Counts that a received message is handed to the app, before it is, and answers how often that was, this time
    /// included. A message that makes the app stop can so be given up. Throws `messageNotFound`.
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

    /// Notes that the app has taken a received message, so that its server may forget it. A second time changes
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

    /// Remembers the hash of a message as it came encrypted, and answers whether it is new: false means that the
    /// message came twice. Throws `connectionNotFound`.
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

    /// Forgets the hashes remembered before a time, of all connections, and answers how many there were.
    @discardableResult
    public func forgetEncryptedHashes(before time: StoredTime) throws(AgentMessagesError) -> Int {
        try run("DELETE FROM encrypted_rcv_message_hashes WHERE created_at < \(time.text)")
    }
}
