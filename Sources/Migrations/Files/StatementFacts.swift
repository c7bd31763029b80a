import ChatDBEngine

/// The facts about one statement, from its tokens. They are collected when the statement is validated, so that plans,
/// losses and the space check need not parse the text again. No statement runs for them: a plan changes nothing.
///
/// Names of tables and columns are as the statement writes them, without quotes. Names with the same `SQLSyntax.key` are
/// the same name.
struct StatementFacts: Sendable {
    /// The keys of every word and name in the statement.
    var names: Set<String> = []
    /// What ALTER TABLE does, if it renames or drops something; nil for other statements.
    var alteration: Alteration?
    /// The rows that it deletes; nil for other statements.
    var deletion: Deletion?
    /// The tables that it drops; empty for other statements.
    var dropped: [String] = []
    /// Whether all rows of its table stay where they are: it creates an index, or changes a column.
    var leavesRows = false

    /// What ALTER TABLE does.
    enum Alteration: Sendable, Hashable {
        case renamesTable(String, to: String)
        case renamesColumn(String, of: String, to: String)
        case dropsColumns([String], of: String)
    }

    /// The rows that a DELETE finds.
    struct Deletion: Sendable, Hashable {
        let table: String
        /// What follows `SELECT count(*) FROM` in the statement that counts them: the table and the condition.
        let rest: String
    }

    /// Collects the facts about a statement of SQLite, token by token.
    struct Reader {
        private var names: Set<String> = []
        private var words: [String] = []
        private var (depth, start) = (0, 0)
        private var end: Int?

        mutating func read(_ token: SQLToken, of lexer: SQLLexer) {
            let name = lexer.name(of: token)
            if let name { names.insert(SQLSyntax.sqlite.key(name)) }
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
            facts.leavesRows = isWord(0, "CREATE") && (isWord(1, "INDEX") || isWord(1, "UNIQUE") && isWord(2, "INDEX"))
            guard words.count > 2 else { return facts }
            if isWord(0, "ALTER"), isWord(1, "TABLE") {
                facts.alteration = Self.alteration(withoutSchema(words.dropFirst(2)))
                facts.leavesRows = true
                if case .renamesTable = facts.alteration { facts.leavesRows = false }
            }
            if isWord(0, "DELETE"), isWord(1, "FROM") {
                facts.deletion = Deletion(
                    table: words.count > 4 && words[3] == "." ? words[4] : words[2],
                    rest: lexer.text(in: start..<max(start, end ?? bytes)))
            }
            if isWord(0, "DROP"), isWord(1, "TABLE") {
                let name = words.dropFirst(isWord(2, "IF") && isWord(3, "EXISTS") ? 4 : 2)
                facts.dropped = withoutSchema(name).first.map { [$0] } ?? []
            }
            return facts
        }

        /// - Parameter words: the name of the table and what follows.
        private static func alteration(_ words: [String]) -> Alteration? {
            guard words.count > 2, let last = words.last else { return nil }
            switch words[1].uppercased() {
            case "DROP": return .dropsColumns([last], of: words[0])
            case "RENAME" where words.count > 3 && words[2].uppercased() == "TO":
                return .renamesTable(words[0], to: words[3])
            case "RENAME" where words.count > 4:
                return .renamesColumn(words[words.count - 3], of: words[0], to: last)
            default: return nil
            }
        }

        private func withoutSchema(_ words: ArraySlice<String>) -> [String] {
            Array(words.count > 2 && words.dropFirst().first == "." ? words.dropFirst(2) : words)
        }

        private func isWord(_ index: Int, _ word: String) -> Bool {
            words.indices.contains(index) && words[index].uppercased() == word
        }
    }
}

extension MigrationScript {
    /// The tables that the script drops and recreates under the same name with ALTER TABLE … RENAME TO, lower case.
    func rebuiltTables() throws(MigrationFileError) -> Set<String> {
        var (dropped, renamed): (Set<String>, Set<String>) = ([], [])
        for facts in try facts {
            dropped.formUnion(facts.dropped.map { $0.lowercased() })
            if case .renamesTable(_, let name) = facts.alteration { renamed.insert(name.lowercased()) }
        }
        return dropped.intersection(renamed)
    }
}
