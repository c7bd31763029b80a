package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatTag: RowRecord {
    /// With the number of chats, whose contacts are not soft-deleted.
    static let columns: Query = """
        chat_tags.chat_tag_id, chat_tags.user_id, chat_tags.chat_tag_text, chat_tags.chat_tag_emoji,
        chat_tags.tag_order,
        (SELECT count(*) FROM chat_tags_chats
         LEFT JOIN contacts ON contacts.contact_id = chat_tags_chats.contact_id
         WHERE chat_tags_chats.chat_tag_id = chat_tags.chat_tag_id
            AND (chat_tags_chats.group_id IS NOT NULL OR contacts.deleted = 0)) AS chats
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("chat_tag_id"), userID: row.get("user_id"), text: row.get("chat_tag_text"),
            emoji: row.get("chat_tag_emoji"), order: row.get("tag_order"), chats: row.get("chats"))
    }
}

extension TaggedChat: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        if let contact: ContactID = try row.get("contact_id") {
            self = .contact(contact)
        } else {
            self = .group(try row.get("group_id"))
        }
    }
}

extension NoteFolder: RowRecord {
    static let columns: Query = "note_folder_id, user_id, chat_ts, favorite, unread_chat"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("note_folder_id"), userID: row.get("user_id"), chatTime: row.time("chat_ts"),
            isFavourite: row.get("favorite"), isUnread: row.get("unread_chat"))
    }
}
