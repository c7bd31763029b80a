package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension Group: RowRecord {
    static let columns: Query = """
        groups.group_id, groups.user_id, groups.local_display_name, group_profiles.display_name,
        group_profiles.group_link, groups.use_relays, groups.creating_in_progress, groups.chat_ts,
        own.group_member_id, own.member_role, own.member_status,
        groups.conn_full_link_to_connect, groups.conn_short_link_to_connect, groups.conn_link_started_connection
        """

    /// With the profile of the group and the own membership (`own`).
    static let tables: Query = """
        groups
        JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
        LEFT JOIN group_members own ON own.group_id = groups.group_id AND own.member_category = 'user'
        """

    /// The condition that the next step of a group is to connect: as ``Group/nextConnectPrepared``.
    static let isNextConnectPrepared: Query = """
        groups.conn_link_started_connection = 0
        AND coalesce(groups.conn_full_link_to_connect, groups.conn_short_link_to_connect) IS NOT NULL
        """

    package init(row: ResultRow) throws(StoreError) {
        let memberID: GroupMemberID? = try row.get("group_member_id")
        try self.init(
            id: row.get("group_id"), userID: row.get("user_id"), localDisplayName: row.get("local_display_name"),
            displayName: row.get("display_name"), link: row.get("group_link"), isChannel: row.get("use_relays"),
            isCreating: row.get("creating_in_progress"), chatTime: row.time("chat_ts"),
            membership: memberID.map { id throws(StoreError) in
                try Membership(memberID: id, role: row.get("member_role"), status: row.get("member_status"))
            },
            linkToConnect: GroupLink(
                storedFull: row.get("conn_full_link_to_connect"), short: row.get("conn_short_link_to_connect")),
            isStarted: row.get("conn_link_started_connection"))
    }
}
