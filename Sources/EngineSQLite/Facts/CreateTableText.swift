import ChatDBEngine

/// The facts that only the text of a CREATE TABLE shows, and no pragma: checks, collations, generated columns,
/// AUTOINCREMENT, deferred references, and the ON CONFLICT actions of constraints.
struct CreateTableText {
    private(set) var checks: [SQLText] = []
    private(set) var collations: [String: String] = [:]
    private(set) var generated: [String: SQLText] = [:]
    private(set) var isAutoincrement = false
    /// The ON CONFLICT action of the primary key; nil for none.
    private(set) var primaryConflict: String?
    private var uniqueConflicts: [[String]: String] = [:]
    private var nullConflicts: [String: String] = [:]
    private var deferredKeys: Set<[String]> = []

    init(_ sql: String) throws(SQLTextError) {
        let definition = try SQLDefinition(sql)
        for item in definition.items { read(item, of: definition) }
        checks.sort()
    }

    /// Whether the reference of these columns is checked at the end of the transaction. The case of their names does
    /// not count: a reference may write them in another case than the table.
    func isDeferred(_ columns: [String]) -> Bool { deferredKeys.contains(columns.map { $0.lowercased() }) }

    /// The ON CONFLICT action of UNIQUE over these columns; nil for none.
    func uniqueConflict(_ columns: [String]) -> String? { uniqueConflicts[columns.map { $0.lowercased() }] }

    /// The ON CONFLICT action of a column's NOT NULL; nil for none.
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
                // Words in the parentheses of a default or a type are not constraints.
                index = inner.endIndex
            }
            index += 1
        }
    }

    /// Notes the `ON CONFLICT` action of the constraint before it. SQLite accepts one after a CHECK and ignores it.
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

/// The text of a CREATE TABLE or CREATE INDEX, split into the items between its first parentheses and what follows
/// them.
struct SQLDefinition {
    let lexer: SQLLexer
    /// The tokens of each item between commas.
    let items: [ArraySlice<SQLToken>]
    /// The tokens after the closing parenthesis.
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

    /// The tokens between the parenthesis at `index` and its partner; nil when there is no parenthesis.
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

    /// The first name of each item in a list of columns.
    func leadingNames(_ list: ArraySlice<SQLToken>) -> [String] {
        list.indices.compactMap { index in
            let isFirst = index == list.startIndex || lexer.isPunctuation(list[index - 1], ",")
            return isFirst ? lexer.name(of: list[index]) : nil
        }
    }

    /// Whether `NOT DEFERRABLE` precedes the word at `index`.
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
