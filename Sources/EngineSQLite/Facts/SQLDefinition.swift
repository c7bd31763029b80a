import ChatDBEngine

/// The text of a CREATE TABLE or CREATE INDEX cut into the items between its first parentheses, and what follows them.
struct SQLDefinition {
    let lexer: SQLLexer
    /// The tokens of each item between commas.
    let items: [ArraySlice<SQLToken>]
    /// The tokens behind the closing parenthesis.
    let tail: ArraySlice<SQLToken>

    init(_ sql: String) throws(SQLTextError) {
        let text = SQLLexer(sql, refusesControls: false)
        var walking = text
        var tokens: [SQLToken] = []
        while let token = try walking.nextSignificant() { tokens.append(token) }

        var items: [ArraySlice<SQLToken>] = []
        var depth = 0
        var start = tokens.endIndex
        var end = tokens.endIndex
        for (index, token) in tokens.enumerated() {
            if text.isPunctuation(token, "(") {
                depth += 1
                if depth == 1, start == tokens.endIndex { start = index + 1 }
            } else if text.isPunctuation(token, ")") {
                depth -= 1
                if depth == 0 {
                    if start <= index { items.append(tokens[start..<index]) }
                    end = index + 1
                    break
                }
            } else if depth == 1, text.isPunctuation(token, ",") {
                items.append(tokens[start..<index])
                start = index + 1
            }
        }
        lexer = text
        self.items = items
        tail = tokens[min(end, tokens.endIndex)...]
    }

    /// The tokens between a parenthesis at `index` and its partner; nil when there is none there.
    func parenthesised(at index: Int, in item: ArraySlice<SQLToken>) -> ArraySlice<SQLToken>? {
        guard index < item.endIndex, lexer.isPunctuation(item[index], "(") else { return nil }
        var depth = 0
        for position in index..<item.endIndex {
            if lexer.isPunctuation(item[position], "(") { depth += 1 }
            if lexer.isPunctuation(item[position], ")") { depth -= 1 }
            if depth == 0 { return item[(index + 1)..<position] }
        }
        return nil
    }

    /// The names that stand first between the commas of a list of columns.
    func leadingNames(_ list: ArraySlice<SQLToken>) -> [String] {
        list.indices.compactMap { index in
            let isFirst = index == list.startIndex || lexer.isPunctuation(list[index - 1], ",")
            return isFirst ? lexer.name(of: list[index]) : nil
        }
    }

    /// Whether `NOT DEFERRABLE` stands before the word at `index`.
    func isNegated(before index: Int, in item: ArraySlice<SQLToken>) -> Bool {
        index - 2 >= item.startIndex && lexer.isWord(item[index - 2], "NOT")
    }

    /// The tokens as a piece of SQL.
    func text(_ tokens: ArraySlice<SQLToken>) -> SQLText {
        SQLText(folded: folded(tokens), shown: lexer.readable(tokens))
    }

    /// The tokens in the form in which equal definitions are equal texts.
    func folded(_ tokens: ArraySlice<SQLToken>) -> String {
        tokens.map { lexer.folded($0) }.joined(separator: " ")
    }
}
