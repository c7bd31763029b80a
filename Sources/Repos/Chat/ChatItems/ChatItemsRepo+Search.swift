package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension ChatItemsRepo {
    /// The items of a profile, or of one of its chats, whose text has all the words, best first (bm25), at most `limit`
    /// after the first `offset`. Deleted items are left out. A search of a profile also leaves out the chats of
    /// soft-deleted contacts. Text without a word finds nothing, and so does a chat of another profile. Throws
    /// `searchTextTooLong`.
    ///
    /// Words are separated by blanks, and no character in them is an operator. The last word also finds words that
    /// begin with it, unless a blank follows. Of items that match equally well, a profile has the oldest first and a
    /// chat the newest. Rule: docs/domain.md, "Searching".
    public func search(
        _ text: String, in scope: SearchScope, of user: UserID, limit: Int, offset: Int = 0
    ) throws(ChatsError) -> [FoundItem] {
        let question = SearchQuestion(try SearchText(text).words, of: user.rawValue)
        guard !question.words.isEmpty, limit > 0 else { return [] }
        let page: Query = "LIMIT \(number: PageSize.upTo(limit)) OFFSET \(max(0, offset))"
        switch scope {
        case .profile: return try search(question, of: user, page)
        case .chat(let chat): return try search(question, in: chat, of: user, page)
        }
    }

    /// The index gives the best rows first, and only as many items are looked up as the page needs.
    private func search(_ question: SearchQuestion, of user: UserID, _ page: Query) throws(ChatsError) -> [FoundItem] {
        try all(
            """
            SELECT \(ChatItem.columns), \(snippet(question.words)) AS snippet FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, question)) AND chat_items.chat_item_id = \(search.row(Self.index))
                AND chat_items.user_id = \(user) AND chat_items.item_deleted = 0
                AND NOT EXISTS (
                    SELECT 1 FROM contacts WHERE contacts.contact_id = chat_items.contact_id AND contacts.deleted = 1)
            ORDER BY \(search.bestFirst(Self.index, question)) \(page)
            """)
    }

    /// Ranks only the items of the chat, from an index of the chat. It takes two statements, because a single statement
    /// would make the snippets of all matches before it sorts.
    private func search(
        _ question: SearchQuestion, in chat: ChatID, of user: UserID, _ page: Query
    ) throws(ChatsError) -> [FoundItem] {
        let places: [FoundPlace] = try all(
            """
            SELECT chat_items.chat_item_id FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, question))
                AND +\(search.row(Self.index)) IN (SELECT chat_item_id FROM chat_items WHERE \(chat.hasItem(of: user)))
                AND chat_items.chat_item_id = \(search.row(Self.index)) AND chat_items.item_deleted = 0
            ORDER BY \(search.rank(Self.index, question)), chat_items.chat_item_id DESC \(page)
            """)
        let ids = places.map(\.id)
        guard let least = ids.min(), let greatest = ids.max() else { return [] }
        let found: [FoundItem] = try all(
            """
            SELECT \(ChatItem.columns), \(snippet(question.words)) AS snippet FROM \(Self.index) CROSS JOIN chat_items
            WHERE \(search.matches(Self.index, question)) AND \(search.row(Self.index)) BETWEEN \(least) AND \(greatest)
                AND +\(search.row(Self.index)) IN (\(tx.dialect.numbers(ids.map(\.rawValue))))
                AND chat_items.chat_item_id = \(search.row(Self.index))
            """)
        let byID = Dictionary(found.map { ($0.item.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }

    private static let index: Query = "chat_items_fts"
    private var search: TextSearch { tx.dialect.textSearch }

    private func snippet(_ words: [SearchWord]) -> Query {
        search.snippet(Self.index, "chat_items.item_text", words, SnippetPart.marks)
    }
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

/// The chats in which to search. Rule: docs/domain.md, "Searching".
public enum SearchScope: Sendable, Hashable {
    /// All chats of the profile.
    case profile
    /// One chat.
    case chat(ChatID)
}

/// An item in which words were found.
public struct FoundItem: Sendable, Hashable {
    /// The item.
    public let item: ChatItem
    /// The part of its text around the words.
    public let snippet: [SnippetPart]

    package init(item: ChatItem, snippet: [SnippetPart]) {
        self.item = item
        self.snippet = snippet
    }
}

/// A piece of a text in which words were found. All pieces together are the text, with `…` where it was cut.
public struct SnippetPart: Sendable, Hashable {
    /// The piece.
    public let text: String
    /// Whether it is a found word, to be shown with a mark.
    public let isMatch: Bool

    package init(_ text: String, isMatch: Bool) {
        self.text = text
        self.isMatch = isMatch
    }
}

extension SnippetPart {
    /// The marks before and after a found word. Both are control characters. If a text contains one, the snippet loses
    /// it, and a mark moves.
    static let marks = SearchMarks(open: "\u{2}", close: "\u{3}")

    static func parts(of marked: String) -> [SnippetPart] {
        var parts: [SnippetPart] = []
        var piece = String.UnicodeScalarView()
        var isMatch = false
        func end() {
            if !piece.isEmpty { parts.append(SnippetPart(String(piece), isMatch: isMatch)) }
            piece = String.UnicodeScalarView()
        }
        for scalar in marked.unicodeScalars {
            switch scalar {
            case "\u{2}":
                end()
                isMatch = true
            case "\u{3}":
                end()
                isMatch = false
            default: piece.append(scalar)
            }
        }
        end()
        return parts
    }
}

/// The text of a search.
///
/// Blanks separate the words. Each word must be in the text, in any order, with or without accents. There are no
/// operators. The last word also finds words that begin with it, unless a blank follows. A word without a letter or
/// digit is ignored. Rule: docs/domain.md, "Searching".
struct SearchText {
    /// The limit of a search text in bytes. People do not type longer texts, and every word costs a look-up in the
    /// index.
    static let longest = 1_000

    let words: [SearchWord]

    init(_ text: String) throws(ChatsError) {
        guard text.utf8.count <= Self.longest else { throw .searchTextTooLong(longest: Self.longest) }
        let pieces = text.unicodeScalars.split { Self.separates($0) }.map { String(String.UnicodeScalarView($0)) }
        let isOpen = text.unicodeScalars.last.map { !Self.separates($0) } ?? false
        var words: [SearchWord] = []
        for (index, piece) in pieces.enumerated() where piece.unicodeScalars.contains(where: Self.isOfWords) {
            let word = SearchWord(piece, isPrefix: isOpen && index == pieces.count - 1)
            // A repeated word finds nothing else, and costs as much as another word.
            if !words.contains(word) { words.append(word) }
        }
        self.words = words
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// The characters of words in the index: letters, digits and those for private use. A word without any of them is
    /// never found.
    private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}

/// The words of deleted items that are left in the index of texts. No search finds them, but the pages of the index
/// keep them until they are merged. Rule: docs/domain.md, "Chat items", Full.
package struct SearchIndex {
    let tx: any WriteTransaction

    package init(tx: any WriteTransaction) { self.tx = tx }

    /// Whether a profile has an item in a chat, whose words the index would keep.
    static func hasItems(in chat: ChatID, of user: UserID, _ tx: any ReadTransaction) throws(StoreError) -> Bool {
        try tx.first("SELECT 1 AS there FROM chat_items WHERE \(chat.hasItem(of: user)) LIMIT 1") != nil
    }

    /// Removes the words that are left, all of them or a part.
    package func forget(_ part: TextSearch.Part) throws(StoreError) {
        if let statement = tx.dialect.textSearch.forget("chat_items_fts", part) { try tx.run(statement) }
    }
}
