import ChatDBKit
import Foundation

/// A store with a marker in every column that is personal or secret, of both databases.
struct MarkedStore {
    let chatdb: ToolRun

    /// A column of the catalogue that is not public.
    struct MarkedColumn: Hashable {
        let database: DatabaseName
        let table: String
        let column: String
        let columnClass: ColumnClass
    }

    /// Nine bytes, so that their base64 does not depend on what follows.
    static let marker = "zqxMARKER"
    private static let time = "2031-07-09 11:22:33.444"

    /// The demo's store, marked; alice is visible, and the other profile is hidden.
    static func make() throws -> MarkedStore {
        let store = MarkedStore(chatdb: try DemoStore.make())
        for database in DatabaseName.allCases { try store.mark(database) }
        return store
    }

    /// The columns that hold a marker, except those of full-text indexes, whose contents are in other tables.
    static let columns: [MarkedColumn] = DatabaseName.allCases.flatMap { database in
        Catalogue.tables(of: database).filter { !$0.name.hasSuffix("_fts") }.flatMap { table in
            table.columns.filter { $0.columnClass != .public }.map {
                MarkedColumn(database: database, table: table.name, column: $0.name, columnClass: $0.columnClass)
            }
        }
    }

    /// Everything in a text that came from a marked column: by its letters, as hexadecimal, as base64, as a number, as
    /// a time.
    static func marks(in text: String) -> [String] {
        let hexadecimal = marker.utf8.map { String($0, radix: 16) }.joined()
        let base64 = Data(marker.utf8).base64EncodedString()
        let pattern = "(?i:\(marker)[A-Za-z0-9_-]*|\(hexadecimal))|\(base64)|\\b7771[0-9]{5}\\b|2031-07-09"
        guard let expression = try? Regex(pattern) else { return ["no pattern"] }
        return text.matches(of: expression).map { String($0.output[0].substring ?? "") }
    }

    /// The columns of which no row of the database holds a marker.
    func unmarked() throws -> [MarkedColumn] {
        try Self.columns.filter { column in
            let sql = """
                SELECT count(*) FROM "\(column.table)" WHERE CAST("\(column.column)" AS TEXT) LIKE '%\(Self.marker)%'
                    OR "\(column.column)" BETWEEN 777100000 AND 777199999 OR "\(column.column)" = '\(Self.time)'
                """
            return try chatdb.sql(sql, in: "x_\(column.database).db") == "0"
        }
    }

    private func mark(_ database: DatabaseName) throws {
        let file = "x_\(database).db"
        let rows = try chatdb.sql(
            """
            SELECT t.name, c.name, c.type FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
            WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, c.cid
            """, in: file)
        var columns: [String: [(name: String, type: String)]] = [:]
        for row in rows.split(separator: "\n") {
            let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            columns[parts[0], default: []].append((parts[1], parts[2]))
        }
        var script = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN;\n"
        for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
            let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let values = columns.map { Self.filler($0.type) }.joined(separator: ", ")
            script += """
                INSERT INTO "\(table)" (\(names)) SELECT \(values) WHERE NOT EXISTS (SELECT 1 FROM "\(table)");\n
                """
            for (name, type) in columns {
                guard let entry = Catalogue.table(table, of: database)?.column(name), entry.columnClass != .public
                else { continue }
                // A profile with a password is hidden.
                let rows = name.hasPrefix("view_pwd") ? " WHERE user_id = 2" : ""
                script += "UPDATE \"\(table)\" SET \"\(name)\" = \(Self.mark(table, name, type))\(rows);\n"
            }
        }
        try chatdb.sql(script + "COMMIT;", in: file)
    }

    private static func filler(_ type: String) -> String {
        switch type {
        case "INTEGER", "REAL": "1"
        case "BLOB": "x'01'"
        default: "'x'"
        }
    }

    private static func mark(_ table: String, _ column: String, _ type: String) -> String {
        if type == "INTEGER" || type == "REAL" { return "777100000 + abs(random()) % 99999" }
        if column.hasSuffix("_at") || column.hasSuffix("_ts") { return "'\(time)'" }
        let text = "'\(marker)-\(table)-\(column)-' || hex(randomblob(4))"
        return type == "BLOB" ? "CAST(\(text) AS BLOB)" : text
    }
}
