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
            ], remedy: "Delete them with chatdb group delete, or in the app."),
        StoreCheck(
            "startedWithoutLink", .error, "groups that are being joined by a link, and have none",
            rows: ["SELECT group_id FROM groups WHERE \(isStartedWithoutLink) ORDER BY group_id"],
            remedy: "chatdb check --fix takes the marks off.",
            repair: .statement(
                "takes the marks off",
                """
                UPDATE groups SET conn_link_prepared_connection = 0, conn_link_started_connection = 0
                WHERE \(isStartedWithoutLink)
                """)),
        StoreCheck(
            "joinedWithoutStart", .warning, "groups the profile is in, whose next step is to join them",
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
            ], remedy: "Joining again would make a second membership: find out which program made them."),
    ]

    private static let isStartedWithoutLink: Query = """
        conn_full_link_to_connect IS NULL AND conn_short_link_to_connect IS NULL
        AND (conn_link_prepared_connection = 1 OR conn_link_started_connection = 1)
        """
}

/// Rule: docs/domain.md, "Group relays".
extension StoreCheck {
    static let ofGroupRelays = [
        StoreCheck(
            "groupRelayWithoutMember", .error, "relays of channels whose member is none, another group's, or no relay",
            rows: [
                """
                SELECT group_relay_id FROM group_relays LEFT JOIN group_members
                    ON group_members.group_member_id = group_relays.group_member_id
                    AND group_members.group_id = group_relays.group_id AND group_members.member_role = 'relay'
                WHERE group_members.group_member_id IS NULL ORDER BY group_relay_id
                """
            ], remedy: "Remove the relay from the channel in the app, and add it again."),
        StoreCheck(
            "groupRelayOfOtherProfile", .error, "channels that use a relay of another profile",
            rows: [
                """
                SELECT group_relay_id FROM group_relays JOIN groups USING (group_id) JOIN chat_relays
                    ON chat_relays.chat_relay_id = group_relays.chat_relay_id
                WHERE chat_relays.user_id <> groups.user_id ORDER BY group_relay_id
                """
            ], remedy: "Remove the relay from the channel in the app, and add one of the profile's own."),
        StoreCheck(
            "groupRelayOutsideChannel", .warning, "groups with relays that are no channels",
            rows: [
                """
                SELECT DISTINCT groups.group_id FROM group_relays JOIN groups USING (group_id)
                WHERE use_relays = 0 ORDER BY groups.group_id
                """
            ], remedy: "Find out which program made them; their relays are not used."),
        StoreCheck(
            "acceptedRelayWithoutLink", .warning, "relays that took a channel, whose link for it is not known",
            rows: [
                """
                SELECT group_relay_id FROM group_relays
                WHERE relay_status IN ('accepted', 'acknowledged_roster', 'active') AND coalesce(relay_link, '') = ''
                ORDER BY group_relay_id
                """
            ], remedy: "Remove the relay from the channel in the app, and add it again."),
        StoreCheck(
            "channelWithoutRelay", .warning, "channels of a profile's own that have no relay",
            rows: [
                """
                SELECT group_id FROM groups
                WHERE use_relays = 1 AND NOT EXISTS (SELECT 1 FROM group_relays WHERE group_id = groups.group_id)
                    AND EXISTS (
                        SELECT 1 FROM group_members
                        WHERE group_id = groups.group_id AND member_category = 'user' AND member_role = 'owner'
                            AND member_status = 'creator')
                ORDER BY group_id
                """
            ], remedy: "Nobody can read or join them: add a relay in the app."),
    ]
}

/// Rule: docs/domain.md, "Connections".
extension StoreCheck {
    static let ofConnections = [
        StoreCheck(
            "wrongConnectionType", .warning, "connections of another type than their owner has",
            rows: [
                """
                SELECT connection_id FROM connections
                WHERE conn_type IN ('contact', 'member', 'user_contact', 'snd_file', 'rcv_file') AND conn_type <> CASE
                    WHEN group_member_id IS NOT NULL THEN 'member' WHEN user_contact_link_id IS NOT NULL THEN 'user_contact'
                    WHEN snd_file_id IS NOT NULL THEN 'snd_file' WHEN rcv_file_id IS NOT NULL THEN 'rcv_file'
                    ELSE 'contact' END
                ORDER BY connection_id
                """
            ], remedy: "Find out which program made them; an app may take them for something else."),
        StoreCheck(
            "deletedConnectionSubscribed", .warning,
            "connections that were given up, and are still to be subscribed to",
            rows: ["SELECT connection_id FROM connections WHERE \(isGivenUp) ORDER BY connection_id"],
            remedy: "chatdb check --fix takes the mark off.",
            repair: .statement("takes the mark off", "UPDATE connections SET to_subscribe = 0 WHERE \(isGivenUp)")),
    ]

    private static let isGivenUp: Query = "to_subscribe = 1 AND conn_status = 'deleted'"
}
