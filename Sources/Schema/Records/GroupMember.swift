/// A member of a group; the profile itself and the relays of a channel are members too. Rule: docs/domain.md,
/// "Groups and channels".
public struct GroupMember: Sendable, Hashable {
    /// Its number.
    public let id: GroupMemberID
    /// The group.
    public let groupID: GroupID
    /// By which the group knows the member.
    public let memberID: String
    /// What the profile calls it.
    public let localDisplayName: String
    /// What it may do.
    public let role: GroupMemberRole
    /// How the profile came to know it.
    public let category: GroupMemberCategory
    /// Where it stands.
    public let status: GroupMemberStatus
    /// Of a relay: the link at which it serves the channel; nil otherwise, and until it is known.
    public let relayLink: String?

    package init(
        id: GroupMemberID, groupID: GroupID, memberID: String, localDisplayName: String, role: GroupMemberRole,
        category: GroupMemberCategory, status: GroupMemberStatus, relayLink: String?
    ) {
        self.id = id
        self.groupID = groupID
        self.memberID = memberID
        self.localDisplayName = localDisplayName
        self.role = role
        self.category = category
        self.status = status
        self.relayLink = relayLink
    }

    /// Whether it is the profile itself.
    public var isOwn: Bool { category == .user }
}
