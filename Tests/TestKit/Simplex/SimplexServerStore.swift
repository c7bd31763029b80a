import ChatDBKit
import Foundation

/// A store as SimpleX Chat leaves it on a PostgreSQL server: two schemas with the tables, ledger and rows of the newest
/// version, in a database of their own.
package struct SimplexServerStore {
    /// The server.
    package let server: PostgresServer
    /// The database with both schemas.
    package let database: String

    /// The name with which the app's schemas begin.
    private static let prefix = "simplex_v1"

    /// The address of the store.
    package var address: String { server.uri(database: database) + "&store=\(Self.prefix)" }

    /// A store with the rows of ``SimplexStore``.
    package init() throws {
        server = try PostgresServer.started()
        database = try server.makeDatabase()
        let known = try SimplexSchema.known.get().postgres
        for name in DatabaseName.allCases {
            guard let tables = (name == .chat ? known.chat : known.agent).values.first else { continue }
            let schema = "\(Self.prefix)_\(name)_schema"
            var script = ["SET TIME ZONE 'UTC'", "CREATE SCHEMA \(schema)", "SET search_path = \(schema)"]
            script += tables.sorted { $0.key < $1.key }.map { $1.serverSQL($0) }
            script += (known.migrations["\(name)"] ?? []).map {
                "INSERT INTO migrations VALUES ('\($0)', '2026-07-20 09:05:00.123456', NULL)"
            }
            script += SimplexRows(version: SimplexStore.newest).rows(of: name)
                .compactMap { $0.sql(in: tables, writesNulls: false) }.map(Self.translated)
            try server.psql(script.joined(separator: ";\n") + ";", database: database)
        }
    }

    /// Runs SQL with psql and returns what it printed.
    @discardableResult
    package func sql(_ statement: String) throws -> String { try server.psql(statement, database: database) }

    /// Bytes are written otherwise than in SQLite.
    private static func translated(_ sql: String) -> String {
        sql.replacing("AS BLOB)", with: "AS bytea)").replacing(/\bx'([0-9a-f]*)'/) { "'\\x\($0.1)'" }
    }
}

extension SimplexSchema.Table {
    /// SQL that makes the table on a server, without foreign keys: the rows have orphans. A time that a server requires,
    /// and a row of the files lacks, is there.
    fileprivate func serverSQL(_ name: String) -> String {
        let keys = columns.filter { $0.pk != nil }.sorted { ($0.pk ?? 0) < ($1.pk ?? 0) }.map(\.name)
        var lines = columns.map { column in
            var value = column.default
            if value?.hasPrefix("nextval") == true { value = nil }
            if value == nil, column.type.hasPrefix("timestamp"), column.notNull == true { value = SimplexRows.time }
            // The server's form of a time, as the app writes it.
            if value == "now()", column.type == "text" { value = "'2026-07-20 09:05:00.123456+00'" }
            return "\(column.name) \(column.type)" + (column.notNull == true ? " NOT NULL" : "")
                + (value.map { " DEFAULT \($0)" } ?? "")
        }
        if !keys.isEmpty { lines.append("PRIMARY KEY (\(keys.joined(separator: ", ")))") }
        lines += (unique ?? []).map { "UNIQUE (\($0.joined(separator: ", ")))" }
        return "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))"
    }
}
