package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The items of a chat by the kind of their content. Items without a kind, such as calls and events, and items that are
/// marked as deleted are left out, and so are those in support chats. Rule: docs/domain.md, "Chat items", Kinds.
extension ChatItemsRepo {
    /// The kinds of content in a chat with their numbers of items, the most frequent first, then by their texts; read
    /// from an index. The list is empty for a chat without messages, and for a chat of another profile.
    public func kinds(in chat: ChatID, of user: UserID) throws(ChatsError) -> [MessageKindCount] {
        try all(
            """
            SELECT msg_content_tag, count(*) AS items FROM chat_items
            WHERE \(chat.hasItem(of: user, in: nil)) AND msg_content_tag IS NOT NULL AND item_deleted = 0
            GROUP BY msg_content_tag
            ORDER BY items DESC, msg_content_tag
            """)
    }

    /// The items of a chat with one kind of content, newest first: at most `limit`, with `before` only those before
    /// that item of the chat. The list is empty at the beginning of the chat, and for a chat of another profile. Throws
    /// `chatItemNotFound` for `before`.
    public func ofKind(
        _ kind: MessageKind, in chat: ChatID, before: ChatItemID? = nil, of user: UserID, limit: Int
    ) throws(ChatsError) -> [ChatItem] {
        var conditions: [Query] = [
            chat.hasItem(of: user, in: nil), "msg_content_tag = \(kind)", "item_deleted = 0",
        ]
        if let before {
            let place = try place(of: before, in: chat, of: user)
            conditions.append("(item_ts, chat_item_id) < (\(place.time), \(place.id))")
        }
        return try all(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(Query.joined(conditions, by: " AND "))
            ORDER BY item_ts DESC, chat_item_id DESC LIMIT \(number: PageSize.upTo(limit))
            """)
    }
}

extension MessageKindCount: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(kind: row.get("msg_content_tag"), items: row.get("items"))
    }
}

/// Items whose authors are still writing them. Rule: docs/domain.md, "Chat items", Live items.
extension ChatItemsRepo {
    /// The live items of a chat, in all parts of a group, oldest first; those that are marked as deleted are left out.
    /// The list is empty when there are none, and for a chat of another profile.
    public func live(in chat: ChatID, of user: UserID) throws(ChatsError) -> [ChatItem] {
        try all(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(chat.hasLiveItem(of: user)) AND item_deleted = 0
            ORDER BY item_ts, chat_item_id
            """)
    }
}

extension ChatItemsWriter {
    /// Ends the live items of a chat, or of these only those that are in it, and returns their number. They keep the
    /// content of their last edit. Throws `chatNotFound`.
    @discardableResult
    public func endLive(
        _ ids: [ChatItemID]? = nil, in chat: ChatID, of user: UserID
    ) throws(ChatsError) -> Int {
        try requireChat(chat, of: user)
        let some: Query = ids.map { "AND chat_item_id IN (\(tx.dialect.numbers($0.map(\.rawValue))))" } ?? ""
        return try run(
            """
            UPDATE chat_items SET item_live = 0, updated_at = \(now) WHERE \(chat.hasLiveItem(of: user)) \(some)
            """)
    }
}

extension ChatID {
    /// The condition that a live item is in this chat of a profile. An index has the few live items of the profile; the
    /// `+` prevents the use of the indexes that have all items of the chat.
    fileprivate func hasLiveItem(of user: UserID) -> Query {
        let place: Query =
            switch self {
            case .contact(let id): "+chat_items.contact_id = \(id)"
            case .group(let id): "+chat_items.group_id = \(id)"
            case .notes(let id): "+chat_items.note_folder_id = \(id)"
            }
        return "chat_items.user_id = \(user) AND chat_items.item_live = 1 AND \(place)"
    }
}
