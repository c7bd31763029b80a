package import ChatDBSchema

/// Data that a migration discards: a table, a column with its values, or rows of a table that stays.
public struct Loss: Sendable, Hashable {
    /// The kind of data.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The whole table.
        case table
        /// A column.
        case column
        /// Rows of a table that stays.
        case rows
    }

    /// The kind of data lost.
    public let kind: Kind
    /// The table.
    public let table: String
    /// The column; nil for other kinds.
    public let column: String?
    /// The number of rows: all rows of the table, rows whose column holds another value than its default, or deleted
    /// rows. In a plan, the rows that its statements find now; in a report, the rows that the table has less.
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

/// Data that a migration would lose although it does not declare that. A run refuses the migration.
/// Rule: docs/migrations.md, "Data that will be lost".
public struct UndeclaredLoss: Sendable, Hashable {
    /// The data, as the plan found it.
    public let loss: Loss
    /// The first migration of the plan that loses it.
    public let migration: String
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

/// Columns of a table whose values a migration does not keep, although the table has these columns afterwards. The
/// migration makes the table again and does not copy the values, or drops the columns and adds them again.
public struct UncopiedColumns: Sendable, Hashable {
    /// The migration.
    public let migration: String
    /// The table, as the database has it.
    public let table: String
    /// The columns that have values now, in the order of the table; at least one.
    public let columns: [String]
}

/// Columns of a table whose values a migration overwrites: it updates or replaces rows. No plan counts these values. Of
/// chatdb's own migrations, only values count that become NULL or the empty text.
public struct OverwrittenColumns: Sendable, Hashable {
    /// The migration.
    public let migration: String
    /// The table, as the database has it.
    public let table: String
    /// The columns that have values now, in the order of the table; at least one.
    public let columns: [String]
}

/// Indexes and triggers that a migration removes without naming them: it drops their table or view, which removes them
/// too, and makes the table or view again without them. A run warns of them, and does not refuse the migration.
/// Rule: docs/migrations.md, "Rebuilding a table".
public struct RemovedParts: Sendable, Hashable {
    /// The migration.
    public let migration: String
    /// The table or view, by its name before the migration.
    public let table: String
    /// The indexes, sorted by name.
    public let indexes: [String]
    /// The triggers, sorted by name.
    public let triggers: [String]

    /// The parts in the form of docs/json.md.
    package var json: JSONValue {
        [
            "migration": .string(migration), "table": .string(table), "indexes": JSONValue(indexes),
            "triggers": JSONValue(triggers),
        ]
    }
}
