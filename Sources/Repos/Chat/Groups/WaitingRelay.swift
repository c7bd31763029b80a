package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A relay that is not active in a channel the profile is in.
/// Rule: docs/domain.md, "Group relays".
public struct WaitingRelay: Sendable, Hashable {
    /// The profile.
    public let userID: UserID
    /// The channel.
    public let groupID: GroupID
    /// The relay, which may be soft-deleted.
    public let chatRelayID: ChatRelayID
    /// How far it is.
    public let status: RelayStatus
}

extension GroupRelaysRepo {
    /// The relays that are not active in the channels several profiles are in, by profile, each newest chat first, then
    /// in the order they were chosen; in one statement.
    package func waiting(ofEach users: [UserID]) throws(GroupsError) -> [WaitingRelay] {
        try all(
            """
            SELECT groups.user_id, groups.group_id, group_relays.chat_relay_id, group_relays.relay_status
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            WHERE groups.user_id IN (\(list: users.map(\.rawValue)))
                AND group_relays.relay_status <> \(RelayStatus.active) AND \(GroupRelay.isLatest)
                AND EXISTS (SELECT 1 FROM group_members own WHERE own.group_id = groups.group_id
                    AND \(GroupMember.ownIsCurrent))
            ORDER BY groups.user_id, groups.chat_ts DESC, groups.group_id DESC, group_relays.group_relay_id
            """)
    }
}

extension WaitingRelay: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            userID: row.get("user_id"), groupID: row.get("group_id"), chatRelayID: row.get("chat_relay_id"),
            status: row.get("relay_status"))
    }
}
