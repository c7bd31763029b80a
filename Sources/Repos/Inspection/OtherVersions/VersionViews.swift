public import ChatDBEngine
public import ChatDBSchema

/// Databases of other versions, those of SimpleX Chat among them, as this build's repositories ask for them.
///
/// Every table of this build that the file has otherwise, or not at all, becomes a temporary view, made from the columns
/// that are really there. Rule: docs/simplex.md, "How it is read".
public enum VersionViews {
    /// The plan for one database.
    ///
    /// - Parameter schema: this build's schema of the database.
    public static func plan(of database: DatabaseName, as schema: DatabaseStructure) -> ViewPlan {
        let tables = schema.tables.filter { $0.value.virtualDefinition == nil }
        let mappings = database == .chat ? TableMapping.chat : []
        return ViewPlan(
            tables: Set(tables.keys), functions: database == .chat ? [TableMapping.relayKey, TableMapping.base64] : []
        ) { found in
            ReadingViews(
                views: views(of: tables, on: found, by: mappings),
                notes: notes(on: found, by: mappings))
        }
    }

    /// One clause, `this version has no relays, no channels`; none for a version that lacks nothing that is asked for.
    private static func notes(on found: [String: TableStructure], by mappings: [TableMapping]) -> [String] {
        let lacking = mappings.flatMap { $0.lacking(on: found[$0.table]) }
        if lacking.isEmpty { return [] }
        return ["this version has " + lacking.map { "no \($0)" }.joined(separator: ", ")]
    }

    private static func views(
        of tables: [String: TableStructure], on found: [String: TableStructure], by mappings: [TableMapping]
    ) -> [ReadingViews.View] {
        let hasOneProfile = found["users"].map { !$0.columnNames.contains("active_user") } ?? false
        return tables.sorted { $0.key < $1.key }.compactMap { name, wanted in
            guard let table = found[name] else { return view(name, without: wanted) }
            let mapping = mappings.first { $0.table == name } ?? TableMapping(table: name)
            let computed = mapping.computed.filter { $0.isPossible(with: found) }
            let columns = wanted.columns.map { column in
                ColumnView(
                    wanted: column, table: table, computed: computed.first { $0.column == column.name }?.sql,
                    isID: mapping.ids.contains(column.name), hasOneProfile: hasOneProfile)
            }
            return columns.allSatisfy(\.isSame) ? nil : view(name, columns)
        }
    }

    private static func view(_ name: String, _ columns: [ColumnView]) -> ReadingViews.View {
        let list = columns.map { $0.isSame ? $0.sql : "\($0.sql) AS \($0.wanted.name)" }
        return ReadingViews.View(
            name: name, select: "SELECT\n    \(list.joined(separator: ",\n    "))\nFROM main.\(name)")
    }

    private static func view(_ name: String, without wanted: TableStructure) -> ReadingViews.View {
        let list = wanted.columns.map { "NULL AS \($0.name)" }
        return ReadingViews.View(name: name, select: "SELECT \(list.joined(separator: ", ")) WHERE 0")
    }
}
