public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The tags of a profile and the chats that have them. Rule: docs/domain.md, "Settings and tags".
public struct ChatTagsRepo: Repository {
    package typealias Failure = ChatTagsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The tags of a profile in their order, each with the number of its chats. The list is empty when there are none.
    public func all(of user: UserID) throws(ChatTagsError) -> [ChatTag] {
        try all(
            """
            SELECT \(ChatTag.columns) FROM chat_tags WHERE user_id = \(user)
            ORDER BY tag_order, chat_tag_id
            """)
    }

    /// A tag of a profile, or nil.
    public func find(_ id: ChatTagID, of user: UserID) throws(ChatTagsError) -> ChatTag? {
        try first("SELECT \(ChatTag.columns) FROM chat_tags WHERE chat_tag_id = \(id) AND user_id = \(user)")
    }

    /// A tag of a profile. Throws `tagNotFound`.
    public func get(_ id: ChatTagID, of user: UserID) throws(ChatTagsError) -> ChatTag {
        guard let tag = try find(id, of: user) else { throw .tagNotFound(.id(id)) }
        return tag
    }

    /// The tags of one chat of a profile, in their order. The list is empty when there are none, also for a chat that
    /// does not exist.
    public func all(on chat: TaggedChat, of user: UserID) throws(ChatTagsError) -> [ChatTag] {
        let isTagged: Query =
            switch chat {
            case .contact(let id): "contact_id = \(id)"
            case .group(let id): "group_id = \(id)"
            }
        return try all(
            """
            SELECT \(ChatTag.columns) FROM chat_tags
            WHERE user_id = \(user) AND chat_tag_id IN (SELECT chat_tag_id FROM chat_tags_chats WHERE \(isTagged))
            ORDER BY tag_order, chat_tag_id
            """)
    }

