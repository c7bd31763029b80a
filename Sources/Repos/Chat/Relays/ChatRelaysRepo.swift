public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The relays of a profile. Rule: docs/domain.md, "Chat relays".
///
/// Soft-deleted relays are in a result only where its description says so. An id of another profile is not found.
///
/// ```swift
/// let relays = try store.read { try ChatRelaysRepo($0).all(of: user.id) }
/// for relay in relays where relay.isEnabled { print(relay.name) }
/// ```
public struct ChatRelaysRepo: Repository {
    package typealias Failure = ChatRelaysError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All relays of a profile, presets first, then by number; with `includingDeleted` the soft-deleted ones too. The
    /// list is empty when there are none.
    public func all(of user: UserID, includingDeleted: Bool = false) throws(ChatRelaysError) -> [ChatRelay] {
        try all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY preset DESC, chat_relay_id
            """)
    }

    /// The relay of a profile with a number, or nil.
    public func find(
        _ id: ChatRelayID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE chat_relay_id = \(id) AND user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The relay of a profile with a number. Throws `relayNotFound`.
    public func get(
        _ id: ChatRelayID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatRelaysError) -> ChatRelay {
        guard let relay = try find(id, of: user, includingDeleted: includingDeleted) else {
            throw .relayNotFound(.id(id))
        }
        return relay
    }

    /// The relay of a profile that is the same relay as an address, with any text of the address; or nil.
    public func find(sameAs address: RelayAddress, of user: UserID) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND address_key = \(address.addressKey) AND deleted = 0
            """)
    }

    /// The soft-deleted relay of a profile that an address leads to, of several the newest, or nil.
    func findDeleted(sameAs address: RelayAddress, of user: UserID) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND address_key = \(address.addressKey) AND deleted = 1
            ORDER BY chat_relay_id DESC LIMIT 1
            """)
    }

    /// The relays of a profile with a name, compared trimmed and without case, by number. More than one only in a
    /// store that another app wrote; none for an empty name.
    public func find(named name: String, of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        let key = NameRule.key(name)
        if key.isEmpty { return [] }
        // In Swift, because a database folds the case of ASCII letters only.
        return try all(of: user).filter { NameRule.key($0.name) == key }.sorted { $0.id < $1.id }
    }

    /// The enabled relays of a profile, with those of operators that are off, presets first, then by number. The list
    /// is empty when there are none.
    public func enabled(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted = 0 AND enabled = 1
            ORDER BY preset DESC, chat_relay_id
            """)
    }

    /// The relays for "test all": enabled, and not of an operator that is off, because the app uses nothing of such an
    /// operator. Presets first, then by number; empty when there are none. Rule: docs/domain.md, "Chat relays",
    /// Testing.
    public func testable(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try ofOperatorsThatAreOn(enabled(of: user))
    }

    // MARK: - Choosing

    /// The relays a new channel may use: enabled, not deleted, with a valid address, and of an operator that is on,
    /// presets first, then by number. The list is empty when there are none. Rule: docs/domain.md, "Choosing relays".
    public func choosable(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try ofOperatorsThatAreOn(enabled(of: user)).filter(\.hasValidAddress)
    }

    private func ofOperatorsThatAreOn(_ relays: [ChatRelay]) throws(ChatRelaysError) -> [ChatRelay] {
        let operators: [ServerOperator] = try all(ServerOperator.list)
        return relays.filter { operators.owner(of: $0)?.isEnabled != false }
    }

    /// Chooses a number of different relays for a new channel, in the order of their numbers. The same generator
    /// chooses the same ones. Throws `noEnabledRelays` when no relay can be chosen, `notEnoughRelays` when there are
    /// fewer.
    public func choose(
        _ wanted: Int, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(ChatRelaysError) -> [ChatRelay] {
        let relays = try choosable(of: user)
        if relays.isEmpty { throw .noEnabledRelays }
        if relays.count < wanted { throw .notEnoughRelays(wanted: wanted, enabled: relays.count) }
        return relays.shuffled(using: &generator).prefix(max(0, wanted)).sorted { $0.id < $1.id }
    }
}

/// The channels of a profile that refer to a relay, counted by their latest row of the relay. Rule: docs/domain.md,
/// "Chat relays", In use.
public struct RelayUseCount: Sendable, Hashable {
    /// Channels that use it: the profile is in them, and the relay is neither inactive nor rejected there.
    public let using: Int
    /// The number of these channels in which the relay is active.
    public let active: Int
    /// Channels that the profile is in, and in which the relay is inactive.
    public let inactive: Int
    /// Channels that the profile is in, and that the relay refused.
    public let rejected: Int
    /// Channels that the profile is not in any longer.
    public let left: Int
    /// Channels that have lost their row of the relay, also ones that the profile left. Rule: docs/domain.md, "Group
    /// relays", Lost rows.
    public let lost: Int

