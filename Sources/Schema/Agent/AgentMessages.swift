/// The number of a message within its connection: `messages.internal_id` of the agent database.
public typealias AgentMessageID = RowID<AgentMessageRow>

/// A row of `messages` in the agent database. It has no values: it only sets the identifiers of
/// messages apart.
public enum AgentMessageRow {}

/// The id that a message server gave to a message: `broker_id`.
public typealias BrokerMessageID = BytesID<AgentMessageRow>

/// The number that one side gives to what it sends on a connection, as the other side sees it.
public typealias SenderMessageNumber = RowID<SenderMessageRow>

/// A message as its sender numbers it. It has no values: it only sets ``SenderMessageNumber`` apart.
public enum SenderMessageRow {}

/// The number of a body that several deliveries share: `snd_message_bodies.snd_message_body_id`.
public typealias AgentMessageBodyID = RowID<SentBody>

/// The number of a message that waits for one queue: `snd_message_deliveries.snd_message_delivery_id`.
public typealias AgentDeliveryID = RowID<PendingDelivery>

/// A message received on a connection. It is deleted after the app has taken it.
/// Rule: docs/domain.md, "Agent database", Receiving.
public struct ReceivedMessage: Sendable, Hashable {
    /// The connection it came through.
    public let connectionID: AgentConnectionID
    /// Its number in the connection, both directions together.
    public let id: AgentMessageID
    /// Its number among the messages received.
    public let receivedNumber: Int64
    /// The number its sender gave it.
    public let senderNumber: SenderMessageNumber
    /// The id the server gave it.
    public let brokerID: BrokerMessageID
    /// The time when the server received it.
    public let brokerTime: StoredTime
    /// The time when it was received.
    public let receivedAt: StoredTime
    /// The queue through which it came; the queue may have been removed since. Nil when not known.
    public let queue: QueueNumber?
    /// The kind of message.
    public let type: String
    /// The flags for its delivery, or nil.
    public let flags: String?
    /// The body.
    public let body: SecretBytes
    /// Its hash.
    public let hash: SecretBytes
    /// The hash of the message before it, as the sender says.
    public let previousHash: SecretBytes
    /// The result of comparing it with the one before.
    public let integrity: MessageIntegrity
    /// Whether the app has taken it.
    public let isAcknowledged: Bool
    /// The number of times that the agent gave it to the app.
    public let attempts: Int

    package init(
        connectionID: AgentConnectionID, id: AgentMessageID, receivedNumber: Int64, senderNumber: SenderMessageNumber,
        brokerID: BrokerMessageID, brokerTime: StoredTime, receivedAt: StoredTime, queue: QueueNumber?, type: String,
        flags: String?, body: SecretBytes, hash: SecretBytes, previousHash: SecretBytes, integrity: MessageIntegrity,
        isAcknowledged: Bool, attempts: Int
    ) {
        self.connectionID = connectionID
        self.id = id
        self.receivedNumber = receivedNumber
        self.senderNumber = senderNumber
        self.brokerID = brokerID
        self.brokerTime = brokerTime
        self.receivedAt = receivedAt
        self.queue = queue
        self.type = type
        self.flags = flags
        self.body = body
        self.hash = hash
        self.previousHash = previousHash
        self.integrity = integrity
        self.isAcknowledged = isAcknowledged
        self.attempts = attempts
    }
}

/// A received message before the connection numbers it.
public struct NewReceivedMessage: Sendable, Hashable {
    /// The number its sender gave it.
    public let senderNumber: SenderMessageNumber
    /// The id the server gave it.
    public let brokerID: BrokerMessageID
    /// The time when the server received it.
    public let brokerTime: StoredTime
    /// The queue it came through, or nil.
    public let queue: QueueNumber?
    /// The kind of message.
    public let type: String
    /// The flags for its delivery, or nil.
    public let flags: String?
    /// The body.
    public let body: SecretBytes
    /// Its hash.
    public let hash: SecretBytes
    /// The hash of the message before it, as the sender says.
    public let previousHash: SecretBytes

    /// A message as it was decrypted.
    public init(
        senderNumber: SenderMessageNumber, brokerID: BrokerMessageID, brokerTime: StoredTime, queue: QueueNumber? = nil,
        type: String, flags: String? = nil, body: SecretBytes, hash: SecretBytes, previousHash: SecretBytes
    ) {
        self.senderNumber = senderNumber
        self.brokerID = brokerID
        self.brokerTime = brokerTime
        self.queue = queue
        self.type = type
        self.flags = flags
        self.body = body
        self.hash = hash
        self.previousHash = previousHash
    }
}

/// A message sent on a connection. It is deleted after its last delivery.
/// Rule: docs/domain.md, "Agent database", Sending.
public struct SentMessage: Sendable, Hashable {
    /// The connection it is sent through.
    public let connectionID: AgentConnectionID
    /// Its number in the connection, both directions together.
    public let id: AgentMessageID
    /// Its number among the messages sent, which the receiver sees.
    public let number: SenderMessageNumber
    /// The time when it was accepted for sending.
    public let sentAt: StoredTime
    /// The kind of message.
    public let type: String
    /// The flags for its delivery, or nil.
    public let flags: String?
    /// The body, wherever it is stored.
    public let body: SecretBytes
    /// The body that others may share; nil when the message has its own.
    public let bodyID: AgentMessageBodyID?
    /// Its hash.
    public let hash: SecretBytes
    /// The hash of the message sent before it; empty for the first.
    public let previousHash: SecretBytes
    /// The key the body is encrypted with for this connection, or nil.
    public let encryptKey: SecretBytes?
    /// The length the encrypted body is padded to, in bytes, or nil.
    public let paddedLength: Int?