    /// The chats that have a tag: contacts by number, without soft-deleted ones, then groups by number. The list is
    /// empty when there are none. Throws `tagNotFound`.
    public func chats(with id: ChatTagID, of user: UserID) throws(ChatTagsError) -> [TaggedChat] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT chat_tags_chats.contact_id, chat_tags_chats.group_id FROM chat_tags_chats
            LEFT JOIN contacts ON contacts.contact_id = chat_tags_chats.contact_id
            WHERE chat_tags_chats.chat_tag_id = \(id)
                AND (chat_tags_chats.group_id IS NOT NULL OR contacts.deleted = 0)
            ORDER BY chat_tags_chats.group_id IS NOT NULL, chat_tags_chats.contact_id, chat_tags_chats.group_id
            """)
    }
}

/// Changes to the tags of a profile. Rule: docs/domain.md, "Settings and tags".
public struct ChatTagsWriter: Writer {
    package typealias Failure = ChatTagsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a tag, the last of the list. Throws `invalidTagText`, `invalidTagEmoji`, `duplicateTagText`,
    /// `duplicateTagEmoji`, `profileNotFound`.
    public func create(
        _ text: String, emoji: String? = nil, of user: UserID
    ) throws(ChatTagsError) -> ChatTag {
        if try ChatTagsRepo(tx).count("SELECT count(*) FROM users WHERE user_id = \(user)") == 0 {
            throw .profileNotFound(user)
        }
        let tag = try checked(text, emoji, except: nil, of: user)
        // No number follows the highest: in a store that has it, tags are renumbered in their order.
        if try ChatTagsRepo(tx).count(
            "SELECT count(*) FROM chat_tags WHERE user_id = \(user) AND tag_order = \(Int64.max)") > 0
        {
            try reorder([], of: user)
        }
        let number = newNumber(in: .chatTags)
        let id = ChatTagID(
            try insert(
                """
                INSERT INTO chat_tags (
                    \(number.column)user_id, chat_tag_text, chat_tag_emoji, tag_order, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(tag.text), \(tag.emoji),
                    (SELECT coalesce(max(tag_order) + 1, 0) FROM chat_tags WHERE user_id = \(user)), \(now), \(now))
                """, returning: "chat_tag_id"))
        return try ChatTagsRepo(tx).get(id, of: user)
    }

    /// Gives a tag another text and emoji. Throws `tagNotFound`, and the errors of `create` for both.
    @discardableResult
    public func update(
        _ id: ChatTagID, text: String, emoji: String?, of user: UserID
    ) throws(ChatTagsError) -> ChatTag {
        _ = try ChatTagsRepo(tx).get(id, of: user)
        let tag = try checked(text, emoji, except: id, of: user)
        try run(
            """
            UPDATE chat_tags SET chat_tag_text = \(tag.text), chat_tag_emoji = \(tag.emoji), updated_at = \(now)
            WHERE chat_tag_id = \(id) AND user_id = \(user)
            """)
        return try ChatTagsRepo(tx).get(id, of: user)
    }

    /// Puts tags first in the list, in the order given; those not named follow as they were. A tag named twice counts
    /// where it comes first. Throws `tagNotFound`, and then the order stays.
    public func reorder(_ ids: [ChatTagID], of user: UserID) throws(ChatTagsError) {
        let all = try ChatTagsRepo(tx).all(of: user).map(\.id)
        if let unknown = ids.first(where: { !all.contains($0) }) { throw .tagNotFound(.id(unknown)) }
        var order: [ChatTagID] = []
        for id in ids + all where !order.contains(id) { order.append(id) }
        if order.isEmpty { return }
        let places = order.enumerated().map { place, id -> Query in "WHEN \(id) THEN \(Int64(place))" }
        try run(
            """
            UPDATE chat_tags
            SET tag_order = CASE chat_tag_id \(Query.joined(places, by: " ")) ELSE tag_order END, updated_at = \(now)
            WHERE user_id = \(user)
            """)
    }

    /// Deletes a tag; the chats that had it stay. Throws `tagNotFound`.
    public func delete(_ id: ChatTagID, of user: UserID) throws(ChatTagsError) {
        let deleted = try run("DELETE FROM chat_tags WHERE chat_tag_id = \(id) AND user_id = \(user)")
        if deleted == 0 { throw .tagNotFound(.id(id)) }
    }

    /// The text and emoji to store, after checking that no other tag of the profile has one of them.
    private func checked(
        _ given: String, _ picture: String?, except own: ChatTagID?, of user: UserID
    ) throws(ChatTagsError) -> (text: String, emoji: String?) {
        let text: String
        do throws(NameProblem) {
            text = try NameRule.checked(given)
        } catch {
            throw .invalidTagText(error)
        }
        if let picture, !TagEmoji.isOne(picture) { throw .invalidTagEmoji(picture) }
        let others = try ChatTagsRepo(tx).all(of: user).filter { $0.id != own }
        // In Swift, because a database folds the case of ASCII letters only.
        if let same = others.first(where: { NameRule.key($0.text) == NameRule.key(text) }) {
            throw .duplicateTagText(existing: same)
        }
        if let picture, let same = others.first(where: { $0.emoji == picture }) {
            throw .duplicateTagEmoji(existing: same)
        }
        return (text, picture)
    }
}

/// The picture of a tag.
enum TagEmoji {
    /// The longest is a family with skin tones, or a flag of a region.
    private static let mostScalars = 16

    /// Whether a text is one emoji: one character that is shown as a picture by itself, or made of several parts.
    static func isOne(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard text.count == 1, scalars.count <= mostScalars, let first = scalars.first else { return false }
        return first.properties.isEmoji && (first.properties.isEmojiPresentation || scalars.count > 1)
            && !scalars.contains(where: UnsafeScalars.contains)
    }
}

/// Tags on chats. Rule: docs/domain.md, "Settings and tags".
extension ChatTagsWriter {
    /// Puts a tag on a chat; one that it has is no change. Throws `tagNotFound`, `contactNotFound`, `groupNotFound`.
    public func tag(_ chat: TaggedChat, with id: ChatTagID, of user: UserID) throws(ChatTagsError) {
        _ = try ChatTagsRepo(tx).get(id, of: user)
        let (contact, group) = try columns(of: chat, of: user)
        try run(
            """
            INSERT INTO chat_tags_chats (contact_id, group_id, chat_tag_id, created_at, updated_at)
            VALUES (\(contact), \(group), \(id), \(now), \(now))
            ON CONFLICT DO NOTHING
            """)
    }

    /// Takes a tag off a chat; one that it does not have is no change. Throws `tagNotFound`, `contactNotFound`,
    /// `groupNotFound`.
    public func untag(_ chat: TaggedChat, from id: ChatTagID, of user: UserID) throws(ChatTagsError) {
        _ = try ChatTagsRepo(tx).get(id, of: user)
        let (contact, group) = try columns(of: chat, of: user)
        let isTheChat: Query = contact != nil ? "contact_id = \(contact)" : "group_id = \(group)"
        try run("DELETE FROM chat_tags_chats WHERE chat_tag_id = \(id) AND \(isTheChat)")
    }

    /// Leaves exactly these tags on a chat. Throws `tagNotFound`, `contactNotFound`, `groupNotFound`, and then the chat
    /// keeps those it has.
    public func setTags(_ ids: [ChatTagID], on chat: TaggedChat, of user: UserID) throws(ChatTagsError) {
        let all = Set(try ChatTagsRepo(tx).all(of: user).map(\.id))
        if let unknown = ids.first(where: { !all.contains($0) }) { throw .tagNotFound(.id(unknown)) }
        let (contact, group) = try columns(of: chat, of: user)
        let isTheChat: Query = contact != nil ? "contact_id = \(contact)" : "group_id = \(group)"
        try run("DELETE FROM chat_tags_chats WHERE \(isTheChat)")
        if ids.isEmpty { return }
        try run(
            """
            INSERT INTO chat_tags_chats (contact_id, group_id, chat_tag_id, created_at, updated_at)
            SELECT \(contact), \(group), chat_tag_id, \(now), \(now) FROM chat_tags
            WHERE user_id = \(user) AND chat_tag_id IN (\(list: Set(ids).map(\.rawValue).sorted()))
            """)
    }

    /// The column and number of the chat, after checking that it belongs to the profile.
    private func columns(
        of chat: TaggedChat, of user: UserID
    ) throws(ChatTagsError) -> (contact: ContactID?, group: GroupID?) {
        let tags = ChatTagsRepo(tx)
        switch chat {
        case .contact(let id):
            let found = try tags.count(
                """
                SELECT count(*) FROM contacts
                WHERE contact_id = \(id) AND user_id = \(user) AND is_user = 0 AND deleted = 0
                """)
            if found == 0 { throw .contactNotFound(id) }
            return (id, nil)
        case .group(let id):
            let found = try tags.count("SELECT count(*) FROM groups WHERE group_id = \(id) AND user_id = \(user)")
            if found == 0 { throw .groupNotFound(id) }
            return (nil, id)
        }
    }
}

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
