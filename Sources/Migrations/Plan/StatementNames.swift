import ChatDBEngine

// What statements say about names, told without running them: a plan shows what it would do and does nothing.

extension SQLStatement {
    /// Every word and name in it, lower case.
    func names() throws(SQLTextError) -> Set<String> {
        var lexer = SQLLexer(text)
        var names: Set<String> = []
        while let token = try lexer.nextSignificant() {
            if let name = lexer.name(of: token) { names.insert(name.lowercased()) }
        }
        return names
    }

    /// What stands behind ALTER TABLE: words and names as they are written, dots among them; nil for another statement.
    fileprivate func alteration() throws(SQLTextError) -> [String]? {
        var lexer = SQLLexer(text)
        var words: [String] = []
        while let token = try lexer.nextSignificant() {
            words.append(lexer.name(of: token) ?? lexer.text(of: token))
        }
        guard words.count > 2, words[0].uppercased() == "ALTER", words[1].uppercased() == "TABLE" else { return nil }
        return Array(words.dropFirst(2))
    }
}

extension Renames {
    /// What statements rename, beginning with this schema.
    init(reading statements: [SQLStatement], of live: DatabaseStructure) throws(SQLTextError) {
        self.init(of: Set(live.tables.keys))
        // A statement may write a name in other letters than the schema has it.
        var known = Dictionary(live.tables.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        for statement in statements {
            guard var words = try statement.alteration() else { continue }
            if words.count > 2, words[1] == "." { words.removeFirst(2) }
            guard words.count > 3, words[1].uppercased() == "RENAME" else { continue }
            let table = known[words[0].lowercased()] ?? words[0]
            if words[2].uppercased() == "TO" {
                rename(table: table, to: words[3])
                known[words[3].lowercased()] = words[3]
            } else {
                if words[2].uppercased() == "COLUMN", words.count > 5 { words.remove(at: 2) }
                guard words.count > 4 else { continue }
                let columns = live.tables[original(of: table)]?.columns.map(\.name) ?? []
                let from = columns.first { $0.lowercased() == words[2].lowercased() } ?? words[2]
                rename(column: from, of: table, to: words[4])
            }
        }
    }
}
