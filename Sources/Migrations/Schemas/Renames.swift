import ChatDBEngine

/// Other names that tables and columns have got since a beginning. `ALTER TABLE` is the only statement that gives another
/// name to something that is there already.
struct Renames: Hashable {
    /// The columns of every table, by the table's name.
    typealias Columns = [String: [String]]

    /// The tables at the beginning; those made since have no name from before.
    private let beginning: Set<String>
    /// By the name at the beginning, the name now.
    private var tables: [String: String] = [:]
    /// By the table's name at the beginning: by the column's name at the beginning, the name now.
    private var columns: [String: [String: String]] = [:]

    /// Nothing is renamed yet.
    init(of beginning: Set<String>) {
        self.beginning = beginning
    }

    /// Whether everything has the name it had.
    var isEmpty: Bool { tables.isEmpty && columns.isEmpty }

    /// Notes what one ALTER TABLE did, told from what was there before and after. It renames at most one thing: where
    /// more came or went, it did something else.
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

    /// Notes that a table, named as it is now, has another name.
    mutating func rename(table from: String, to: String) {
        let original = original(of: from)
        if beginning.contains(original) { tables[original] = to }
    }

    /// Notes that a column of a table, both named as they are now, has another name.
    mutating func rename(column from: String, of table: String, to: String) {
        let table = original(of: table)
        let column = columns[table]?.first { $0.value == from }?.key ?? from
        columns[table, default: [:]][column] = to
    }

    /// The name at the beginning of a table that has this one now.
    func original(of table: String) -> String { tables.first { $0.value == table }?.key ?? table }

    /// The name now of a table that had this one at the beginning. A table made anew under the old name stands for the
    /// old one; otherwise the renamed one does.
    func name(of table: String, among now: some Collection<String>) -> String {
        now.contains(table) ? table : tables[table] ?? table
    }

    /// The name now of a column that had this one at the beginning, in a table made anew too.
    func name(of column: String, in table: String, among now: some Collection<String>) -> String {
        now.contains(column) ? column : columns[table]?[column] ?? column
    }
}

extension StructureDifference {
    /// Whether two differences are of one kind and about one thing, however they put it: a column order that differs
    /// still does after a column was added.
    func isAboutTheSame(as other: StructureDifference) -> Bool {
        kind == other.kind && object == other.object && name == other.name
    }

    /// The same under the names that tables and columns have now.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> StructureDifference {
        StructureDifference(kind, object, newName(renames, now), expected: expected, found: found)
    }

    private func newName(_ renames: Renames, _ now: Renames.Columns) -> String {
        switch object {
        case .table: return renames.name(of: name, among: now.keys)
        case .column:
            // A table's name may have a dot in it; the one that was renamed is meant.
            let parts = name.indices.filter { name[$0] == "." }.map { (name[..<$0], name[name.index(after: $0)...]) }
            for (table, column) in parts.map({ (String($0), String($1)) }) {
                let newTable = renames.name(of: table, among: now.keys)
                let newColumn = renames.name(of: column, in: table, among: now[newTable] ?? [])
                if newTable != table || newColumn != column { return "\(newTable).\(newColumn)" }
            }
            return name
        case .index, .trigger, .view: return name
        }
    }
}

extension Renames {
    /// What statements rename, beginning with this schema.
    init(reading statements: [StatementFacts], of live: DatabaseStructure) {
        self.init(of: Set(live.tables.keys))
        // A statement may write a name in other letters than the schema has it.
        var known = Dictionary(live.tables.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        for statement in statements {
            guard var words = statement.alteration else { continue }
            if words.count > 2, words[1] == "." { words.removeFirst(2) }
            guard words.count > 3, words[1].uppercased() == "RENAME" else { continue }
            let table = known[words[0].lowercased()] ?? words[0]
            if words[2].uppercased() == "TO" {
                rename(table: table, to: words[3])
                known[words[3].lowercased()] = words[3]
            } else {
                if words[2].uppercased() == "COLUMN", words.count > 5 { words.remove(at: 2) }
                guard words.count > 4 else { continue }
                let columns = live.tables[original(of: table)]?.columns.map(\.name) ?? []
                let from = columns.first { $0.lowercased() == words[2].lowercased() } ?? words[2]
                rename(column: from, of: table, to: words[4])
            }
        }
    }
}
