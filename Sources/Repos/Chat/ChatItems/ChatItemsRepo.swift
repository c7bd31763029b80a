public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The items of the chats of a profile. Rule: docs/domain.md, "Chat items".
///
/// ```swift
/// let items = try store.read { try ChatItemsRepo($0).last(50, in: .group(channel.id), of: user.id) }
/// let found = try store.read { try ChatItemsRepo($0).search("brown fox", in: .profile, of: user.id, limit: 20) }
/// ```
public struct ChatItemsRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The item of a profile with a number, deleted or not, or nil; that of another profile is nil.
    public func find(_ id: ChatItemID, of user: UserID) throws(ChatsError) -> ChatItem? {
        try first(
            "SELECT \(ChatItem.columns) FROM chat_items WHERE chat_item_id = \(id) AND user_id = \(user)")
    }

    /// The item of a profile with a number, deleted or not. Throws `chatItemNotFound`.
    public func get(_ id: ChatItemID, of user: UserID) throws(ChatsError) -> ChatItem {
        guard let item = try find(id, of: user) else { throw .chatItemNotFound(id) }
        return item
    }

    /// The item of a chat that was made from the message with this shared id, deleted or not, or nil. In a group, an id
    /// belongs to one author: with `member`, the item of that member. Of several items, the oldest, so that a later
    /// message cannot replace it.
    public func find(
        sharedID: String, from member: GroupMemberID? = nil, in chat: ChatID, of user: UserID
    ) throws(ChatsError) -> ChatItem? {
        let author: Query = member.map { "AND chat_items.group_member_id = \($0)" } ?? ""
        return try first(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(chat.hasItem(of: user, sharedID: sharedID)) \(author)
            ORDER BY chat_item_id LIMIT 1
            """)
    }

    /// The versions of an edited item, the first one and the present one among them, oldest first. An item that was not
    /// edited has none. Throws `chatItemNotFound`.
    public func versions(of id: ChatItemID, of user: UserID) throws(ChatsError) -> [ChatItemVersion] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT \(ChatItemVersion.columns) FROM chat_item_versions WHERE chat_item_id = \(id)
            ORDER BY item_version_ts, chat_item_version_id
            """)
    }

    /// The unread items of a chat, muted or not, read from an index of unread items. In a group, those of the main chat
    /// or, with a scope, of that support chat. Zero for a chat of another profile.
    public func unread(
        in chat: ChatID, scope: GroupScope? = nil, of user: UserID
    ) throws(ChatsError) -> UnreadCount {
        // Mentions exist only in groups, and only that index has the column.
        let mentions: Query = chat.groupID == nil ? "0" : "coalesce(sum(user_mention), 0)"
        return try first(
            """
            SELECT count(*) AS items, \(mentions) AS mentions FROM chat_items
            WHERE \(chat.hasItem(of: user, in: scope)) AND item_status = 'rcv_new'
            """) ?? UnreadCount(items: 0, mentions: 0)
    }

    /// The number of unread items of a profile, counted as in `UsersRepo.infos`: without muted chats and deleted
    /// contacts. In groups with notifications for mentions only, only mentions count.
    public func unread(of user: UserID) throws(ChatsError) -> UnreadCount {
        try first(
            """
            SELECT sum(items) AS items, sum(mentions) AS mentions FROM (
                SELECT count(*) AS items, 0 AS mentions FROM chat_items
                WHERE \(UnreadOfProfile.withContacts("\(user)"))
                UNION ALL
                SELECT count(*), coalesce(sum(chat_items.user_mention), 0) FROM chat_items
                WHERE \(UnreadOfProfile.inGroups("\(user)"))
            ) counts
            """) ?? UnreadCount(items: 0, mentions: 0)
    }
}

extension UnreadCount: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(items: row.get("items"), mentions: row.get("mentions"))
    }
}

/// Pages of a chat: items in the order the chat shows them, by time and then by number, oldest first.
///
/// Items marked as deleted are left out unless the caller asks for them. A page of a group has the items of one part of
/// it, the main chat or a support chat: `last` takes it as its scope, and the other pages take that of their item. Rule:
/// docs/domain.md, "Chat items".
extension ChatItemsRepo {
    /// The newest items of a chat, at most `limit`. Nothing for a chat of another profile.
    public func last(
        _ limit: Int, in chat: ChatID, scope: GroupScope? = nil, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        try page(.backward, from: nil, limit: limit, in: chat, scope, of: user, includingDeleted)
    }

    /// The items just before another one of the chat, which may be deleted, at most `limit`; none at the beginning.
    /// Throws `chatItemNotFound`.
    public func before(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        return try page(.backward, from: start, limit: limit, in: chat, start.scope, of: user, includingDeleted)
    }

    /// The items just after another one of the chat, which may be deleted, at most `limit`; none at the end.
    /// Throws `chatItemNotFound`.
    public func after(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        return try page(.forward, from: start, limit: limit, in: chat, start.scope, of: user, includingDeleted)
    }

