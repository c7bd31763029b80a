package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The support chats of groups. Their items are read by the methods for items, with a scope. Rule: docs/domain.md,
/// "Support chats".
extension ChatItemsRepo {
    /// The support chats of a group, the one with the newest item first. The list is empty when there are none, and for
    /// a group of another profile.
    public func supportChats(in group: GroupID, of user: UserID) throws(ChatsError) -> [SupportChat] {
        try all(
            """
            SELECT group_member_id, member_category, support_chat_ts, support_chat_items_unread,
                support_chat_items_member_attention, support_chat_items_mentions,
                support_chat_last_msg_from_member_ts
            FROM group_members
            WHERE user_id = \(user) AND group_id = \(group) AND support_chat_ts IS NOT NULL
            ORDER BY support_chat_ts DESC, group_member_id
            """)
    }
}

extension SupportChat: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        let member: GroupMemberID = try row.get("group_member_id")
        let category: GroupMemberCategory = try row.get("member_category")
        try self.init(
            memberID: member, scope: .support(category == .user ? nil : member), time: row.time("support_chat_ts"),
            unread: UnreadCount(
                items: row.get("support_chat_items_unread"), mentions: row.get("support_chat_items_mentions")),
            unanswered: row.get("support_chat_items_member_attention"),
            lastFromMember: row.optionalTime("support_chat_last_msg_from_member_ts"))
    }
}

extension GroupScope {
    /// The scope of a stored tag; nil for the main chat of a group, and for other chats.
    init?(tag: String?, member: GroupMemberID?) {
        guard let tag else { return nil }
        self = tag == Self.supportTag ? .support(member) : .other(tag)
    }

    fileprivate static let supportTag = "member_support"

    var tag: String {
        switch self {
        case .support: Self.supportTag
        case .other(let tag): tag
        }
    }

    var memberID: GroupMemberID? {
        guard case .support(let member) = self else { return nil }
        return member
    }

    /// The condition that an item has this scope. The tag of support chats is not bound: a bound value cannot use the
    /// index of the items in support chats.
    var condition: Query {
        switch self {
        case .support(nil): "\(Self.isSupport) AND chat_items.group_scope_group_member_id IS NULL"
        case .support(let member?): "\(Self.isSupport) AND chat_items.group_scope_group_member_id = \(member)"
        case .other(let tag): "chat_items.group_scope_tag = \(tag)"
        }
    }

    static let isSupport: Query = "chat_items.group_scope_tag = 'member_support'"
}

/// The row of a member has the time and the counters of its support chat, and the profile's own membership has those of
/// the profile's own.
extension ChatItemsWriter {
    /// The scope of a new item must be in a group: a support chat of a member of the group, or of the profile, which is
    /// in the group, or a part that this version does not know.
    func requireScope(_ scope: GroupScope?, in chat: ChatID, of user: UserID) throws(ChatsError) {
        if let scope, chat.groupID == nil || scope == .other(GroupScope.supportTag) { throw .chatNotFound(chat) }
        guard case .support(let member)? = scope else { return }
        if let member { return try requireMember(member, in: chat, of: user) }
        let own: Query = "group_id = \(chat.groupID) AND member_category = 'user' AND user_id = \(user)"
        if try items.count("SELECT count(*) FROM group_members WHERE \(own)") == 0 { throw .chatNotFound(chat) }
    }

    /// Moves the support chat of a new item to the top, and counts the item.
    func bringUpSupportChat(of item: ChatItem) throws(ChatsError) {
        guard case .support(let member)? = item.scope, let group = item.chat?.groupID else { return }
        let isOfMember = member != nil && item.memberID == member
        let last: Query =
            isOfMember
            ? """
            , support_chat_last_msg_from_member_ts = CASE WHEN support_chat_last_msg_from_member_ts > \(item.time.text)
                THEN support_chat_last_msg_from_member_ts ELSE \(item.time.text) END
            """ : ""
        try run(
            """
            UPDATE group_members
            SET support_chat_ts = CASE WHEN support_chat_ts > \(now) THEN support_chat_ts ELSE \(now) END\(last)
            WHERE \(SupportCounters.isRow(of: member, in: group)) AND user_id = \(item.userID)
            """)
        try countSupport(SupportCounters.isRow(of: member, in: group), of: item.userID)
    }

    /// Counts the unread items of the support chat that an item is in, if it is in one.
    func countSupport(ofItem id: ChatItemID, of user: UserID) throws(ChatsError) {
        try countSupport(SupportCounters.isRow(ofItem: id), of: user)
    }

    /// Counts the unread items of support chats, of which a condition selects the rows.
    ///
    /// The chat of the profile's own membership has no member in its items, so it takes a statement of its own.
    func countSupport(_ rows: Query, of user: UserID) throws(ChatsError) {
        try countSupport("\(rows) AND member_category = 'user'", withMember: "IS NULL", of: user)
        try countSupport(
            "\(rows) AND member_category <> 'user'", withMember: "= group_members.group_member_id", of: user)
    }

    private func countSupport(_ rows: Query, withMember member: Query, of user: UserID) throws(ChatsError) {
        try run(
            """
            UPDATE group_members
            SET (support_chat_items_unread, support_chat_items_member_attention, support_chat_items_mentions) = (
                    SELECT count(*),
                        coalesce(sum(
                            CASE WHEN chat_items.group_member_id = group_members.group_member_id THEN 1 ELSE 0 END), 0),
                        coalesce(sum(chat_items.user_mention), 0)
                    FROM chat_items
                    WHERE chat_items.user_id = group_members.user_id AND chat_items.group_id = group_members.group_id
                        AND \(GroupScope.isSupport) AND chat_items.item_status = 'rcv_new'
                        AND chat_items.group_scope_group_member_id \(member)),
                updated_at = \(now)
            WHERE \(rows) AND user_id = \(user)
            """)
    }
}

/// Conditions on the rows of members that have the counters of support chats.
enum SupportCounters {
    /// The row of one support chat.
    static func isRow(of member: GroupMemberID?, in group: GroupID) -> Query {
        if let member { return "group_member_id = \(member)" }
        return "group_id = \(group) AND member_category = 'user'"
    }

    /// The row of the support chat that an item is in; no row for other items.
    static func isRow(ofItem id: ChatItemID) -> Query {
        """
        group_member_id = (
            SELECT coalesce(
                chat_items.group_scope_group_member_id,
                (SELECT own.group_member_id FROM group_members own
                 WHERE own.group_id = chat_items.group_id AND own.member_category = 'user'))
            FROM chat_items WHERE chat_items.chat_item_id = \(id) AND \(GroupScope.isSupport))
        """
    }

    /// The rows of all support chats with unread items.
    static let areUnread: Query = "support_chat_ts IS NOT NULL AND support_chat_items_unread > 0"

    /// The rows of the support chats of a group.
    static func areRows(in group: GroupID) -> Query { "group_id = \(group) AND support_chat_ts IS NOT NULL" }
}
