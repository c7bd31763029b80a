import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

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

    /// The chat as a row names it, when it is one of the profile.
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
