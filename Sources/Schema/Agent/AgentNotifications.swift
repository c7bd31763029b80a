/// The id of a device's registration at a notification server: `tkn_id`.
public typealias NotificationTokenID = BytesID<NotificationToken>

/// The id of a subscription at a notification server: `ntf_sub_id`.
public typealias NotificationSubscriptionID = BytesID<NotificationSubscription>

/// The state of a device's registration with a notification server.
public enum NotificationTokenStatus: StoredText {
    /// Not registered.
    case new
    /// The server knows it and has sent a code to prove it.
    case registered
    /// The push service refused it.
    case invalid
    /// The device received the code.
    case confirmed
    /// The device receives notifications.
    case active
    /// The push service has dropped it.
    case expired
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a registration.
    public static let texts: StoredTexts<NotificationTokenStatus> = [
        .new: "NEW",
        .registered: "REGISTERED",
        .invalid: "INVALID",
        .confirmed: "CONFIRMED",
        .active: "ACTIVE",
        .expired: "EXPIRED",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The next action for the registration of a device.
public enum NotificationTokenAction: StoredText {
    /// Register it.
    case register
    /// Send the code back.
    case verify
    /// Query its state.
    case check
    /// Remove it.
    case delete
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a registration.
    public static let texts: StoredTexts<NotificationTokenAction> = [
        .register: "REGISTER",
        .verify: "VERIFY",
        .check: "CHECK",
        .delete: "DELETE",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The way in which notifications reach the device.
public enum NotificationMode: StoredText {
    /// The push service wakes the device from time to time.
    case periodic
    /// The push service wakes the device for every message.
    case instant
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// Periodic first.
    public static let texts: StoredTexts<NotificationMode> = [
        .periodic: "PERIODIC",
        .instant: "INSTANT",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The state of a subscription to a connection's queue.
public enum NotificationSubscriptionStatus: StoredText {
    /// The agent has yet to create it.
    case new
    /// The notification server has yet to subscribe.
    case pending
    /// The notification server watches the queue.
    case active
    /// The notification server lost its connection to the message server.
    case inactive
    /// Another subscriber took over.
    case end
    /// The message server refused.
    case auth
    /// The subscription was deleted.
    case deleted
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a subscription.
    public static let texts: StoredTexts<NotificationSubscriptionStatus> = [
        .new: "NEW",
        .pending: "PENDING",
        .active: "ACTIVE",
        .inactive: "INACTIVE",
        .end: "END",
        .auth: "AUTH",
        .deleted: "DELETED",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The next action at the notification server.
public enum NotificationServerAction: StoredText {
    /// Make the subscription.
    case create
    /// Query its state.
    case check
    /// Remove it.
    case delete
    /// Remove it and make another.
    case rotate
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a subscription.
    public static let texts: StoredTexts<NotificationServerAction> = [
        .create: "N_CREATE",
        .check: "N_CHECK",
        .delete: "N_DELETE",
        .rotate: "N_ROTATE",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The next action at the message server.
public enum NotificationQueueAction: StoredText {
    /// Request a notifier id for the queue.
    case createKey
    /// Give the notifier id back.
    case delete
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a notifier's life.
    public static let texts: StoredTexts<NotificationQueueAction> = [
        .createKey: "S_KEY",
        .delete: "S_DELETE",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The registration of this device with a notification server, for all profiles.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationToken: Sendable, Hashable {
    /// The push service.
    public let provider: String
    /// The device's address at the push service.
    public let deviceToken: SecretBytes
    /// The notification server.
    public let server: AgentServerID
    /// The registration's id at the server; nil until registered.
    public let id: NotificationTokenID?
    /// Its keys.
    public let keys: NotificationTokenKeys
    /// Shared with the server; nil until registered.
    public let secret: SecretBytes?
    /// Its state.
    public let status: NotificationTokenStatus
    /// The next action, or nil.
    public let action: NotificationTokenAction?
    /// The way of delivering notifications; nil when the user has not chosen.
    public let mode: NotificationMode?

    package init(
        provider: String, deviceToken: SecretBytes, server: AgentServerID, id: NotificationTokenID?,
        keys: NotificationTokenKeys, secret: SecretBytes?, status: NotificationTokenStatus,
        action: NotificationTokenAction?, mode: NotificationMode?
    ) {
        self.provider = provider
        self.deviceToken = deviceToken
        self.server = server
        self.id = id
        self.keys = keys
        self.secret = secret
        self.status = status
        self.action = action
        self.mode = mode
    }
}

/// The keys of a registration.
public struct NotificationTokenKeys: Sendable, Hashable {
    /// Its public key.
    public let publicKey: SecretBytes
    /// Authorizes commands to the server.
    public let privateKey: SecretBytes
    /// Public key for what the server sends.
    public let dhPublicKey: SecretBytes
    /// Private key for what the server sends.
    public let dhPrivateKey: SecretBytes

    /// Keys as they were made.
    public init(publicKey: SecretBytes, privateKey: SecretBytes, dhPublicKey: SecretBytes, dhPrivateKey: SecretBytes) {
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.dhPublicKey = dhPublicKey
        self.dhPrivateKey = dhPrivateKey
    }
}

/// A connection watched by a notification server.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationSubscription: Sendable, Hashable {
    /// The connection.
    public let connectionID: AgentConnectionID
    /// The message server with its queue; nil when not known.
    public let queueServer: AgentServerID?
    /// The queue's notifier id; nil until the message server gave one.
    public let notifierID: QueueID?
    /// The notification server.
    public let server: AgentServerID
    /// Its id at the notification server; nil until made.
    public let id: NotificationSubscriptionID?
    /// Its state.
    public let status: NotificationSubscriptionStatus
    /// The next action and its server; nil for no action.
    public let action: NotificationAction?
    /// The time when the next action is due; nil for no action.
    public let dueAt: StoredTime?
    /// Whether the agent gave up the action.
    public let isFailed: Bool

    package init(
        connectionID: AgentConnectionID, queueServer: AgentServerID?, notifierID: QueueID?, server: AgentServerID,
        id: NotificationSubscriptionID?, status: NotificationSubscriptionStatus, action: NotificationAction?,
        dueAt: StoredTime?, isFailed: Bool
    ) {
        self.connectionID = connectionID
        self.queueServer = queueServer
        self.notifierID = notifierID
        self.server = server
        self.id = id
        self.status = status
        self.action = action
        self.dueAt = dueAt
        self.isFailed = isFailed
    }
}

/// The next action for a subscription: at one of the two servers, never at both.
public enum NotificationAction: Sendable, Hashable {
    /// At the notification server.
    case notificationServer(NotificationServerAction)
    /// At the message server.
    case messageServer(NotificationQueueAction)
}

extension CatalogueTable {
    /// Push notifications: the servers that send them, this device's tokens there, and the connections they watch.
    static let agentNotifications: [CatalogueTable] = [
        CatalogueTable(
            "ntf_servers", "A notification server.",
            [
                .personal("ntf_host", "host name, or several separated by commas, as in the server's address"),
                .personal("ntf_port", "port as text"),
                .personal("ntf_key_hash", "hash of the server's identity key, base64url with padding"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "ntf_tokens", "This device's registration with a notification server, for all profiles.",
            [
                .public("provider", "the push service"),
                .secret("device_token", "the device's address at the push service"),
                .personal("ntf_host", "the notification server, with the port"),
                .personal("ntf_port", "the notification server's port as text"),
                .personal("tkn_id", "the registration's id at the server; NULL until registered"),
                .secret("tkn_pub_key", "public key of the registration"),
                .secret("tkn_priv_key", "private key, which authorizes commands to the server"),
                .secret("tkn_pub_dh_key", "public key for what the server sends"),
                .secret("tkn_priv_dh_key", "private key for what the server sends"),
                .secret("tkn_dh_secret", "the secret shared with the server; NULL until registered"),
                .state("tkn_status", "how far the registration is", NotificationTokenStatus.self),
                .public("tkn_action", "what is to be done next with it, or NULL"),
                .public("ntf_mode", "how notifications are delivered, or NULL when not chosen"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "ntf_subscriptions", "A connection watched by a notification server.",
            [
                .personal("conn_id", "the connection"),
                .personal("smp_host", "the message server with its queue; NULL when not known"),
                .personal("smp_port", "the message server's port as text"),
                .personal("smp_ntf_id", "the queue's notifier id; NULL until the message server gave one"),
                .personal("ntf_host", "the notification server, with the port"),
                .personal("ntf_port", "the notification server's port as text"),
                .personal("ntf_sub_id", "the subscription's id at the notification server; NULL until made"),
                .state(
                    "ntf_sub_status", "how far the subscription is", NotificationSubscriptionStatus.self,
                    others: ["ERR", "SERVICE"]),
                .public("ntf_sub_action", "what is to be done next at the notification server, or NULL"),
                .public("ntf_sub_smp_action", "what is to be done next at the message server, or NULL"),
                .public("ntf_sub_action_ts", "when the next act is due, UTC, or NULL"),
                .public("ntf_failed", "1 when the act at the notification server will not be tried again"),
                .public("smp_failed", "1 when the act at the message server will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
