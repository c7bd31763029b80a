import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Relay operators".
extension StoreCheck {
    static let ofRelayService = [
        StoreCheck(
            "severalChatRelays", .warning, "profiles that are chat relays beside the one that the app serves",
            isGeneral: true,
            rows: [
                """
                SELECT CASE WHEN view_pwd_hash IS NULL THEN user_id END FROM users
                WHERE is_user_chat_relay = 1
                    AND user_id > (SELECT min(user_id) FROM users WHERE is_user_chat_relay = 1)
                ORDER BY user_id
                """
            ]),
        StoreCheck(
            "relayServiceWithoutRole", .error,
            "channels that a profile relays, or is asked to relay, and in which its role is not relay", isGeneral: true
        ) { checked, found in
            // A role that this version does not know has a check of its own.
            try addMembers(
                """
                JOIN groups ON groups.group_id = group_members.group_id
                WHERE groups.relay_own_status IN (\(list: servingStatuses))
                    AND group_members.member_category = 'user'
                    AND group_members.member_role <> \(GroupMemberRole.relay)
                    AND group_members.member_role IN (\(list: GroupMemberRole.known.map(\.text)))
                """, checked, &found)
        },
        StoreCheck(
            "unknownOwnRelayStatus", .warning,
            "channels in which the own status of a profile as a relay is one that this version does not know",
            isGeneral: true
        ) { checked, found in
            try addGroups(
                "WHERE relay_own_status NOT IN (\(list: RelayStatus.known.map(\.text)))", checked, &found)
        },
        StoreCheck(
            "relayRequestIncomplete", .warning,
            "requests to relay a channel that wait, and whose link, invitation or version is missing",
            isGeneral: true,
            rows: [
                """
                SELECT group_id FROM groups
                WHERE relay_own_status = 'invited' AND relay_request_failed = 0 AND relay_request_err_reason IS NULL
                    AND (relay_request_inv_id IS NULL OR relay_request_group_link IS NULL
                        OR relay_request_peer_chat_min_version IS NULL OR relay_request_peer_chat_max_version IS NULL)
                ORDER BY group_id
                """
            ]),
        StoreCheck(
            "deliveryTaskWithoutMessage", .warning, "delivery tasks that wait, and whose message is missing",
            isGeneral: true,
            rows: [
                """
                SELECT delivery_task_id FROM delivery_tasks
                WHERE task_status = 'new' AND failed = 0 AND NOT EXISTS (
                    SELECT 1 FROM messages WHERE messages.message_id = delivery_tasks.message_id)
                ORDER BY delivery_task_id
                """
            ]),
        StoreCheck(
            "deliveryJobWithoutBody", .warning, "delivery jobs that wait, and have nothing to deliver",
            isGeneral: true,
            rows: [
                """
                SELECT delivery_job_id FROM delivery_jobs
                WHERE job_status = 'pending' AND failed = 0 AND body IS NULL ORDER BY delivery_job_id
                """
            ]),
    ]

    /// The own statuses of a relay that was asked or serves the channel: its role decides what it passes on.
    private static let servingStatuses = RelayStatus.known.filter { $0 == .invited || $0.isPublishable }.map(\.text)
}
