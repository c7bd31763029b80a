import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Group relays".
extension GroupRelaysRepo {
    /// The relays of all channels of a profile, soft-deleted ones too, each channel's in the order they were chosen, in
    /// one statement. A group without relays is not in it.
    public func all(of user: UserID) throws(GroupsError) -> [GroupID: [ChannelRelay]] {
        let relays: [ChannelRelay] = try all(
            """
            SELECT \(ChannelRelay.columns)
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            JOIN \(ChannelRelay.tables)
            WHERE groups.user_id = \(user) AND chat_relays.user_id = \(user)
            ORDER BY group_relays.group_relay_id
            """)
        return Dictionary(grouping: relays, by: \.groupRelay.groupID)
    }
}