    /// An item of the chat with at most `limit` before and `limit` after it: for opening a chat at a reply, a mention
    /// or a search result. If the item itself is deleted, the result has only the items around it. Throws
    /// `chatItemNotFound`.
    public func around(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        let item = try get(id, of: user)
        return try page(.backward, from: start, limit: limit, in: chat, start.scope, of: user, includingDeleted)
            + (item.isDeleted && !includingDeleted ? [] : [item])
            + page(.forward, from: start, limit: limit, in: chat, start.scope, of: user, includingDeleted)
    }

    private enum Direction {
        case forward, backward
    }

    /// The time as it is stored: other apps keep more digits than `StoredTime` writes.
    struct Place: RowRecord {
        let id: ChatItemID
        let time: String
        let scope: GroupScope?

        init(row: ResultRow) throws(StoreError) {
            id = try row.get("chat_item_id")
            time = try row.get("item_ts")
            scope = GroupScope(tag: try row.get("group_scope_tag"), member: try row.get("group_scope_group_member_id"))
        }
    }

    func place(of id: ChatItemID, in chat: ChatID, of user: UserID) throws(ChatsError) -> Place {
        let place: Place? = try first(
            """
            SELECT chat_item_id, item_ts, group_scope_tag, group_scope_group_member_id FROM chat_items
            WHERE chat_items.chat_item_id = \(id) AND \(chat.hasItem(of: user))
            """)
        guard let place else { throw .chatItemNotFound(id) }
        return place
    }

    private func page(
        _ direction: Direction, from place: Place?, limit: Int, in chat: ChatID, _ scope: GroupScope?,
        of user: UserID, _ includingDeleted: Bool
    ) throws(ChatsError) -> [ChatItem] {
        let (compared, order): (Query, Query) =
            switch direction {
            case .backward: ("<", "DESC")
            case .forward: (">", "ASC")
            }
        var conditions = [chat.hasItem(of: user, in: scope)]
        if let place { conditions.append("(item_ts, chat_item_id) \(compared) (\(place.time), \(place.id))") }
        if !includingDeleted { conditions.append("item_deleted = 0") }
        let items: [ChatItem] = try all(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(Query.joined(conditions, by: " AND "))
            ORDER BY item_ts \(order), chat_item_id \(order) LIMIT \(number: PageSize.upTo(limit))
            """)
        return direction == .backward ? items.reversed() : items
    }
}

/// The data that a page shows beside its items, read for all of them at once. Rule: docs/domain.md, "Chat items",
/// Reactions.
extension ChatItemsRepo {
    /// The reactions to items of a profile: the most frequent first, then by the reaction's text. Items without any,
    /// and those of another profile, are left out.
    public func reactions(
        to items: [ChatItemID], of user: UserID
    ) throws(ChatsError) -> [ChatItemID: [ReactionCount]] {
        let rows: [OfItem<ReactionCount>] = try all(
            """
            SELECT chat_item_reactions.chat_item_id, reaction, count(*) AS reactions,
                max(CASE WHEN reaction_sent = 1 AND chat_item_reactions.group_member_id IS NULL THEN 1 ELSE 0 END)
                    AS is_own
            FROM chat_item_reactions JOIN chat_items ON chat_items.chat_item_id = chat_item_reactions.chat_item_id
            WHERE chat_item_reactions.chat_item_id IN (\(tx.dialect.numbers(items.map(\.rawValue))))
                AND +chat_items.user_id = \(user)
            GROUP BY chat_item_reactions.chat_item_id, reaction
            ORDER BY chat_item_reactions.chat_item_id, reactions DESC, reaction
            """)
        return OfItem.grouped(rows)
    }

    /// Who is mentioned in items of a profile, by name. Items without mentions, and those of another profile, are left
    /// out.
    public func mentions(
        in items: [ChatItemID], of user: UserID
    ) throws(ChatsError) -> [ChatItemID: [ChatItemMention]] {
        let rows: [OfItem<ChatItemMention>] = try all(
            """
            SELECT chat_item_mentions.chat_item_id, member_id, display_name
            FROM chat_item_mentions JOIN chat_items ON chat_items.chat_item_id = chat_item_mentions.chat_item_id
            WHERE chat_item_mentions.chat_item_id IN (\(tx.dialect.numbers(items.map(\.rawValue))))
                AND +chat_items.user_id = \(user)
            ORDER BY chat_item_mentions.chat_item_id, display_name
            """)
        return OfItem.grouped(rows)
    }
}

/// A value of an item, with the item's number.
private struct OfItem<Record: RowRecord>: RowRecord {
    let item: ChatItemID
    let record: Record

    init(row: ResultRow) throws(StoreError) {
        item = try row.get("chat_item_id")
        record = try Record(row: row)
    }

    static func grouped(_ rows: [OfItem]) -> [ChatItemID: [Record]] {
        Dictionary(grouping: rows, by: \.item).mapValues { $0.map(\.record) }
    }
}

extension ReactionCount: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(reaction: row.get("reaction"), count: row.get("reactions"), isOwn: row.get("is_own"))
    }
}

extension ChatItemMention: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(memberID: row.get("member_id"), name: row.get("display_name"))
    }
}

extension ChatItem: RowRecord {
    static let columns: Query = """
        chat_items.chat_item_id, chat_items.user_id, chat_items.contact_id, chat_items.group_id,
        chat_items.note_folder_id, chat_items.group_member_id, chat_items.created_by_msg_id,
        chat_items.shared_msg_id, chat_items.item_sent, chat_items.item_ts, chat_items.item_status,
        chat_items.item_content, chat_items.item_content_tag, chat_items.msg_content_tag, chat_items.item_text,
        chat_items.item_edited, chat_items.item_deleted, chat_items.item_deleted_ts,
        chat_items.item_deleted_by_group_member_id, chat_items.quoted_shared_msg_id, chat_items.quoted_sent_at,
        chat_items.quoted_content, chat_items.quoted_sent, chat_items.quoted_member_id, chat_items.timed_ttl,
        chat_items.timed_delete_at, chat_items.user_mention, chat_items.item_live, chat_items.fwd_from_tag,
        chat_items.fwd_from_chat_name, chat_items.fwd_from_msg_dir, chat_items.fwd_from_contact_id,
        chat_items.fwd_from_group_id, chat_items.fwd_from_chat_item_id, chat_items.fwd_from_group_type,
        chat_items.fwd_from_group_link, chat_items.fwd_from_public_group_id, chat_items.fwd_from_member_id,
        chat_items.fwd_from_shared_msg_id, chat_items.group_scope_tag, chat_items.group_scope_group_member_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("chat_item_id"), userID: row.get("user_id"), chat: Self.chat(in: row),
            memberID: row.get("group_member_id"), messageID: row.get("created_by_msg_id"),
            sharedMessageID: row.get("shared_msg_id"), direction: MessageDirection(isSent: row.get("item_sent")),
            time: row.time("item_ts"), status: row.get("item_status"), content: row.get("item_content"),
            contentTag: row.get("item_content_tag"), messageContentTag: row.get("msg_content_tag"),
            text: row.get("item_text"), isEdited: row.get("item_edited"), deletion: Self.deletion(in: row),
            quote: Self.quote(in: row), timeToLive: row.get("timed_ttl"),
            deleteAt: row.optionalTime("timed_delete_at"), mentionsUser: row.get("user_mention"),
            isLive: row.get("item_live"), forwardedFrom: Self.forwardedFrom(in: row),
            scope: GroupScope(tag: row.get("group_scope_tag"), member: row.get("group_scope_group_member_id")))
    }

