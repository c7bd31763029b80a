/// A queue at a server to which this device sends, with its keys.
/// Rule: docs/domain.md, "Agent database", Queues.
public struct SendQueue: Sendable, Hashable {
    /// Its server, and its id for the sender.
    public let address: QueueAddress
    /// The connection it belongs to.
    public let connectionID: AgentConnectionID
    /// Its number within the connection.
    public let number: QueueNumber
    /// Whether it is the connection's primary queue to send to.
    public let isPrimary: Bool
    /// The queue it is to replace, or nil.
    public let replaces: QueueNumber?
    /// How far its own move to another server is; nil when it does not move.
    public let switchStatus: SendSwitchStatus?
    /// How far it is set up.
    public let status: QueueStatus
    /// Its keys and secrets.
    public let keys: SendQueueKeys
    /// Whether it is on its way out: nothing new is sent through it.
    public let isDeleted: Bool

    package init(
        address: QueueAddress, connectionID: AgentConnectionID, number: QueueNumber, isPrimary: Bool,
        replaces: QueueNumber?, switchStatus: SendSwitchStatus?, status: QueueStatus, keys: SendQueueKeys,
        isDeleted: Bool
    ) {
        self.address = address
        self.connectionID = connectionID
        self.number = number
        self.isPrimary = isPrimary
        self.replaces = replaces
        self.switchStatus = switchStatus
        self.status = status
        self.keys = keys
        self.isDeleted = isDeleted
    }
}

/// The keys and secrets of a queue to send to.
public struct SendQueueKeys: Sendable, Hashable {
    /// The sender's public key, given to the server; nil in old rows.
    public let publicKey: SecretBytes?
    /// Authorizes the sender's commands to the server.
    public let privateKey: SecretBytes
    /// For the encryption between sender and receiver; nil when the receiver has it.
    public let e2ePublicKey: SecretBytes?
    /// Shared with the receiver.
    public let e2eSecret: SecretBytes

    /// The keys of a new queue.
    public init(
        publicKey: SecretBytes? = nil, privateKey: SecretBytes, e2ePublicKey: SecretBytes? = nil, e2eSecret: SecretBytes
    ) {
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.e2ePublicKey = e2ePublicKey
        self.e2eSecret = e2eSecret
    }
}
