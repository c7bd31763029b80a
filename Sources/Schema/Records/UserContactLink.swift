/// A link by which others reach a profile: its address, or the link to one of its groups.
/// Rule: docs/domain.md, "Contacts".
public struct UserContactLink: Sendable, Hashable {
    /// Its number.
    public let id: UserContactLinkID
    /// The profile whose link it is.
    public let userID: UserID
    /// The group it leads to; nil for the profile's address.
    public let groupID: GroupID?
    /// The link in full.
    public let fullLink: String
    /// The short link, or nil.
    public let shortLink: String?
    /// What happens to those who ask by it.
    public let autoAccept: AutoAccept
    /// The random id by which the members of the group know the link.
    public let groupLinkID: String?
    /// What those who join by it may do.
    public let memberRole: GroupMemberRole?

    package init(
        id: UserContactLinkID, userID: UserID, groupID: GroupID?, fullLink: String, shortLink: String?,
        autoAccept: AutoAccept, groupLinkID: String?, memberRole: GroupMemberRole?
    ) {
        self.id = id
        self.userID = userID
        self.groupID = groupID
        self.fullLink = fullLink
        self.shortLink = shortLink
        self.autoAccept = autoAccept
        self.groupLinkID = groupLinkID
        self.memberRole = memberRole
    }
}

/// What a profile does with those who ask at its address.
public struct AutoAccept: Sendable, Hashable {
    /// Whether they are accepted unasked.
    public var isOn: Bool
    /// Whether they are accepted with a random profile.
    public var isIncognito: Bool
    /// The message whoever is accepted gets: a JSON document, or nil.
    public var reply: String?

    /// The settings; off when nothing is said.
    public init(isOn: Bool = false, isIncognito: Bool = false, reply: String? = nil) {
        self.isOn = isOn
        self.isIncognito = isIncognito
        self.reply = reply
    }
}
