public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// What the chats of a profile show. Rule: docs/domain.md, "Chat items".
public struct ChatItemsRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
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

    /// The item of a chat that was made from the message with this shared id, deleted or not, or nil. In a group an id
    /// is one author's: with `member`, what that member wrote. Of several the oldest, which nobody can take the place of.
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

    /// How much of a chat is unread, muted or not, read from an index of what is unread. Nothing for a chat of another profile.
    public func unread(in chat: ChatID, of user: UserID) throws(ChatsError) -> UnreadCount {
        // Only in groups can somebody be mentioned, and only that index has the column.
        let mentions: Query = chat.groupID == nil ? "0" : "coalesce(sum(user_mention), 0)"
        return try first(
            """
            SELECT count(*) AS items, \(mentions) AS mentions FROM chat_items
            WHERE \(chat.hasItem(of: user)) AND item_status = 'rcv_new'
            """) ?? UnreadCount(items: 0, mentions: 0)
    }

    /// How much is unread of a profile, counted as in `UsersRepo.infos`: not what is in muted chats or of deleted
    /// contacts, and of groups that tell of mentions only, the mentions.
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
