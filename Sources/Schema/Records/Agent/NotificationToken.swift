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
    /// How far it is.
    public let status: NotificationTokenStatus
    /// What is to be done next, or nil.
    public let action: NotificationTokenAction?
    /// How notifications are delivered; nil when not chosen.
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
