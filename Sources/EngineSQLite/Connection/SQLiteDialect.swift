import ChatDBEngine

/// Search with FTS5.
enum SQLiteTextSearch {
    static let search = TextSearch(
        matches: { index, words in "\(index) MATCH \(expression(words))" },
        bestFirst: { index in "\(index).rank" },
        rank: { index in "bm25(\(index))" },
        row: { index in "\(index).rowid" },
        snippet: { index, open, close in "snippet(\(index), 0, \(open), \(close), '…', 24)" },
        // Not LIKE: that has a limit for patterns, which is low where a store is not trusted.
        contains: { text, part in "instr(lower(\(text)), lower(\(part))) > 0" },
        // Newer versions have an option for this, secure-delete; but an index that was written with it cannot be read by
        // those before 3.42, and stores are looked at elsewhere. 500 pages are about 2 MiB.
        forget: { index, part in
            switch part {
            case .some: "INSERT INTO \(index) (\(index), rank) VALUES ('merge', -500)"
            case .all: "INSERT INTO \(index) (\(index)) VALUES ('optimize')"
            }
        })

    /// Every word as a string of FTS5, in which nothing is an operator, one after the other: all must match. A NUL
    /// would end the expression for FTS5, inside the quotes.
    private static func expression(_ words: [SearchWord]) -> String {
        words.map { word in
            let text = word.text.replacing("\0", with: " ").replacing("\"", with: "\"\"")
            return "\"\(text)\"" + (word.isPrefix ? " *" : "")
        }.joined(separator: " ")
    }
}
