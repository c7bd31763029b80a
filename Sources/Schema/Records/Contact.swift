/// Somebody a profile talks to. Rule: docs/domain.md, "Contacts".
public struct Contact: Sendable, Hashable {
    /// Its number.
    public let id: ContactID
    /// The profile whose contact it is.
    public let userID: UserID
    /// What the profile lists it as, unlike anything else of the profile.
    public let localDisplayName: String
    /// What the contact says of themselves, and the alias the profile gave.
    public let profile: ContactProfile
    /// Whether there is a conversation to show.
    public let isUsed: Bool
    /// Whether it is still a contact.
    public let status: ContactStatus
    /// When something last happened in the chat.
    public let chatTime: StoredTime
    /// Whether it is marked a favourite.
    public let isFavourite: Bool
    /// Whether it is soft-deleted: only the conversation is kept.
    public let isDeleted: Bool
    /// The random profile by which the contact knows the profile; nil when it knows the real one.
    public let incognitoProfileID: ContactProfileID?

    package init(
        id: ContactID, userID: UserID, localDisplayName: String, profile: ContactProfile, isUsed: Bool,
        status: ContactStatus, chatTime: StoredTime, isFavourite: Bool, isDeleted: Bool,
        incognitoProfileID: ContactProfileID?
    ) {
        self.id = id
        self.userID = userID
        self.localDisplayName = localDisplayName
        self.profile = profile
        self.isUsed = isUsed
        self.status = status
        self.chatTime = chatTime
        self.isFavourite = isFavourite
        self.isDeleted = isDeleted
        self.incognitoProfileID = incognitoProfileID
    }

    /// What is shown: the alias the profile gave, or else the name in its lists.
    public var shownName: String { profile.localAlias.isEmpty ? localDisplayName : profile.localAlias }
}
