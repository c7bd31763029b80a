import ChatDBEngine

/// The words of a statement outside parentheses.
struct StatementWords {
    /// The words, in upper case. A name in quotes keeps them, so that it is no keyword.
    private(set) var words: [String] = []
    /// The names among the words, without quotes; nil for other words.
    private(set) var names: [String?] = []
    /// The bytes of the statement before each word.
    private(set) var starts: [Int] = []

    init(_ statement: SQLStatement) {
        var lexer = SQLLexer(statement.text)
        var depth = 0
        while let token = try? lexer.nextSignificant() {
            let text = lexer.text(of: token)
            if text == ")" { depth -= 1 }
            if depth == 0 {
                words.append(text.uppercased())
                names.append(lexer.name(of: token))
                starts.append(token.range.lowerBound)
            }
            if text == "(" { depth += 1 }
        }
    }

    /// The table to which an ALTER TABLE adds something, and the places of the words after ADD; nil for any other
    /// statement.
    var addition: (table: String, rest: Range<Int>)? {
        guard words.count > 4, words[0] == "ALTER", words[1] == "TABLE" else { return nil }
        let place = words[3] == "." ? 4 : 2
        guard words.count > place + 2, words[place + 1] == "ADD", let table = names[place] else { return nil }
        return (table, place + 2..<words.count)
    }
}
