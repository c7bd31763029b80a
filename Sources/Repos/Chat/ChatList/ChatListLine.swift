import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// A line of the list with the number of its newest item.
struct ChatListLine: RowRecord {
    let entry: ChatListEntry
    let position: ChatPreview.Position
    let time: StoredTime
    let name: String
    let isFavorite: Bool
    let isMarkedUnread: Bool
    let unread: UnreadCount
    let lastItem: ChatItemID?

    init(row: ResultRow) throws(StoreError) {
        let id: Int64 = try row.get("id")
        let kind: Int = try row.get("kind")
        entry =
            switch kind {
            case ChatListSource.contacts.kind: .chat(.contact(ContactID(id)))
            case ChatListSource.groups.kind: .chat(.group(GroupID(id)))
            case ChatListSource.notes.kind: .chat(.notes(NoteFolderID(id)))
            case ChatListSource.requests.kind: .request(ContactRequestID(id))
            default: .connection(ConnectionID(id))
            }
        position = ChatPreview.Position(time: try row.get("ts"), kind: kind, id: id)
        time = try row.time("ts")
        name = try row.get("name")
        isFavorite = try row.get("favorite")
        isMarkedUnread = try row.get("unread_chat")
        unread = try UnreadCount(row: row)
        lastItem = try row.get("last_item_id")
    }

    func preview(with item: ChatItem?) -> ChatPreview {
        ChatPreview(
            entry: entry, name: name, time: time, isFavorite: isFavorite, isMarkedUnread: isMarkedUnread,
            unread: unread, lastItem: item, position: position)
    }

    /// The first lines of several sources, each of which has at most as many and in order. What is counted and looked up
    /// for a line, is for these lines alone.
    static func query(from sources: [Query], of user: UserID, limit: Int) -> Query {
        """
        WITH page AS (
            SELECT kind, id, ts, name, favorite, unread_chat FROM (
                \(Query.joined(sources, by: "\nUNION ALL\n"))
            )
            ORDER BY ts DESC, kind, id DESC LIMIT \(limit)
        )
        SELECT page.kind, page.id, page.ts, page.name, page.favorite, page.unread_chat,
            CASE page.kind
                WHEN 0 THEN (SELECT count(*) FROM chat_items
                    WHERE user_id = \(user) AND contact_id = page.id AND item_status = 'rcv_new')
                WHEN 1 THEN (SELECT count(*) FROM chat_items
                    WHERE user_id = \(user) AND group_id = page.id AND item_status = 'rcv_new')
                ELSE 0 END AS items,
            CASE page.kind
                WHEN 1 THEN (SELECT coalesce(sum(user_mention), 0) FROM chat_items
                    WHERE user_id = \(user) AND group_id = page.id AND item_status = 'rcv_new')
                ELSE 0 END AS mentions,
            CASE page.kind
                WHEN 0 THEN (SELECT chat_item_id FROM chat_items
                    WHERE user_id = \(user) AND contact_id = page.id AND item_deleted = 0
                    ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                WHEN 1 THEN (SELECT chat_item_id FROM chat_items
                    WHERE user_id = \(user) AND group_id = page.id AND item_deleted = 0
                    ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                WHEN 2 THEN (SELECT chat_item_id FROM chat_items
                    WHERE user_id = \(user) AND note_folder_id = page.id AND item_deleted = 0
                    ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                END AS last_item_id
        FROM page
        ORDER BY page.ts DESC, page.kind, page.id DESC
        """
    }
}
