public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

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

    /// The part of a relay with a number, or nil; that of another profile is nil.
    public func find(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay? {
        try first(
            """
            SELECT \(ChannelRelay.columns)
            FROM group_relays
            JOIN \(ChannelRelay.tables)
            WHERE group_relays.group_relay_id = \(id) AND chat_relays.user_id = \(user)
            """)
    }

    /// The part of a relay with a number. Throws `groupRelayNotFound`.
    public func get(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        guard let relay = try find(id, of: user) else { throw .groupRelayNotFound(.id(id)) }
        return relay
    }

    /// The part that a member plays as a relay, or nil: at most one, and none of a member who is a person.
    public func find(member: GroupMemberID, of user: UserID) throws(GroupsError) -> ChannelRelay? {
        try first(
            """
            SELECT \(ChannelRelay.columns)
            FROM group_relays
            JOIN \(ChannelRelay.tables)
            WHERE group_relays.group_member_id = \(member) AND chat_relays.user_id = \(user)
            """)
    }

    /// The parts of a relay in all channels that refer to it, those that were left too, in the order they were made.
    /// None is an empty list, also for a relay of another profile.
    public func all(ofRelay relay: ChatRelayID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        try all(
            """
            SELECT \(ChannelRelay.columns)
            FROM group_relays
            JOIN \(ChannelRelay.tables)
            WHERE group_relays.chat_relay_id = \(relay) AND chat_relays.user_id = \(user)
            ORDER BY group_relays.group_relay_id
            """)
    }

    /// The relays that a channel publishes: accepted, acknowledged or active, with a member that is connected; in the
    /// order they were chosen. None is an empty list. Throws `groupNotFound`.
    public func published(of group: GroupID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        _ = try GroupsRepo(tx).get(group, of: user)
        return try all(
            """
            SELECT \(ChannelRelay.columns)
            FROM group_relays
            JOIN \(ChannelRelay.tables)
            WHERE group_relays.group_id = \(group) AND chat_relays.user_id = \(user)
                AND group_relays.relay_status IN (\(list: RelayStatus.known.filter(\.isPublishable).map(\.text)))
                AND group_members.member_status = \(GroupMemberStatus.connected)
            ORDER BY group_relays.group_relay_id
            """)
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

    /// The parts of the relays of a row of `groups`, with the condition begun.
    static let ofGroup: Query = """
        group_relays JOIN \(tables)
        WHERE group_relays.group_id = groups.group_id AND chat_relays.user_id = groups.user_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            groupRelay: GroupRelay(row: row), relay: ChatRelay(row: row), memberStatus: row.get("member_status"))
    }
}
