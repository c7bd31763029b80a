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
        ) { found, syntax in
            ReadingViews(
                views: views(of: tables, on: found, by: mappings, syntax),
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
        of tables: [String: TableStructure], on found: [String: TableStructure], by mappings: [TableMapping],
        _ syntax: ViewSyntax
    ) -> [ReadingViews.View] {
        let hasOneProfile = found["users"].map { !$0.columnNames.contains("active_user") } ?? false
        return tables.sorted { $0.key < $1.key }.compactMap { name, wanted in
            guard let table = found[name] else { return view(name, without: wanted, syntax) }
            let mapping = mappings.first { $0.table == name } ?? TableMapping(table: name)
            let computed = mapping.computed.filter { $0.isPossible(with: found) }
            let own = wanted.columnNames
            let columns = wanted.columns.map { column in
                ColumnView(
                    wanted: column, table: table, syntax: syntax,
                    computed: computed.first { $0.column == column.name }?.expression,
                    received: mapping.received[column.name].flatMap { own.contains($0) ? nil : $0 },
                    isID: mapping.ids.contains(column.name), hasOneProfile: hasOneProfile)
            }
            return columns.allSatisfy(\.isSame) ? nil : view(name, columns, syntax)
        }
    }

    private static func view(_ name: String, _ columns: [ColumnView], _ syntax: ViewSyntax) -> ReadingViews.View {
        let list = columns.map { $0.isSame ? $0.sql : "\($0.sql) AS \($0.wanted.name)" }
        return ReadingViews.View(
            name: name, select: "SELECT\n    \(list.joined(separator: ",\n    "))\nFROM \(syntax.schema).\(name)")
    }

    private static func view(
        _ name: String, without wanted: TableStructure, _ syntax: ViewSyntax
    ) -> ReadingViews.View {
        let list = wanted.columns.map { "\(syntax.column("NULL", $0.type)) AS \($0.name)" }
        return ReadingViews.View(name: name, select: "SELECT \(list.joined(separator: ", ")) WHERE FALSE")
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
    let syntax: ViewSyntax
    /// The expression that computes the column in a file without it.
    let computed: TableMapping.Expression?
    /// The column in which a file may have the same value as it was received.
    let received: String?
    /// Whether it is an id that a file may keep as bytes which are no text.
    let isID: Bool
    /// Whether the file is of a version with only one profile, whose tables have no column for it.
    let hasOneProfile: Bool

    /// The substitute for a time that was not stored.
    private static let beginning = "'1970-01-01 00:00:00'"

    /// The expression, without a name.
    var sql: String { syntax.column(value, wanted.type) }

    private var value: String {
        guard let found = column(wanted.name) else { return computed?(syntax, text) ?? absent }
        let value = withReceived(typed(found))
        return wanted.notNull && !found.notNull ? "coalesce(\(value), \(absent))" : value
    }

    private func column(_ name: String?) -> ColumnStructure? { table.columns.first { $0.name == name } }

    /// A column of the file as text.
    private func text(_ name: String) -> String { syntax.convert(name, column(name)?.type ?? "", "TEXT") }

    /// Whether the column is in the file as this build has it.
    var isSame: Bool { sql == wanted.name }

    /// A table that is not STRICT may have bytes in a column of text.
    private func typed(_ found: ColumnStructure) -> String {
        let isSure = table.options.contains("STRICT") && found.type == wanted.type
        if isSure, isTime { return syntax.time(wanted.name) }
        guard !isSure, ["TEXT", "BLOB"].contains(wanted.type) else { return wanted.name }
        if isID, found.type == "BLOB" { return syntax.call(TableMapping.base64, wanted.name) }
        return syntax.convert(wanted.name, found.type, wanted.type)
    }

    private func withReceived(_ value: String) -> String {
        guard let other = column(received) else { return value }
        let isSure = table.options.contains("STRICT") && other.type == wanted.type
        return "coalesce(\(isSure ? other.name : syntax.convert(other.name, other.type, wanted.type)), \(value))"
    }

    private var absent: String {
        guard wanted.notNull else { return "NULL" }
        if wanted.name == "user_id", hasOneProfile { return "1" }
        guard let value = wanted.defaultValue else {
            switch wanted.type {
            case "INTEGER", "REAL": return "0"
            case "BLOB": return syntax.noBytes
            default: return "''"
            }
        }
        return isTime ? time : value
    }

    /// Whether the column is a time, whose default is the present one.
    private var isTime: Bool { wanted.defaultValue?.lowercased().contains("strftime") ?? false }

    /// The default of times is the time of the INSERT, which a view does not have. The nearest time of the row replaces
    /// it.
    private var time: String {
        let others = ["updated_at", "created_at"].filter { $0 != wanted.name && table.columnNames.contains($0) }
        if others.isEmpty { return Self.beginning }
        return "coalesce(\(others.map(text).joined(separator: ", ")), \(Self.beginning))"
    }
}
