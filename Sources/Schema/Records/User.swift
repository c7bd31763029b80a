/// A profile, as the store has it; what protects a hidden one is not part of it. Rule: docs/domain.md, "Profiles".
public struct User: Sendable, Hashable {
    /// Its number in the chat database.
    public let id: UserID
    /// Its number in the agent database.
    public let agentUserID: AgentUserID
    /// The contact that stands for the profile itself.
    public let contactID: ContactID
    /// The name by which it is told from the other profiles of the store.
    public let name: String
    /// Whether it is the one in use; at most one is.
    public let isActive: Bool
    /// The higher, the later it was activated.
    public let activeOrder: Int64
    /// Whether it is left out of lists, exports and reports.
    public let isHidden: Bool
    /// Whether its messages may raise notifications; those of a hidden profile never do.
    public let showsNotifications: Bool
    /// Whether its contacts get delivery receipts, where nothing else is set for the contact.
    public let sendsReceiptsToContacts: Bool
    /// Whether members of its small groups get delivery receipts, where nothing else is set for the group.
    public let sendsReceiptsToSmallGroups: Bool

    package init(
        id: UserID, agentUserID: AgentUserID, contactID: ContactID, name: String, isActive: Bool, activeOrder: Int64,
        isHidden: Bool, showsNotifications: Bool, sendsReceiptsToContacts: Bool, sendsReceiptsToSmallGroups: Bool
    ) {
        self.id = id
        self.agentUserID = agentUserID
        self.contactID = contactID
        self.name = name
        self.isActive = isActive
        self.activeOrder = activeOrder
        self.isHidden = isHidden
        self.showsNotifications = showsNotifications
        self.sendsReceiptsToContacts = sendsReceiptsToContacts
        self.sendsReceiptsToSmallGroups = sendsReceiptsToSmallGroups
    }
}
