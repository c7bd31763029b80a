public import ChatDBEngine
public import ChatDBSchema

/// A group or channel in a list, with how far its relays are.
public struct GroupSummary: Sendable, Hashable {
    /// The group.
    public let group: Group
    /// Its relays, on the owner's side; 0 of 0 for a group, and for a channel of somebody else.
    public let progress: RelayProgress

    package init(group: Group, progress: RelayProgress) {
        self.group = group
        self.progress = progress
    }
}

/// The groups and channels of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupsRepo: Repository {
    typealias Failure = GroupsError
    let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All groups and channels of a profile with the progress of their relays, newest chat first, in one statement.
    /// None is an empty list.
    public func all(of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// A page of the groups and channels of a profile, newest chat first; `limit` of them at most, from 1. None is an
    /// empty page. A chat in which something happens meanwhile goes to the front, and is not told a second time.
    public func page(
        of user: UserID, after: GroupPage.Position? = nil, limit: Int = 50
    ) throws(GroupsError) -> GroupPage {
        let limit = PageSize.atLeastOne(limit)
        let rows: [GroupPage.Row] = try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)\(after?.condition ?? "")
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            LIMIT \(limit + 1)
            """)
        return GroupPage(rows, limit: limit)
    }

    /// The channels of several profiles, by profile, each newest chat first.
    func channels(ofEach users: [UserID]) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id IN (\(list: users.map(\.rawValue))) AND groups.use_relays = 1
            ORDER BY groups.user_id, groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// The groups and channels of several profiles whose next step is to connect, by profile, each newest chat first.
    func prepared(ofEach users: [UserID]) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id IN (\(list: users.map(\.rawValue))) AND \(Group.isNextConnectPrepared)
            ORDER BY groups.user_id, groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// The group of a profile with a number, or nil; that of another profile is nil.
    public func find(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary? {
        try first(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.group_id = \(id) AND groups.user_id = \(user)
            """)
    }

    /// The group of a profile with a number. Throws `groupNotFound`.
    public func get(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        guard let group = try find(id, of: user) else { throw .groupNotFound(.id(id)) }
        return group
    }

    /// The group the profile calls by exactly this name, or nil: at most one has it.
    public func find(named name: String, of user: UserID) throws(GroupsError) -> GroupSummary? {
        try first(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user) AND groups.local_display_name = \(name)
            """)
    }

    /// The groups that a text may mean: the one the profile calls by it, and those that call themselves so; by number.
    package func all(called name: String, of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user)
                AND (groups.local_display_name = \(name) OR group_profiles.display_name = \(name))
            ORDER BY groups.group_id
            """)
    }

    /// How many groups and channels a profile has, in one statement.
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

extension GroupSummary: RowRecord {
    /// A relay that was added once more counts once, with the part it has since; what is no relay of the profile does
    /// not count, as it is not listed.
    static let columns: Query = """
        \(Group.columns),
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup)) AS relays_total,
        (SELECT count(DISTINCT group_relays.chat_relay_id) FROM \(ChannelRelay.ofGroup)
            AND group_relays.relay_status = \(RelayStatus.active) AND \(GroupRelaysRepo.isLatest)) AS relays_active
        """

    init(row: ResultRow) throws(StoreError) {
        try self.init(
            group: Group(row: row),
            progress: RelayProgress(active: row.get("relays_active"), total: row.get("relays_total")))
    }
}
