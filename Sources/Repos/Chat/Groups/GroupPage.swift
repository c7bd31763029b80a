package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// Some groups of a profile, newest chat first, and whether there are more.
/// Rule: docs/domain.md, "Groups and channels".
public struct GroupPage: Sendable, Hashable {
    /// A place in the list, between two groups; it stays where it is while chats go on.
    public struct Position: Sendable, Hashable {
        /// The time of the last chat before it, as it is stored: other apps store more digits than a time here has.
        let chatTime: String
        let group: GroupID

        /// What comes after it.
        var condition: Query {
            " AND (groups.chat_ts, groups.group_id) < (\(chatTime), \(group))"
        }
    }

    /// The groups.
    public let groups: [GroupSummary]
    /// Where the next page begins; nil on the last one.
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

/// How many groups and channels a profile has: all that its list shows, also those it has left.
public struct GroupCounts: Sendable, Hashable {
    /// Groups that are no channels.
    public let groups: Int
    /// Channels, its own and others'.
    public let channels: Int
    /// Of both, those whose next step is to connect.
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
