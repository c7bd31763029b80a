public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A group or channel in a list, with the progress of its relays.
public struct GroupSummary: Sendable, Hashable {
    /// The group.
    public let group: Group
    /// The number of its active relays, of failed and removed ones, and of all; 0 of 0 for a group, and for a channel
    /// that the profile has not begun to join.
    public let progress: RelayProgress
    /// Whether the number of its active relays is not known: the profile owns the channel, no relay of it counts, and it
    /// has a row of a relay that lacks its relay or its member, or a relay that is a member only. Members that left or
    /// were removed are no sign of a lost row. Rule: docs/domain.md, "Progress of a channel".
    public let hasUnknownProgress: Bool

    package init(group: Group, progress: RelayProgress, hasUnknownProgress: Bool = false) {
        self.group = group
        self.progress = progress
        self.hasUnknownProgress = hasUnknownProgress
    }
}

/// The groups and channels of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupsRepo: Repository {
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All groups and channels of a profile with the progress of their relays, newest chat first, in one statement. The
    /// list is empty when there are none.
    public func all(of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// A page of the groups and channels of a profile, newest chat first. It has at most `limit` entries; a limit below
    /// 1 counts as 1. The page is empty when there are none. If a chat moves to the front between two pages, no later
    /// page lists it again.
    public func page(
        of user: UserID, after: GroupPage.Position? = nil, limit: Int = 50
    ) throws(GroupsError) -> GroupPage {
        let limit = PageSize.atLeastOne(limit)
        let rows: [GroupPage.Row] = try first(limit + 1) { rows in
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)\(after?.condition ?? "")
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            LIMIT \(number: rows)
            """
        }
        return GroupPage(rows, limit: limit)
    }

    /// The channels of several profiles, by profile, each newest chat first.
    package func channels(ofEach users: [UserID]) throws(GroupsError) -> [GroupSummary] {
        try listed(
            GroupSummary.columns, of: users, where: "groups.use_relays = 1",
            by: "groups.chat_ts DESC, groups.group_id DESC")
    }

    /// The groups and channels of several profiles whose next step is to connect, by profile, each newest chat first.
    package func prepared(ofEach users: [UserID]) throws(GroupsError) -> [GroupSummary] {
        try listed(
            GroupSummary.columns, of: users, where: Group.isNextConnectPrepared,
            by: "groups.chat_ts DESC, groups.group_id DESC")
    }

    /// The groups of several profiles of a kind that many stores do not have, by profile. A short statement first asks
    /// whether there is one: SQLite takes longer to prepare the statement of a summary than to run it (*measured*: an
    /// eighth of the instructions of `inspect` of a small store prepared the three lists).
    func listed<Record: RowRecord>(
        _ columns: Query, of users: [UserID], where isListed: Query, by order: Query
    ) throws(GroupsError) -> [Record] {
        let condition: Query = "groups.user_id IN (\(list: users.map(\.rawValue))) AND \(isListed)"
        if try count("SELECT count(*) FROM groups WHERE \(condition)") == 0 { return [] }
        return try all(
            """
            SELECT \(columns) FROM \(Group.tables) WHERE \(condition) ORDER BY groups.user_id, \(order)
            """)
    }

    /// The group with a number, or nil. The answer is nil for a group of another profile too.
    public func find(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary? {
        try first(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.group_id = \(id) AND groups.user_id = \(user)
            """)
    }

    /// The group with a number. Throws `groupNotFound`, also for a group of another profile.
    public func get(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        guard let group = try find(id, of: user) else { throw .groupNotFound(.id(id)) }
        return group
    }

    /// Throws `groupNotFound`, also for a group of another profile.
    func require(_ id: GroupID, of user: UserID) throws(GroupsError) {
        let found = try count("SELECT count(*) FROM groups WHERE group_id = \(id) AND user_id = \(user)")
        if found == 0 { throw .groupNotFound(.id(id)) }
    }

    /// The group that has exactly this name in the lists of the profile, or nil. At most one group has it.
    public func find(named name: String, of user: UserID) throws(GroupsError) -> GroupSummary? {
        try first(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user) AND groups.local_display_name = \(name)
            """)
    }

    /// The groups that a text may mean: the one that has this name in the lists of the profile, and those whose own
    /// profile has it. Sorted by number.
    package func all(called name: String, of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)
                AND (groups.local_display_name = \(name) OR group_profiles.display_name = \(name))
            ORDER BY groups.group_id
            """)
    }

    /// The stored key of the link that a group publishes, or nil. After damage, the key may be left without the link. Rule:
    /// docs/checks.md, "Lost links".
    package func linkKey(of id: GroupID) throws(GroupsError) -> String? {
        let row: LinkKeyRow? = try first(
            """
            SELECT group_profiles.group_link_key FROM groups
            JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            WHERE groups.group_id = \(id)
            """)
        return row?.key
    }

    /// The number of groups and channels of a profile, in one statement.
    public func counts(of user: UserID) throws(GroupsError) -> GroupCounts {
        try first(
            """
            SELECT count(CASE WHEN use_relays = 0 THEN 1 END) AS groups_count,
                count(CASE WHEN use_relays = 1 THEN 1 END) AS channels_count,
                count(CASE WHEN \(Group.isNextConnectPrepared) THEN 1 END) AS prepared_count
            FROM groups WHERE user_id = \(user)
            """) ?? GroupCounts(groups: 0, channels: 0, prepared: 0)
    }
}

