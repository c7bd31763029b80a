import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Chat items", Unread.
extension ChatItemsWriter {
    /// Marks what is unread in a chat as read, and answers how many items that were: all, and then the chat is not marked
    /// unread any more either; or those with numbers in a range. A disappearing item has its time to go from then on.
    /// Throws `chatNotFound`.
    @discardableResult
    public func markRead(
        _ range: ClosedRange<ChatItemID>? = nil, in chat: ChatID, of user: UserID
    ) throws(ChatsError) -> Int {
        try requireChat(chat, of: user)
        let part: Query =
            range.map { "AND chat_item_id BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
        if range == nil {
            try run(
                """
                UPDATE \(chat.table) SET unread_chat = 0, updated_at = \(now)
                WHERE \(chat.isRow(of: user)) AND unread_chat = 1
                """)
        }
        return try run(
            """
            UPDATE chat_items
            SET item_status = 'rcv_read', updated_at = \(now),
                timed_delete_at = CASE WHEN timed_ttl IS NOT NULL AND timed_delete_at IS NULL
                    THEN \(tx.dialect.later(now, "timed_ttl")) ELSE timed_delete_at END
            WHERE \(chat.hasItem(of: user)) AND item_status = 'rcv_new' \(part)
            """)
    }
}