    /// No channel.
    public static let none = RelayUseCount(using: 0, active: 0)

    package init(using: Int, active: Int, inactive: Int = 0, rejected: Int = 0, left: Int = 0, lost: Int = 0) {
        self.using = using
        self.active = active
        self.inactive = inactive
        self.rejected = rejected
        self.left = left
        self.lost = lost
    }

    /// The channels that refer to the relay without using it.
    public var others: Int { inactive + rejected + left }
}

/// A relay and how many channels use it.
public struct RelayWithUse: Sendable, Hashable {
    /// The relay.
    public let relay: ChatRelay
    /// Its use.
    public let use: RelayUseCount
    /// Whether a channel refers to it, even one that does not use it. Then deleting it is soft.
    public let isReferenced: Bool

    package init(relay: ChatRelay, use: RelayUseCount, isReferenced: Bool) {
        self.relay = relay
        self.use = use
        self.isReferenced = isReferenced
    }
}

/// A channel that refers to a relay.
public struct RelayChannel: Sendable, Hashable {
    /// The channel.
    public let groupID: GroupID
    /// The name that the profile gives the channel.
    public let localDisplayName: String
    /// The name the channel gives itself.
    public let displayName: String
    /// The status of the profile's own membership; nil where the store has no such row.
    public let membership: GroupMemberStatus?
    /// The status of the relay in the channel.
    public let status: RelayStatus
    /// The link the relay made for the channel; nil until it accepted.
    public let relayLink: String?

    package init(
        groupID: GroupID, localDisplayName: String, displayName: String, membership: GroupMemberStatus?,
        status: RelayStatus, relayLink: String?
    ) {
        self.groupID = groupID
        self.localDisplayName = localDisplayName
        self.displayName = displayName
        self.membership = membership
        self.status = status
        self.relayLink = relayLink
    }

    /// Whether the channel uses the relay: the profile is in it, and the relay is neither inactive nor rejected there.
    public var isUsing: Bool { membership?.isCurrent == true && status.isCurrent }

    /// The host of the relay's link; nil without a link.
    public var host: String? { relayLink.map(linkHost) }
}

/// Rule: docs/domain.md, "Chat relays", In use.
extension ChatRelaysRepo {
    /// All relays of a profile with the number of channels that use each, in the order of `all(of:)` and in one
    /// statement. The list is empty when there are none.
    public func usage(of user: UserID, includingDeleted: Bool = false) throws(ChatRelaysError) -> [RelayWithUse] {
        try usage(ofEach: [user], includingDeleted: includingDeleted)
    }

    /// The same for several profiles, by profile.
    package func usage(ofEach users: [UserID], includingDeleted: Bool = false) throws(ChatRelaysError) -> [RelayWithUse]
    {
        try all(
            """
            \(Self.usage(of: "chat_relays.user_id IN (\(list: users.map(\.rawValue)))"))
                AND chat_relays.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY chat_relays.user_id, chat_relays.preset DESC, chat_relays.chat_relay_id
            """)
    }

