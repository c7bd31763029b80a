import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// A table whose rows are lines of the list of chats.
struct ChatListSource {
    /// Decides among lines of one time; then the newer row comes first.
    let kind: Int
    let tables: Query
    let key: Query
    let time: Query
    let user: Query
    let name: Query
    /// The switches of a chat; nil for what has none.
    let switches: (favorite: Query, unread: Query)?
    /// Which rows are chats at all, and which of these are in the list.
    let isChat: [Query]
    let isShown: [Query]
    /// The names that a text is looked for in; none for what is never found by a text.
    let names: [Query]
    /// Of what can have a tag, its column there.
    let tagged: Query?
    /// Of what can have unread items, their column there.
    let itemsOf: Query?
    /// Whether it waits for the person by being there.
    let isAlwaysUnread: Bool

    static let all = [contacts, groups, notes, requests, connections]

    static func source(of chat: ChatID) -> ChatListSource {
        switch chat {
        case .contact: contacts
        case .group: groups
        case .notes: notes
        }
    }

    /// The lines of this source after a position, at most `limit`, in order, read from an index in that order. Nil when
    /// the filter leaves none.
    func query(
        of userID: UserID, filter: ChatListFilter, text: String, after position: ChatPreview.Position?, limit: Int,
        in dialect: Dialect
    ) -> Query? {
        var conditions: [Query] = ["\(user) = \(userID)"] + isChat + isShown
        if filter.onlyFavorites {
            guard let switches else { return nil }
            conditions.append("\(switches.favorite) = 1")
        }
        if filter.onlyUnread && !isAlwaysUnread {
            guard let unread = unread(of: userID) else { return nil }
            conditions.append(unread)
        }
        if let tag = filter.tag {
            guard let tagged else { return nil }
            conditions.append("\(key) IN (SELECT \(tagged) FROM chat_tags_chats WHERE chat_tag_id = \(tag))")
        }
        if !text.isEmpty {
            guard !names.isEmpty else { return nil }
            let matches = names.map { dialect.textSearch.contains($0, text) }
            conditions.append("(\(Query.joined(matches, by: " OR ")))")
        }
        if let position { conditions.append(follows(position)) }
        return select(where: conditions, limit: limit)
    }

    /// The line of one chat, in the list or not.
    func query(for chat: ChatID, of userID: UserID) -> Query {
        let id = chat.contactID?.rawValue ?? chat.groupID?.rawValue ?? chat.noteFolderID?.rawValue
        return select(where: ["\(user) = \(userID)", "\(key) = \(id)"] + isChat, limit: 1)
    }

    private func select(where conditions: [Query], limit: Int) -> Query {
        """
        SELECT kind, id, ts, name, favorite, unread_chat FROM (
            SELECT \(kind) AS kind, \(key) AS id, \(time) AS ts, \(name) AS name,
                \(switches?.favorite ?? "0") AS favorite, \(switches?.unread ?? "0") AS unread_chat
            FROM \(tables)
            WHERE \(Query.joined(conditions, by: " AND "))
            ORDER BY \(time) DESC, \(key) DESC LIMIT \(limit)
        )
        """
    }

    private func unread(of userID: UserID) -> Query? {
        guard let switches else { return nil }
        guard let itemsOf else { return "\(switches.unread) = 1" }
        return """
            (\(switches.unread) = 1 OR EXISTS (
                SELECT 1 FROM chat_items
                WHERE chat_items.user_id = \(userID) AND chat_items.\(itemsOf) = \(key)
                    AND chat_items.item_status = 'rcv_new'))
            """
    }

    private func follows(_ position: ChatPreview.Position) -> Query {
        if kind < position.kind { return "\(time) < \(position.time)" }
        if kind > position.kind { return "\(time) <= \(position.time)" }
        return "(\(time), \(key)) < (\(position.time), \(position.id))"
    }
}
