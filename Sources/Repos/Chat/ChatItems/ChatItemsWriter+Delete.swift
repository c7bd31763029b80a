import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The three ways to delete an item, and clearing a chat. Rule: docs/domain.md, "Chat items".
extension ChatItemsWriter {
    /// Marks an item deleted: its content stays, lists and searches leave it out, and it counts as read. An item that
    /// is deleted already does not change. Throws `chatItemNotFound`.
    public func markDeleted(
        _ id: ChatItemID, at time: StoredTime, of user: UserID
    ) throws(ChatsError) -> ChatItem {
        try mark(id, at: time, by: nil, of: user)
        return try items.get(id, of: user)
    }

    /// Marks an item of a group as deleted by a member of that group, and stores the member; otherwise like
    /// `markDeleted`. The caller checks whether the member may do that. Throws `chatItemNotFound` and `memberNotFound`.
    public func moderate(
        _ id: ChatItemID, by member: GroupMemberID, at time: StoredTime, of user: UserID
    ) throws(ChatsError) -> ChatItem {
        try requireMember(member, in: try items.get(id, of: user).chat, of: user)
        try mark(id, at: time, by: member, of: user)
        return try items.get(id, of: user)
    }

    /// Deletes an item fully: removes its text, content, quote, origin, versions, mentions and reactions, its words in
    /// the index, and the bodies of the messages that brought it. An empty item stays in its place. An earlier mark as
    /// deleted is kept, with its author and time.
    ///
    /// Returns the files that belong to it, which the caller removes from disk. Quotes of it in other items stay.
    /// Searches no longer find its words; the pages of a large index may keep some until ``forgetDeletedWords()``.
    /// Throws `chatItemNotFound`.
    @discardableResult
    public func delete(
        _ id: ChatItemID, at time: StoredTime, of user: UserID
    ) throws(ChatsError) -> [FileID] {
        try mark(id, at: time, by: nil, of: user)
        try run(
            """
            UPDATE messages SET msg_body = NULL, updated_at = \(now)
            WHERE message_id IN (\(messages(ofItems: "SELECT \(id)"))) AND +user_id = \(user)
            """)
        try run(
            """
            UPDATE chat_items
            SET item_text = '', item_content = '{}', quoted_content = NULL, item_edited = 0, user_mention = 0,
                item_live = 0, fwd_from_tag = NULL, fwd_from_chat_name = NULL, fwd_from_msg_dir = NULL,
                fwd_from_contact_id = NULL, fwd_from_group_id = NULL, fwd_from_chat_item_id = NULL,
                fwd_from_group_type = NULL, fwd_from_group_link = NULL, fwd_from_public_group_id = NULL,
                fwd_from_member_id = NULL, fwd_from_shared_msg_id = NULL, updated_at = \(now)
            WHERE chat_item_id = \(id) AND user_id = \(user)
            """)
        for table in ["chat_item_versions", "chat_item_mentions", "chat_item_reactions"] {
            try run("DELETE FROM \(identifier: table) WHERE chat_item_id = \(id)")
        }
        try forget(.some)
        return try files(ofItems: "SELECT \(id)", of: user)
    }

    /// Removes all items of a chat, in all parts of a group, with their versions, mentions, reactions and words, and all
    /// stored messages of the chat. The chat stays where it is in the list; nothing in it is unread any longer. Quotes
    /// of its items in other chats stay.
    ///
    /// Returns the number of items, the files that belonged to them, and the paths of those files that no other file of
    /// the store has. The caller removes the content at these paths and then the rows of the files with
    /// `FilesWriter.delete`. A chat without items gives an empty answer. Throws `chatNotFound`. Rule: docs/domain.md,
    /// "Chat items", Clearing.
    public func clear(_ chat: ChatID, of user: UserID) throws(ChatsError) -> ClearedChat {
        try requireChat(chat, of: user)
        let inChat = chat.hasItem(of: user)
        // Other files are those of items that stay, and those whose item is still to be made or was deleted before.
        let files: [FileOfChat] = try items.all(
            """
            SELECT file_id, file_path,
                EXISTS (
                    SELECT 1 FROM files other
                    WHERE other.file_path = files.file_path AND NOT EXISTS (
                        SELECT 1 FROM chat_items
                        WHERE chat_items.chat_item_id = other.chat_item_id AND \(inChat))) AS is_shared
            FROM files
            WHERE chat_item_id IN (SELECT chat_item_id FROM chat_items WHERE \(inChat)) AND +user_id = \(user)
            ORDER BY file_id
            """)
        try run(
            """
            DELETE FROM messages
            WHERE +user_id = \(user) AND message_id IN (
                SELECT created_by_msg_id FROM chat_items WHERE \(inChat) AND created_by_msg_id IS NOT NULL
                UNION \(messages(of: chat)))
            """)
        let count = try run("DELETE FROM chat_items WHERE \(inChat)")
        try run(
            """
            UPDATE \(chat.table) SET unread_chat = 0, updated_at = \(now)
            WHERE \(chat.isRow(of: user)) AND unread_chat = 1
            """)
        if let group = chat.groupID { try endSupportChats(in: group, of: user) }
        if count > 0 { try forget(.all) }
        let paths = Set(files.filter { !$0.isShared }.compactMap { $0.path.map { Array($0.utf8) } })
        return ClearedChat(
            items: count, files: files.map(\.id),
            paths: paths.map { String(decoding: $0, as: UTF8.self) }.sorted())
    }

    /// The messages of a chat, as a SELECT of their numbers. Notes have none.
    private func messages(of chat: ChatID) -> Query {
        switch chat {
        case .contact(let id):
            """
            SELECT messages.message_id FROM connections
            JOIN messages ON messages.connection_id = connections.connection_id
            WHERE connections.contact_id = \(id)
            """
        case .group(let id): "SELECT message_id FROM messages WHERE group_id = \(id)"
        case .notes: "SELECT NULL WHERE 1 = 0"
        }
    }

