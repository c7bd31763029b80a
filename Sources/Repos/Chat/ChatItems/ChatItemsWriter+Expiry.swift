import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What expiry has removed.
public struct ExpiredItems: Sendable, Hashable {
    /// How many items.
    public let items: Int
    /// The files that belonged to them, which are left to whoever removes them from disk.
    public let files: [FileID]

    package init(items: Int, files: [FileID]) {
        self.items = items
        self.files = files
    }
}

extension ChatItemsWriter {
    /// Removes what has expired at a time, in all chats of a profile: the items with the messages that brought them, and
    /// their words.
    /// Nothing for a profile that is not there. Rule: docs/domain.md, "Expiry".
    ///
    /// An item expires when it was both sent and stored longer ago than the time to live of its chat, or of the profile
    /// when the chat has none of its own; 0 keeps everything. A disappearing item goes when its time has come. Notes are
    /// kept.
    public func expire(at time: StoredTime, of user: UserID) throws(ChatsError) -> ExpiredItems {
        let expired = expiredItems(at: time, of: user)
        let files = try files(ofItems: expired, of: user)
        try run(
            """
            DELETE FROM messages WHERE message_id IN (\(messages(ofItems: expired))) AND +user_id = \(user)
            """)
        let count = try run("DELETE FROM chat_items WHERE chat_item_id IN (\(expired)) AND +user_id = \(user)")
        if count > 0 { try forget(.all) }
        return ExpiredItems(items: count, files: files)
    }

    /// A SELECT of the numbers of what has expired: a look into the index of each chat with a time to live, and CROSS JOIN
    /// so that it is not the other way round.
    private func expiredItems(at time: StoredTime, of user: UserID) -> Query {
        let profile: Query = "(SELECT chat_item_ttl FROM settings WHERE settings.user_id = \(user))"
        let kinds: [(table: Query, key: Query)] = [("contacts", "contact_id"), ("groups", "group_id")]
        let selects = kinds.map { table, key in
            let limit = tx.dialect.later("\(time.text)", "-chats.ttl")
            return """
                SELECT chat_items.chat_item_id
                FROM (
                    SELECT user_id, \(key), coalesce(chat_item_ttl, \(profile)) AS ttl
                    FROM \(table) WHERE user_id = \(user)
                ) chats
                CROSS JOIN chat_items
                WHERE chats.ttl > 0 AND chat_items.user_id = chats.user_id AND chat_items.\(key) = chats.\(key)
                    AND chat_items.item_ts < \(limit) AND chat_items.created_at < \(limit)
                """ as Query
        }
        let disappearing: Query = """
            SELECT chat_item_id FROM chat_items
            WHERE user_id = \(user) AND timed_delete_at IS NOT NULL AND timed_delete_at <= \(time.text)
            """
        return Query.joined(selects + [disappearing], by: "\nUNION ALL\n")
    }
}
