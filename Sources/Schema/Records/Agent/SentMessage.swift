/// A message sent on a connection, until its last delivery is done.
/// Rule: docs/domain.md, "Agent database", Sending.
public struct SentMessage: Sendable, Hashable {
    /// The connection it is sent through.
    public let connectionID: AgentConnectionID
    /// Its number in the connection, both directions together.
    public let id: AgentMessageID
    /// Its number among the messages sent, which the receiver sees.
    public let number: SenderMessageNumber
    /// When it was accepted for sending.
    public let sentAt: StoredTime
    /// What kind of message it is.
    public let type: String
    /// How it is treated on its way, or nil.
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

/// Where the body of a message to send is.
public enum SentBody: Sendable, Hashable {
    /// Stored with the message, for it alone.
    case own(SecretBytes)
    /// Stored apart, so that further messages can share it: the new message has its id.
    case toShare(SecretBytes)
    /// The one a message of the same profile was sent with.
    case shared(AgentMessageBodyID)
}

/// What is to be sent, before the connection has numbered it.
public struct NewSentMessage: Sendable, Hashable {
    /// What kind of message it is.
    public let type: String
    /// How it is treated on its way, or nil.
    public let flags: String?
    /// The body, or whose body it shares.
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
    /// The queue it goes through.
    public let queue: QueueNumber
    /// What is to be delivered.
    public let message: SentMessage

    package init(id: AgentDeliveryID, queue: QueueNumber, message: SentMessage) {
        self.id = id
        self.queue = queue
        self.message = message
    }
}
