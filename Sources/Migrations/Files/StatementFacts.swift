import ChatDBEngine

/// The facts about one statement, from its tokens. They are collected when the statement is validated, so that plans,
/// losses and the space check need not parse the text again. No statement runs for them: a plan changes nothing.
struct StatementFacts: Sendable {
    /// Every word and name in the statement, lower case.
    private(set) var names: Set<String> = []
    /// The words and names after ALTER TABLE as they are written, including dots; nil for other statements.
    private(set) var alteration: [String]?
    /// The rows that it deletes; nil for other statements.
    private(set) var deletion: Deletion?
    /// The table that it drops, lower case; nil for other statements.
    private(set) var dropped: String?

    /// Whether it creates an index.
    private(set) var isIndex = false

    /// The new name of a table; nil for other statements.
    var newTableName: String? {
        guard let words = alteration, words.suffix(3).map({ $0.uppercased() }).starts(with: ["RENAME", "TO"]) else {
            return nil
        }
        return words.last?.lowercased()
    }

    /// Whether all rows of its table stay where they are: it creates an index, or changes a column.
    var leavesRows: Bool { isIndex || alteration != nil && newTableName == nil }

    /// The rows that a DELETE finds.
    struct Deletion: Sendable {
        let table: String
        /// The table and the condition.
        let rest: String
    }

    /// Collects the facts token by token.
    struct Reader {
        private var names: Set<String> = []
        private var words: [String] = []
        private var (depth, start) = (0, 0)
        private var end: Int?

        mutating func read(_ token: SQLToken, of lexer: SQLLexer) {
            let name = lexer.name(of: token)
            if let name { names.insert(name.lowercased()) }
            // After 16 words only the end of a DELETE matters.
            let isDeletion = words.count > 1 && isWord(0, "DELETE") && isWord(1, "FROM")
            guard words.count < 16 || isDeletion else { return }
            let word = name ?? lexer.text(of: token)
            if words.count == 2 { start = token.range.lowerBound }
            if words.count < 16 { words.append(word) }
            guard isDeletion, end == nil else { return }
            let text = lexer.text(of: token)
            depth += text == "(" ? 1 : text == ")" ? -1 : 0
            if depth == 0, ["RETURNING", "ORDER", "LIMIT"].contains(text.uppercased()) { end = token.range.lowerBound }
        }

        /// The facts about the statement.
        func facts(_ lexer: SQLLexer, bytes: Int) -> StatementFacts {
            var facts = StatementFacts()
            facts.names = names
            if words.count > 2, isWord(0, "ALTER"), isWord(1, "TABLE") { facts.alteration = Array(words.dropFirst(2)) }
            if words.count > 2, isWord(0, "DELETE"), isWord(1, "FROM") {
                facts.deletion = Deletion(
                    table: words.count > 4 && words[3] == "." ? words[4] : words[2],
                    rest: lexer.text(in: start..<max(start, end ?? bytes)))
            }
            facts.isIndex = isWord(0, "CREATE") && (isWord(1, "INDEX") || isWord(1, "UNIQUE") && isWord(2, "INDEX"))
            if words.count > 2, isWord(0, "DROP"), isWord(1, "TABLE") {
                let name = words.dropFirst(isWord(2, "IF") && isWord(3, "EXISTS") ? 4 : 2)
                facts.dropped = (name.count > 2 && name.dropFirst().first == "." ? name.dropFirst(2) : name).first?
                    .lowercased()
            }
            return facts
        }

        private func isWord(_ index: Int, _ word: String) -> Bool {
            words.indices.contains(index) && words[index].uppercased() == word
        }
    }
}

extension MigrationScript {
    /// The tables that the script drops and recreates under the same name with ALTER TABLE … RENAME TO, lower case.
    func rebuiltTables() throws(MigrationFileError) -> Set<String> {
        let facts = try facts
        let dropped = Set(facts.compactMap(\.dropped))
        return dropped.intersection(facts.compactMap(\.newTableName))
    }
}
