/// A queue at a server from which this device receives, with its keys.
/// Rule: docs/domain.md, "Agent database", Queues.
public struct ReceiveQueue: Sendable, Hashable {
    /// Its server, and its id for the receiver.
    public let address: QueueAddress
    /// The connection it belongs to.
    public let connectionID: AgentConnectionID
    /// Its number within the connection.
    public let number: QueueNumber
    /// Whether it is the connection's primary queue to receive from.
    public let isPrimary: Bool
    /// The queue it is to replace, or nil.
    public let replaces: QueueNumber?
    /// How far its own move to another server is; nil when it does not move.
    public let switchStatus: ReceiveSwitchStatus?
    /// How far it is set up.
    public let status: QueueStatus
    /// Its id for the sender.
    public let senderID: QueueID
    /// Its keys and secrets.
    public let keys: ReceiveQueueKeys
    /// By what notifications name it; nil without.
    public let notifier: QueueNotifier?
    /// Whether it is being deleted at its server.
    public let isDeleted: Bool
    /// How often deleting it at its server has failed.
    public let deleteErrors: Int

    package init(
        address: QueueAddress, connectionID: AgentConnectionID, number: QueueNumber, isPrimary: Bool,
        replaces: QueueNumber?, switchStatus: ReceiveSwitchStatus?, status: QueueStatus, senderID: QueueID,
        keys: ReceiveQueueKeys, notifier: QueueNotifier?, isDeleted: Bool, deleteErrors: Int
    ) {
        self.address = address
        self.connectionID = connectionID
        self.number = number
        self.isPrimary = isPrimary
        self.replaces = replaces
        self.switchStatus = switchStatus
        self.status = status
        self.senderID = senderID
        self.keys = keys
        self.notifier = notifier
        self.isDeleted = isDeleted
        self.deleteErrors = deleteErrors
    }
}

/// The keys and secrets of a queue to receive from.
public struct ReceiveQueueKeys: Sendable, Hashable {
    /// Authorizes the receiver's commands to the server.
    public let privateKey: SecretBytes
    /// Shared with the server (`rcv_dh_secret`).
    public let serverSecret: SecretBytes
    /// For the encryption between sender and receiver.
    public let e2ePrivateKey: SecretBytes
    /// Shared with the sender; nil until its first message.
    public let e2eSecret: SecretBytes?
    /// By which the server knows the sender; nil until secured.
    public let senderKey: SecretBytes?

    /// The keys of a new queue; those of the other side are not known yet.
    public init(
        privateKey: SecretBytes, serverSecret: SecretBytes, e2ePrivateKey: SecretBytes, e2eSecret: SecretBytes? = nil,
        senderKey: SecretBytes? = nil
    ) {
        self.privateKey = privateKey
        self.serverSecret = serverSecret
        self.e2ePrivateKey = e2ePrivateKey
        self.e2eSecret = e2eSecret
        self.senderKey = senderKey
    }
}

/// The notifier of a queue: its id, and the keys for what a notification holds.
public struct QueueNotifier: Sendable, Hashable {
    /// By which a notification names the queue.
    public let id: QueueID
    /// Its public key.
    public let publicKey: SecretBytes
    /// Its private key.
    public let privateKey: SecretBytes
    /// Decrypts the queue's notifications (`rcv_ntf_dh_secret`).
    public let secret: SecretBytes

    /// A notifier as the server gave it.
    public init(id: QueueID, publicKey: SecretBytes, privateKey: SecretBytes, secret: SecretBytes) {
        self.id = id
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.secret = secret
    }
}
