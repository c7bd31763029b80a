/// Somebody's request to connect, received through one of the profile's addresses.
public struct AgentInvitation: Sendable, Hashable {
    /// Its id.
    public let id: InvitationID
    /// The connection of the address it came through.
    public let addressID: AgentConnectionID
    /// The invitation to answer, with its queues and keys.
    public let invitation: SecretBytes
    /// What the requester says of themselves, encoded.
    public let senderInfo: SecretBytes
    /// Whether this side has accepted.
    public let isAccepted: Bool
    /// What this side says of itself, encoded; nil until accepted.
    public let ownInfo: SecretBytes?

    package init(
        id: InvitationID, addressID: AgentConnectionID, invitation: SecretBytes, senderInfo: SecretBytes,
        isAccepted: Bool, ownInfo: SecretBytes?
    ) {
        self.id = id
        self.addressID = addressID
        self.invitation = invitation
        self.senderInfo = senderInfo
        self.isAccepted = isAccepted
        self.ownInfo = ownInfo
    }
}
