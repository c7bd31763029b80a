// How parts of a schema are written in a difference: close to SQL, one line each.

extension TableStructure {
    /// The table in one line.
    public var summary: String {
        if let virtualDefinition { return virtualDefinition }
        var parts = columns.map(\.summary)
        if !primaryKey.isEmpty { parts.append("PRIMARY KEY (\(primaryKey.joined(separator: ", ")))") }
        parts += unique.map { "UNIQUE (\($0.joined(separator: ", ")))" }
        parts += foreignKeys.map(\.summary)
        parts += checks.map { "CHECK (\($0))" }
        return (["(\(parts.joined(separator: ", ")))"] + options).joined(separator: " ")
    }
}

extension ColumnStructure {
    /// The column in one line.
    public var summary: String {
        var text = type.isEmpty ? name : "\(name) \(type)"
        if notNull { text += " NOT NULL" }
        if let defaultValue { text += " DEFAULT " + (defaultValue.contains("(") ? "(\(defaultValue))" : defaultValue) }
        if let collation { text += " COLLATE \(collation)" }
        if let generated { text += " AS (\(generated))\(isStored ? " STORED" : "")" }
        return text
    }
}

extension ForeignKeyStructure {
    /// The reference in one line.
    public var summary: String {
        var text = "FOREIGN KEY (\(columns.joined(separator: ", "))) REFERENCES \(parent)"
        if !parentColumns.isEmpty { text += " (\(parentColumns.joined(separator: ", ")))" }
        if onDelete != "NO ACTION" { text += " ON DELETE \(onDelete)" }
        if onUpdate != "NO ACTION" { text += " ON UPDATE \(onUpdate)" }
        if deferred { text += " DEFERRABLE INITIALLY DEFERRED" }
        return text
    }
}

extension IndexStructure {
    /// The index in one line.
    public var summary: String {
        var text = "\(unique ? "UNIQUE " : "")INDEX ON \(table) (\(columns.joined(separator: ", ")))"
        if let condition { text += " WHERE \(condition)" }
        return text
    }
}
