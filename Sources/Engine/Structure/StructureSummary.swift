// Parts of a schema as SQL, one line each.

extension TableStructure {
    /// The table in one line.
    public var summary: String {
        if let virtualDefinition { return virtualDefinition.shown }
        return (["(\((columns.map(\.summary) + keys).joined(separator: ", ")))"] + options).joined(separator: " ")
    }

    /// The constraints of the whole table, one text for each.
    package var keys: [String] {
        var parts =
            primaryKey.isEmpty
            ? [] : ["PRIMARY KEY (\(primaryKey.joined(separator: ", ")))" + conflictClause(primaryConflict)]
        parts += unique.map { "UNIQUE (\($0.joined(separator: ", ")))" + conflictClause(uniqueConflicts[$0]) }
        parts += foreignKeys.map(\.summary)
        return parts + checks.map { "CHECK (\($0.shown))" }
    }
}

/// The ON CONFLICT clause behind a constraint; empty for none.
package func conflictClause(_ action: String?) -> String { action.map { " ON CONFLICT \($0)" } ?? "" }

extension ColumnStructure {
    /// The column in one line.
    public var summary: String {
        var text = type.isEmpty ? SQLName.written(name) : "\(SQLName.written(name)) \(type)"
        if notNull { text += " NOT NULL" + conflictClause(nullConflict) }
        if let defaultValue { text += " DEFAULT " + Self.written(defaultValue) }
        if let collation { text += " COLLATE \(SQLName.written(collation))" }
        if let generated { text += " AS (\(generated.shown))\(isStored ? " STORED" : "")" }
        return text
    }

    /// A literal is written as it is, with its sign; any other default needs parentheses.
    private static func written(_ value: String) -> String {
        var lexer = SQLLexer(value)
        let first = try? lexer.nextSignificant()
        let isSigned = first.map { lexer.isPunctuation($0, "-") || lexer.isPunctuation($0, "+") } ?? false
        if isSigned { _ = try? lexer.nextSignificant() }
        let isLiteral = first != nil && (try? lexer.nextSignificant()) == .some(nil)
        return isLiteral ? SQLLexer.shown(value) : "(\(SQLLexer.shown(value)))"
    }
}

extension ForeignKeyStructure {
    /// The reference in one line.
    public var summary: String {
        var text = "FOREIGN KEY (\(list(columns))) REFERENCES \(SQLName.written(parent))"
        if !parentColumns.isEmpty { text += " (\(list(parentColumns)))" }
        if onDelete != "NO ACTION" { text += " ON DELETE \(onDelete)" }
        if onUpdate != "NO ACTION" { text += " ON UPDATE \(onUpdate)" }
        if deferred { text += " DEFERRABLE INITIALLY DEFERRED" }
        return text
    }

    private func list(_ names: [String]) -> String { names.map(SQLName.written).joined(separator: ", ") }
}

extension IndexStructure {
    /// The index in one line.
    public var summary: String {
        "\(unique ? "UNIQUE " : "")INDEX ON \(SQLName.written(table)) \(definition)"
    }

    /// What follows the name of the table.
    package var definition: String {
        var text = (method.map { "USING \($0) " } ?? "") + "(\(shownColumns.joined(separator: ", ")))"
        for option in options { text += " " + option }
        if let condition { text += " WHERE \(condition.shown)" }
        return text
    }
}

extension SQLLexer {
    /// SQL formatted for people. Text from a schema is well formed; text that is not stays unchanged.
    package static func shown(_ text: String) -> String { (try? readable(text, namesLower: true)) ?? text }
}
