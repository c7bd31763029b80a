/// A database's schema by structure: what can be compared between two databases however their tables came about
/// (made at once, or altered step by step). Internal tables of the engine and shadow tables are left out.
public struct DatabaseStructure: Sendable, Hashable {
    /// By name.
    public var tables: [String: TableStructure]
    /// By name; those a PRIMARY KEY or UNIQUE makes are part of the table instead.
    public var indexes: [String: IndexStructure]
    /// By name.
    public var triggers: [String: TriggerStructure]
    /// The text of each view, by name.
    public var views: [String: SQLText]

    /// A structure; everything is empty unless given.
    public init(
        tables: [String: TableStructure] = [:], indexes: [String: IndexStructure] = [:],
        triggers: [String: TriggerStructure] = [:], views: [String: SQLText] = [:]
    ) {
        self.tables = tables
        self.indexes = indexes
        self.triggers = triggers
        self.views = views
    }
}

/// A table by structure.
public struct TableStructure: Sendable, Hashable {
    /// In their order.
    public var columns: [ColumnStructure]
    /// Columns of the primary key as SQL writes them, in the key's order, with `DESC` and a collation behind where they
    /// have one.
    public var primaryKey: [String]
    /// Column lists that must be unique, as SQL writes them, sorted.
    public var unique: [[String]]
    /// Sorted by columns.
    public var foreignKeys: [ForeignKeyStructure]
    /// CHECK expressions, sorted.
    public var checks: [SQLText]
    /// What those of `unique` do instead of refusing a row (`REPLACE`); those of which nothing is said are left out.
    public var uniqueConflicts: [[String]: String] = [:]
    /// What the primary key does instead of refusing a row; nil when nothing is said.
    public var primaryConflict: String?
    /// Further properties in SQL's words, sorted: `STRICT`, `WITHOUT ROWID`, `AUTOINCREMENT`.
    public var options: [String]
    /// For a virtual table: its module and arguments. Columns are then all there is besides.
    public var virtualDefinition: SQLText?

    /// A table.
    public init(
        columns: [ColumnStructure], primaryKey: [String] = [], unique: [[String]] = [],
        foreignKeys: [ForeignKeyStructure] = [], checks: [SQLText] = [], options: [String] = [],
        virtualDefinition: SQLText? = nil
    ) {
        self.columns = columns
        self.primaryKey = primaryKey
        self.unique = unique
        self.foreignKeys = foreignKeys
        self.checks = checks
        self.options = options
        self.virtualDefinition = virtualDefinition
    }
}

/// A column by structure.
public struct ColumnStructure: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The declared type, upper case.
    public var type: String
    /// Whether NULL is refused.
    public var notNull: Bool
    /// What is done with NULL instead of refusing the row (`IGNORE`); nil when nothing is said.
    public var nullConflict: String?
    /// The default's expression with blanks folded, or nil.
    public var defaultValue: String?
    /// The collation, or nil for the engine's own.
    public var collation: String?
    /// The expression of a generated column, or nil.
    public var generated: SQLText?
    /// Whether a generated column is kept on the disk.
    public var isStored: Bool

    /// A column.
    public init(
        name: String, type: String, notNull: Bool = false, nullConflict: String? = nil, defaultValue: String? = nil,
        collation: String? = nil, generated: SQLText? = nil, isStored: Bool = false
    ) {
        self.name = name
        self.type = type
        self.notNull = notNull
        self.nullConflict = nullConflict
        self.defaultValue = defaultValue
        self.collation = collation
        self.generated = generated
        self.isStored = isStored
    }
}

/// A reference by structure.
public struct ForeignKeyStructure: Sendable, Hashable {
    /// The referring columns.
    public var columns: [String]
    /// The table referred to.
    public var parent: String
    /// The columns referred to; empty when the parent's primary key is meant.
    public var parentColumns: [String]
    /// `NO ACTION`, `CASCADE`, `SET NULL`, …
    public var onDelete: String
    /// As `onDelete`.
    public var onUpdate: String
    /// Whether the reference is checked at the end of a transaction.
    public var deferred: Bool

    /// A reference.
    public init(
        columns: [String], parent: String, parentColumns: [String], onDelete: String, onUpdate: String, deferred: Bool
    ) {
        self.columns = columns
        self.parent = parent
        self.parentColumns = parentColumns
        self.onDelete = onDelete
        self.onUpdate = onUpdate
        self.deferred = deferred
    }
}

/// An index by structure.
public struct IndexStructure: Sendable, Hashable {
    /// The table.
    public var table: String
    /// Columns or expressions as SQL writes them, with `DESC` and a collation behind where they have one.
    public var columns: [String]
    /// Whether it is unique.
    public var unique: Bool
    /// The condition of a partial index, or nil.
    public var condition: SQLText?

    /// An index.
    public init(table: String, columns: [String], unique: Bool, condition: SQLText?) {
        self.table = table
        self.columns = columns
        self.unique = unique
        self.condition = condition
    }
}

/// A trigger by structure.
public struct TriggerStructure: Sendable, Hashable {
    /// The table or view it is on.
    public var table: String
    /// Its text.
    public var text: SQLText

    /// A trigger.
    public init(table: String, text: SQLText) {
        self.table = table
        self.text = text
    }
}
