/// A message received on a connection, until the app has taken it and it is deleted.
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
    /// When the server received it.
    public let brokerTime: StoredTime
    /// When it was received.
    public let receivedAt: StoredTime
    /// The queue it came through, which may be gone since; nil when not known.
    public let queue: QueueNumber?
    /// What kind of message it is.
    public let type: String
    /// How it is treated on its way, or nil.
    public let flags: String?
    /// The body.
    public let body: SecretBytes
    /// Its hash.
    public let hash: SecretBytes
    /// The hash of the message before it, as the sender says.
    public let previousHash: SecretBytes
    /// How it follows the one before.
    public let integrity: MessageIntegrity
    /// Whether the app has taken it.
    public let isAcknowledged: Bool
    /// How often it was handed to the app.
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

/// What came, before the connection has numbered it.
public struct NewReceivedMessage: Sendable, Hashable {
    /// The number its sender gave it.
    public let senderNumber: SenderMessageNumber
    /// The id the server gave it.
    public let brokerID: BrokerMessageID
    /// When the server received it.
    public let brokerTime: StoredTime
    /// The queue it came through, or nil.
    public let queue: QueueNumber?
    /// What kind of message it is.
    public let type: String
    /// How it is treated on its way, or nil.
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
