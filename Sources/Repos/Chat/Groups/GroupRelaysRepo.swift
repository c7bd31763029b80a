public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A relay of a channel, with the relay of the profile and the member it is.
public struct ChannelRelay: Sendable, Hashable {
    /// Its row for the channel.
    public let groupRelay: GroupRelay
    /// The relay, which may be soft-deleted.
    public let relay: ChatRelay
    /// The status of its membership.
    public let memberStatus: GroupMemberStatus
    /// Whether its operator is switched off for every profile.
    public internal(set) var isOperatorOff = false

    package init(groupRelay: GroupRelay, relay: ChatRelay, memberStatus: GroupMemberStatus) {
        self.groupRelay = groupRelay
        self.relay = relay
        self.memberStatus = memberStatus
    }

    /// The host of the link the relay made for the channel; before it made one, that of the relay's address.
    public var host: String { groupRelay.relayLink.map(linkHost) ?? relay.host }

    /// Whether a refused step was refused because the link of the relay for the channel is missing: the status allows
    /// the step.
    package func lacksLink(for refused: RelayStatus) -> Bool {
        refused == .active && groupRelay.status.canBecome(refused)
    }
}

/// The relays of the channels of a profile, on the owner's side. Rule: docs/domain.md, "Group relays".
public struct GroupRelaysRepo: Repository {
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The relays of a channel, soft-deleted ones too, in the order they were chosen. The list is empty when there are
    /// none: a group, a channel of another owner. Throws `groupNotFound`.
    public func all(of group: GroupID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        try GroupsRepo(tx).require(group, of: user)
        return try relays(
            where: "group_relays.group_id = \(group) AND chat_relays.user_id = \(user)")
    }

    /// The part of a relay with a number, or nil; that of another profile is nil.
    public func find(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay? {
        try relays(where: "group_relays.group_relay_id = \(id) AND chat_relays.user_id = \(user)").first
    }

    /// The part of a relay with a number. Throws `groupRelayNotFound`.
    public func get(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        guard let relay = try find(id, of: user) else { throw .groupRelayNotFound(.id(id)) }
        return relay
    }

    /// The row of a member that is a relay, or nil for other members.
    public func find(member: GroupMemberID, of user: UserID) throws(GroupsError) -> ChannelRelay? {
        try relays(where: "group_relays.group_member_id = \(member) AND chat_relays.user_id = \(user)").first
    }

    /// The parts of a relay in all channels that refer to it, those that were left too, in the order they were made.
    /// The list is empty when there are none, also for a relay of another profile.
    public func all(ofRelay relay: ChatRelayID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        try relays(where: "group_relays.chat_relay_id = \(relay) AND chat_relays.user_id = \(user)")
    }

    /// The relays that a channel publishes: accepted, acknowledged or active by their latest part, with a member that
    /// is connected; in the order they were chosen. The list is empty when there are none. Throws `groupNotFound`.
    public func published(of group: GroupID, of user: UserID) throws(GroupsError) -> [ChannelRelay] {
        try GroupsRepo(tx).require(group, of: user)
        return try relays(
            where: """
                group_relays.group_id = \(group) AND chat_relays.user_id = \(user)
                AND \(GroupRelay.countedStatus) IN (\(list: RelayStatus.known.filter(\.isPublishable).map(\.text)))
                AND group_members.member_status = \(GroupMemberStatus.connected) AND \(GroupRelay.isLatest)
                """)
    }

    private func relays(where condition: Query) throws(GroupsError) -> [ChannelRelay] {
        try withOperators(
            all(
                """
                SELECT \(ChannelRelay.columns)
                FROM group_relays
                JOIN \(ChannelRelay.tables)
                WHERE \(condition)
                ORDER BY group_relays.group_relay_id
                """))
    }

    /// The same relays, with the switches of their operators. An operator owns a relay by an equal domain, which SQL
    /// cannot compare.
    private func withOperators(_ relays: [ChannelRelay]) throws(GroupsError) -> [ChannelRelay] {
        if relays.isEmpty { return [] }
        let operators: [ServerOperator] = try all(ServerOperator.list)
        if operators.allSatisfy(\.isEnabled) { return relays }
        return relays.map { relay in
            var relay = relay
            relay.isOperatorOff = operators.owner(of: relay.relay)?.isEnabled == false
            return relay
        }
    }
}

extension ChannelRelay: RowRecord {
    static let columns: Query = """
        \(GroupRelay.columns), group_members.member_status,
        chat_relays.user_id, chat_relays.address, chat_relays.address_key, chat_relays.display_name,
        chat_relays.domains, chat_relays.preset, chat_relays.tested, chat_relays.tested_at,
        chat_relays.enabled, chat_relays.deleted
        """

