public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The members of the groups of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupMembersRepo: Repository {
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The members of a group with a role, of those past and present, by number. None is an empty list, also for a
    /// group of another profile.
    public func all(
        with role: GroupMemberRole, in group: GroupID, of user: UserID
    ) throws(GroupsError) -> [GroupMember] {
        try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_role = \(role) AND user_id = \(user)
            ORDER BY group_member_id
            """)
    }

    /// The member with a number, past or present, or nil; that of another profile is nil.
    public func find(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember? {
        try first(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_member_id = \(id) AND user_id = \(user)
            """)
    }

    /// The member with a number, past or present. Throws `memberNotFound`.
    public func get(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember {
        guard let member = try find(id, of: user) else { throw .memberNotFound(.id(id)) }
        return member
    }

    /// The member, past or present, whom a group knows by an id, or nil; in a group of another profile nil.
    public func find(
        memberID: String, in group: GroupID, of user: UserID
    ) throws(GroupsError) -> GroupMember? {
        try first(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_id = \(memberID) AND user_id = \(user)
            """)
    }

    /// The owners who are in a group now, the profile itself among them, by number. None is an empty list: an owner may
    /// not be known yet. Throws `groupNotFound`.
    public func owners(of group: GroupID, of user: UserID) throws(GroupsError) -> [GroupMember] {
        _ = try GroupsRepo(tx).get(group, of: user)
        return try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_role = \(GroupMemberRole.owner)
                AND member_status IN (\(list: GroupMemberStatus.currentTexts)) AND user_id = \(user)
            ORDER BY group_member_id
            """)
    }

    /// Whether the profile may leave a group: it is in it, or at its door, and not its only owner. Throws
    /// `groupNotFound`.
    public func mayLeave(_ group: GroupID, of user: UserID) throws(GroupsError) -> Bool {
        let group = try GroupsRepo(tx).get(group, of: user).group
        return try reasonToStay(in: group) == nil
    }

    /// Why the profile cannot leave a group, or nil: `notInGroup` or `soleOwner`.
    func reasonToStay(in group: Group) throws(GroupsError) -> GroupsError? {
        guard let own = group.membership, !own.status.isHistory, own.status != .unknownMember else {
            return .notInGroup(group)
        }
        return try isSoleOwner(group) ? .soleOwner(group) : nil
    }

    /// Whether the profile owns a group and nobody else in it does.
    func isSoleOwner(_ group: Group) throws(GroupsError) -> Bool {
        guard group.isCurrent, group.membership?.role == .owner else { return false }
        return try owners(of: group.id, of: group.userID).allSatisfy(\.isOwn)
    }
}
