public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to what the chats of a profile show. Rule: docs/domain.md, "Chat items".
///
/// Rows of the index of texts follow by themselves.
public struct ChatItemsWriter: Writer {
    package typealias Failure = ChatsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    var items: ChatItemsRepo { ChatItemsRepo(tx) }

    /// Adds an item to a chat, which comes to the top of the list of chats: its time is never set back. Without a status
    /// it is new: unread, or not sent yet. A contact the profile had not written with is shown from then on.
    ///
    /// Throws `chatNotFound`, `memberNotFound` for an author who is not in the group, `messageNotFound`, and
    /// `duplicateChatItem` when the same message of the same author has made an item before; nothing is added then.
    public func add(_ new: NewChatItem, to chat: ChatID, of user: UserID) throws(ChatsError) -> ChatItem {
        try requireChat(chat, of: user)
        try requireMember(new.memberID, in: chat, of: user)
        if let message = new.messageID { _ = try MessagesRepo(tx).get(message, of: user) }
        try refuseDuplicate(of: new, in: chat, of: user)
        let status = new.status ?? (new.direction == .sent ? .sndNew : .rcvNew)
        let id = ChatItemID(
            try insert(
                """
                INSERT INTO chat_items (
                    user_id, contact_id, group_id, note_folder_id, group_member_id, created_by_msg_id, shared_msg_id,
                    item_sent, item_ts, item_status, item_content, item_content_tag, msg_content_tag, item_text,
                    quoted_shared_msg_id, quoted_sent_at, quoted_content, quoted_sent, quoted_member_id, timed_ttl,
                    timed_delete_at, user_mention, created_at, updated_at)
                VALUES (
                    \(user), \(chat.contactID), \(chat.groupID), \(chat.noteFolderID), \(new.memberID),
                    \(new.messageID), \(new.sharedMessageID), \(new.direction.isSent), \(new.time.text), \(status),
                    \(new.content.content), \(new.contentTag), \(new.content.messageTag), \(new.content.text),
                    \(new.quote?.sharedMessageID), \(new.quote?.time?.text), \(new.quote?.content),
                    \(new.quote?.isOwn), \(new.quote?.memberID), \(new.timeToLive), \(new.deleteAt?.text),
                    \(new.content.mentionsUser), \(now), \(now))
                """, returning: "chat_item_id"))
        try insertMentions(new.content.mentions, in: id)
        try bringUp(chat, of: user)
        return try items.get(id, of: user)
    }

    /// Changes the content of an item and keeps the versions: that from before the first edit, and each one since.
    /// Whoever it mentions now is mentioned. The same content again changes nothing.
    ///
    /// Throws `chatItemNotFound`, and `chatItemDeleted` for what is marked deleted.
    public func edit(
        _ id: ChatItemID, to new: ChatItemContent, at time: StoredTime, of user: UserID
    ) throws(ChatsError) -> ChatItem {
        let item = try items.get(id, of: user)
        if item.isDeleted { throw .chatItemDeleted(id) }
        if item.content.hasBytes(of: new.content), item.text.hasBytes(of: new.text) { return item }
        try run(
            """
            INSERT INTO chat_item_versions (chat_item_id, msg_content, item_version_ts, created_at, updated_at)
            SELECT chat_item_id, item_content, item_ts, \(now), \(now) FROM chat_items
            WHERE chat_item_id = \(id) AND NOT EXISTS (SELECT 1 FROM chat_item_versions WHERE chat_item_id = \(id))
            """)
        try run(
            """
            INSERT INTO chat_item_versions (chat_item_id, msg_content, item_version_ts, created_at, updated_at)
            VALUES (\(id), \(new.content), \(time.text), \(now), \(now))
            """)
        try run(
            """
            UPDATE chat_items
            SET item_content = \(new.content), item_text = \(new.text), msg_content_tag = \(new.messageTag),
                item_edited = 1, user_mention = \(new.mentionsUser), updated_at = \(now)
            WHERE chat_item_id = \(id) AND user_id = \(user)
            """)
        try run("DELETE FROM chat_item_mentions WHERE chat_item_id = \(id)")
        try insertMentions(new.mentions, in: id)
        return try items.get(id, of: user)
    }

    /// Sets how far an item has come. Throws `chatItemNotFound`.
    public func setStatus(_ status: ChatItemStatus, of id: ChatItemID, of user: UserID) throws(ChatsError) {
        let changed = try run(
            """
            UPDATE chat_items SET item_status = \(status), updated_at = \(now)
            WHERE chat_item_id = \(id) AND user_id = \(user)
            """)
        if changed == 0 { throw .chatItemNotFound(id) }
    }
}
