import Engine

/// What the rules of `ColumnView` cannot tell of one table in other versions: columns to be computed where they are not
/// there, and what the reader should know where something is not there.
struct TableMapping {
    /// A column that a version without it can compute.
    struct Computed {
        let column: String
        /// Over the table's own row, and `main.…` for others.
        let sql: String
        /// What the file must have for it, by table.
        let needs: [String: Set<String>]

        init(_ column: String, _ sql: String, needs: [String: Set<String>] = [:]) {
            self.column = column
            self.sql = sql
            self.needs = needs
        }

        func isPossible(with found: [String: TableStructure]) -> Bool {
            needs.allSatisfy { table, columns in columns.isSubset(of: found[table]?.columnNames ?? []) }
        }
    }

    /// The table.
    let table: String
    /// The first that is possible counts.
    var computed: [Computed] = []
    /// What a version without the table has not.
    var withoutTable: String?
    /// What a version without a column has not, when it has the table.
    var withoutColumn: [(column: String, note: String)] = []

    /// What to say of a version as it was found.
    func notes(on found: TableStructure?) -> [String] {
        guard let found else { return withoutTable.map { [$0] } ?? [] }
        return withoutColumn.filter { !found.columnNames.contains($0.column) }.map(\.note)
    }

    /// Of the chat database, by subject.
    static let chat = profiles + servers + relays + groups + messages
}

extension TableStructure {
    var columnNames: Set<String> { Set(columns.map(\.name)) }
}
