package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Chat relays", In use.
extension ChatRelaysRepo {
    /// All relays of a profile with the number of channels that use each, in the order of `all(of:)` and in one
    /// statement. None is an empty list.
    public func usage(of user: UserID, includingDeleted: Bool = false) throws(ChatRelaysError) -> [RelayWithUse] {
        try usage(ofEach: [user], includingDeleted: includingDeleted)
    }

    /// The same for several profiles, by profile.
    package func usage(ofEach users: [UserID], includingDeleted: Bool = false) throws(ChatRelaysError) -> [RelayWithUse] {
        // Most relays of a long list are in no channel: only those that are, are counted for.
        try all(
            """
            SELECT \(ChatRelay.columns), coalesce(used.channels_using, 0) AS channels_using,
                coalesce(used.channels_active, 0) AS channels_active,
                CASE WHEN used.chat_relay_id IS NULL THEN 0 ELSE 1 END AS is_referenced
            FROM chat_relays
            LEFT JOIN (
                SELECT chat_relays.chat_relay_id, \(Self.useColumns)
                FROM chat_relays
                JOIN group_relays ON group_relays.chat_relay_id = chat_relays.chat_relay_id
                \(Self.ownMember)
                WHERE chat_relays.user_id IN (\(list: users.map(\.rawValue)))
                GROUP BY chat_relays.chat_relay_id
            ) used ON used.chat_relay_id = chat_relays.chat_relay_id
            WHERE chat_relays.user_id IN (\(list: users.map(\.rawValue)))
                AND chat_relays.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY chat_relays.user_id, chat_relays.preset DESC, chat_relays.chat_relay_id
            """)
    }

    /// How many channels use a relay, soft-deleted or not. Throws `relayNotFound`.
    public func use(of id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> RelayUseCount {
        try usage(of: id, of: user).use
    }

    /// A relay, soft-deleted or not, with its use. Throws `relayNotFound`.
    func usage(of id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> RelayWithUse {
        let usage: RelayWithUse? = try first(
            """
            SELECT \(ChatRelay.columns), \(Self.useColumns),
                CASE WHEN count(group_relays.group_relay_id) > 0 THEN 1 ELSE 0 END AS is_referenced
            FROM chat_relays
            LEFT JOIN group_relays ON group_relays.chat_relay_id = chat_relays.chat_relay_id
            \(Self.ownMember)
            WHERE chat_relays.chat_relay_id = \(id) AND chat_relays.user_id = \(user)
            GROUP BY chat_relays.chat_relay_id
            """)
        guard let usage else { throw .relayNotFound(.id(id)) }
        return usage
    }

    /// The channels that use a relay, soft-deleted or not, with how far it is in each; newest chat first. A channel that
    /// it was added to once more is told once, with the part it has since. None is an empty list. Throws `relayNotFound`.
    public func usedBy(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> [RelayChannel] {
        _ = try get(id, of: user, includingDeleted: true)
        return try all(
            """
            SELECT groups.group_id, groups.local_display_name, group_profiles.display_name,
                group_relays.relay_status, group_relays.relay_link
            FROM group_relays
            JOIN group_members own ON own.group_id = group_relays.group_id AND \(GroupMember.ownIsCurrent)
            JOIN groups ON groups.group_id = group_relays.group_id
            JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            WHERE group_relays.chat_relay_id = \(id) AND own.user_id = \(user)
                AND \(GroupRelay.isLatest)
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// A channel counts once, however many of its rows refer to the relay.
    private static let useColumns: Query = """
        count(DISTINCT own.group_id) AS channels_using,
        count(DISTINCT CASE WHEN group_relays.relay_status = \(RelayStatus.active) THEN own.group_id END)
            AS channels_active
        """

    /// The profile's own part in the channel, if it is in it.
    private static let ownMember: Query = """
        LEFT JOIN group_members own ON own.group_id = group_relays.group_id
            AND own.user_id = chat_relays.user_id AND \(GroupMember.ownIsCurrent)
        """
}

extension RelayWithUse: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            relay: ChatRelay(row: row),
            use: RelayUseCount(using: row.get("channels_using"), active: row.get("channels_active")),
            isReferenced: row.get("is_referenced"))
    }
}

extension RelayChannel: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            groupID: row.get("group_id"), localDisplayName: row.get("local_display_name"),
            displayName: row.get("display_name"), status: row.get("relay_status"), relayLink: row.get("relay_link"))
    }
}
