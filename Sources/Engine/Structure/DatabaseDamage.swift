/// One damaged part of a database: what it is, and what of it can still be read.
public struct DatabaseDamage: Sendable, Hashable {
    /// The kind of the part.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An index. Its rows are in the table, so nothing is lost.
        case index
        /// A table: rows are lost, or were changed.
        case table
        /// A table or an index of it; the engine does not say which.
        case tableOrIndex
        /// The schema, from which the engine finds all tables.
        case schema
        /// The list of free pages, which loses no row; or pages that belong to no table and no index, which may be a
        /// lost part of a table.
        case freePages
    }

    /// Rows between two numbers. Nil stands for the first or the last row of the table.
    public struct Rows: Sendable, Hashable {
        /// The lowest number that may be among them.
        public let first: Int64?
        /// The highest number that may be among them.
        public let last: Int64?

        package init(first: Int64?, last: Int64?) {
            self.first = first
            self.last = last
        }
    }

    /// The most ranges, rows and pages that are named.
    public static let most = 10

    /// The kind of the part.
    public let kind: Kind
    /// The name of the index or table. Of the schema, it is the object whose definition cannot be read, with the reason;
    /// nil if no object is known. It is nil for free pages.
    public private(set) var name: String?
    /// The table of an index, or the name of the table itself. It is nil for the schema and for free pages.
    public private(set) var table: String?
    /// The number of rows of the table that can be read. It is nil for the schema and for free pages, and if the number
    /// is unknown.
    public package(set) var readableRows: Int64?
    /// Ranges of rows of the table that cannot be read, the first ``most``. It is empty if all rows can be read, or if
    /// the rows have no numbers.
    public package(set) var unreadable: [Rows] = []
    /// The numbers of rows that the index lacks, or has with other values than the table, the first ``most``.
    public package(set) var differing: [Int64] = []
    /// The damaged pages, the first ``most``; empty when they are unknown.
    public package(set) var pages: [Int64] = []
    /// Whether every row of the table and every entry of the index can be read, and nothing of the free pages can be a
    /// lost part of a table. What was read may still be wrong.
    public package(set) var isReadable = true
    /// The number of rows that an index of the table has, when the table has fewer; nil otherwise.
    public package(set) var indexedRows: Int64?
    /// Whether the only damage of an index is that it lacks the entries of some rows.
    public package(set) var lacksEntries = false
    /// Whether rows of the table have values that the table's own definition forbids.
    public package(set) var hasForbiddenValues = false

    package init(_ kind: Kind, name: String? = nil, table: String? = nil) {
        self.kind = kind
        self.name = name
        self.table = table
    }

    /// The same part with other names, or without one.
    package func renamed(_ newName: (String) -> String?) -> DatabaseDamage {
        var part = self
        (part.name, part.table) = (name.flatMap(newName), table.flatMap(newName))
        return part
    }

    /// One clause: what is damaged, and what can be read.
    public var sentence: String {
        switch kind {
        case .index: "the index \(name ?? "") of \(table ?? "") \(indexState)"
        case .table: "the table \(name ?? "") \(tableState)"
        case .tableOrIndex: "the table \(name ?? "") or an index of it cannot be read"
        case .schema:
            if isReadable {
                "the schema has a wrong page"
            } else if let name {
                "the schema cannot be read, because of the definition of \(name)"
            } else {
                "the schema cannot be read, so no table can be found"
            }
        case .freePages:
            isReadable
                ? "the list of free pages is wrong; no row is lost"
                : "\(pages.count == 1 ? "a page belongs" : "some pages belong") to no table and no index: rows may be lost"
        }
    }

    private var indexState: String {
        let rows =
            switch readableRows {
            case nil: ""
            case 0: "; the table is empty"
            case 1: "; the row of the table can be read"
            case let count?: "; all \(count) rows of the table can be read"
            }
        if !isReadable { return "cannot be read" + rows }
        if lacksEntries { return "lacks the entries of \(Self.list(differing, "row", "rows"))" + rows }
        if differing.isEmpty { return "does not fit the table" + rows }
        return "does not fit the table in \(Self.list(differing, "row", "rows"))" + rows
    }

    private var tableState: String {
        if hasForbiddenValues { return "has rows with values that its definition forbids" }
        if let indexedRows {
            return "has lost rows: \(readableRows ?? 0) can be read, and its index has \(indexedRows)"
        }
        if isReadable {
            return "was changed" + (pages.isEmpty ? "" : " in \(Self.list(pages, "page", "pages"))")
                + ", and can be read"
        }
        if readableRows == 0 { return "cannot be read: no row is left" }
        let rest = readableRows.map { "; \($0) can be read" } ?? ""
        if unreadable.isEmpty { return "has rows that cannot be read\(rest)" }
        return "has rows that cannot be read (\(unreadable.map(\.text).joined(separator: ", ")))\(rest)"
    }

    private static func list(_ numbers: [Int64], _ one: String, _ several: String) -> String {
        let more = numbers.count == most ? ", …" : ""
        return (numbers.count == 1 ? one : several) + " " + numbers.map(String.init).joined(separator: ", ") + more
    }
}

extension DatabaseDamage.Rows {
    /// `12 to 40`, `up to 40`, `from 12 on`.
    fileprivate var text: String {
        switch (first, last) {
        case (let first?, let last?): first == last ? "\(first)" : "\(first) to \(last)"
        case (nil, let last?): "up to \(last)"
        case (let first?, nil): "from \(first) on"
        case (nil, nil): "of all numbers"
        }
    }
}
