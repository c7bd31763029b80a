import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// Rows of members, for the operations that make them.
extension GroupMembersWriter {
    /// Makes the profile's own membership, with its own name and profile.
    func insertOwn(
        in group: GroupID, memberID: String, role: GroupMemberRole, status: GroupMemberStatus, user: User
    ) throws(GroupsError) {
        try run(
            """
            INSERT INTO group_members (
                user_id, group_id, member_id, member_role, member_category, member_status,
                local_display_name, contact_profile_id, contact_id, created_at, updated_at)
            SELECT user_id, \(group), \(memberID), \(role), \(GroupMemberCategory.user), \(status),
                local_display_name, contact_profile_id, contact_id, \(now), \(now)
            FROM contacts
            WHERE contact_id = \(user.contactID) AND user_id = \(user.id)
            """)
    }

    /// Makes a member that was checked, with a name and a profile of its own.
    func insert(_ member: NewMember, in group: GroupID, of user: UserID) throws(GroupsError) -> GroupMemberID {
        let localName = try claimName(member.name, of: user)
        let profile = ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (user_id, display_name, created_at, updated_at)
                VALUES (\(user), \(member.name), \(now), \(now))
                """, returning: "contact_profile_id"))
        return GroupMemberID(
            try insert(
                """
                INSERT INTO group_members (
                    user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id, created_at, updated_at)
                VALUES (
                    \(user), \(group), \(member.memberID), \(member.role), \(member.category), \(member.status),
                    \(localName), \(profile), \(now), \(now))
                """, returning: "group_member_id"))
    }
}