    private static func forwardedFrom(in row: ResultRow) throws(StoreError) -> ForwardedFrom? {
        guard let kind: ForwardedFromKind = try row.get("fwd_from_tag") else { return nil }
        var from = ForwardedFrom(kind)
        from.chatName = try row.get("fwd_from_chat_name")
        let isSent: Bool? = try row.get("fwd_from_msg_dir")
        from.direction = isSent.map { MessageDirection(isSent: $0) }
        from.contactID = try row.get("fwd_from_contact_id")
        from.groupID = try row.get("fwd_from_group_id")
        from.itemID = try row.get("fwd_from_chat_item_id")
        from.groupType = try row.get("fwd_from_group_type")
        from.groupLink = try row.get("fwd_from_group_link")
        from.publicGroupID = try row.get("fwd_from_public_group_id")
        from.memberID = try row.get("fwd_from_member_id")
        from.sharedMessageID = try row.get("fwd_from_shared_msg_id")
        return from
    }

    private static func chat(in row: ResultRow) throws(StoreError) -> ChatID? {
        if let contact: ContactID = try row.get("contact_id") { return .contact(contact) }
        if let group: GroupID = try row.get("group_id") { return .group(group) }
        if let folder: NoteFolderID = try row.get("note_folder_id") { return .notes(folder) }
        return nil
    }

    private static func deletion(in row: ResultRow) throws(StoreError) -> Deletion? {
        // SimpleX Chat also stores 2 (blocked) and 3 (blocked by an admin).
        guard try row.get("item_deleted") as Int64 != 0 else { return nil }
        return try Deletion(
            time: row.optionalTime("item_deleted_ts"), memberID: row.get("item_deleted_by_group_member_id"))
    }

    private static func quote(in row: ResultRow) throws(StoreError) -> Quote? {
        let quote = try Quote(
            sharedMessageID: row.get("quoted_shared_msg_id"), time: row.optionalTime("quoted_sent_at"),
            content: row.get("quoted_content"), isOwn: row.get("quoted_sent"), memberID: row.get("quoted_member_id"))
        return quote == Quote(sharedMessageID: nil, time: nil, content: nil, isOwn: nil, memberID: nil) ? nil : quote
    }
}

extension ChatItemVersion: RowRecord {
    static let columns: Query = """
        chat_item_versions.chat_item_version_id, chat_item_versions.msg_content, chat_item_versions.item_version_ts
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("chat_item_version_id"), content: row.get("msg_content"), time: row.time("item_version_ts"))
    }
}
