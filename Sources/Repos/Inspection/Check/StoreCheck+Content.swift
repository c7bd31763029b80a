import ChatDBEngine
import ChatDBSchema

/// The checks of what chats contain. They do not examine what people wrote.
extension StoreCheck {
    static let ofContent = [
        StoreCheck(
            "unreadInDeletedChat", .info, "deleted chats that still have unread messages", isGeneral: true,
            walk: unread),
        StoreCheck(
            "unreadableContent", .error, "messages whose content is not JSON", isGeneral: true, walk: unreadable),
    ]

    /// Reports contacts whose chat no list shows: `contacts 12 (3 unread)`. The app's count of unread messages includes
    /// the messages of these contacts.
    private static func unread(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let columns = checked.structures[.chat]?.tables["contacts"]?.columnNames ?? []
        // Only stores of SimpleX Chat keep a contact whose chat was deleted.
        let isDeleted: Query = columns.contains("chat_deleted") ? "(deleted = 1 OR chat_deleted = 1)" : "deleted = 1"
        try checked.transaction(.chat).forEach(
            """
            SELECT contact_id, unread_chat, (
                SELECT count(*) FROM main.chat_items
                WHERE chat_items.contact_id = contacts.contact_id AND CAST(item_status AS TEXT) = 'rcv_new') AS unread
            FROM main.contacts WHERE \(isDeleted) AND (unread > 0 OR unread_chat = 1) ORDER BY contact_id
            """
        ) { row in
            let unread: Int64 = try row.get("unread")
            let id: Int64 = try row.get("contact_id")
            found.add(unread == 0 ? "contacts \(id) (marked as unread)" : "contacts \(id) (\(unread) unread)")
        }
    }

    /// Reports rows by table and number. Messages can have another form than JSON, so the check examines only those
    /// that begin like JSON.
    private static func unreadable(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let chat = try checked.transaction(.chat)
        try found.add(
            """
            SELECT 'chat_items ' || chat_item_id FROM main.chat_items
            WHERE NOT json_valid(CAST(item_content AS TEXT))
                OR quoted_content IS NOT NULL AND NOT json_valid(CAST(quoted_content AS TEXT))
            ORDER BY chat_item_id
            """, in: chat)
        try found.add(
            """
            SELECT 'messages ' || message_id FROM main.messages
            WHERE substr(CAST(msg_body AS TEXT), 1, 1) IN ('{', '[') AND NOT json_valid(CAST(msg_body AS TEXT))
            ORDER BY message_id
            """, in: chat)
    }
}