    /// Tables to be joined to `group_relays`.
    static let tables: Query = """
        chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id
        JOIN group_members ON \(GroupRelay.isMember("group_members", of: "group_relays"))
        """

    /// The parts of the relays of a row of `groups`, with the condition begun.
    package static let ofGroup: Query = """
        group_relays JOIN \(tables)
        WHERE group_relays.group_id = groups.group_id AND chat_relays.user_id = groups.user_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            groupRelay: GroupRelay(row: row), relay: ChatRelay(row: row), memberStatus: row.get("member_status"))
    }
}

/// The progress of the relays of one channel.
public struct ChannelProgress: Sendable, Hashable {
    /// Active, failed and removed out of all.
    public let progress: RelayProgress
    /// For an owner, each relay once, in the order they were chosen; `host` and `groupRelay.status` are what people are
    /// shown. A relay that was added again has its newest row.
    public let relays: [ChannelRelay]
    /// For a subscriber, each relay once, by number; `host` and `state` are what people are shown. Empty for an owner.
    public let members: [RelayMember]

    init(_ parts: [ChannelRelay], _ members: [RelayMember]) {
        let relays = parts.latest
        self.relays = relays
        self.members = members
        let states = members.map(\.state)
        let active = relays.count { $0.groupRelay.status == .active } + states.count { $0 == .active }
        let failed = relays.count { !$0.groupRelay.status.isCurrent } + states.count { $0.reason != nil }
        let statuses = relays.map(\.memberStatus) + members.map(\.member.status)
        let removed = statuses.count { $0 == .removed }
        progress = RelayProgress(
            active: active, failed: failed, removed: removed, total: relays.count + members.count)
    }
}

extension GroupRelaysRepo {
    /// The progress of the relays of a channel, with the host and the state of each. 0 of 0 for a group, and for a
    /// channel that the profile has not begun to join. Throws `groupNotFound`. Rule: docs/domain.md, "Progress of a
    /// channel".
    public func progress(of group: GroupID, of user: UserID) throws(GroupsError) -> ChannelProgress {
        ChannelProgress(try all(of: group, of: user), try RelayMembersRepo(tx).subscribed(of: group, of: user))
    }

    /// The progress of the relays of each channel of a profile, in one statement. A group without relays is not in it.
    public func progress(of user: UserID) throws(GroupsError) -> [GroupID: RelayProgress] {
        let rows: [ProgressRow] = try all(
            """
            WITH members AS MATERIALIZED (
                SELECT group_members.group_id, group_members.member_status, group_members.relay_failure,
                    \(RelayMember.connection) AS conn_status
                FROM groups
                LEFT JOIN group_members own ON own.group_id = groups.group_id AND own.member_category = 'user'
                JOIN group_members ON group_members.group_id = groups.group_id
                WHERE groups.user_id = \(user) AND \(RelayMember.isSubscribed))
            SELECT group_id, count(*) AS relays_total,
                count(CASE WHEN status = \(RelayStatus.active) THEN 1 END) AS relays_active,
                count(CASE WHEN status IN (\(list: GroupRelay.failedTexts)) THEN 1 END) AS relays_failed,
                count(CASE WHEN member_status = \(GroupMemberStatus.removed) THEN 1 END) AS relays_removed
            FROM (
                SELECT group_relays.group_id, group_members.member_status,
                    \(GroupRelay.countedStatusOfMember) AS status
                FROM groups
                JOIN group_relays ON group_relays.group_id = groups.group_id
                JOIN \(ChannelRelay.tables)
                WHERE groups.user_id = \(user) AND chat_relays.user_id = \(user) AND \(GroupRelay.isLatest)) AS parts
            GROUP BY group_id
            UNION ALL
            SELECT group_id, count(*),
                count(CASE WHEN \(RelayMember.isActive(in: "members", withConnection: "conn_status")) THEN 1 END),
                count(CASE WHEN \(RelayMember.hasFailed(in: "members", withConnection: "conn_status")) THEN 1 END),
                count(CASE WHEN member_status = \(GroupMemberStatus.removed) THEN 1 END)
            FROM members
            GROUP BY group_id
            """)
        return Dictionary(rows.map { ($0.groupID, $0.progress) }, uniquingKeysWith: +)
    }
}

extension RelayProgress {
    /// The columns `relays_active`, `relays_failed`, `relays_removed` and `relays_total`.
    init(row: ResultRow) throws(StoreError) {
        try self.init(
            active: row.get("relays_active"), failed: row.get("relays_failed"), removed: row.get("relays_removed"),
            total: row.get("relays_total"))
    }

    fileprivate static func + (left: RelayProgress, right: RelayProgress) -> RelayProgress {
        RelayProgress(
            active: left.active + right.active, failed: left.failed + right.failed,
            removed: left.removed + right.removed, total: left.total + right.total)
    }
}

extension [ChannelRelay] {
    /// The last row of each relay in its channel, from rows in their order.
    package var latest: [ChannelRelay] {
        var seen: Set<ChatRelayID> = []
        return reversed().filter { seen.insert($0.relay.id).inserted }.reversed()
    }
}

private struct ProgressRow: RowRecord {
    let groupID: GroupID
    let progress: RelayProgress

    init(row: ResultRow) throws(StoreError) {
        groupID = try row.get("group_id")
        progress = try RelayProgress(row: row)
    }
}

/// Rule: docs/domain.md, "Group relays".
extension GroupRelaysRepo {
    /// The relays of all channels of a profile, soft-deleted ones too, each channel's in the order they were chosen, in
    /// two statements. A group without relays is not in it.
    public func all(of user: UserID) throws(GroupsError) -> [GroupID: [ChannelRelay]] {
        let relays: [ChannelRelay] = try withOperators(
            all(
                """
                SELECT \(ChannelRelay.columns)
                FROM groups
                JOIN group_relays ON group_relays.group_id = groups.group_id
                JOIN \(ChannelRelay.tables)
                WHERE groups.user_id = \(user) AND chat_relays.user_id = \(user)
                ORDER BY group_relays.group_relay_id
                """))
        return Dictionary(grouping: relays, by: \.groupRelay.groupID)
    }

    /// The latest parts that some relays have in the channels that their profiles are in, by profile, each newest chat
    /// first, then in the order they were chosen. The list is empty when there are none.
    package func current(ofRelays relays: [ChatRelayID]) throws(GroupsError) -> [ChannelRelay] {
        var found: [ChannelRelay] = []
        // A statement takes a limited number of values.
        for start in stride(from: 0, to: relays.count, by: 10_000) {
            let some = relays[start..<min(start + 10_000, relays.count)]
            found +=
                try all(
                    """
                    SELECT \(ChannelRelay.columns)
                    FROM group_relays
                    JOIN \(ChannelRelay.tables)
                    JOIN groups ON groups.group_id = group_relays.group_id AND groups.user_id = chat_relays.user_id
                    WHERE group_relays.chat_relay_id IN (\(list: some.map(\.rawValue))) AND \(GroupRelay.isLatest)
                        AND EXISTS (SELECT 1 FROM group_members own WHERE own.group_id = groups.group_id
                            AND \(GroupMember.ownIsCurrent))
                    ORDER BY chat_relays.user_id, groups.chat_ts DESC, groups.group_id DESC, group_relays.group_relay_id
                    """) as [ChannelRelay]
        }
        return try withOperators(found)
    }
}

/// A relay that is not active in a channel the profile is in.
/// Rule: docs/domain.md, "Group relays".
public struct WaitingRelay: Sendable, Hashable {
    /// The profile.
    public let userID: UserID
    /// The channel.
    public let groupID: GroupID
    /// The relay, which may be soft-deleted.
    public let chatRelayID: ChatRelayID
    /// Its status.
    public let status: RelayStatus
    /// Whether an owner removed it from the channel.
    public let isRemoved: Bool
}

extension GroupRelaysRepo {
    /// The relays that are not active in the channels several profiles are in, by profile, each newest chat first, then
    /// in the order they were chosen; in one statement.
    package func waiting(ofEach users: [UserID]) throws(GroupsError) -> [WaitingRelay] {
        try all(
            """
            SELECT groups.user_id, groups.group_id, group_relays.chat_relay_id,
                \(GroupRelay.countedStatus) AS relay_status,
                CASE WHEN EXISTS (
                    SELECT 1 FROM group_members
                    WHERE group_members.group_member_id = group_relays.group_member_id
                        AND group_members.member_status = \(GroupMemberStatus.removed))
                    THEN 1 ELSE 0 END AS is_removed
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            WHERE groups.user_id IN (\(list: users.map(\.rawValue)))
                AND \(GroupRelay.countedStatus) <> \(RelayStatus.active) AND \(GroupRelay.isLatest)
                AND EXISTS (
                    SELECT 1 FROM chat_relays WHERE chat_relays.chat_relay_id = group_relays.chat_relay_id
                        AND chat_relays.user_id = groups.user_id)
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
            status: row.get("relay_status"), isRemoved: row.get("is_removed"))
    }
}
