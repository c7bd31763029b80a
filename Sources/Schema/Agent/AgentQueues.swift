/// The id of a queue on its server; unique together with the server's host and port.
public typealias QueueID = BytesID<QueueRow>

/// A row of `rcv_queues` or `snd_queues`. It has no values: it only sets the identifiers of queues apart.
public enum QueueRow {}

/// The number of a queue within its connection and direction: `rcv_queue_id` or `snd_queue_id`.
public typealias QueueNumber = RowID<QueueRow>

/// The place of a queue: its server and its id there.
public struct QueueAddress: Hashable, Sendable, CustomStringConvertible {
    /// The server.
    public let server: AgentServerID
    /// The id at the server: the receiver's for a queue to receive from, the sender's for one to send to, the
    /// notifier's in a notification.
    public let id: QueueID

    /// A queue at a server. The row need not exist.
    public init(server: AgentServerID, id: QueueID) {
        self.server = server
        self.id = id
    }

    /// `id at host:port`.
    public var description: String { "\(id) at \(server)" }
}

/// The state of a queue, in either direction. Rule: docs/domain.md, "Agent database", Queues.
public enum QueueStatus: StoredText {
    /// The queue was created and not used yet.
    case new
    /// The other side has identified itself.
    case confirmed
    /// Only the other side can send to it.
    case secured
    /// Messages go through it.
    case active
    /// Another queue has replaced it.
    case disabled
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a queue goes through them.
    public static let texts: StoredTexts<QueueStatus> = [
        .new: "new",
        .confirmed: "confirmed",
        .secured: "secured",
        .active: "active",
        .disabled: "disabled",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

extension QueueStatus {
    /// Whether this status may be followed by another: a later one, or the same. From or to a status that
    /// this build does not know no step is allowed. Rule: docs/domain.md, "Agent database", Queues.
    public func mayBecome(_ next: QueueStatus) -> Bool {
        if self == next { return true }
        guard let from = Self.known.firstIndex(of: self), let to = Self.known.firstIndex(of: next) else { return false }
        return from < to
    }
}

/// The steps of moving a queue from which this device receives to another server.
public enum ReceiveSwitchStatus: StoredText {
    /// The user requested the move.
    case switchStarted
    /// The receiver sends the new queue to the sender.
    case sendingQADD
    /// The receiver asks the sender to use the new queue.
    case sendingQUSE
    /// A message came through the new queue.
    case receivedMessage
    /// The sender's message `QEND` came. Only the newest versions of SimpleX Chat store it.
    case receivedQEND
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of the move.
    public static let texts: StoredTexts<ReceiveSwitchStatus> = [
        .switchStarted: "switch_started",
        .sendingQADD: "sending_qadd",
        .sendingQUSE: "sending_quse",
        .receivedMessage: "received_message",
        .receivedQEND: "received_qend",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The steps of moving a queue to which this device sends to another server.
public enum SendSwitchStatus: StoredText {
    /// The sender sends the receiver its key for the new queue.
    case sendingQKEY
    /// The sender sends a test message through the new queue.
    case sendingQTEST
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of the move.
    public static let texts: StoredTexts<SendSwitchStatus> = [
        .sendingQKEY: "sending_qkey",
        .sendingQTEST: "sending_qtest",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

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
    /// The step of its move to another server; nil when it does not move.
    public let switchStatus: ReceiveSwitchStatus?
    /// Its state.
    public let status: QueueStatus
    /// Its id for the sender.
    public let senderID: QueueID
    /// Its keys and secrets.
    public let keys: ReceiveQueueKeys
    /// The notifier, by which notifications name the queue; nil without.
    public let notifier: QueueNotifier?
    /// Whether the agent is deleting it at its server.
    public let isDeleted: Bool
    /// The number of failed attempts to delete it at its server.
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
    /// The key of the encryption between sender and receiver.
    public let e2ePrivateKey: SecretBytes
    /// Shared with the sender; nil until its first message.
    public let e2eSecret: SecretBytes?
    /// The key by which the server knows the sender; nil until secured.
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
    /// The id by which a notification names the queue.
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
    /// The step of its move to another server; nil when it does not move.
    public let switchStatus: SendSwitchStatus?
    /// Its state.
    public let status: QueueStatus
    /// Its keys and secrets.
    public let keys: SendQueueKeys
    /// Whether nothing new is sent through it, because it will be removed.
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
    /// The key of the encryption between sender and receiver; nil when the receiver has it.
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

extension CatalogueTable {
    /// The queues at the servers: of each connection, one or more to receive from and to send to.
    static let agentQueues: [CatalogueTable] = [
        CatalogueTable(
            "rcv_queues", "A queue at a server from which this device receives.",
            [
                .personal("host", "the server it is on, with the port"),
                .personal("port", "the server's port as text"),
                .personal("rcv_id", "the queue's id for the receiver"),
                .personal("conn_id", "the connection it belongs to"),
                .public("rcv_queue_id", "the queue's number within its connection"),
                .public("rcv_primary", "1 for the one primary queue of the connection"),
                .public("replace_rcv_queue_id", "number of the queue it is to replace, or NULL"),
                .state("switch_status", "how far the move to another server is, or NULL", ReceiveSwitchStatus.self),
                .secret("rcv_private_key", "the receiver's key, which authorizes its commands to the server"),
                .secret("rcv_dh_secret", "the secret shared with the server"),
                .secret("e2e_priv_key", "private key for the encryption between sender and receiver"),
                .secret("e2e_dh_secret", "the secret shared with the sender; NULL until its first message"),
                .personal("snd_id", "the queue's id for the sender"),
                .secret("snd_key", "the key by which the server knows the sender; NULL until secured"),
                .state("status", "how far the queue is set up", QueueStatus.self),
                .personal("ntf_id", "the notifier id, by which a notification names the queue; NULL without"),
                .secret("ntf_public_key", "public key for notifications of this queue"),
                .secret("ntf_private_key", "private key for notifications of this queue"),
                .secret("rcv_ntf_dh_secret", "the secret that decrypts the queue's notifications"),
                .public("deleted", "1 while it is being deleted at its server"),
                .public("delete_errors", "how often deleting it at its server has failed"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_queues", "A queue at a server to which this device sends.",
            [
                .personal("host", "the server it is on, with the port"),
                .personal("port", "the server's port as text"),
                .personal("snd_id", "the queue's id for the sender"),
                .personal("conn_id", "the connection it belongs to"),
                .public("snd_queue_id", "the queue's number within its connection"),
                .public("snd_primary", "1 for the one primary queue of the connection"),
                .public("replace_snd_queue_id", "number of the queue it is to replace, or NULL"),
                .state("switch_status", "how far the move to another server is, or NULL", SendSwitchStatus.self),
                .secret("snd_public_key", "the sender's public key, given to the server"),
                .secret("snd_private_key", "the sender's key, which authorizes its commands to the server"),
                .secret("e2e_pub_key", "public key for the encryption between sender and receiver"),
                .secret("e2e_dh_secret", "the secret shared with the receiver"),
                .state("status", "how far the queue is set up", QueueStatus.self),
                .public("deleted", "1 when it is on its way out: nothing new is sent through it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