    package init(
        connectionID: AgentConnectionID, id: AgentMessageID, number: SenderMessageNumber, sentAt: StoredTime,
        type: String, flags: String?, body: SecretBytes, bodyID: AgentMessageBodyID?, hash: SecretBytes,
        previousHash: SecretBytes, encryptKey: SecretBytes?, paddedLength: Int?
    ) {
        self.connectionID = connectionID
        self.id = id
        self.number = number
        self.sentAt = sentAt
        self.type = type
        self.flags = flags
        self.body = body
        self.bodyID = bodyID
        self.hash = hash
        self.previousHash = previousHash
        self.encryptKey = encryptKey
        self.paddedLength = paddedLength
    }
}

/// The place of a message's body.
public enum SentBody: Sendable, Hashable {
    /// Stored with the message, for it alone.
    case own(SecretBytes)
    /// Stored separately, so that further messages can share it. The new message has its id.
    case toShare(SecretBytes)
    /// The body of another message of the same profile.
    case shared(AgentMessageBodyID)
}

/// A message to send before the connection numbers it.
public struct NewSentMessage: Sendable, Hashable {
    /// The kind of message.
    public let type: String
    /// The flags for its delivery, or nil.
    public let flags: String?
    /// The body, or the id of a shared one.
    public let body: SentBody
    /// The key the body is encrypted with for this connection, or nil.
    public let encryptKey: SecretBytes?
    /// The length the encrypted body is padded to, in bytes, or nil.
    public let paddedLength: Int?

    /// A message to send.
    public init(
        type: String, flags: String? = nil, body: SentBody, encryptKey: SecretBytes? = nil, paddedLength: Int? = nil
    ) {
        self.type = type
        self.flags = flags
        self.body = body
        self.encryptKey = encryptKey
        self.paddedLength = paddedLength
    }
}

/// A message that waits for one queue.
public struct PendingDelivery: Sendable, Hashable {
    /// The delivery's number, which is its place in the queue.
    public let id: AgentDeliveryID
    /// The queue through which it is sent.
    public let queue: QueueNumber
    /// The message to deliver.
    public let message: SentMessage

    package init(id: AgentDeliveryID, queue: QueueNumber, message: SentMessage) {
        self.id = id
        self.queue = queue
        self.message = message
    }
}

extension CatalogueTable {
    /// Messages on their way: received and not yet acknowledged, sent and not yet delivered.
    static let agentMessages: [CatalogueTable] = [
        CatalogueTable(
            "messages", "A message of a connection, in either direction.",
            [
                .personal("conn_id", "the connection it belongs to"),
                .public("internal_id", "its number in the connection, both directions together"),
                .personal("internal_ts", "when it was received or accepted for sending, UTC"),
                .public("msg_type", "what kind of message it is"),
                .public("msg_flags", "how it is treated on its way, for instance whether it notifies"),
                .secret("msg_body", "the body; empty when it is in snd_message_bodies"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_messages", "What only a received message has.",
            [
                .personal("conn_id", "the connection it came through"),
                .public("internal_rcv_id", "its number among the messages received"),
                .public("internal_id", "its number in the connection, both directions together"),
                .public("external_snd_id", "the number the sender gave it"),
                .personal("broker_id", "the id the server gave it"),
                .personal("broker_ts", "when the server received it, UTC"),
                .secret("internal_hash", "hash of the message"),
                .secret("external_prev_snd_hash", "hash of the message before it, as the sender says"),
                .state(
                    "integrity", "how it follows the one before: ok, or what is wrong", MessageIntegrity.self,
                    others: ["skipped"]),
                .public("user_ack", "1 once the app has taken it, so that the server may forget it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public(
                    "rcv_queue_id", "number of the queue through which it came; the queue may have been removed since"),
                .public("receive_attempts", "how often it was handed to the app"),
            ]),
        CatalogueTable(
            "snd_messages", "What only a sent message has.",
            [
                .personal("conn_id", "the connection it is sent through"),
                .public("internal_snd_id", "its number among the messages sent, which the receiver sees"),
                .public("internal_id", "its number in the connection, both directions together"),
                .secret("internal_hash", "hash of the message"),
                .secret("previous_msg_hash", "hash of the message sent before it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("snd_message_body_id", "its body, which other messages may share; NULL when it has its own"),
                .secret("msg_encrypt_key", "the key the body is encrypted with for this connection"),
                .public("padded_msg_len", "the length it is padded to, in bytes"),
            ]),
        CatalogueTable(
            "snd_message_deliveries", "A sent message in one of the queues it is still to go through.",
            [
                .public("snd_message_delivery_id", "the delivery's number; in this order a queue is worked off"),
                .personal("conn_id", "the connection of message and queue"),
                .public("snd_queue_id", "number of the queue within the connection"),
                .public("internal_id", "number of the message within the connection"),
                .public("failed", "1 when it will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_message_bodies", "The body of one or more sent messages, stored once.",
            [
                .public("snd_message_body_id", "the body's number"),
                .secret("agent_msg", "the body, before it is encrypted for each connection"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
