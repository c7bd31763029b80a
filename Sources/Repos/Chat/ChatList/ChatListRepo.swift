public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The list of the chats of a profile. Rule: docs/domain.md, "The list of chats".
public struct ChatListRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// A page of the list, newest first, at most `limit` lines after a position, each with its newest item and what is
    /// unread; in two statements, or three with a tag. An empty page is the end, also for a profile that is not there.
    ///
    /// Throws `tagNotFound` for a tag of another profile, and `searchTextTooLong`.
    public func page(
        of user: UserID, filter: ChatListFilter = ChatListFilter(), after position: ChatPreview.Position? = nil,
        limit: Int
    ) throws(ChatsError) -> [ChatPreview] {
        let text = NameRule.trimmed(filter.text)
        guard text.utf8.count <= SearchText.longest else { throw .searchTextTooLong(longest: SearchText.longest) }
        if let tag = filter.tag, try !isThere(tag, of: user) { throw .tagNotFound(tag) }
        let sources = ChatListSource.all.compactMap { source in
            source.query(
                of: user, filter: filter, text: text, after: position, limit: PageSize.upTo(limit), in: tx.dialect)
        }
        return try previews(from: sources, of: user, limit: PageSize.upTo(limit))
    }

    /// One chat as its line in the list, whether it is shown there or not. Throws `chatNotFound`.
    public func preview(of chat: ChatID, of user: UserID) throws(ChatsError) -> ChatPreview {
        let source = ChatListSource.source(of: chat)
        guard let preview = try previews(from: [source.query(for: chat, of: user)], of: user, limit: 1).first else {
            throw .chatNotFound(chat)
        }
        return preview
    }

    private func isThere(_ tag: ChatTagID, of user: UserID) throws(ChatsError) -> Bool {
        try count("SELECT count(*) FROM chat_tags WHERE chat_tag_id = \(tag) AND user_id = \(user)") > 0
    }

    private func previews(
        from sources: [Query], of user: UserID, limit: Int
    ) throws(ChatsError) -> [ChatPreview] {
        if sources.isEmpty { return [] }
        let lines: [ChatListLine] = try all(ChatListLine.query(from: sources, of: user, limit: limit))
        let ids = lines.compactMap { $0.lastItem?.rawValue }
        let items: [ChatItem] = try all(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE chat_item_id IN (\(tx.dialect.numbers(ids))) AND +user_id = \(user)
            """)
        let byID = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return lines.map { line in line.preview(with: line.lastItem.flatMap { byID[$0] }) }
    }
}
