import ChatDBEngine

extension DatabaseStructure {
    /// The tables with a reference that now leads to a table that does not exist, and led to another one before, which did.
    ///
    /// Without `legacy_alter_table`, SQLite's `ALTER TABLE … RENAME TO` also changes the references to the table. If a
    /// migration renames a table, makes it again under the old name and drops the renamed one, the references lead
    /// nowhere.
    func strayReferences(since before: DatabaseStructure) -> [BrokenDefinition] {
        let now = Set(tables.keys.map { $0.lowercased() })
        let then = Set(before.tables.keys.map { $0.lowercased() })
        return tables.sorted { $0.key < $1.key }.flatMap { name, table in
            table.foreignKeys.compactMap { reference in
                let old = before.tables[name]?.foreignKeys.first { $0.columns == reference.columns }
                guard let old, old.parent != reference.parent, then.contains(old.parent.lowercased()),
                    !now.contains(reference.parent.lowercased())
                else { return nil }
                return BrokenDefinition(.table, name, reason: "no such table: main.\(reference.parent)")
            }
        }
    }
}
