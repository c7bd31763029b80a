public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The content of an item: what it shows, and what an edit changes. Rule: docs/domain.md, "Chat items".
public struct ChatItemContent: Sendable, Hashable {
    /// The content: a JSON document.
    public var content: String
    /// The text, in which searches look.
    public var text: String
    /// The type of a message: text, link, image, file, …
    public var messageTag: String?
    /// Who is mentioned. Of two with the same name the first counts.
    public var mentions: [ChatItemMention]
    /// Whether the profile itself is mentioned.
    public var mentionsUser: Bool

    /// The content of an item.
    public init(
        _ content: String, text: String, messageTag: String? = nil, mentions: [ChatItemMention] = [],
        mentionsUser: Bool = false
    ) {
        self.content = content
        self.text = text
        self.messageTag = messageTag
        self.mentions = mentions
        self.mentionsUser = mentionsUser
    }
}

/// An item to be added to a chat.
public struct NewChatItem: Sendable, Hashable {
    /// Whether the profile sent it.
    public var direction: MessageDirection
    /// The time when it was sent.
    public var time: StoredTime
    /// The content.
    public var content: ChatItemContent
    /// The status; nil for a new item.
    public var status: ChatItemStatus?
    /// The kind of content.
    public var contentTag: String?
    /// The member who wrote it, for an item received in a group.
    public var memberID: GroupMemberID?
    /// The message it is made from.
    public var messageID: MessageID?
    /// The random id by which all sides know it.
    public var sharedMessageID: String?
    /// The item that it quotes.
    public var quote: ChatItem.Quote?
    /// The seconds that a disappearing item stays after it is read.
    public var timeToLive: Int64?
    /// The time when it is removed, for a disappearing item that need not be read first.
    public var deleteAt: StoredTime?
    /// Whether its author is still writing it.
    public var isLive = false
    /// Where it was forwarded from.
    public var forwardedFrom: ForwardedFrom?
    /// The support chat of a group that it is in; nil for the main chat.
    public var scope: GroupScope?

    /// An item. Its other properties are set afterwards.
    public init(_ direction: MessageDirection, at time: StoredTime, _ content: ChatItemContent) {
        self.direction = direction
        self.time = time
        self.content = content
    }
}

/// Changes to what the chats of a profile show. Rule: docs/domain.md, "Chat items".
///
/// Triggers update the index of texts.
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

    /// Adds an item to a chat, and moves the chat to the top of the list of chats; its time is never set back. Without
    /// a status the item is new: unread, or not sent yet. A contact who was not in the list of chats appears there.
    ///
    /// Throws `chatNotFound`, `memberNotFound` for an author or a scope that is not in the group, `messageNotFound`,
    /// `chatItemNotFound` for a forwarded item that the profile does not have, and `duplicateChatItem` when an item
    /// with the same shared id of the same author exists. Nothing is added then.
    public func add(_ new: NewChatItem, to chat: ChatID, of user: UserID) throws(ChatsError) -> ChatItem {
        try requireChat(chat, of: user)
        try requireMember(new.memberID, in: chat, of: user)
        if let message = new.messageID { _ = try MessagesRepo(tx).get(message, of: user) }
        try requireOrigin(new.forwardedFrom, of: user)
        try requireScope(new.scope, in: chat, of: user)
        try refuseDuplicate(of: new, in: chat, of: user)
        let status = new.status ?? (new.direction == .sent ? .sndNew : .rcvNew)
        let from = new.forwardedFrom
        let id = ChatItemID(
            try insert(
                """
                INSERT INTO chat_items (
                    user_id, contact_id, group_id, note_folder_id, group_member_id, created_by_msg_id, shared_msg_id,
                    item_sent, item_ts, item_status, item_content, item_content_tag, msg_content_tag, item_text,
                    quoted_shared_msg_id, quoted_sent_at, quoted_content, quoted_sent, quoted_member_id, timed_ttl,
                    timed_delete_at, user_mention, item_live, fwd_from_tag, fwd_from_chat_name, fwd_from_msg_dir,
                    fwd_from_contact_id, fwd_from_group_id, fwd_from_chat_item_id, fwd_from_group_type,
                    fwd_from_group_link, fwd_from_public_group_id, fwd_from_member_id, fwd_from_shared_msg_id,
                    group_scope_tag, group_scope_group_member_id, created_at, updated_at)
                VALUES (
                    \(user), \(chat.contactID), \(chat.groupID), \(chat.noteFolderID), \(new.memberID),
                    \(new.messageID), \(new.sharedMessageID), \(new.direction.isSent), \(new.time.text), \(status),
                    \(new.content.content), \(new.contentTag), \(new.content.messageTag), \(new.content.text),
                    \(new.quote?.sharedMessageID), \(new.quote?.time?.text), \(new.quote?.content),
                    \(new.quote?.isOwn), \(new.quote?.memberID), \(new.timeToLive), \(new.deleteAt?.text),
                    \(new.content.mentionsUser), \(new.isLive), \(from?.kind), \(from?.chatName),
                    \(from?.direction?.isSent), \(from?.contactID), \(from?.groupID), \(from?.itemID),
                    \(from?.groupType), \(from?.groupLink), \(from?.publicGroupID), \(from?.memberID),
                    \(from?.sharedMessageID), \(new.scope?.tag), \(new.scope?.memberID), \(now), \(now))
                """, returning: "chat_item_id"))
        try insertMentions(new.content.mentions, in: id)
        try bringUp(chat, of: user)
        let item = try items.get(id, of: user)
        try bringUpSupportChat(of: item)
        return item
    }

    /// Changes the content of an item and keeps the versions: the original and that of each edit. The item gets the
    /// mentions of the new content. The same content again changes nothing.
    ///
    /// Throws `chatItemNotFound`, and `chatItemDeleted` for an item that is marked as deleted.
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
        try countSupport(ofItem: id, of: user)
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
        try countSupport(ofItem: id, of: user)
    }
}