private struct LinkKeyRow: RowRecord {
    let key: String?

    init(row: ResultRow) throws(StoreError) { key = try row.get("group_link_key") }
}

extension GroupSummary: RowRecord {
    /// A relay that was added again counts once, with its newest row. An owner's rows that refer to no relay of the
    /// profile do not count, and are not listed.
    static let columns: Query = """
        \(Group.columns),
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup))
            + (SELECT count(*) FROM \(RelayMember.ofGroup)) AS relays_total,
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup)
            AND \(GroupRelay.countedStatus) = \(RelayStatus.active) AND \(GroupRelay.isLatest))
            + (SELECT count(*) FROM \(RelayMember.ofGroup) AND \(RelayMember.isActive)) AS relays_active,
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup)
            AND \(GroupRelay.countedStatus) IN (\(list: GroupRelay.failedTexts)) AND \(GroupRelay.isLatest))
            + (SELECT count(*) FROM \(RelayMember.ofGroup) AND \(RelayMember.hasFailed)) AS relays_failed,
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup)
            AND \(hasRemovedMember) AND \(GroupRelay.isLatest))
            + (SELECT count(*) FROM \(RelayMember.ofGroup) AND \(hasRemovedMember)) AS relays_removed,
        CASE WHEN groups.use_relays = 1 AND own.member_role = \(GroupMemberRole.owner)
                AND NOT EXISTS (SELECT 1 FROM \(ChannelRelay.ofGroup))
                AND (EXISTS (SELECT 1 FROM group_relays lost WHERE lost.group_id = groups.group_id)
                    OR EXISTS (
                        SELECT 1 FROM group_members
                        WHERE group_members.group_id = groups.group_id AND \(RelayMember.isRelay)
                            AND group_members.member_status NOT IN (\(list: RelayMember.endedStatuses))))
            THEN 1 ELSE 0 END AS has_unknown_progress
        """

    private static let hasRemovedMember: Query = "group_members.member_status = \(GroupMemberStatus.removed)"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            group: Group(row: row), progress: RelayProgress(row: row),
            hasUnknownProgress: row.get("has_unknown_progress"))
    }
}

/// Some groups of a profile, newest chat first, and whether there are more.
/// Rule: docs/domain.md, "Groups and channels".
public struct GroupPage: Sendable, Hashable {
    /// A place in the list between two groups, which stays valid when chats move.
    public struct Position: Sendable, Hashable {
        /// The time of the last chat before it, as it is stored: other apps store more digits than a time here has.
        let chatTime: String
        let group: GroupID

        /// The groups after it.
        var condition: Query {
            " AND (groups.chat_ts, groups.group_id) < (\(chatTime), \(group))"
        }
    }

    /// The groups.
    public let groups: [GroupSummary]
    /// The start of the next page; nil on the last one.
    public let next: Position?

    /// The rows of a page and the one after it, if there is one.
    init(_ rows: [Row], limit: Int) {
        groups = rows.prefix(limit).map(\.summary)
        next = rows.count > limit ? rows[limit - 1].position : nil
    }

    struct Row: RowRecord {
        let summary: GroupSummary
        let position: Position

        init(row: ResultRow) throws(StoreError) {
            summary = try GroupSummary(row: row)
            position = Position(chatTime: try row.get("chat_ts"), group: summary.group.id)
        }
    }
}

/// The numbers of groups and channels in the list of a profile. The list includes those that the profile has left.
public struct GroupCounts: Sendable, Hashable {
    /// Groups, without channels.
    public let groups: Int
    /// Channels, those of the profile and those of other owners.
    public let channels: Int
    /// The groups and channels whose next step is to connect.
    public let prepared: Int

