package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// A group or channel that no list has, because its row of `groups` or of `group_profiles` is lost. Rule:
/// docs/domain.md, "Groups and channels", Lost groups.
package struct LostGroup: Sendable, Hashable {
    /// Its number.
    package let id: GroupID
    /// Whether it is a channel. If its row is lost, the mark of a channel is lost with it: the relays of a channel are
    /// still there.
    package let isChannel: Bool
    /// The name that the profile gives it; nil if its row of `groups` is lost.
    package let localDisplayName: String?

    package init(id: GroupID, isChannel: Bool, localDisplayName: String?) {
        self.id = id
        self.isChannel = isChannel
        self.localDisplayName = localDisplayName
    }
}

extension GroupsRepo {
    /// The groups and channels of a profile whose rows of `groups` are lost: their members still refer to them. Sorted by
    /// number; the list is empty when there are none. Each step is a look-up in an index.
    package func lost(of user: UserID) throws(GroupsError) -> [LostGroup] {
        try all(
            """
            WITH RECURSIVE found(n) AS (
                SELECT min(group_id) FROM group_members
                UNION ALL
                SELECT (SELECT min(group_id) FROM group_members WHERE group_id > found.n)
                FROM found WHERE found.n IS NOT NULL)
            SELECT found.n AS group_id, NULL AS local_display_name,
                CASE WHEN EXISTS (SELECT 1 FROM group_relays WHERE group_relays.group_id = found.n)
                    OR EXISTS (
                        SELECT 1 FROM group_members relays
                        WHERE relays.group_id = found.n AND relays.member_role = \(GroupMemberRole.relay))
                    THEN 1 ELSE 0 END AS use_relays
            FROM found
            WHERE NOT EXISTS (SELECT 1 FROM groups WHERE groups.group_id = found.n)
                AND EXISTS (
                    SELECT 1 FROM group_members own WHERE own.group_id = found.n AND own.user_id = \(user))
            ORDER BY found.n
            """)
    }

    /// The names of group profiles that no group has. Those of lost groups are among them; a deletion may have left
    /// others. Sorted by number; the list is empty when there are none.
    package func namesWithoutGroup(of user: UserID) throws(GroupsError) -> [String] {
        let rows: [ProfileNameRow] = try all(
            """
            SELECT group_profiles.display_name FROM group_profiles
            WHERE group_profiles.user_id = \(user) AND NOT EXISTS (
                SELECT 1 FROM groups WHERE groups.group_profile_id = group_profiles.group_profile_id)
            ORDER BY group_profiles.group_profile_id
            """)
        return rows.map(\.name)
    }

    /// The groups and channels of a profile that no list has because their row of `group_profiles` is missing. Sorted by
    /// number; the list is empty when there are none.
    package func withoutProfile(of user: UserID) throws(GroupsError) -> [LostGroup] {
        try all(
            """
            SELECT groups.group_id, groups.local_display_name, groups.use_relays FROM groups
            WHERE groups.user_id = \(user) AND NOT EXISTS (
                SELECT 1 FROM group_profiles WHERE group_profiles.group_profile_id = groups.group_profile_id)
            ORDER BY groups.group_id
            """)
    }
}

extension LostGroup: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_id"), isChannel: row.get("use_relays"),
            localDisplayName: row.get("local_display_name"))
    }
}

private struct ProfileNameRow: RowRecord {
    let name: String

    init(row: ResultRow) throws(StoreError) { name = try row.get("display_name") }
}
