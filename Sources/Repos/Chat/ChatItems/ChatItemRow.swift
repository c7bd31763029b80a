package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatItem: RowRecord {
    static let columns: Query = """
        chat_items.chat_item_id, chat_items.user_id, chat_items.contact_id, chat_items.group_id,
        chat_items.note_folder_id, chat_items.group_member_id, chat_items.created_by_msg_id,
        chat_items.shared_msg_id, chat_items.item_sent, chat_items.item_ts, chat_items.item_status,
        chat_items.item_content, chat_items.item_content_tag, chat_items.msg_content_tag, chat_items.item_text,
        chat_items.item_edited, chat_items.item_deleted, chat_items.item_deleted_ts,
        chat_items.item_deleted_by_group_member_id, chat_items.quoted_shared_msg_id, chat_items.quoted_sent_at,
        chat_items.quoted_content, chat_items.quoted_sent, chat_items.quoted_member_id, chat_items.timed_ttl,
        chat_items.timed_delete_at, chat_items.user_mention
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
            deleteAt: row.optionalTime("timed_delete_at"), mentionsUser: row.get("user_mention"))
    }

    private static func chat(in row: ResultRow) throws(StoreError) -> ChatID? {
        if let contact: ContactID = try row.get("contact_id") { return .contact(contact) }
        if let group: GroupID = try row.get("group_id") { return .group(group) }
        if let folder: NoteFolderID = try row.get("note_folder_id") { return .notes(folder) }
        return nil
    }

    private static func deletion(in row: ResultRow) throws(StoreError) -> Deletion? {
        guard try row.get("item_deleted") else { return nil }
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
