public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The tags of a profile and the chats that have them. Rule: docs/domain.md, "Settings and tags".
public struct ChatTagsRepo: Repository {
    package typealias Failure = ChatTagsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The tags of a profile in their order, each with the number of its chats. None is an empty list.
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

    /// The tags of one chat of a profile, in their order. None is an empty list, also for a chat that is not there.
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

    /// The chats that have a tag: contacts by number, without soft-deleted ones, then groups by number. None is an
    /// empty list. Throws `tagNotFound`.
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
