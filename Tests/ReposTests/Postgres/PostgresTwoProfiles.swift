import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBEnginePostgres

/// The store of ``TwoProfiles`` on a PostgreSQL server: the same rows, copied from the files.
struct PostgresTwoProfiles {
    private let pair: PostgresPair
    private let numbering: [DatabaseName: Query]

    init() throws {
        let server = try PostgresServer.started()
        let database = try server.makeDatabase()
        let schemas: [DatabaseName: String] = [.chat: "two_chat", .agent: "two_agent"]
        for name in DatabaseName.allCases { try Self.makeSchema(name, in: database, on: server) }
        let pair = try PostgresPair(server.parameters(database: database), schemas: schemas)
        var numbering: [DatabaseName: Query] = [:]
        try TwoProfiles.undoing { chat, agent in
            try pair.write { copiedChat, copiedAgent in
                try Self.copy(chat, to: copiedChat)
                try Self.copy(agent, to: copiedAgent)
                numbering[.chat] = try Self.numbering(of: copiedChat, like: chat)
                numbering[.agent] = try Self.numbering(of: copiedAgent, like: agent)
            }
        }
        (self.pair, self.numbering) = (pair, numbering)
    }

    /// Runs a body in one transaction of both databases, and undoes what it did.
    func undoing(_ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> Void) throws {
        struct Undo: Error {}
        do {
            try pair.write { chat, agent in
                for (name, transaction) in [(DatabaseName.chat, chat), (.agent, agent)] {
                    if let numbering = numbering[name] { _ = try transaction.rows(numbering) }
                }
                try body(chat, agent)
                throw Undo()
            }
        } catch is Undo {}
    }

    /// Makes the schema of a database with the migrations for PostgreSQL.
    static func makeSchema(_ name: DatabaseName, in database: String, on server: PostgresServer) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../migrations/postgres/\(name)").standardized
        var script = "CREATE SCHEMA two_\(name);\nSET search_path = two_\(name), pg_temp;\n"
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            script += try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        }
        try server.psql(script, database: database)
    }

    /// Copies every row. Tables refer to each other in circles, so the server checks no reference meanwhile.
    static func copy(_ source: any ReadTransaction, to target: any WriteTransaction) throws {
        try target.run("SET LOCAL session_replication_role = replica")
        for table in try tables(of: source) {
            for row in try source.rows("SELECT * FROM \(identifier: table)") {
                let columns = Query.joined(row.columns.names.map { "\(identifier: $0)" }, by: ", ")
                let values = Query.joined(row.values.map { "\($0)" }, by: ", ")
                try target.run("INSERT INTO \(identifier: table) (\(columns)) VALUES (\(values))")
            }
        }
        try target.run("SET LOCAL session_replication_role = origin")
        if try target.first(target.dialect.tableExists("chat_items_fts")) != nil {
            try target.run(
                "INSERT INTO chat_items_fts SELECT chat_item_id, search_words(user_id, item_text) FROM chat_items")
        }
    }

    private static func tables(of source: any ReadTransaction) throws -> [String] {
        try source.rows(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%' AND name NOT LIKE 'sqlite%'
            """
        ).map { try $0.get("name") }
    }

    /// A query that makes the next row of each table get the number that SQLite would give it. An undone transaction
    /// does not give its numbers back.
    private static func numbering(of target: any ReadTransaction, like source: any ReadTransaction) throws -> Query {
        let used = try source.rows("SELECT name, seq FROM sqlite_sequence")
        let identities = try target.rows(
            """
            SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES'
            """)
        let parts = try identities.map { identity -> Query in
            let (table, column): (String, String) = try (identity.get("table_name"), identity.get("column_name"))
            let largest = try target.count("SELECT coalesce(max(\(identifier: column)), 0) FROM \(identifier: table)")
            let last = try used.first { try $0.get("name") == table }.map { try $0.get("seq") as Int } ?? 0
            return "setval(pg_get_serial_sequence(\(table), \(column)), \(max(largest, last) + 1), FALSE)"
        }
        return "SELECT " + Query.joined(parts, by: ", ")
    }
}