/// Rule: docs/domain.md, "Chat items", Unread.
extension ChatItemsWriter {
    /// Marks unread items of a chat as read, and returns their number. Without a range it marks all, and also clears
    /// the mark of the chat; with a range, the items with numbers in it. In a group, these are items of the main chat.
    /// With a scope they are those of that support chat, and the mark stays. A disappearing item gets its time of
    /// removal.
    /// Throws `chatNotFound`.
    @discardableResult
    public func markRead(
        _ range: ClosedRange<ChatItemID>? = nil, in chat: ChatID, scope: GroupScope? = nil, of user: UserID
    ) throws(ChatsError) -> Int {
        try requireChat(chat, of: user)
        let part: Query =
            range.map { "AND chat_item_id BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
        if range == nil, scope == nil {
            try run(
                """
                UPDATE \(chat.table) SET unread_chat = 0, updated_at = \(now)
                WHERE \(chat.isRow(of: user)) AND unread_chat = 1
                """)
        }
        let read = try run(
            """
            UPDATE chat_items
            SET item_status = 'rcv_read', updated_at = \(now),
                timed_delete_at = CASE WHEN timed_ttl IS NOT NULL AND timed_delete_at IS NULL
                    THEN \(tx.dialect.later(now, "timed_ttl")) ELSE timed_delete_at END
            WHERE \(chat.hasItem(of: user, in: scope)) AND item_status = 'rcv_new' \(part)
            """)
        if case .support(let member)? = scope, let group = chat.groupID {
            try countSupport(SupportCounters.isRow(of: member, in: group), of: user)
        }
        return read
    }
}

extension ChatItemsWriter {
    func requireChat(_ chat: ChatID, of user: UserID) throws(ChatsError) {
        if try items.count("SELECT count(*) FROM \(chat.table) WHERE \(chat.isRow(of: user))") == 0 {
            throw .chatNotFound(chat)
        }
    }

    /// A member of the chat's group. Chats of other kinds have no members.
    func requireMember(_ member: GroupMemberID?, in chat: ChatID?, of user: UserID) throws(ChatsError) {
        guard let member else { return }
        let found = try items.count(
            """
            SELECT count(*) FROM group_members
            WHERE group_member_id = \(member) AND group_id = \(chat?.groupID) AND user_id = \(user)
            """)
        if found == 0 { throw .memberNotFound(member) }
    }

    /// What a forwarded item refers to must belong to the profile.
    func requireOrigin(_ from: ForwardedFrom?, of user: UserID) throws(ChatsError) {
        if let contact = from?.contactID { try requireChat(.contact(contact), of: user) }
        if let group = from?.groupID { try requireChat(.group(group), of: user) }
        if let item = from?.itemID { _ = try items.get(item, of: user) }
    }

    /// A shared id belongs to one author: in a group to a member or to the profile. In a chat with a contact there are
    /// only two authors, whose ids differ.
    func refuseDuplicate(of new: NewChatItem, in chat: ChatID, of user: UserID) throws(ChatsError) {
        guard let shared = new.sharedMessageID else { return }
        let author: Query = new.memberID.map { "group_member_id = \($0)" } ?? "group_member_id IS NULL"
        let existing: ChatItem? = try items.first(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(chat.hasItem(of: user, sharedID: shared)) AND \(author)
            ORDER BY chat_item_id LIMIT 1
            """)
        if let existing { throw .duplicateChatItem(existing: existing.id) }
    }

    /// Split into parts, because a statement takes a limited number of values.
    func insertMentions(_ mentions: [ChatItemMention], in id: ChatItemID) throws(ChatsError) {
        var rest = mentions[...]
        while !rest.isEmpty {
            let rows = rest.prefix(500).map { mention in
                "(\(id), \(mention.memberID), \(mention.name), \(now), \(now))" as Query
            }
            rest = rest.dropFirst(500)
            try run(
                """
                INSERT INTO chat_item_mentions (chat_item_id, member_id, display_name, created_at, updated_at)
                VALUES \(Query.joined(rows, by: ", ")) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Makes a chat the newest after an event in it, unless its time is in the future already.
    func bringUp(_ chat: ChatID, of user: UserID) throws(ChatsError) {
        let used: Query = chat.contactID == nil ? "" : ", contact_used = 1"
        try run(
            """
            UPDATE \(chat.table)
            SET chat_ts = CASE WHEN chat_ts < \(now) THEN \(now) ELSE chat_ts END, updated_at = \(now)\(used)
            WHERE \(chat.isRow(of: user))
            """)
    }
}
