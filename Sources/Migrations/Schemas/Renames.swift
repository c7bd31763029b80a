import ChatDBEngine

/// The renames of tables and columns since a starting point. `ALTER TABLE` is the only statement that renames an
/// existing object.
struct Renames: Hashable {
    /// The columns of every table, by the table's name.
    typealias Columns = [String: [String]]

    /// The tables at the starting point; later tables have no earlier name.
    private let beginning: Set<String>
    /// The current names of tables, by their original names.
    private var tables: [String: String] = [:]
    /// The current names of columns, by the original names of table and column.
    private var columns: [String: [String: String]] = [:]

    /// Starts without renames.
    init(of beginning: Set<String>) {
        self.beginning = beginning
    }

    /// Whether there are no renames.
    var isEmpty: Bool { tables.isEmpty && columns.isEmpty }

    /// Records the effect of one ALTER TABLE, determined from the names before and after. It renames at most one
    /// object: with more changes it did something else.
    mutating func follow(from before: Columns, to after: Columns) {
        let gone = before.keys.filter { after[$0] == nil }
        let new = after.keys.filter { before[$0] == nil }
        if let from = gone.first, let to = new.first, gone.count == 1, new.count == 1 {
            rename(table: from, to: to)
        } else if gone.isEmpty, new.isEmpty {
            for (table, old) in before {
                guard let now = after[table], now.count == old.count else { continue }
                let changed = zip(old, now).filter { $0 != $1 }
                if let (from, to) = changed.first, changed.count == 1 { rename(column: from, of: table, to: to) }
            }
        }
    }

    /// Records the rename of a table, given by its current name.
    mutating func rename(table from: String, to: String) {
        let original = original(of: from)
        if beginning.contains(original) { tables[original] = to }
    }

    /// Records the rename of a column, given by the current names of table and column.
    mutating func rename(column from: String, of table: String, to: String) {
        let table = original(of: table)
        let column = columns[table]?.first { $0.value == from }?.key ?? from
        columns[table, default: [:]][column] = to
    }

    /// The original name of a table with this current name.
    func original(of table: String) -> String { tables.first { $0.value == table }?.key ?? table }

    /// The current name of a table with this original name. A table recreated under the old name replaces the old one;
    /// otherwise this is the renamed table.
    func name(of table: String, among now: some Collection<String>) -> String {
        now.contains(table) ? table : tables[table] ?? table
    }

    /// The current name of a column with this original name, also in a recreated table.
    func name(of column: String, in table: String, among now: some Collection<String>) -> String {
        now.contains(column) ? column : columns[table]?[column] ?? column
    }
}

extension StructureDifference {
    /// Whether two differences are of one kind and about one object, regardless of their details: a column order that
    /// differs still differs after a column was added.
    func isAboutTheSame(as other: StructureDifference) -> Bool {
        kind == other.kind && object == other.object && name == other.name
    }

    /// The same under the current names of tables and columns.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> StructureDifference {
        StructureDifference(kind, object, newName(renames, now), expected: expected, found: found)
    }

    private func newName(_ renames: Renames, _ now: Renames.Columns) -> String {
        switch object {
        case .table: return renames.name(of: name, among: now.keys)
        case .column:
            // A table's name may contain a dot; this is the renamed table.
            let parts = name.indices.filter { name[$0] == "." }.map { (name[..<$0], name[name.index(after: $0)...]) }
            for (table, column) in parts.map({ (String($0), String($1)) }) {
                let newTable = renames.name(of: table, among: now.keys)
                let newColumn = renames.name(of: column, in: table, among: now[newTable] ?? [])
                if newTable != table || newColumn != column { return "\(newTable).\(newColumn)" }
            }
            return name
        case .index, .trigger, .view, .function: return name
        }
    }
}

extension Renames {
    /// The renames by statements, starting with this schema.
    init(reading statements: [StatementFacts], syntax: SQLSyntax, of live: DatabaseStructure) {
        self.init(of: Set(live.tables.keys))
        // A statement may write a name in another case than the schema.
        var known = Dictionary(live.tables.keys.map { (syntax.key($0), $0) }, uniquingKeysWith: { first, _ in first })
        for statement in statements {
            switch statement.alteration {
            case .renamesTable(let old, let new):
                rename(table: known[syntax.key(old)] ?? old, to: new)
                known[syntax.key(new)] = new
            case .renamesColumn(let old, let table, let new):
                let table = known[syntax.key(table)] ?? table
                let columns = live.tables[original(of: table)]?.columns.map(\.name) ?? []
                rename(column: columns.first { syntax.key($0) == syntax.key(old) } ?? old, of: table, to: new)
            case .dropsColumns, nil: break
            }
        }
    }
}
