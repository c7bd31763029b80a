public import Engine
public import Schema

/// A relay of a channel, with the relay of the profile and the member it is.
public struct ChannelRelay: Sendable, Hashable {
    /// Its part in the channel.
    public let groupRelay: GroupRelay
    /// The relay, which may be soft-deleted.
    public let relay: ChatRelay
    /// Where its membership stands.
    public let memberStatus: GroupMemberStatus

    package init(groupRelay: GroupRelay, relay: ChatRelay, memberStatus: GroupMemberStatus) {
        self.groupRelay = groupRelay
        self.relay = relay
        self.memberStatus = memberStatus
    }

    /// The host of the link the relay made for the channel; before it made one, that of the relay's address.
    public var host: String { groupRelay.relayLink.map(linkHost) ?? relay.host }
}

/// The relays of the channels of a profile, on the owner's side. Rule: docs/domain.md, "Group relays".
public struct GroupRelaysRepo: Repository {
    typealias Failure = GroupsError
    let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The relays of a channel, soft-deleted ones too, in the order they were chosen. None is an empty list: a group,
    /// a channel of somebody else. Throws `groupNotFound`.
    public func all(of group: GroupID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        _ = try GroupsRepo(tx).get(group, of: user)
        return try all(
            """
            SELECT \(ChannelRelay.columns)
            FROM group_relays
            JOIN \(ChannelRelay.tables)
            WHERE group_relays.group_id = \(group) AND chat_relays.user_id = \(user)
            ORDER BY group_relays.group_relay_id
            """)
    }

    /// How far the relays of each channel of a profile are, in one statement. A group without relays is not in it.
    public func progress(of user: UserID) throws(GroupsError) -> [GroupID: RelayProgress] {
        let rows: [ProgressRow] = try all(
            """
            SELECT group_relays.group_id, count(*) AS relays_total,
                count(CASE WHEN group_relays.relay_status = \(RelayStatus.active) THEN 1 END) AS relays_active
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            WHERE groups.user_id = \(user)
            GROUP BY group_relays.group_id
            """)
        return Dictionary(rows.map { ($0.groupID, $0.progress) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ChannelRelay: RowRecord {
    static let columns: Query = """
        \(GroupRelay.columns), group_members.member_status,
        chat_relays.user_id, chat_relays.address, chat_relays.address_key, chat_relays.display_name,
        chat_relays.domains, chat_relays.preset, chat_relays.tested, chat_relays.tested_at,
        chat_relays.enabled, chat_relays.deleted
        """

    /// To be joined to `group_relays`.
    static let tables: Query = """
        chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id
        JOIN group_members ON group_members.group_member_id = group_relays.group_member_id
        """

    init(row: ResultRow) throws(StoreError) {
        try self.init(
            groupRelay: GroupRelay(row: row), relay: ChatRelay(row: row), memberStatus: row.get("member_status"))
    }
}

private struct ProgressRow: RowRecord {
    let groupID: GroupID
    let progress: RelayProgress

    init(row: ResultRow) throws(StoreError) {
        groupID = try row.get("group_id")
        progress = RelayProgress(active: try row.get("relays_active"), total: try row.get("relays_total"))
    }
}
