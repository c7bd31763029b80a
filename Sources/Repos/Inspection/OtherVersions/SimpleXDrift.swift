package import ChatDBEngine
package import ChatDBSchema

/// How the schema of a database of SimpleX Chat differs from what is known of its version.
package struct SimpleXDrift: Sendable, Hashable {
    /// A difference.
    package struct Difference: Sendable, Hashable {
        package let kind: StructureDifference.Kind
        package let object: StructureDifference.Object
        /// The name; a column's with its table.
        package let name: String
        /// What follows the name in the sentence: the table of a trigger, or since when a table is known.
        fileprivate var more = ""

        fileprivate init(
            _ kind: StructureDifference.Kind, _ object: StructureDifference.Object, _ name: String, _ more: String = ""
        ) {
            (self.kind, self.object, self.name, self.more) = (kind, object, name, more)
        }

        /// The difference in a few words: `missing column users.agent_user_id`.
        package var sentence: String { "\(kind.rawValue) \(object.rawValue) \(name)\(more)" }
    }

    /// Tables and columns that the file lacks, sorted by their sentences.
    package let missing: [Difference]
    /// Differences that lose no rows: tables, columns and triggers that the version does not have, and triggers that the
    /// file lacks, sorted by their sentences.
    package let others: [Difference]

    /// The number of all differences.
    package var count: Int { missing.count + others.count }

    /// Compares only what is known. Tables that chatdb does not read are not described, so an unknown table is no
    /// difference unless it cannot be of SimpleX Chat. Of a version between two described ones, a difference is what
    /// neither of the two explains. The answer is nil for a version that is older or newer than all described ones.
    ///
    /// - Parameter version: the last migration of the database that this build knows.
    package init?(
        of structure: DatabaseStructure, in database: DatabaseName, version: String, by schemas: SimpleXSchemas
    ) {
        let date = String(version.prefix(8))
        guard let (lower, upper) = schemas.neighbours(of: date, in: database) else { return nil }
        let later = (schemas.described[database] ?? []).filter { $0.date > upper.date }
        let triggers = (schemas.triggers[database] ?? []).filter { $0.since <= date }
        missing = Self.missingTables(structure, lower, upper).sorted { $0.sentence < $1.sentence }
        let lost = triggers.filter { structure.triggers[$0.name] == nil && structure.tables[$0.table] != nil }
        let foreign = structure.triggers.filter { !Self.isKnown($0.key, $0.value, among: triggers) }
        others =
            (Self.extraTables(structure, [lower.tables, upper.tables], later)
            + lost.map { Difference(.missing, .trigger, $0.name, " on \($0.table)") }
            + foreign.map { Difference(.extra, .trigger, $0.key, " on \($0.value.table)") })
            .sorted { $0.sentence < $1.sentence }
    }

    /// The tables, and the columns of the tables there are, which both described versions have and the file lacks.
    private static func missingTables(
        _ structure: DatabaseStructure, _ lower: SimpleXSchemas.Described, _ upper: SimpleXSchemas.Described
    ) -> [Difference] {
        lower.tables.flatMap { table, columns -> [Difference] in
            guard let other = upper.tables[table] else { return [] }
            guard let found = structure.tables[table] else {
                // The rows may be in another table, which the view shows.
                return structure.views[table] == nil ? [Difference(.missing, .table, table)] : []
            }
            return columns.intersection(other).subtracting(found.columnNames).map {
                Difference(.missing, .column, "\(table).\($0)")
            }
        }
    }

    /// The columns that neither described version has, and the tables that cannot be of this version.
    private static func extraTables(
        _ structure: DatabaseStructure, _ both: [[String: Set<String>]], _ later: [SimpleXSchemas.Described]
    ) -> [Difference] {
        structure.tables.flatMap { table, found -> [Difference] in
            let known = both.compactMap { $0[table] }
            if !known.isEmpty {
                let columns = known.reduce(into: Set<String>()) { $0.formUnion($1) }
                return found.columnNames.subtracting(columns).map { Difference(.extra, .column, "\(table).\($0)") }
            }
            if let first = later.first(where: { $0.tables[table] != nil }) {
                return [Difference(.extra, .table, table, ", known since \(first.day)")]
            }
            return isForeign(table) ? [Difference(.extra, .table, table)] : []
        }
    }

    /// Tables of chatdb, and those that tools for SQLite leave in a database that they have changed or recovered.
    private static func isForeign(_ table: String) -> Bool {
        ["store", "preset_choices", "chat_items_fts"].contains(table)
            || ["lost_and_found", "sqlb_temp_table_", "sqlitestudio_temp_table"].contains(where: table.hasPrefix)
    }

    /// The triggers of the app count rows. None of them refuses a statement.
    private static func isKnown(
        _ name: String, _ trigger: TriggerStructure, among known: [SimpleXSchemas.Trigger]
    ) -> Bool {
        known.contains { $0.name == name && $0.table == trigger.table } && !trigger.text.folded.contains("RAISE")
    }
}
