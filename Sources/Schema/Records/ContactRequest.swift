/// Somebody who asked to be a contact and has no answer yet. Rule: docs/domain.md, "Contacts".
public struct ContactRequest: Sendable, Hashable {
    /// Its number.
    public let id: ContactRequestID
    /// The profile that was asked.
    public let userID: UserID
    /// The link they came by; nil when it is gone.
    public let linkID: UserContactLinkID?
    /// The agent's id of the request, by which it is answered.
    public let agentInvitationID: InvitationID
    /// The random id by which a repeated request is known; old apps send none.
    public let xContactID: String?
    /// What they say of themselves.
    public let profile: ContactProfile
    /// What the profile lists them as.
    public let localDisplayName: String
    /// The contact they are already, made before the answer; mostly nil.
    public let contactID: ContactID?
    /// When they asked, the last time.
    public let updatedAt: StoredTime

    package init(
        id: ContactRequestID, userID: UserID, linkID: UserContactLinkID?, agentInvitationID: InvitationID,
        xContactID: String?, profile: ContactProfile, localDisplayName: String, contactID: ContactID?,
        updatedAt: StoredTime
    ) {
        self.id = id
        self.userID = userID
        self.linkID = linkID
        self.agentInvitationID = agentInvitationID
        self.xContactID = xContactID
        self.profile = profile
        self.localDisplayName = localDisplayName
        self.contactID = contactID
        self.updatedAt = updatedAt
    }
}
