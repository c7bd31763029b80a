public import Engine
public import Schema

/// The members of the groups of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupMembersRepo: Repository {
    typealias Failure = GroupsError
    let tx: any ReadTransaction

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
}
