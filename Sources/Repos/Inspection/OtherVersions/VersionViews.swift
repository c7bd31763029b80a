public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Shows databases of other versions, and of SimpleX Chat, with the tables of this build, so that the repositories can
/// query them.
///
/// If the file lacks a table of this build, or has another form of it, a temporary view over the existing columns
/// replaces the table. Rule: docs/simplex.md, "How it is read".
public enum VersionViews {
    /// The plan for one database.
    ///
    /// - Parameter schema: this build's schema of the database.
    public static func plan(of database: DatabaseName, as schema: DatabaseStructure) -> ViewPlan {
        let tables = schema.tables.filter { $0.value.virtualDefinition == nil }
        let mappings = database == .chat ? TableMapping.chat : []
        return ViewPlan(
            tables: Set(tables.keys), functions: database == .chat ? TableMapping.functions : []
        ) { found in
            ReadingViews(
                views: views(of: tables, on: found, by: mappings),
                notes: notes(on: found, by: mappings))
        }
    }

    /// One clause, `this version has no relays, no channels`; nil for a version that has everything that is read.
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
            let own = wanted.columnNames
            let columns = wanted.columns.map { column in
                ColumnView(
                    wanted: column, table: table, computed: computed.first { $0.column == column.name }?.sql,
                    received: mapping.received[column.name].flatMap { own.contains($0) ? nil : $0 },
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

/// One of this build's columns over a table of another version, by rules that hold for all columns:
///
/// - of the same name: as it is, as text where this build has text and the file may have bytes, with the default in
///   place of a NULL that this build does not have; where the file has the value as it was received, that value;
/// - computed, where a `TableMapping` says how;
/// - else its default, or NULL.
struct ColumnView {
    /// The column of this build.
    let wanted: ColumnStructure
    /// The table of the file.
    let table: TableStructure
    /// The expression that computes the column in a file without it.
    let computed: String?
    /// The column in which a file may have the same value as it was received.
    let received: String?
    /// Whether it is an id that a file may keep as bytes which are no text.
    let isID: Bool
    /// Whether the file is of a version with only one profile, whose tables have no column for it.
    let hasOneProfile: Bool

    /// The substitute for a time that was not stored.
    private static let beginning = "'1970-01-01 00:00:00'"

    /// The expression, without a name.
    var sql: String {
        guard let found = table.columns.first(where: { $0.name == wanted.name }) else { return computed ?? absent }
        let value = withReceived(typed(found))
        return wanted.notNull && !found.notNull ? "coalesce(\(value), \(absent))" : value
    }

    /// Whether the column is in the file as this build has it.
    var isSame: Bool { sql == wanted.name }

    /// A table that is not STRICT may have bytes in a column of text.
    private func typed(_ found: ColumnStructure) -> String {
        let isSure = table.options.contains("STRICT") && found.type == wanted.type
        guard !isSure, ["TEXT", "BLOB"].contains(wanted.type) else { return wanted.name }
        if isID, found.type == "BLOB" { return "\(TableMapping.base64.name)(\(wanted.name))" }
        return "CAST(\(wanted.name) AS \(wanted.type))"
    }

    private func withReceived(_ value: String) -> String {
        guard let other = table.columns.first(where: { $0.name == received }) else { return value }
        let isSure = table.options.contains("STRICT") && other.type == wanted.type
        return "coalesce(\(isSure ? other.name : "CAST(\(other.name) AS \(wanted.type))"), \(value))"
    }

    private var absent: String {
        guard wanted.notNull else { return "NULL" }
        if wanted.name == "user_id", hasOneProfile { return "1" }
        guard let value = wanted.defaultValue else {
            switch wanted.type {
            case "INTEGER", "REAL": return "0"
            case "BLOB": return "x''"
            default: return "''"
            }
        }
        return value.lowercased().contains("strftime") ? time : value
    }

    /// The default of times is the time of the INSERT, which a view does not have. The nearest time of the row replaces
    /// it.
    private var time: String {
        let others = ["updated_at", "created_at"].filter { $0 != wanted.name && table.columnNames.contains($0) }
        if others.isEmpty { return Self.beginning }
        return "coalesce(\(others.joined(separator: ", ")), \(Self.beginning))"
    }
}
