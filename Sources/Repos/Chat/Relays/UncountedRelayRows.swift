package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// A row of `group_relays` that refers to a relay and counts for no channel of the relay's profile. Because of it,
/// deleting the relay is soft. Rule: docs/domain.md, "Chat relays", Deleting.
package struct UncountedRelayRow: Sendable, Hashable {
    /// Why a row does not count.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The channel does not have the member of the row as a relay.
        case memberMissing
        /// The channel belongs to another profile.
        case otherProfile
        /// The channel does not exist.
        case groupMissing
    }

    /// The row.
    package let id: GroupRelayID
    /// The channel that the row names.
    package let groupID: GroupID
    /// The profile's own name for the channel; nil for a channel of another profile, and for one that does not exist.
    package let channel: String?
    /// The profile of the channel; nil if it is hidden, or if the channel does not exist.
    package let userID: UserID?
    /// The name of that profile; nil as the number.
    package let userName: String?
    /// The status that the row has.
    package let status: RelayStatus
    /// Why it does not count.
    package let reason: Reason
    /// Whether the channel has the member, with a role that this build does not know. Nothing is lost then.
    package let hasUnknownRole: Bool
}

extension ChatRelaysRepo {
    /// The rows that refer to a relay of the profile, soft-deleted or not, without counting, by number. The list is
    /// empty when there are none, also for a relay of another profile.
    package func uncounted(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> [UncountedRelayRow] {
        try all(
            """
            SELECT group_relays.group_relay_id, group_relays.group_id, group_relays.relay_status,
                CASE WHEN groups.group_id IS NULL THEN \(UncountedRelayRow.Reason.groupMissing.rawValue)
                    WHEN groups.user_id = \(user) THEN \(UncountedRelayRow.Reason.memberMissing.rawValue)
                    ELSE \(UncountedRelayRow.Reason.otherProfile.rawValue) END AS reason,
                CASE WHEN \(GroupRelay.hasUnknownRole) THEN 1 ELSE 0 END AS has_unknown_role,
                CASE WHEN groups.user_id = \(user) THEN groups.local_display_name END AS channel_name,
                owner.user_id AS owner_user_id, owner.local_display_name AS owner_name
            FROM group_relays
            LEFT JOIN groups ON groups.group_id = group_relays.group_id
            LEFT JOIN users owner ON owner.user_id = groups.user_id
                AND (owner.view_pwd_hash IS NULL OR owner.user_id = \(user))
            LEFT JOIN group_members ON \(GroupRelay.isMember("group_members", of: "group_relays"))
            WHERE group_relays.chat_relay_id = \(id)
                AND EXISTS (
                    SELECT 1 FROM chat_relays
                    WHERE chat_relays.chat_relay_id = group_relays.chat_relay_id AND chat_relays.user_id = \(user))
                AND (groups.group_id IS NULL OR groups.user_id <> \(user) OR group_members.group_member_id IS NULL)
            ORDER BY group_relays.group_relay_id
            """)
    }
}

extension UncountedRelayRow: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        let reason = Reason(rawValue: try row.get("reason"))
        try self.init(
            id: row.get("group_relay_id"), groupID: row.get("group_id"), channel: row.get("channel_name"),
            userID: row.get("owner_user_id"), userName: row.get("owner_name"), status: row.get("relay_status"),
            reason: reason ?? .memberMissing, hasUnknownRole: row.get("has_unknown_role"))
    }
}
