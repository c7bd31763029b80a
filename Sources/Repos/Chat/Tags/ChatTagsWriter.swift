public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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
        // After the highest number comes none: in a store that has it, tags are numbered anew, in their order.
        if try ChatTagsRepo(tx).count(
            "SELECT count(*) FROM chat_tags WHERE user_id = \(user) AND tag_order = \(Int64.max)") > 0
        {
            try reorder([], of: user)
        }
        let id = ChatTagID(
            try insert(
                """
                INSERT INTO chat_tags (user_id, chat_tag_text, chat_tag_emoji, tag_order, created_at, updated_at)
                VALUES (
                    \(user), \(tag.text), \(tag.emoji),
                    (SELECT coalesce(max(tag_order) + 1, 0) FROM chat_tags WHERE user_id = \(user)), \(now), \(now))
                """, returning: "chat_tag_id"))
        return try ChatTagsRepo(tx).get(id, of: user)
    }

    /// Gives a tag another text and picture. Throws `tagNotFound`, and what `create` throws of both.
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

    /// Text and picture as they are kept, when no other tag of the profile has either.
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
