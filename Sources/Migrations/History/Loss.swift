package import ChatDBSchema

/// Something that a migration throws away: a table, a column with what is in it, or rows of a table that stays.
public struct Loss: Sendable, Hashable {
    /// What goes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The whole table.
        case table
        /// A column.
        case column
        /// Rows of a table that stays.
        case rows
    }

    /// Which of these.
    public let kind: Kind
    /// The table.
    public let table: String
    /// The column; nil for anything else.
    public let column: String?
    /// Rows of the table, rows whose column holds something else than its default, or rows that are deleted: of a plan as
    /// many as its statements find now, of a run by how many the table got shorter.
    public let rows: Int

    init(table: String, column: String?, rows: Int) {
        kind = column == nil ? .table : .column
        self.table = table
        self.column = column
        self.rows = rows
    }

    init(deletedFrom table: String, rows: Int) {
        kind = .rows
        self.table = table
        column = nil
        self.rows = rows
    }
}

extension Loss {
    /// The loss in the form of docs/json.md.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "table": .string(table), "column": JSONValue(column),
            "rows": JSONValue(rows),
        ]
    }
}