    /// The channels that refer to a relay, soft-deleted or not, counted by their use. Throws `relayNotFound`.
    public func use(of id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> RelayUseCount {
        try usage(of: id, of: user).use
    }

    /// A relay, soft-deleted or not, with its use. Throws `relayNotFound`.
    package func usage(of id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> RelayWithUse {
        let usage: RelayWithUse? = try first(
            Self.usage(of: "chat_relays.chat_relay_id = \(id) AND chat_relays.user_id = \(user)"))
        guard let usage else { throw .relayNotFound(.id(id)) }
        return usage
    }

    /// The channels that use a relay, soft-deleted or not, with how far it is in each; newest chat first. A channel
    /// that it was added to again is listed once, with its latest part. The list is empty when there are none. Throws
    /// `relayNotFound`.
    public func usedBy(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> [RelayChannel] {
        try channels(referringTo: id, of: user).filter(\.isUsing)
    }

    /// The channels that refer to a relay, soft-deleted or not, without using it: the profile is not in them, or the
    /// relay is inactive or rejected there. Each once, with its latest part; newest chat first. The list is empty when
    /// there are none. Throws `relayNotFound`.
    public func otherChannels(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> [RelayChannel] {
        try channels(referringTo: id, of: user).filter { !$0.isUsing }
    }

    private func channels(
        referringTo id: ChatRelayID, of user: UserID
    ) throws(ChatRelaysError) -> [RelayChannel] {
        _ = try get(id, of: user, includingDeleted: true)
        return try all(
            """
            SELECT groups.group_id, groups.local_display_name, group_profiles.display_name,
                own.member_status AS own_status, \(GroupRelay.countedStatus) AS relay_status, group_relays.relay_link
            FROM group_relays
            JOIN groups ON groups.group_id = group_relays.group_id
            LEFT JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            LEFT JOIN group_members own ON own.group_id = groups.group_id AND own.member_category = 'user'
            WHERE group_relays.chat_relay_id = \(id) AND groups.user_id = \(user) AND \(GroupRelay.isLatest)
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// The relays of a condition, with their use. Most relays of a long list are in no channel, so the query counts only
    /// for relays that are in one. For the same reason it does not use `ChatRelay.isReferenced`, which reads all
    /// channels for each relay; the result is the same. A channel counts once, with the last of its rows that refer to the relay: the one at
    /// place 1. The profile's channels limit the members too: beside another profile of the same size, a server needs
    /// little more time than without it.
    private static func usage(of condition: Query) -> Query {
        """
        SELECT \(ChatRelay.columns), coalesce(used.channels_using, 0) AS channels_using,
            coalesce(used.channels_active, 0) AS channels_active,
            coalesce(used.channels_inactive, 0) AS channels_inactive,
            coalesce(used.channels_rejected, 0) AS channels_rejected,
            coalesce(used.channels_left, 0) AS channels_left,
            coalesce(lost.channels_lost, 0) AS channels_lost,
            CASE WHEN used.chat_relay_id IS NOT NULL OR lost.chat_relay_id IS NOT NULL OR EXISTS (
                SELECT 1 FROM group_relays referring WHERE referring.chat_relay_id = chat_relays.chat_relay_id)
                THEN 1 ELSE 0 END AS is_referenced
        FROM chat_relays
        LEFT JOIN (
            SELECT chat_relay_id,
                count(DISTINCT CASE WHEN counted NOT IN (\(list: GroupRelay.failedTexts)) THEN own_id END)
                    AS channels_using,
                count(DISTINCT CASE WHEN counted = \(RelayStatus.active) THEN own_id END) AS channels_active,
                count(DISTINCT CASE WHEN counted = \(RelayStatus.inactive) THEN own_id END) AS channels_inactive,
                count(DISTINCT CASE WHEN counted = \(RelayStatus.rejected) THEN own_id END) AS channels_rejected,
                count(DISTINCT CASE WHEN own_id IS NULL THEN group_id END) AS channels_left
            FROM (
                SELECT chat_relays.chat_relay_id, groups.group_id, own.group_id AS own_id,
                    \(GroupRelay.countedStatusOfMember) AS counted,
                    row_number() OVER (
                        PARTITION BY group_relays.chat_relay_id, group_relays.group_id
                        ORDER BY group_relays.group_relay_id DESC) AS place
                FROM groups
                JOIN group_members ON group_members.group_id = groups.group_id
                    AND group_members.member_role = \(GroupMemberRole.relay)
                JOIN group_relays ON \(GroupRelay.isMember("group_members", of: "group_relays"))
                JOIN chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id
                    AND chat_relays.user_id = groups.user_id
                LEFT JOIN group_members own ON own.group_id = groups.group_id AND \(GroupMember.ownIsCurrent)
                WHERE \(condition)
            ) numbered
            WHERE place = 1
            GROUP BY chat_relay_id
        ) used ON used.chat_relay_id = chat_relays.chat_relay_id
        LEFT JOIN (
            SELECT chat_relays.chat_relay_id, count(DISTINCT groups.group_id) AS channels_lost
            FROM \(lostRows) AND \(condition)
            GROUP BY chat_relays.chat_relay_id
        ) lost ON lost.chat_relay_id = chat_relays.chat_relay_id
        WHERE \(condition)
        """
    }
}

extension RelayWithUse: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            relay: ChatRelay(row: row),
            use: RelayUseCount(
                using: row.get("channels_using"), active: row.get("channels_active"),
                inactive: row.get("channels_inactive"), rejected: row.get("channels_rejected"),
                left: row.get("channels_left"), lost: row.get("channels_lost")),
            isReferenced: row.get("is_referenced"))
    }
}

extension RelayChannel: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        let id: GroupID = try row.get("group_id")
        try Group.requireProfile(in: row, of: id)
        try self.init(
            groupID: id, localDisplayName: row.get("local_display_name"),
            displayName: row.get("display_name"), membership: row.get("own_status"), status: row.get("relay_status"),
            relayLink: row.get("relay_link"))
    }
}
