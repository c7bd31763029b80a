import ChatDBEngine

extension TextSearch {
    /// Search by the functions and the table of the first migration: words are those of SQLite's index, on every server.
    static let postgres = TextSearch(
        matches: { index, words in "\(index).words @@ \(question(words))" },
        bestFirst: { index, words in "ts_rank(\(index).words, \(question(words))) DESC, \(index).chat_item_id" },
        rank: { index, words in "-ts_rank(\(index).words, \(question(words)))" },
        row: { index in "\(index).chat_item_id" },
        snippet: { _, text, words, marks in
            "search_snippet(\(text), ARRAY[\(list: texts(words))], \(isPrefix(words)), \(marks.open), \(marks.close))"
        },
        contains: { text, part in "strpos(lower(\(text) COLLATE \"C\"), lower(\(part) COLLATE \"C\")) > 0" },
        // VACUUM removes the words of deleted rows.
        forget: { _, _ in nil })

    private static func question(_ words: [SearchWord]) -> Query {
        "search_question(ARRAY[\(list: texts(words))], \(isPrefix(words)))"
    }

    /// The words. No text of PostgreSQL has a NUL byte, which separates words as a blank does.
    private static func texts(_ words: [SearchWord]) -> [String] { words.map { $0.text.replacing("\0", with: " ") } }

    /// Only the last word of a search can be the beginning of one.
    private static func isPrefix(_ words: [SearchWord]) -> Query { words.last?.isPrefix == true ? "TRUE" : "FALSE" }
}
