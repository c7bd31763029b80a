package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// A channel that has lost its row of a relay: a member with the name of the relay is still there. Whether the channel
/// uses the relay is unknown. Rule: docs/domain.md, "Chat relays", In use.
package struct ChannelOfLostRow: Sendable, Hashable {
    /// The channel.
    package let groupID: GroupID
    /// The name that the profile gives the channel.
    package let localDisplayName: String
}

extension ChatRelaysRepo {
    /// The channels of the profile that have lost their row of the relay, soft-deleted or not; newest chat first. The
    /// list is empty when there are none, also for a relay of another profile.
    package func channelsOfLostRows(
        _ id: ChatRelayID, of user: UserID
    ) throws(ChatRelaysError) -> [ChannelOfLostRow] {
        try all(
            """
            SELECT DISTINCT groups.group_id, groups.local_display_name, groups.chat_ts
            FROM \(Self.lostRows)
                AND chat_relays.chat_relay_id = \(id) AND chat_relays.user_id = \(user)
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// The channels that have lost a row, each with the relay of this row, to be narrowed further. The member has the
    /// name of the relay; nothing else of the row is left. A channel that the relay was added to again has a row.
    static let lostRows: Query = """
        groups
        JOIN group_members ON group_members.group_id = groups.group_id AND \(GroupMember.isRelayWithoutRow)
        JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
        JOIN chat_relays ON chat_relays.user_id = groups.user_id
            AND chat_relays.display_name = contact_profiles.display_name
        WHERE NOT EXISTS (
            SELECT 1 FROM group_relays present
            WHERE present.chat_relay_id = chat_relays.chat_relay_id AND present.group_id = groups.group_id)
        """
}

extension ChatRelay {
    /// The condition that a channel refers to a row of `chat_relays`: by a row of `group_relays`, also one that does
    /// not count, or by a member whose row is lost. Then the row of the relay stays when the relay is deleted. Rule:
    /// docs/domain.md, "Chat relays", Deleting.
    package static let isReferenced = isReferenced(besides: nil)

    /// The same without the rows and members of a group.
    static func isReferenced(besides group: GroupID?) -> Query {
        let isOther: Query = group.map { "AND referring.group_id <> \($0)" } ?? ""
        let isInOther: Query = group.map { "AND groups.group_id <> \($0)" } ?? ""
        return """
            (EXISTS (
                SELECT 1 FROM group_relays referring
                WHERE referring.chat_relay_id = chat_relays.chat_relay_id \(isOther))
            OR EXISTS (
                SELECT 1 FROM groups
                JOIN group_members ON group_members.group_id = groups.group_id AND \(GroupMember.isRelayWithoutRow)
                JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
                WHERE groups.user_id = chat_relays.user_id
                    AND contact_profiles.display_name = chat_relays.display_name \(isInOther)))
            """
    }
}

extension ChannelOfLostRow: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(groupID: row.get("group_id"), localDisplayName: row.get("local_display_name"))
    }
}
