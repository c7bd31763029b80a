import ChatDBEngine
import ChatDBSchema

/// The checks of what chats contain. They do not examine what people wrote.
extension StoreCheck {
    static let ofContent = [
        StoreCheck(
            "unreadInDeletedChat", .info, "deleted chats that still have unread messages", isGeneral: true,
            walk: unread),
        StoreCheck(
            "unreadableContent", .error, "contents of messages, preferences and themes that are not JSON",
            isGeneral: true
        ) { checked, found in
            for table in JSONTable.all { try table.check(checked, &found) }
        },
    ]

    /// Reports contacts whose chat no list shows: `contacts 12 (3 unread)`. The app's count of unread messages includes
    /// the messages of these contacts.
    private static func unread(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let columns = checked.structures[.chat]?.tables["contacts"]?.columnNames ?? []
        // Only stores of SimpleX Chat keep a contact whose chat was deleted.
        let isDeleted: Query = columns.contains("chat_deleted") ? "(deleted = 1 OR chat_deleted = 1)" : "deleted = 1"
        try checked.forEach(
            """
            SELECT contact_id, unread_chat, unread FROM (
                SELECT contact_id, unread_chat, (
                    SELECT count(*) FROM \(checked.file("chat_items"))
                    WHERE chat_items.contact_id = contacts.contact_id
                        AND CAST(item_status AS TEXT) = 'rcv_new') AS unread
                FROM \(checked.file("contacts")) WHERE \(isDeleted)) AS gone
            WHERE unread > 0 OR unread_chat = 1 ORDER BY contact_id
            """, &found
        ) { row, found in
            let unread: Int64 = try row.get("unread")
            let id: Int64 = try row.get("contact_id")
            found.add(unread == 0 ? "contacts \(id) (marked as unread)" : "contacts \(id) (\(unread) unread)")
        }
    }
}
