import Engine

/// What only the text of a CREATE TABLE tells and no pragma: checks, collations, generated columns, AUTOINCREMENT and
/// deferred references.
struct CreateTableText {
    private(set) var checks: [String] = []
    private(set) var collations: [String: String] = [:]
    private(set) var generated: [String: String] = [:]
    private(set) var isAutoincrement = false
    /// The referring columns of each reference that is checked at the end of the transaction.
    private(set) var deferredKeys: Set<[String]> = []

    init(_ sql: String) throws(SQLTextError) {
        let definition = try SQLDefinition(sql)
        for item in definition.items { read(item, of: definition) }
        checks.sort()
    }

    private static let constraintWords = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

    private mutating func read(_ item: ArraySlice<SQLToken>, of definition: SQLDefinition) {
        guard let first = item.first else { return }
        let isConstraint = Self.constraintWords.contains { definition.lexer.isWord(first, $0) }
        let column = isConstraint ? nil : definition.lexer.name(of: first)
        var keyColumns = column.map { [$0] } ?? []
        var index = isConstraint ? item.startIndex : item.startIndex + 1
        while index < item.endIndex {
            let token = item[index]
            let next = index + 1
            if definition.lexer.isWord(token, "CHECK"), let inner = definition.parenthesised(at: next, in: item) {
                checks.append(definition.folded(inner))
                index = inner.endIndex
            } else if definition.lexer.isWord(token, "AS"), let inner = definition.parenthesised(at: next, in: item) {
                if let column { generated[column] = definition.folded(inner) }
                index = inner.endIndex
            } else if definition.lexer.isWord(token, "COLLATE"), next < item.endIndex {
                if let column { collations[column] = definition.lexer.name(of: item[next])?.uppercased() }
                index = next
            } else if definition.lexer.isWord(token, "KEY"), let inner = definition.parenthesised(at: next, in: item) {
                keyColumns = inner.compactMap { definition.lexer.name(of: $0) }
                index = inner.endIndex
            } else if definition.lexer.isWord(token, "AUTOINCREMENT") {
                isAutoincrement = true
            } else if definition.lexer.isWord(token, "INITIALLY"), next < item.endIndex,
                definition.lexer.isWord(item[next], "DEFERRED"), !definition.isNegated(before: index, in: item)
            {
                deferredKeys.insert(keyColumns)
            }
            index += 1
        }
    }
}
