package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A channel whose creation began and is not finished. Rule: docs/domain.md, "Groups and channels", Creating a channel.
public struct UnfinishedChannel: Sendable, Hashable {
    /// The channel.
    public let summary: GroupSummary
    /// The time when its creation began.
    public let createdAt: StoredTime
    /// What it needs before its creation can be finished; empty when it has everything.
    public let missing: [GroupsError.MissingPart]
}

extension GroupsRepo {
    /// The channels of a profile whose creation is not finished, the oldest first. The list is empty when there are
    /// none.
    public func unfinished(of user: UserID) throws(GroupsError) -> [UnfinishedChannel] {
        try unfinished(ofEach: [user])
    }

    /// The channels of several profiles whose creation is not finished, by profile, each the oldest first.
    package func unfinished(ofEach users: [UserID]) throws(GroupsError) -> [UnfinishedChannel] {
        try listed(
            UnfinishedChannel.columns, of: users, where: "groups.creating_in_progress = 1",
            by: "groups.created_at, groups.group_id")
    }
}

extension GroupsWriter {
    /// Finishes the creation of a channel, once. The channel needs a relay, and a link that it publishes or that the
    /// profile made for it. A published text that does not begin as links do is no link. Throws `groupNotFound`,
    /// `creationFinished` for one that is finished already, as groups are from the start, `creationIncomplete` with
    /// what is missing, `duplicateGroupLink` when another group of the profile has the link, and `ownAddress`; nothing
    /// changes then.
    @discardableResult
    public func finishCreation(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let groups = GroupsRepo(tx)
        let channel: UnfinishedChannel? = try groups.first(
            """
            SELECT \(UnfinishedChannel.columns) FROM \(Group.tables)
            WHERE groups.group_id = \(id) AND groups.user_id = \(user) AND groups.creating_in_progress = 1
            """)
        guard let channel else { throw .creationFinished(try groups.get(id, of: user).group) }
        if !channel.missing.isEmpty {
            throw .creationIncomplete(channel.summary.group, missing: channel.missing)
        }
        // An app may have stored the link, in a form that chatdb does not read.
        if let text = channel.summary.group.link,
            let link = (try? GroupLink(text)) ?? GroupLink(storedFull: text, short: nil)
        {
            try groups.requirePublishable(link, for: channel.summary.group)
        }
        try run(
            """
            UPDATE groups SET creating_in_progress = 0, updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user)
            """)
        return try groups.get(id, of: user)
    }
}

extension UnfinishedChannel: RowRecord {
    static let columns: Query = """
        \(GroupSummary.columns), groups.created_at, CASE WHEN \(hasLink) THEN 1 ELSE 0 END AS has_link
        """

    /// The condition that a channel has a link: one that it publishes, or one that the profile made for it. Another
    /// program may have stored any text, and links begin in one of two ways.
    package static let hasLink: Query = """
        (lower(substr(coalesce(group_profiles.group_link, ''), 1, 8)) = 'https://'
            OR lower(substr(coalesce(group_profiles.group_link, ''), 1, 9)) = 'simplex:/'
            OR EXISTS (
                SELECT 1 FROM user_contact_links link
                WHERE link.group_id = groups.group_id AND link.user_id = groups.user_id))
        """

    package init(row: ResultRow) throws(StoreError) {
        let summary = try GroupSummary(row: row)
        let hasLink: Bool = try row.get("has_link")
        try self.init(
            summary: summary, createdAt: row.time("created_at"),
            missing: (hasLink ? [] : [.link]) + (summary.progress.total > 0 ? [] : [.relay]))
    }
}
