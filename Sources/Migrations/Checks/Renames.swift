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
