import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Groups and channels" and "Prepared groups".
extension StoreCheck {
    static let ofGroups = [
        StoreCheck(
            "groupWithoutOwnMember", .error, "groups in which the profile has no membership of its own",
            rows: [
                """
                SELECT group_id FROM groups WHERE NOT EXISTS (
                    SELECT 1 FROM group_members WHERE group_id = groups.group_id AND member_category = 'user')
                ORDER BY group_id
                """
            ]),
        StoreCheck(
            "startedWithoutLink", .error, "groups that are being joined by a link, but have no link",
            rows: ["SELECT group_id FROM groups WHERE \(isStartedWithoutLink) ORDER BY group_id"],
            repair: .statement(
                "removes the marks",
                """
                UPDATE groups SET conn_link_prepared_connection = 0, conn_link_started_connection = 0
                WHERE \(isStartedWithoutLink)
                """)),
        StoreCheck(
            "joinedWithoutStart", .warning, "groups that the profile is in, and that are still marked to be joined",
            rows: [
                """
                SELECT group_id FROM groups
                WHERE coalesce(conn_full_link_to_connect, conn_short_link_to_connect) IS NOT NULL
                    AND conn_link_started_connection = 0 AND EXISTS (
                        SELECT 1 FROM group_members
                        WHERE group_id = groups.group_id AND member_category = 'user'
                            AND member_status IN (\(list: GroupMemberStatus.currentTexts)))
                ORDER BY group_id
                """
            ]),
    ]

    private static let isStartedWithoutLink: Query = """
        conn_full_link_to_connect IS NULL AND conn_short_link_to_connect IS NULL
        AND (conn_link_prepared_connection = 1 OR conn_link_started_connection = 1)
        """
}
