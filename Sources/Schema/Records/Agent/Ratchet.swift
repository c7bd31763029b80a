/// The encryption state of a connection. Rule: docs/domain.md, "Agent database", Ratchets.
public struct Ratchet: Sendable, Hashable {
    /// The connection it encrypts.
    public let connectionID: AgentConnectionID
    /// Our keys of the agreement; nil once it is done.
    public let agreement: AgreementKeys?
    /// The ratchet; nil until it is agreed.
    public let state: SecretBytes?
    /// The version of the encryption both sides use.
    public let version: Int

    package init(connectionID: AgentConnectionID, agreement: AgreementKeys?, state: SecretBytes?, version: Int) {
        self.connectionID = connectionID
        self.agreement = agreement
        self.state = state
        self.version = version
    }
}

/// Our two pairs of keys for agreeing on a ratchet (X3DH).
public struct AgreementKeys: Sendable, Hashable {
    /// First private key.
    public let private1: SecretBytes
    /// Second private key.
    public let private2: SecretBytes
    /// First public key, to send it again; nil in old rows.
    public let public1: SecretBytes?
    /// Second public key, to send it again; nil in old rows.
    public let public2: SecretBytes?

    /// Keys as they were made.
    public init(
        private1: SecretBytes, private2: SecretBytes, public1: SecretBytes? = nil, public2: SecretBytes? = nil
    ) {
        self.private1 = private1
        self.private2 = private2
        self.public1 = public1
        self.public2 = public2
    }
}

/// The key of a message that has not come although later ones have.
public struct SkippedMessageKey: Sendable, Hashable {
    /// Key of the message's header.
    public let headerKey: SecretBytes
    /// The message's number in its chain.
    public let messageNumber: Int64
    /// Key of the message.
    public let messageKey: SecretBytes

    /// A key the ratchet made on its way past the message.
    public init(headerKey: SecretBytes, messageNumber: Int64, messageKey: SecretBytes) {
        self.headerKey = headerKey
        self.messageNumber = messageNumber
        self.messageKey = messageKey
    }
}
