package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension ChatItemsRepo {
    /// The items of a profile, or of one of its chats, whose text has all the words, best first (bm25), at most `limit`
    /// after the first `offset`. Deleted items are left out, and in a profile the chats of soft-deleted contacts. Text without a word finds nothing, and so does a chat of
    /// another profile. Throws `searchTextTooLong`.
    ///
    /// Words are separated by blanks, and nothing in them is an operator; the last one also finds what begins with it,
    /// unless a blank follows. Of items that match equally well, a profile has the oldest first and a chat the newest.
    /// Rule: docs/domain.md, "Searching".
    public func search(
        _ text: String, in scope: SearchScope, of user: UserID, limit: Int, offset: Int = 0
    ) throws(ChatsError) -> [FoundItem] {
        let words = try SearchText(text).words
        guard !words.isEmpty, limit > 0 else { return [] }
        let page: Query = "LIMIT \(PageSize.upTo(limit)) OFFSET \(max(0, offset))"
        switch scope {
        case .profile: return try search(words, of: user, page)
        case .chat(let chat): return try search(words, in: chat, of: user, page)
        }
    }

    /// The index gives the best rows first, and only as many items are looked up as the page needs.
    private func search(_ words: [SearchWord], of user: UserID, _ page: Query) throws(ChatsError) -> [FoundItem] {
        try all(
            """
            SELECT \(ChatItem.columns), \(snippet) AS snippet FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, words)) AND chat_items.chat_item_id = \(search.row(Self.index))
                AND chat_items.user_id = \(user) AND chat_items.item_deleted = 0
                AND NOT EXISTS (
                    SELECT 1 FROM contacts WHERE contacts.contact_id = chat_items.contact_id AND contacts.deleted = 1)
            ORDER BY \(search.bestFirst(Self.index)) \(page)
            """)
    }

    /// Ranks what is in the chat alone, which an index of the chat knows by number; in two statements, because one would
    /// cut the snippets of all that is found before it sorts.
    private func search(
        _ words: [SearchWord], in chat: ChatID, of user: UserID, _ page: Query
    ) throws(ChatsError) -> [FoundItem] {
        let places: [FoundPlace] = try all(
            """
            SELECT chat_items.chat_item_id FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, words))
                AND +\(search.row(Self.index)) IN (SELECT chat_item_id FROM chat_items WHERE \(chat.hasItem(of: user)))
                AND chat_items.chat_item_id = \(search.row(Self.index)) AND chat_items.item_deleted = 0
            ORDER BY \(search.rank(Self.index)), chat_items.chat_item_id DESC \(page)
            """)
        let ids = places.map(\.id)
        guard let least = ids.min(), let greatest = ids.max() else { return [] }
        let found: [FoundItem] = try all(
            """
            SELECT \(ChatItem.columns), \(snippet) AS snippet FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, words)) AND \(search.row(Self.index)) BETWEEN \(least) AND \(greatest)
                AND +\(search.row(Self.index)) IN (\(tx.dialect.numbers(ids.map(\.rawValue))))
                AND chat_items.chat_item_id = \(search.row(Self.index))
            """)
        let byID = Dictionary(found.map { ($0.item.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }

    private static let index: Query = "chat_items_fts"
    private var search: TextSearch { tx.dialect.textSearch }
    private var snippet: Query { search.snippet(Self.index, SnippetPart.marks.open, SnippetPart.marks.close) }
}

private struct FoundPlace: RowRecord {
    let id: ChatItemID

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("chat_item_id")
    }
}

extension FoundItem: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(item: ChatItem(row: row), snippet: SnippetPart.parts(of: row.get("snippet")))
    }
}
