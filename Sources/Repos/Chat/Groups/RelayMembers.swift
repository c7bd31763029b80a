public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The relays of channels on the subscriber's side: members, and the connections to them. Rule: docs/domain.md, "Relays
/// of a subscriber".
///
/// ```swift
/// let relays = try store.read { try RelayMembersRepo($0).all(of: channel.id, of: user.id) }
/// for relay in relays { print(relay.host ?? "?", relay.state.text) }
/// ```
public struct RelayMembersRepo: Repository {
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The relays that a channel has as members, by number, for a subscriber and for an owner. Those that failed or left
    /// are included; of several members with one link, only one that has not left, or else the newest. The list is empty
    /// when there are none: a group, a channel that the profile has not begun to join. Throws `groupNotFound`.
    public func all(of group: GroupID, of user: UserID) throws(GroupsError) -> [RelayMember] {
        try GroupsRepo(tx).require(group, of: user)
        return try relays(where: "group_members.group_id = \(group)", of: user)
    }

    /// The relay member with a number, or nil; another member, and that of another profile, is nil.
    public func find(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> RelayMember? {
        try first(
            """
            SELECT \(RelayMember.columns) FROM group_members
            WHERE group_member_id = \(id) AND user_id = \(user) AND \(RelayMember.isRelay)
            """)
    }

    /// The relay member with a number. Throws `memberNotFound`.
    public func get(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> RelayMember {
        guard let relay = try find(id, of: user) else { throw .memberNotFound(.id(id)) }
        return relay
    }

    /// The relay that serves a channel at a link, or nil. A member that left or was removed does not count. The link is
    /// compared as text.
    public func find(link: String, in group: GroupID, of user: UserID) throws(GroupsError) -> RelayMember? {
        try relays(
            where: """
                group_members.group_id = \(group) AND group_members.relay_link = \(link)
                AND group_members.member_status NOT IN (\(list: RelayMember.endedStatuses))
                """, of: user
        ).last
    }

    /// The relays that count for the progress of a channel that the profile does not own.
    func subscribed(of group: GroupID, of user: UserID) throws(GroupsError) -> [RelayMember] {
        try all(
            """
            SELECT \(RelayMember.columns) FROM groups
            LEFT JOIN group_members own ON own.group_id = groups.group_id AND own.member_category = 'user'
            JOIN group_members ON group_members.group_id = groups.group_id
            WHERE groups.group_id = \(group) AND groups.user_id = \(user) AND \(RelayMember.isSubscribed)
            ORDER BY group_members.group_member_id
            """)
    }

    private func relays(where condition: Query, of user: UserID) throws(GroupsError) -> [RelayMember] {
        try all(
            """
            SELECT \(RelayMember.columns) FROM group_members
            WHERE \(condition) AND group_members.user_id = \(user) AND \(RelayMember.isRelay)
                AND \(RelayMember.isLatest)
            ORDER BY group_members.group_member_id
            """)
    }
}

/// Changes to the relays of channels on the subscriber's side. Rule: docs/domain.md, "Relays of a subscriber".
public struct RelayMembersWriter: Writer {
    package typealias Failure = GroupsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// The length of the longest link, and of the longest reason that is kept.
    private static let longestText = 2_048

    /// Begins to join a channel through the relay at a link, and returns the member that the relay is. The member is
    /// made unless the channel has one with the link that has not left. The failure of an earlier try is cleared, so a
    /// second call changes nothing. A connection that failed counts until the app adds a new one.
    ///
    /// Throws `groupNotFound`, `notAChannel`, `ownChannel` for a channel that the profile owns or relays, `notInGroup`
    /// for one that it has left or has not begun to join, and `invalidRelayLink` for a text that is no link of a relay
    /// for a channel; nothing is created then.
    @discardableResult
    public func begin(
        _ given: String, in id: GroupID, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> RelayMember {
        let group = try subscribedChannel(id, of: user)
        let hasLeft = group.membership?.status.isHistory != false
        guard group.isCurrent || group.isStarted && !hasLeft else { throw .notInGroup(group) }
        let link = try asGroupsError(GroupsError.invalidRelayLink) { () throws(NameProblem) in
            try NameRule.checked(given, longest: Self.longestText)
        }
        try GroupsError.requireLinkOfRelay(link)
        if let present = try RelayMembersRepo(tx).find(link: link, in: id, of: user) {
            if present.failure != nil { try set("relay_failure = NULL", of: present.member.id) }
            return try RelayMembersRepo(tx).get(present.member.id, of: user)
        }
        let host = linkHost(link)
        let member = try GroupMembersWriter(tx, clock: clock).insert(
            NewMember(
                name: host.isEmpty ? "relay" : host, memberID: MemberIDText.make(using: &generator), role: .relay,
                category: .host, status: .accepted),
            in: id, of: user)
        try set("relay_link = \(link)", of: member)
        return try RelayMembersRepo(tx).get(member, of: user)
    }

    /// Records that the relay has taken the profile in: it is connected, and an earlier failure is cleared. Throws
    /// `memberNotFound`, `memberGone` for a relay that has left, and `ownChannel` as ``begin(_:in:of:using:)`` does;
    /// nothing changes then.
    @discardableResult
    public func connected(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> RelayMember {
        let status: Query = """
            CASE WHEN member_status = \(GroupMemberStatus.complete) THEN member_status
                ELSE \(GroupMemberStatus.connected) END
            """
        return try step("member_status = \(status), relay_failure = NULL", id, of: user)
    }

    /// Records that the profile could not join through the relay, or lost it, and why. The reason is trimmed and cut to
    /// 2,048 characters; an empty one becomes "failed". Throws `memberNotFound`, `memberGone` for a relay that has left,
    /// and `ownChannel` as ``begin(_:in:of:using:)`` does; nothing changes then.
    @discardableResult
    public func fail(_ id: GroupMemberID, reason given: String, of user: UserID) throws(GroupsError) -> RelayMember {
        let reason = String(NameRule.trimmed(given).prefix(Self.longestText))
        return try step("relay_failure = \(reason.isEmpty ? "failed" : reason)", id, of: user)
    }

    private func step(_ assignment: Query, _ id: GroupMemberID, of user: UserID) throws(GroupsError) -> RelayMember {
        let relay = try RelayMembersRepo(tx).get(id, of: user)
        _ = try subscribedChannel(relay.member.groupID, of: user)
        if relay.member.status.isHistory { throw .memberGone(relay.member) }
        try set(assignment, of: id)
        return try RelayMembersRepo(tx).get(id, of: user)
    }

    /// A channel that the profile neither owns nor relays.
    private func subscribedChannel(_ id: GroupID, of user: UserID) throws(GroupsError) -> Group {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if !group.isChannel { throw .notAChannel(group) }
        if let role = group.membership?.role, role == .owner || role == .relay { throw .ownChannel(group) }
        return group
    }

    private func set(_ assignment: Query, of id: GroupMemberID) throws(GroupsError) {
        try run("UPDATE group_members SET \(assignment), updated_at = \(now) WHERE group_member_id = \(id)")
    }
}

extension RelayMember: RowRecord {
    static let columns: Query = "\(GroupMember.columns), group_members.relay_failure, \(connection) AS conn_status"

    /// The status of the member's newest connection; NULL for a member without a connection.
    static let connection: Query = """
        (SELECT connections.conn_status FROM connections
            WHERE connections.group_member_id = group_members.group_member_id
            ORDER BY connections.connection_id DESC LIMIT 1)
        """

    /// The condition that a row of `group_members` is a relay, and not the profile itself as one.
    static let isRelay: Query = """
        group_members.member_role = \(GroupMemberRole.relay)
        AND group_members.member_category <> \(GroupMemberCategory.user)
        """

    /// The condition that a relay counts for its link in its channel. Of several members with one link, the newest that
    /// has not left counts; if all have left, the newest.
    static let isLatest: Query = """
        NOT EXISTS (
            SELECT 1 FROM group_members other
            WHERE other.group_id = group_members.group_id AND other.member_role = \(GroupMemberRole.relay)
                AND other.relay_link = group_members.relay_link
                AND (other.member_status NOT IN (\(list: endedStatuses)), other.group_member_id)
                    > (group_members.member_status NOT IN (\(list: endedStatuses)), group_members.group_member_id))
        """

    /// The condition that a row of `group_members` counts for the progress of a row of `groups`, whose own membership is
    /// `own`. An owner counts rows of `group_relays` instead, and a relay counts none.
    static let isSubscribed: Query = """
        groups.use_relays = 1
        AND coalesce(own.member_role, '') NOT IN (\(GroupMemberRole.owner), \(GroupMemberRole.relay))
        AND \(isRelay) AND \(isLatest)
        AND NOT EXISTS (
            SELECT 1 FROM group_relays part WHERE part.group_member_id = group_members.group_member_id)
        """

    /// The relays that count for a row of `groups`, with the condition begun.
    static let ofGroup: Query = "group_members WHERE group_members.group_id = groups.group_id AND \(isSubscribed)"

    /// The condition that the state is failed, as ``RelayMember/state``.
    static let hasFailed = hasFailed(in: "group_members", withConnection: connection)

    /// The condition that the state is active, as ``RelayMember/state``.
    static let isActive = isActive(in: "group_members", withConnection: connection)

    /// The same for a table of members, where the status of the newest connection is `status`.
    static func hasFailed(in members: Query, withConnection status: Query) -> Query {
        """
        (\(members).relay_failure IS NOT NULL OR \(members).member_status IN (\(list: endedStatuses))
            OR coalesce(\(status) IN (\(ConnectionStatus.deleted), \(ConnectionStatus.failed(reason: "")))
                OR substr(\(status), 1, 7) = 'failed ' AND length(\(status)) > 7, FALSE))
        """
    }

    /// The same for a table of members, where the status of the newest connection is `status`.
    static func isActive(in members: Query, withConnection status: Query) -> Query {
        """
        \(members).member_status IN (\(list: GroupMemberStatus.known.filter(\.isConnected).map(\.text)))
        AND NOT \(hasFailed(in: members, withConnection: status))
        """
    }

    static let endedStatuses = GroupMemberStatus.known.filter(\.isHistory).map(\.text)

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            member: GroupMember(row: row), connection: row.get("conn_status"), failure: row.get("relay_failure"))
    }
}
