public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The messages of the agent: received and not yet deleted, sent and not yet delivered.
/// Rule: docs/domain.md, "Agent database", Receiving and Sending.
public struct AgentMessagesRepo: Repository {
    package typealias Failure = AgentMessagesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
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

    /// The message of a connection that its server knows by an id, or nil: of several that came with it the first.
    /// Asked when a server sends a message again, because it was not told that the message had come.
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

    /// The received messages of a connection that the app has not taken, in the order in which they came. None is an
    /// empty list.
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

    /// Whether a message with this hash, as it came encrypted, was received on the connection and is remembered.
    public func isKnown(
        encryptedHash hash: SecretBytes, on connection: AgentConnectionID
    ) throws(AgentMessagesError) -> Bool {
        try count(
            """
            SELECT count(*) FROM encrypted_rcv_message_hashes WHERE conn_id = \(connection) AND hash = \(hash)
            """) > 0
    }
}
