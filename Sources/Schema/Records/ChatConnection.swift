/// A connection of the agent, as the chat database knows it. Rule: docs/domain.md, "Connections".
public struct ChatConnection: Sendable, Hashable {
    /// Its number.
    public let id: ConnectionID
    /// The profile whose connection it is.
    public let userID: UserID
    /// The agent's id of it.
    public let agentID: AgentConnectionID
    /// How far it has come.
    public let status: ConnectionStatus
    /// What it is for.
    public let type: ConnectionType
    /// Whose it is; nil while the contact is not known.
    public let owner: ConnectionOwner?
    /// The profile's link by which it came, or nil.
    public let viaLink: UserContactLinkID?
    /// The random profile used with it, or nil.
    public let incognitoProfileID: ContactProfileID?
    /// The one-time invitation it was made from or for, or nil.
    public let invitation: String?
    /// The name it has while nobody has answered, may be empty.
    public let localAlias: String
    /// Whether the agent has yet to subscribe to it.
    public let isToSubscribe: Bool

    package init(
        id: ConnectionID, userID: UserID, agentID: AgentConnectionID, status: ConnectionStatus, type: ConnectionType,
        owner: ConnectionOwner?, viaLink: UserContactLinkID?, incognitoProfileID: ContactProfileID?,
        invitation: String?, localAlias: String, isToSubscribe: Bool
    ) {
        self.id = id
        self.userID = userID
        self.agentID = agentID
        self.status = status
        self.type = type
        self.owner = owner
        self.viaLink = viaLink
        self.incognitoProfileID = incognitoProfileID
        self.invitation = invitation
        self.localAlias = localAlias
        self.isToSubscribe = isToSubscribe
    }
}

/// What a connection belongs to.
public enum ConnectionOwner: Sendable, Hashable {
    /// A contact.
    case contact(ContactID)
    /// A member of a group.
    case member(GroupMemberID)
    /// An address or group link, at which it listens.
    case link(UserContactLinkID)
    /// A file that goes over it; only in old stores.
    case sentFile(FileID)
    /// A file that comes over it; only in old stores.
    case receivedFile(FileID)
}