    package init(groups: Int, channels: Int, prepared: Int) {
        self.groups = groups
        self.channels = channels
        self.prepared = prepared
    }
}

extension GroupCounts: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            groups: row.get("groups_count"), channels: row.get("channels_count"), prepared: row.get("prepared_count"))
    }
}

extension GroupsRepo {
    /// The contents of a group of a profile, as row counts, in one statement. Throws `groupNotFound`. Rule:
    /// docs/domain.md, "Groups and channels", Deleting.
    public func contents(of id: GroupID, of user: UserID) throws(GroupsError) -> GroupContents {
        let inGroup = ChatID.group(id).hasItem(of: user)
        let contents: GroupContents? = try first(
            """
            SELECT
                (SELECT count(*) FROM chat_items WHERE \(inGroup)) AS chat_items,
                (SELECT count(*) FROM chat_items WHERE \(inGroup) AND item_status = 'rcv_new') AS unread,
                (SELECT count(*) FROM files WHERE group_id = \(id)) AS files
            FROM groups WHERE group_id = \(id) AND user_id = \(user)
            """)
        guard let contents else { throw .groupNotFound(.id(id)) }
        return contents
    }
}

extension GroupContents: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(chatItems: row.get("chat_items"), unread: row.get("unread"), files: row.get("files"))
    }
}

extension Group: RowRecord {
    static let columns: Query = """
        groups.group_id, groups.user_id, groups.local_display_name, group_profiles.display_name,
        group_profiles.group_link, groups.use_relays, groups.creating_in_progress, groups.chat_ts,
        own.group_member_id, own.member_role, own.member_status, own.member_profile_id,
        groups.business_chat, groups.business_member_id, groups.customer_member_id,
        groups.conn_full_link_to_connect, groups.conn_short_link_to_connect, groups.conn_link_started_connection
        """

    /// With the profile of the group and the own membership (`own`). A group whose profile row is missing has a row
    /// too, so that no list leaves it out without a word.
    static let tables: Query = """
        groups
        LEFT JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
        LEFT JOIN group_members own ON own.group_id = groups.group_id AND own.member_category = 'user'
        """

    /// The condition that the next step of a group is to connect: as ``Group/nextConnectPrepared``.
    static let isNextConnectPrepared: Query = """
        groups.conn_link_started_connection = 0
        AND coalesce(groups.conn_full_link_to_connect, groups.conn_short_link_to_connect) IS NOT NULL
        """

    /// Throws for a group whose profile row is missing. Every profile row has a name.
    static func requireProfile(in row: ResultRow, of id: GroupID) throws(StoreError) {
        if try row.stored("display_name") == .null {
            throw .rowWithout("its profile row", "group \(id)", column: "group_profile_id")
        }
    }

    package init(row: ResultRow) throws(StoreError) {
        let id: GroupID = try row.get("group_id")
        try Self.requireProfile(in: row, of: id)
        let memberID: GroupMemberID? = try row.get("group_member_id")
        try self.init(
            id: id, userID: row.get("user_id"), localDisplayName: row.get("local_display_name"),
            displayName: row.get("display_name"), link: row.get("group_link"), isChannel: row.get("use_relays"),
            isCreating: row.get("creating_in_progress"), chatTime: row.time("chat_ts"),
            membership: memberID.map { id throws(StoreError) in
                try Membership(
                    memberID: id, role: row.get("member_role"), status: row.get("member_status"),
                    incognitoProfileID: row.get("member_profile_id"))
            },
            linkToConnect: GroupLink(
                storedFull: row.get("conn_full_link_to_connect"), short: row.get("conn_short_link_to_connect")),
            isStarted: row.get("conn_link_started_connection"), businessChat: BusinessChat(row))
    }
}

extension BusinessChat {
    /// Nil without a kind, and for a chat of early apps that does not say who is who.
    fileprivate init?(_ row: ResultRow) throws(StoreError) {
        guard let kind: BusinessChatKind = try row.get("business_chat"),
            let business: String = try row.get("business_member_id"),
            let customer: String = try row.get("customer_member_id")
        else { return nil }
        self.init(kind, businessMemberID: business, customerMemberID: customer)
    }
}

extension GroupProfile: RowRecord {
    static let columns: Query = """
        group_profiles.display_name, group_profiles.full_name, group_profiles.short_descr, group_profiles.description,
        group_profiles.image, group_profiles.preferences
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            displayName: row.get("display_name"), fullName: row.get("full_name"),
            shortDescription: row.get("short_descr"), welcome: row.get("description"), image: row.get("image"),
            preferences: row.get("preferences"))
    }
}
