import ChatDBEngine
import ChatDBReposChat
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
            "unknownMemberWord", .warning,
            "own members and relays of groups with a role, status or category that this version does not know",
            isGeneral: true, walk: unknownWords),
        StoreCheck(
            "createdChannelWithoutOwner", .error, "channels that a profile created and that have no owner",
            isGeneral: true, walk: withoutOwner),
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
            "unfinishedChannel", .warning, "channels whose creation is not finished", isGeneral: true,
            walk: unfinished),
    ]

    /// Adds the own members and the relays, each with its group. Words of other members decide on nothing here.
    private static func unknownWords(_ checked: CheckContext, _ found: inout FoundRows) throws {
        try addMembers(
            """
            LEFT JOIN groups ON groups.group_id = group_members.group_id
            WHERE (group_members.member_category = 'user' OR group_members.member_role = 'relay'
                    OR EXISTS (
                        SELECT 1 FROM group_relays
                        WHERE group_relays.group_member_id = group_members.group_member_id))
                AND (group_members.member_role NOT IN (\(list: GroupMemberRole.known.map(\.text)))
                    OR group_members.member_status NOT IN (\(list: GroupMemberStatus.known.map(\.text)))
                    OR group_members.member_category NOT IN (\(list: GroupMemberCategory.known.map(\.text))))
            """, checked, &found)
    }

    /// Adds the own memberships. Another owner may have taken the role of an owner from the profile; then the channel has
    /// that owner. A role that this version does not know has a check of its own.
    private static func withoutOwner(_ checked: CheckContext, _ found: inout FoundRows) throws {
        try addMembers(
            """
            JOIN groups ON groups.group_id = group_members.group_id
            WHERE groups.use_relays = 1 AND group_members.member_category = 'user'
                AND group_members.member_status = \(GroupMemberStatus.creator)
                AND group_members.member_role IN (\(list: GroupMemberRole.known.map(\.text)))
                AND NOT EXISTS (
                    SELECT 1 FROM group_members other
                    WHERE other.group_id = groups.group_id AND other.member_role = \(GroupMemberRole.owner)
                        AND other.member_status IN (\(list: GroupMemberStatus.currentTexts)))
            """, checked, &found)
    }

    /// Adds the channels, each with its age and with what it lacks.
    private static func unfinished(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let now = StoredTime.now()
        // The tables and columns are those of one version. Without them, it is not known what a channel lacks.
        let isKnown = [
            ("group_profiles", "group_link"), ("user_contact_links", "group_id"), ("group_relays", "chat_relay_id"),
            ("chat_relays", "user_id"), ("group_members", "member_role"),
        ].allSatisfy { table, column in (try? checked.require(table, column, in: .chat)) != nil }
        let lacks: (link: Query, relay: Query) =
            isKnown
            ? ("NOT \(UnfinishedChannel.hasLink)", "NOT EXISTS (SELECT 1 FROM \(ChannelRelay.ofGroup))")
            : ("FALSE", "FALSE")
        try checked.forEach(
            """
            SELECT groups.group_id, groups.created_at, \(visibleUser) AS visible_user_id,
                CASE WHEN \(lacks.link) THEN 1 ELSE 0 END AS lacks_link,
                CASE WHEN \(lacks.relay) THEN 1 ELSE 0 END AS lacks_relay
            FROM groups LEFT JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            WHERE groups.creating_in_progress = 1 ORDER BY groups.group_id
            """, &found
        ) { row, found in
            let (lacksLink, lacksRelay): (Bool, Bool) = (try row.get("lacks_link"), try row.get("lacks_relay"))
            let missing = (lacksLink ? ["link"] : []) + (lacksRelay ? ["relay"] : [])
            let age = age(of: StoredTime(text: try row.get("created_at")), at: now)
            let clauses = [age] + (missing.isEmpty ? [] : ["without a \(missing.joined(separator: " and a "))"])
            try found.add(
                FoundRow("groups", row.get("group_id"), of: row.get("visible_user_id"), missing: missing),
                with: clauses)
        }
    }

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
