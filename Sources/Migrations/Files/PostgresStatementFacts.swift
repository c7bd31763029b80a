import ChatDBEngine

/// Collects the facts about a statement of PostgreSQL, token by token. Names without quotes are in lower case, as
/// PostgreSQL reads them.
struct PostgresStatementFacts {
    private enum Kind {
        case unknown, alterTable, dropTable, deleteFrom, other
    }

    private var kind = Kind.unknown
    private var names: Set<String> = []
    /// The words of the beginning, then those of the present action of ALTER TABLE.
    private var words: [Word] = []
    private var depth = 0
    /// The name of the table that a statement changes, or the last one of a list.
    private var table: String?
    private var isNameComplete = false
    private var dropped: [String] = []
    private var droppedColumns: [String] = []
    private var rename: StatementFacts.Alteration?
    private var movesRows = false
    private var isIndex = false
    private var deletion = DeletionPlaces()

    private struct Word {
        let word: String
        let name: String?
    }

    /// Where the parts of a DELETE begin.
    private struct DeletionPlaces {
        var table: Int?
        var using: Int?
        var condition: Int?
        var end: Int?
    }

    mutating func read(_ token: PostgresToken) {
        if let name = token.name { names.insert(name) }
        depth += ["(", "["].contains(token.sign) ? 1 : [")", "]"].contains(token.sign) ? -1 : 0
        switch kind {
        case .unknown: readBeginning(token)
        case .alterTable: readAlteration(token)
        case .dropTable: readDropped(token)
        case .deleteFrom: readDeletion(token)
        case .other: break
        }
    }

    private mutating func readBeginning(_ token: PostgresToken) {
        words.append(Word(word: token.word, name: token.name))
        switch words.map(\.word) {
        case ["CREATE"], ["CREATE", "UNIQUE"], ["ALTER"], ["DROP"], ["DELETE"]: return
        case ["ALTER", "TABLE"]: kind = .alterTable
        case ["DROP", "TABLE"]: kind = .dropTable
        case ["DELETE", "FROM"]: kind = .deleteFrom
        case ["CREATE", "INDEX"], ["CREATE", "UNIQUE", "INDEX"]:
            isIndex = true
            kind = .other
        default: kind = .other
        }
        words = []
    }

    /// Reads the name of a table with its schema. False when the token does not belong to it.
    private mutating func readName(_ token: PostgresToken) -> Bool {
        if isNameComplete { return false }
        if token.sign == "." {
            table = nil
        } else if table == nil {
            if !["IF", "EXISTS", "ONLY"].contains(token.word) { table = token.name }
        } else {
            isNameComplete = true
            return false
        }
        return true
    }

    // MARK: ALTER TABLE

    private mutating func readAlteration(_ token: PostgresToken) {
        if readName(token) { return }
        if token.sign == ",", depth == 0 {
            endAction()
        } else if words.count < 6, token.sign != "*" {
            words.append(Word(word: token.word, name: token.name))
        }
    }

    private mutating func endAction() {
        defer { words = [] }
        guard let table, let action = words.first?.word else { return }
        var rest = words.dropFirst()
        switch action {
        case "RENAME":
            if rest.first?.word == "TO", let name = rest.last?.name {
                rename = .renamesTable(table, to: name)
                return
            }
            if rest.first?.word == "COLUMN" { rest = rest.dropFirst() }
            guard rest.count == 3, rest.dropFirst().first?.word == "TO", let old = rest.first?.name,
                let new = rest.last?.name
            else { return }
            rename = .renamesColumn(old, of: table, to: new)
        case "DROP":
            if rest.first?.word == "CONSTRAINT" { return }
            if rest.first?.word == "COLUMN" { rest = rest.dropFirst() }
            if rest.first?.word == "IF", rest.dropFirst().first?.word == "EXISTS" { rest = rest.dropFirst(2) }
            if let column = rest.first?.name { droppedColumns.append(column) }
        case "ATTACH", "DETACH", "INHERIT", "NO":
            // The rows of another table become rows of this one, or the other way round.
            movesRows = true
        default: break
        }
    }

    // MARK: DROP TABLE

    private mutating func readDropped(_ token: PostgresToken) {
        if readName(token) { return }
        guard token.sign == "," else { return }
        endDropped()
    }

    private mutating func endDropped() {
        if let table { dropped.append(table) }
        table = nil
        isNameComplete = false
    }

    // MARK: DELETE FROM

    private mutating func readDeletion(_ token: PostgresToken) {
        let start = token.range.lowerBound
        if deletion.table == nil { deletion.table = start }
        if readName(token) || depth > 0 || deletion.end != nil { return }
        switch token.word {
        case "USING" where deletion.using == nil && deletion.condition == nil: deletion.using = start
        case "WHERE" where deletion.condition == nil: deletion.condition = start
        case "RETURNING": deletion.end = start
        default: break
        }
    }

    /// The rows of a DELETE with USING are those for which the other tables have a row.
    private func rest(_ lexer: SQLLexer, bytes: Int) -> String? {
        guard let start = deletion.table else { return nil }
        let end = deletion.end ?? bytes
        guard let using = deletion.using else { return lexer.text(in: start..<end) }
        let others = using + "USING".utf8.count
        return "\(lexer.text(in: start..<using))WHERE EXISTS (SELECT FROM\(lexer.text(in: others..<end)))"
    }

    /// The facts about the statement, after its last token.
    mutating func facts(_ lexer: SQLLexer, bytes: Int) -> StatementFacts {
        var facts = StatementFacts()
        facts.names = names
        facts.leavesRows = isIndex
        switch kind {
        case .alterTable:
            endAction()
            facts.alteration = rename
            if let table, !droppedColumns.isEmpty { facts.alteration = .dropsColumns(droppedColumns, of: table) }
            facts.leavesRows = !movesRows
            if case .renamesTable = rename { facts.leavesRows = false }
        case .dropTable:
            endDropped()
            facts.dropped = dropped
        case .deleteFrom:
            if let table, let rest = rest(lexer, bytes: bytes) {
                facts.deletion = StatementFacts.Deletion(table: table, rest: rest)
            }
        case .unknown, .other: break
        }
        return facts
    }
}
