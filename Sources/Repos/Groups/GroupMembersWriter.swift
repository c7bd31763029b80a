import Engine
import Schema

/// Rows of members, for the operations that make them.
struct GroupMembersWriter: Writer {
    typealias Failure = GroupsError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Makes the profile's own membership: owner, creator, with its own name and profile.
    func insertOwner(of group: GroupID, memberID: String, user: User) throws(GroupsError) {
        try run(
            """
            INSERT INTO group_members (
                user_id, group_id, member_id, member_role, member_category, member_status,
                local_display_name, contact_profile_id, contact_id, created_at, updated_at)
            SELECT user_id, \(group), \(memberID), \(GroupMemberRole.owner), \(GroupMemberCategory.user),
                \(GroupMemberStatus.creator), local_display_name, contact_profile_id, contact_id, \(now), \(now)
            FROM contacts
            WHERE contact_id = \(user.contactID) AND user_id = \(user.id)
            """)
    }

    /// Makes the member that a relay is in a channel: invited, not yet there.
    func insertRelay(
        in group: GroupID, memberID: String, name: String, user: User
    ) throws(GroupsError) -> GroupMemberID {
        let localName = try DisplayNamesWriter(tx: tx, clock: clock).claim(name, of: user.id)
        let profile = ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (user_id, display_name, created_at, updated_at)
                VALUES (\(user.id), \(name), \(now), \(now))
                """, returning: "contact_profile_id"))
        return GroupMemberID(
            try insert(
                """
                INSERT INTO group_members (
                    user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id, created_at, updated_at)
                VALUES (
                    \(user.id), \(group), \(memberID), \(GroupMemberRole.relay), \(GroupMemberCategory.invitee),
                    \(GroupMemberStatus.invited), \(localName), \(profile), \(now), \(now))
                """, returning: "group_member_id"))
    }
}
