import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// The first migration for PostgreSQL makes what the migrations for SQLite make together. Rule: docs/architecture.md,
/// "SQL for every engine".
@Suite(.enabled(if: PostgresServer.isSupported))
struct PostgresSchemaTests {
    /// A column, as both databases describe it.
    private struct Column: Hashable, CustomStringConvertible {
        let table: String
        let name: String
        let type: String
        let isNotNull: Bool

        var description: String { "\(table).\(name) \(type)\(isNotNull ? " NOT NULL" : "")" }
    }

    @Test("tables, columns, types and NOT NULL are those of SQLite", arguments: DatabaseName.allCases)
    func columns(_ name: DatabaseName) throws {
        let test = try TestStore()
        let structure = try test.store.connection(name).structure()
        var expected: Set<Column> = []
        for (table, parts) in structure.tables where parts.virtualDefinition == nil {
            for column in parts.columns {
                // A primary key of one whole number is not declared NOT NULL in SQLite.
                let isKey = parts.primaryKey.contains(column.name)
                expected.insert(
                    Column(
                        table: table, name: column.name, type: column.type,
                        isNotNull: column.notNull || isKey))
            }
        }
        let rows = try SchemaOnServer.shared.get().rows(
            """
            SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
            WHERE table_schema = 'two_\(name)' AND table_name <> 'chat_items_fts'
            """)
        let found = Set(
            rows.map { row in
                Column(
                    table: row[0], name: row[1], type: Self.sqliteType(of: row[2]), isNotNull: row[3] == "NO")
            })
        #expect(expected.subtracting(found).map(\.description).sorted() == [])
        #expect(found.subtracting(expected).map(\.description).sorted() == [])
        #expect(rows.filter { $0[2] == "text" && $0[4] != "C" }.map { $0[1] } == [], "texts sort by their bytes")
    }

    @Test(
        "foreign keys, unique columns, checks and indexes are those of SQLite, by number and name",
        arguments: DatabaseName.allCases)
    func constraints(_ name: DatabaseName) throws {
        let test = try TestStore()
        let structure = try test.store.connection(name).structure()
        let server = try SchemaOnServer.shared.get()
        for (table, parts) in structure.tables where parts.virtualDefinition == nil {
            let counts = try server.rows(
                """
                SELECT count(*) FILTER (WHERE contype = 'f'), count(*) FILTER (WHERE contype = 'u'),
                    count(*) FILTER (WHERE contype = 'c'), count(*) FILTER (WHERE contype = 'p')
                FROM pg_constraint WHERE conrelid = 'two_\(name).\(table)'::regclass
                """)
            #expect(
                counts == [
                    [
                        "\(parts.foreignKeys.count)", "\(parts.unique.count)", "\(parts.checks.count)",
                        "\(parts.primaryKey.isEmpty ? 0 : 1)",
                    ]
                ], "\(table)")
        }
        let indexes = try server.rows(
            "SELECT indexname FROM pg_indexes WHERE schemaname = 'two_\(name)' AND indexname LIKE 'idx\\_%'")
        // SQLite searches with an index of another kind, and reads pending connections by another index.
        let names = Set(indexes.map { $0[0] }).subtracting(["idx_chat_items_fts_words", "idx_connections_pending"])
        #expect(names == Set(structure.indexes.keys))
    }

    private static func sqliteType(of type: String) -> String {
        switch type {
        case "bigint", "smallint": "INTEGER"
        case "bytea": "BLOB"
        case "text": "TEXT"
        case "double precision": "REAL"
        default: type
        }
    }
}

/// A database with both schemas and no rows.
struct SchemaOnServer {
    static let shared = Result { try SchemaOnServer() }

    private let server: PostgresServer
    let database: String

    init() throws {
        server = try PostgresServer.started()
        database = try server.makeDatabase()
        for name in DatabaseName.allCases { try PostgresTwoProfiles.makeSchema(name, in: database, on: server) }
    }

    /// The rows of a query, as psql prints their values. None of them has a `|`.
    func rows(_ sql: String) throws -> [[String]] {
        try server.psql(sql, database: database).split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
