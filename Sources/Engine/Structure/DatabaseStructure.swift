/// A database's schema by structure. The structures of two databases can be compared whether their tables were made at
/// once or altered step by step. Internal tables of the engine and shadow tables are left out.
public struct DatabaseStructure: Sendable, Hashable {
    /// By name.
    public var tables: [String: TableStructure]
    /// By name; those a PRIMARY KEY or UNIQUE makes are part of the table instead.
    public var indexes: [String: IndexStructure]
    /// By name.
    public var triggers: [String: TriggerStructure]
    /// The text of each view, by name.
    public var views: [String: SQLText]
    /// The text of each function, by its name with the types of its arguments: `later(text, bigint)`. It is empty for
    /// SQLite, which keeps no functions in a database.
    public var functions: [String: SQLText]

    /// A structure; everything is empty unless given.
    public init(
        tables: [String: TableStructure] = [:], indexes: [String: IndexStructure] = [:],
        triggers: [String: TriggerStructure] = [:], views: [String: SQLText] = [:],
        functions: [String: SQLText] = [:]
    ) {
        self.tables = tables
        self.indexes = indexes
        self.triggers = triggers
        self.views = views
        self.functions = functions
    }
}

/// A table by structure.
public struct TableStructure: Sendable, Hashable {
    /// The columns in their order.
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
    /// The ON CONFLICT actions of lists in `unique`, such as `REPLACE`; lists without one are left out.
    public var uniqueConflicts: [[String]: String] = [:]
    /// The ON CONFLICT action of the primary key; nil for none.
    public var primaryConflict: String?
    /// Further properties in SQL's words, sorted: `STRICT`, `WITHOUT ROWID`, `AUTOINCREMENT`; of PostgreSQL also
    /// constraints that have more than the other properties hold, such as `NOT VALID`.
    public var options: [String]
    /// For a virtual table: its module and arguments. It has columns and nothing else besides.
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
    /// The ON CONFLICT action of NOT NULL, such as `IGNORE`; nil for none.
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
    /// The action on update, with the values of `onDelete`.
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
    /// Columns or expressions as SQL writes them, with `DESC` and a collation behind where they have one. SQLite's
    /// expressions have the form that is compared, with words and names in upper case.
    public var columns: [String]
    /// The expressions for people and for SQL, with names as they were written, by their places in `columns`; those
    /// that are the same there are left out. They are not compared.
    package var expressions: [Int: String] = [:]
    /// Whether it is unique.
    public var unique: Bool
    /// The condition of a partial index, or nil.
    public var condition: SQLText?
    /// The access method, such as `gin`; nil for the engine's own.
    public var method: String?
    /// Further properties in SQL's words: `INCLUDE (a)`, `NULLS NOT DISTINCT`.
    public var options: [String] = []

    /// An index.
    public init(table: String, columns: [String], unique: Bool, condition: SQLText?) {
        self.table = table
        self.columns = columns
        self.unique = unique
        self.condition = condition
    }

    /// The columns and expressions with names as they were written.
    package var shownColumns: [String] { columns.enumerated().map { expressions[$0.offset] ?? $0.element } }

    /// Equal when all but the spelling of the expressions is.
    public static func == (first: IndexStructure, second: IndexStructure) -> Bool {
        first.table == second.table && first.columns == second.columns && first.unique == second.unique
            && first.condition == second.condition && first.method == second.method && first.options == second.options
    }

    /// By what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(columns)
        hasher.combine(unique)
        hasher.combine(condition)
        hasher.combine(method)
        hasher.combine(options)
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

/// A piece of SQL in a schema. Two pieces are equal when they differ in blanks, comments and the case of words and
/// names only. They are shown as they were written.
public struct SQLText: Sendable, Hashable, Comparable {
    /// The form that is compared: without blanks and comments, words and names in upper case.
    package let folded: String
    /// The form for people: keywords in upper case, names as written.
    package let shown: String

    package init(folded: String, shown: String) {
        self.folded = folded
        self.shown = shown
    }

    /// Names in a schema may hold control characters, which are shown escaped and not refused.
    package init(_ text: String) throws(SQLTextError) {
        folded = try SQLLexer.folded(text, refusesControls: false)
        shown = try SQLLexer.readable(text, refusesControls: false)
    }

    /// Equal when the folded forms are.
    public static func == (first: SQLText, second: SQLText) -> Bool { first.folded == second.folded }

    /// By the folded form.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// By the folded form.
    public static func < (first: SQLText, second: SQLText) -> Bool { first.folded < second.folded }
}

extension SQLText: ExpressibleByStringLiteral {
    /// A text in its folded form already.
    public init(stringLiteral text: String) {
        self.init(folded: text, shown: SQLLexer.shown(text))
    }
}

/// An index or a trigger, with the statement that makes it.
public struct SchemaPart: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Whether it is a trigger; else it is an index.
    public let isTrigger: Bool
    /// One statement.
    public let sql: String

    /// An index or a trigger.
    public init(name: String, isTrigger: Bool, sql: String) {
        self.name = name
        self.isTrigger = isTrigger
        self.sql = sql
    }
}
