import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Groups and channels" and "Prepared groups".
extension StoreCheck {
    static let ofGroups = [
        StoreCheck(
            "groupWithoutOwnMember", .error, "groups in which the profile has no membership of its own",
            isGeneral: true, needs: ["group_members"],
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
        StoreCheck(
            "unfinishedChannel", .warning, "channels whose creation is not finished", isGeneral: true
        ) { checked, found in
            let now = StoredTime.now()
            try checked.forEach(
                """
                SELECT group_id, created_at,
                    (SELECT user_id FROM users
                        WHERE users.user_id = groups.user_id AND view_pwd_hash IS NULL) AS visible_user_id
                FROM groups WHERE creating_in_progress = 1 ORDER BY group_id
                """, &found
            ) { row, found in
                let id: Int64 = try row.get("group_id")
                let user: Int64? = try row.get("visible_user_id")
                let age = age(of: StoredTime(text: try row.get("created_at")), at: now)
                found.add("\(id) (\(user.map { "profile \($0), " } ?? "")\(age))")
            }
        },
    ]

    /// The age of a row in whole days: `3 days old`.
    private static func age(of creation: StoredTime?, at now: StoredTime) -> String {
        guard let creation else { return "of unknown age" }
        let days = (now.microseconds - creation.microseconds) / 86_400_000_000
        return days < 1 ? "less than a day old" : days == 1 ? "1 day old" : "\(days) days old"
    }

    private static let isStartedWithoutLink: Query = """
        conn_full_link_to_connect IS NULL AND conn_short_link_to_connect IS NULL
        AND (conn_link_prepared_connection = 1 OR conn_link_started_connection = 1)
        """
}
