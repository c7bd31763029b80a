import ChatDBEngine

/// The columns that an `UPDATE` sets to NULL or to the empty text. No plan counts the values that it overwrites.
struct EmptiedColumns {
    /// The table, or its other name in the statement, as a key.
    let table: String
    /// The columns, as keys.
    let columns: [String]

    /// Nil if the statement empties no column. The values of other assignments are not looked at.
    init?(_ statement: SQLStatement, _ syntax: SQLSyntax) {
        var lexer = SQLLexer(statement.text, syntax: syntax)
        var words: [String] = []
        while let token = try? lexer.nextSignificant() {
            let name = token.kind == .string ? nil : lexer.name(of: token)
            words.append(name.map(syntax.key) ?? lexer.text(of: token))
        }
        let isWord = { (index: Int, word: String) in
            words.indices.contains(index) && words[index].lowercased() == word
        }
        guard isWord(0, "update"), let set = words.indices.first(where: { isWord($0, "set") }), set > 1 else {
            return nil
        }
        var columns: [String] = []
        var depth = 0
        for index in words.indices.dropFirst(set + 1) {
            switch words[index].lowercased() {
            case "(": depth += 1
            case ")": depth -= 1
            case "=" where depth == 0 && (isWord(index + 1, "null") || isWord(index + 1, "''")):
                let ends = index + 2 == words.count || Self.ends.contains { isWord(index + 2, $0) }
                if ends { columns.append(words[index - 1]) }
            default: break
            }
            // What follows are conditions.
            if depth == 0, Self.ends.dropFirst().contains(where: { isWord(index, $0) }) { break }
        }
        if columns.isEmpty { return nil }
        table = words[set - 1]
        self.columns = columns
    }

    /// What may follow the value of an assignment.
    private static let ends = [",", "where", "from", "returning", "order", "limit"]

    /// Whether one of the columns was there before these statements: none of them adds it to the table.
    func isOld(before facts: [StatementFacts], _ syntax: SQLSyntax) -> Bool {
        columns.contains { column in
            !facts.contains { fact in
                fact.leavesRows && fact.names.isSuperset(of: [syntax.key("alter"), syntax.key("add"), table, column])
            }
        }
    }
}
