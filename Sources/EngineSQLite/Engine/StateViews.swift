import ChatDBEngine
import ChatDBSchema
import GRDBSQLite

/// Temporary views that hide tables with states: in them a state is a word that this build knows, or `other`. The app
/// writes more behind some words, an error with a path for example. A view hides it wherever a statement uses the
/// column: in results, in conditions, in aggregates.
struct StateViews {
    /// The hidden tables, in lower case.
    let tables: Set<String>
    private let connection: OpaquePointer

    /// Bytes of a state that are compared. No known word is as long.
    private static let longest = 80

    /// Makes the views, inside the reading transaction of a question; nil where a table cannot be hidden.
    init?(hiding tables: Set<String>, _ mask: ColumnMask, on connection: OpaquePointer) {
        self.connection = connection
        self.tables = tables
        var script = ""
        for table in tables.sorted() {
            guard let columns = Self.columns(of: table, on: connection), !columns.isEmpty else { return nil }
            let shown = columns.map { column in
                let name = SQLName.quoted(column)
                return mask.words(of: column, in: table).map { "\(Self.word(in: name, among: $0)) AS \(name)" } ?? name
            }
            let name = SQLName.quoted(table)
            script += "CREATE TEMP VIEW \(name) AS SELECT \(shown.joined(separator: ", ")) FROM main.\(name);"
        }
        guard run(script) else {
            remove()
            return nil
        }
    }

    /// Removes the views. No statement may be open.
    func remove() {
        for table in tables { _ = run("DROP VIEW IF EXISTS temp.\(SQLName.quoted(table));") }
    }

    private func run(_ script: String) -> Bool {
        // `query_only` forbids writing the temporary schema too.
        let isDone = sqlite3_exec(connection, "PRAGMA query_only = 0;" + script, nil, nil, nil) == SQLITE_OK
        return sqlite3_exec(connection, "PRAGMA query_only = 1", nil, nil, nil) == SQLITE_OK && isDone
    }

    private static func word(in column: String, among words: Set<String>) -> String {
        let list = words.sorted().map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        let text = "CAST(substr(\(column), 1, \(longest)) AS TEXT)"
        let first = "substr(\(text), 1, instr(\(text) || ' ', ' ') - 1)"
        return "CASE WHEN \(column) IS NULL THEN NULL WHEN \(text) IN (\(list)) THEN \(text) "
            + "WHEN \(first) IN (\(list)) THEN \(first) ELSE 'other' END"
    }

    /// The columns of a table, as `SELECT *` names them; nil when they cannot be read.
    private static func columns(of table: String, on connection: OpaquePointer) -> [String]? {
        var statement: OpaquePointer?
        let sql = "PRAGMA main.table_xinfo(\(SQLName.quoted(table)))"
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        var columns: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                // 1 is a hidden column of a module.
                guard sqlite3_column_int64(statement, 6) != 1, let name = sqlite3_column_text(statement, 1) else {
                    continue
                }
                columns.append(String(cString: name))
            case SQLITE_DONE: return columns
            default: return nil
            }
        }
    }
}
