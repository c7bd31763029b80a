import ChatDBEngine

/// What only the text of a CREATE TABLE tells and no pragma: checks, collations, generated columns, AUTOINCREMENT,
/// deferred references, and what a constraint does instead of refusing a row.
struct CreateTableText {
    private(set) var checks: [SQLText] = []
    private(set) var collations: [String: String] = [:]
    private(set) var generated: [String: SQLText] = [:]
    private(set) var isAutoincrement = false
    /// What the primary key does instead of refusing a row.
    private(set) var primaryConflict: String?
    private var uniqueConflicts: [[String]: String] = [:]
    private var nullConflicts: [String: String] = [:]
    private var deferredKeys: Set<[String]> = []

    init(_ sql: String) throws(SQLTextError) {
        let definition = try SQLDefinition(sql)
        for item in definition.items { read(item, of: definition) }
        checks.sort()
    }

    /// Whether the reference of these columns is checked at the end of the transaction. It may write them in other letters
    /// than the table does.
    func isDeferred(_ columns: [String]) -> Bool { deferredKeys.contains(columns.map { $0.lowercased() }) }

    /// What UNIQUE over these columns does instead of refusing a row.
    func uniqueConflict(_ columns: [String]) -> String? { uniqueConflicts[columns.map { $0.lowercased() }] }

    /// What NOT NULL of a column does instead of refusing a row.
    func nullConflict(_ column: String) -> String? { nullConflicts[column.lowercased()] }

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
                note(definition.folded(item[next...next]), before: index, of: column, in: item, definition)
            } else if let inner = definition.parenthesised(at: index, in: item) {
                // The words of a default or a type are no constraints.
                index = inner.endIndex
            }
            index += 1
        }
    }

    /// Notes an `ON CONFLICT` action of the constraint that stands before it. SQLite takes one behind a CHECK and goes by
    /// none.
    private mutating func note(
        _ action: String, before end: Int, of column: String?, in item: ArraySlice<SQLToken>,
        _ definition: SQLDefinition
    ) {
        let start = item[..<end].lastIndex { token in
            ["PRIMARY", "UNIQUE", "NOT", "CHECK"].contains { definition.lexer.isWord(token, $0) }
        }
        guard let start else { return }
        if definition.lexer.isWord(item[start], "PRIMARY") {
            primaryConflict = action
        } else if definition.lexer.isWord(item[start], "UNIQUE") {
            let listed = definition.parenthesised(at: start + 1, in: item).map(definition.leadingNames)
            uniqueConflicts[(column.map { [$0] } ?? listed ?? []).map { $0.lowercased() }] = action
        } else if definition.lexer.isWord(item[start], "NOT"), let column {
            nullConflicts[column.lowercased()] = action
        }
    }
}
