/// The other side's answer to an invitation, until the connection is complete.
public struct AgentConfirmation: Sendable, Hashable {
    /// Its id.
    public let id: ConfirmationID
    /// The connection it is for.
    public let connectionID: AgentConnectionID
    /// The other side's public key for the queue's encryption.
    public let e2ePublicKey: SecretBytes
    /// By which the server will know the sender, or nil.
    public let senderKey: SecretBytes?
    /// The ratchet made from the answer.
    public let ratchetState: SecretBytes
    /// What the other side says of itself, encoded.
    public let senderInfo: SecretBytes
    /// Whether this side has accepted.
    public let isAccepted: Bool
    /// What this side says of itself, encoded; nil until accepted.
    public let ownInfo: SecretBytes?

    package init(
        id: ConfirmationID, connectionID: AgentConnectionID, e2ePublicKey: SecretBytes, senderKey: SecretBytes?,
        ratchetState: SecretBytes, senderInfo: SecretBytes, isAccepted: Bool, ownInfo: SecretBytes?
    ) {
        self.id = id
        self.connectionID = connectionID
        self.e2ePublicKey = e2ePublicKey
        self.senderKey = senderKey
        self.ratchetState = ratchetState
        self.senderInfo = senderInfo
        self.isAccepted = isAccepted
        self.ownInfo = ownInfo
    }
}

/// An answer as it came.
public struct NewAgentConfirmation: Sendable, Hashable {
    /// An id of its own, made by the caller.
    public let id: ConfirmationID
    /// The other side's public key for the queue's encryption.
    public let e2ePublicKey: SecretBytes
    /// By which the server will know the sender, or nil.
    public let senderKey: SecretBytes?
    /// The ratchet made from the answer.
    public let ratchetState: SecretBytes
    /// What the other side says of itself, encoded.
    public let senderInfo: SecretBytes

    /// An answer.
    public init(
        id: ConfirmationID, e2ePublicKey: SecretBytes, senderKey: SecretBytes? = nil, ratchetState: SecretBytes,
        senderInfo: SecretBytes
    ) {
        self.id = id
        self.e2ePublicKey = e2ePublicKey
        self.senderKey = senderKey
        self.ratchetState = ratchetState
        self.senderInfo = senderInfo
    }
}
