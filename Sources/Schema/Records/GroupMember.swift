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

    package init(
        id: GroupMemberID, groupID: GroupID, memberID: String, localDisplayName: String, role: GroupMemberRole,
        category: GroupMemberCategory, status: GroupMemberStatus
    ) {
        self.id = id
        self.groupID = groupID
        self.memberID = memberID
        self.localDisplayName = localDisplayName
        self.role = role
        self.category = category
        self.status = status
    }
}