    private func endSupportChats(in group: GroupID, of user: UserID) throws(ChatsError) {
        try run(
            """
            UPDATE group_members
            SET support_chat_ts = NULL, support_chat_items_unread = 0, support_chat_items_member_attention = 0,
                support_chat_items_mentions = 0, support_chat_last_msg_from_member_ts = NULL, updated_at = \(now)
            WHERE user_id = \(user) AND \(SupportCounters.areRows(in: group))
            """)
    }

    /// Removes the words of deleted items from the pages of the index. A large index keeps them there for a while,
    /// although no search finds them. Call it once after single items were deleted fully. Deletions of chats and
    /// profiles, and expiry, do it themselves. Takes about a second for an index of a million items, and no time when
    /// there is nothing to do.
    public func forgetDeletedWords() throws(ChatsError) {
        try forget(.all)
    }

    func forget(_ part: TextSearch.Part) throws(ChatsError) {
        do throws(StoreError) {
            try SearchIndex(tx: tx).forget(part)
        } catch {
            throw .store(error)
        }
    }

    private func mark(
        _ id: ChatItemID, at time: StoredTime, by member: GroupMemberID?, of user: UserID
    ) throws(ChatsError) {
        let changed = try run(
            """
            UPDATE chat_items
            SET item_deleted = 1, item_deleted_ts = \(time.text), item_deleted_by_group_member_id = \(member),
                item_status = CASE item_status WHEN 'rcv_new' THEN 'rcv_read' ELSE item_status END,
                updated_at = \(now)
            WHERE chat_item_id = \(id) AND user_id = \(user) AND item_deleted = 0
            """)
        if changed == 0 { _ = try items.get(id, of: user) }
        try countSupport(ofItem: id, of: user)
    }

    /// The messages that brought items, as a SELECT of their numbers: the messages from which the items were made, and
    /// later ones with the same shared id.
    func messages(ofItems items: Query) -> Query {
        """
        SELECT created_by_msg_id FROM chat_items WHERE chat_item_id IN (\(items)) AND created_by_msg_id IS NOT NULL
        UNION
        SELECT messages.message_id FROM chat_items
        JOIN messages ON messages.group_id = chat_items.group_id AND messages.shared_msg_id = chat_items.shared_msg_id
            AND (messages.author_group_member_id IS NULL
                OR messages.author_group_member_id = chat_items.group_member_id)
        WHERE chat_items.chat_item_id IN (\(items))
        UNION
        SELECT messages.message_id FROM chat_items
        JOIN connections ON connections.contact_id = chat_items.contact_id
        JOIN messages ON messages.connection_id = connections.connection_id
            AND messages.shared_msg_id = chat_items.shared_msg_id
        WHERE chat_items.chat_item_id IN (\(items))
        """
    }

    /// The files of items, by number.
    func files(ofItems query: Query, of user: UserID) throws(ChatsError) -> [FileID] {
        let rows: [FileOfItem] = try items.all(
            "SELECT file_id FROM files WHERE chat_item_id IN (\(query)) AND +user_id = \(user) ORDER BY file_id")
        return rows.map(\.id)
    }
}

private struct FileOfItem: RowRecord {
    let id: FileID

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("file_id")
    }
}

private struct FileOfChat: RowRecord {
    let id: FileID
    let path: String?
    let isShared: Bool

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("file_id")
        path = try row.get("file_path")
        isShared = try row.get("is_shared")
    }
}

/// The result of clearing a chat. Rule: docs/domain.md, "Chat items", Clearing.
public struct ClearedChat: Sendable, Hashable {
    /// The number of removed items.
    public let items: Int
    /// The files that belonged to them, by number. Their rows stay until `FilesWriter.delete`.
    public let files: [FileID]
    /// The paths of these files as they are stored, each once, without those that another file of the store has. The
    /// caller removes the content at these paths.
    public let paths: [String]

    package init(items: Int, files: [FileID], paths: [String]) {
        self.items = items
        self.files = files
        self.paths = paths
    }
}

/// The result of expiry.
public struct ExpiredItems: Sendable, Hashable {
    /// The number of removed items.
    public let items: Int
    /// The files that belonged to them, which the caller removes from disk.
    public let files: [FileID]

    package init(items: Int, files: [FileID]) {
        self.items = items
        self.files = files
    }
}

extension ChatItemsWriter {
    /// Removes the items that have expired at a time, in all chats of a profile, with the messages that brought them
    /// and their words. Removes nothing for a profile that does not exist. Rule: docs/domain.md, "Expiry".
    ///
    /// An item expires when it was both sent and stored longer ago than the time to live of its chat, or of the profile
    /// when the chat has none of its own; 0 keeps everything. A disappearing item expires at its own time. Notes are
    /// kept.
    public func expire(at time: StoredTime, of user: UserID) throws(ChatsError) -> ExpiredItems {
        let expired = expiredItems(at: time, of: user)
        let files = try files(ofItems: expired, of: user)
        try run(
            """
            DELETE FROM messages WHERE message_id IN (\(messages(ofItems: expired))) AND +user_id = \(user)
            """)
        let count = try run("DELETE FROM chat_items WHERE chat_item_id IN (\(expired)) AND +user_id = \(user)")
        if count > 0 {
            try countSupport(SupportCounters.areUnread, of: user)
            try forget(.all)
        }
        return ExpiredItems(items: count, files: files)
    }

    /// A SELECT of the numbers of expired items. It reads the index of each chat with a time to live; CROSS JOIN fixes
    /// that order.
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
