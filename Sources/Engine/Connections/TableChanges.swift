/// The rows that a transaction inserted, changed or deleted, by table.
public struct TableChanges: Sendable, Hashable {
    /// The most rows of a table that are kept by number.
    public static let mostRows = 1_000

    /// The changed rows of one table.
    public struct Rows: Sendable, Hashable {
        /// The numbers of the rows, at most ``TableChanges/mostRows``.
        public fileprivate(set) var numbers: Set<Int64> = []
        /// Whether `numbers` has all changed rows.
        public fileprivate(set) var areAll = true
    }

    /// The tables with changed rows, by name.
    public private(set) var tables: [String: Rows] = [:]

    /// No changes.
    public init() {}

    /// Whether no row was changed.
    public var isEmpty: Bool { tables.isEmpty }

    /// Adds a row of a table.
    public mutating func add(_ row: Int64, of table: String) {
        tables[table, default: Rows()].add(row)
    }

    /// Adds the changes of a later transaction.
    public mutating func merge(_ later: TableChanges) {
        for (table, rows) in later.tables { tables[table, default: Rows()].merge(rows) }
    }
}

extension TableChanges.Rows {
    fileprivate mutating func add(_ row: Int64) {
        if numbers.count < TableChanges.mostRows {
            numbers.insert(row)
        } else if !numbers.contains(row) {
            areAll = false
        }
    }

    fileprivate mutating func merge(_ others: TableChanges.Rows) {
        for row in others.numbers { add(row) }
        areAll = areAll && others.areAll
    }
}

/// Records the commits of a connection, from its creation until the last reference to it is released.
public protocol CommitRecording: AnyObject, Sendable {}

/// A number that shows whether other connections have changed a database. Two stamps of one connection are equal if and
/// only if no other connection, of this process or of another one, committed a change in between.
public struct SourceStamp: Sendable, Hashable {
    private let number: Int64

    /// The stamp with a number.
    public init(_ number: Int64) {
        self.number = number
    }
}
