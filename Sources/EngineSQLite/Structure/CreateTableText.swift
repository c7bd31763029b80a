import Engine

/// What only the text of a CREATE TABLE tells and no pragma: checks, collations, generated columns, AUTOINCREMENT and
/// deferred references.
struct CreateTableText {
    private(set) var checks: [SQLText] = []
    private(set) var collations: [String: String] = [:]
    private(set) var generated: [String: SQLText] = [:]
    private(set) var isAutoincrement = false
    /// Constraints that do something else than refuse a row.
    private(set) var conflicts: [String] = []
    private var deferredKeys: Set<[String]> = []

    init(_ sql: String) throws(SQLTextError) {
        let definition = try SQLDefinition(sql)
        for item in definition.items { read(item, of: definition) }
        checks.sort()
    }

    /// Whether the reference of these columns is checked at the end of the transaction. It may write them in other letters
    /// than the table does.
    func isDeferred(_ columns: [String]) -> Bool { deferredKeys.contains(columns.map { $0.lowercased() }) }

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
                checks.append(definition.text(inner))
                index = inner.endIndex
            } else if definition.lexer.isWord(token, "AS"), let inner = definition.parenthesised(at: next, in: item) {
                if let column { generated[column] = definition.text(inner) }
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
                deferredKeys.insert(keyColumns.map { $0.lowercased() })
            } else if definition.lexer.isWord(token, "CONFLICT"), next < item.endIndex {
                conflicts.append(conflict(at: next, of: column, in: item, definition))
            } else if let inner = definition.parenthesised(at: index, in: item) {
                // The words of a default or a type are no constraints.
                index = inner.endIndex
            }
            index += 1
        }
    }

    /// The constraint up to its `ON CONFLICT` action at `end`, after its column's name.
    private func conflict(
        at end: Int, of column: String?, in item: ArraySlice<SQLToken>, _ definition: SQLDefinition
    ) -> String {
        let start = item[..<end].lastIndex { token in
            ["PRIMARY", "UNIQUE", "NOT", "CHECK"].contains { definition.lexer.isWord(token, $0) }
        }
        let text = definition.folded(item[(start ?? item.startIndex)...end])
        return column.map { "\($0) \(text)" } ?? text
    }
}
