import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// Rule: docs/domain.md, "Group relays".
extension StoreCheck {
    static let ofGroupRelays = [
        StoreCheck(
            "groupRelayWithoutMember", .error,
            "relays of channels whose member is missing, of another group, or not a relay", isGeneral: true,
            needs: ["group_members"],
            rows: [
                """
                SELECT group_relay_id FROM group_relays LEFT JOIN group_members
                    ON group_members.group_member_id = group_relays.group_member_id
                    AND group_members.group_id = group_relays.group_id AND group_members.member_role = 'relay'
                WHERE group_members.group_member_id IS NULL ORDER BY group_relay_id
                """
            ]),
        StoreCheck(
            "groupRelayOfOtherProfile", .error, "channels that use a relay of another profile", isGeneral: true,
            rows: [
                """
                SELECT group_relay_id FROM group_relays JOIN groups USING (group_id) JOIN chat_relays
                    ON chat_relays.chat_relay_id = group_relays.chat_relay_id
                WHERE chat_relays.user_id <> groups.user_id ORDER BY group_relay_id
                """
            ]),
        StoreCheck(
            "groupRelayOutsideChannel", .warning, "groups with relays that are not channels", isGeneral: true,
            rows: [
                """
                SELECT DISTINCT groups.group_id FROM group_relays JOIN groups USING (group_id)
                WHERE use_relays = 0 ORDER BY groups.group_id
                """
            ]),
        StoreCheck(
            "acceptedRelayWithoutLink", .warning, "relays that accepted a channel, and whose link for it is unknown",
            isGeneral: true,
            rows: [
                """
                SELECT 'relay ' || group_relays.group_relay_id || ' of group ' || group_relays.group_id
                    || \(profileOfGroup)
                FROM group_relays LEFT JOIN groups ON groups.group_id = group_relays.group_id
                WHERE group_relays.relay_status IN ('accepted', 'acknowledged_roster', 'active')
                    AND coalesce(group_relays.relay_link, '') = '' AND \(GroupRelay.isLatest)
                ORDER BY group_relays.group_relay_id
                """
            ]),
        StoreCheck(
            "channelWithoutRelay", .warning, "channels owned by a profile that have no relay", isGeneral: true,
            needs: ["group_relays", "group_members"],
            rows: [
                """
                SELECT groups.group_id || \(profileOfGroup) FROM groups
                WHERE use_relays = 1 AND NOT EXISTS (SELECT 1 FROM group_relays WHERE group_id = groups.group_id)
                    AND EXISTS (
                        SELECT 1 FROM group_members
                        WHERE group_id = groups.group_id AND member_category = 'user' AND member_role = 'owner'
                            AND member_status = 'creator')
                ORDER BY groups.group_id
                """
            ]),
        StoreCheck(
            "channelWithoutLink", .warning, "finished channels owned by a profile that have no link", isGeneral: true
        ) { checked, found in
            // Versions of SimpleX Chat had channels before their profiles had links.
            try checked.require("group_profiles", "group_link", in: .chat)
            for table in ["group_members", "user_contact_links"] { try checked.require(table, in: .chat) }
            try found.add(channelsWithoutLink, in: checked.transaction(.chat))
        },
    ]

    private static let channelsWithoutLink: Query = """
        SELECT groups.group_id || \(profileOfGroup) FROM groups
        JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
        WHERE groups.use_relays = 1 AND groups.creating_in_progress = 0 AND groups.business_chat IS NULL
            AND NOT \(UnfinishedChannel.hasLink)
            AND EXISTS (
                SELECT 1 FROM group_members own
                WHERE own.group_id = groups.group_id AND own.member_category = 'user' AND own.member_role = 'owner'
                    AND own.member_status IN (\(list: GroupMemberStatus.currentTexts)))
        ORDER BY groups.group_id
        """

    /// The profile of a row of `groups`, to be put behind its number: ` (profile 1)`. It is empty for a hidden profile.
    private static let profileOfGroup: Query = """
        coalesce((
            SELECT ' (profile ' || users.user_id || ')' FROM users
            WHERE users.user_id = groups.user_id AND users.view_pwd_hash IS NULL), '')
        """
}
