public import ChatDBSchema

/// Whom a notification is for: from the queue it names to the profile. Rule: docs/domain.md, "Between the two
/// databases".
public struct NotificationTarget: Sendable, Hashable {
    /// What the chat connection belongs to.
    public enum Entity: Sendable, Hashable {
        /// A contact.
        case contact(ContactID)
        /// A member of a group, and the group.
        case member(GroupMemberID, of: GroupID)
        /// A link of the profile's own.
        case link(UserContactLinkID)
        /// A file.
        case file(FileID)
        /// Nothing yet: a connection that is to become a contact.
        case none
    }

    /// The profile.
    public let user: User
    /// The connection in the chat database.
    public let connectionID: ConnectionID
    /// What the connection belongs to.
    public let entity: Entity
    /// The queue the notification names.
    public let queue: QueueAddress
    /// The connection in the agent database.
    public let agentConnectionID: AgentConnectionID
    /// Whether the connection's messages may raise a notification.
    public let hasNotifications: Bool
}
