import ChatDBEngine
import ChatDBReposKit

/// One of this build's columns over a table of another version, by rules that hold for all columns:
///
/// - of the same name: as it is, as text where this build has text and the file may have bytes, with the default in
///   place of a NULL that this build does not have;
/// - computed, where a `TableMapping` says how;
/// - else its default, or NULL.
struct ColumnView {
    /// The column of this build.
    let wanted: ColumnStructure
    /// The table of the file.
    let table: TableStructure
    /// How a file without the column computes it.
    let computed: String?
    /// Whether it is an id that a file may keep as bytes which are no text.
    let isID: Bool
    /// Whether the file is of a version with one profile, which says nowhere whose a row is.
    let hasOneProfile: Bool

    /// The stand-in for a time that nobody noted.
    private static let beginning = "'1970-01-01 00:00:00'"

    /// The expression, without a name.
    var sql: String {
        guard let found = table.columns.first(where: { $0.name == wanted.name }) else { return computed ?? absent }
        let value = typed(found)
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

    /// The default of times is the time of the INSERT, which a view does not know: the nearest that the row has.
    private var time: String {
        let others = ["updated_at", "created_at"].filter { $0 != wanted.name && table.columnNames.contains($0) }
        if others.isEmpty { return Self.beginning }
        return "coalesce(\(others.joined(separator: ", ")), \(Self.beginning))"
    }
}
