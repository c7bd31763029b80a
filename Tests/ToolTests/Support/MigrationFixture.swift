import ChatDBKit
import Foundation

/// Stores of other versions than this build's, created by the tool itself.
enum MigrationFixture {
    /// An older version: both databases have pending migrations.
    static let oldVersion = "20260608_search"

    /// A store of that version.
    static func oldStore() throws -> ToolRun { try ToolRun(oldFiles.get()) }

    /// A store whose migration from that version ended between its two commits.
    static func interruptedStore() throws -> ToolRun { try ToolRun(interruptedFiles.get()) }

    // Created once and copied: every test has its own.

    private static let oldFiles = Result { () throws -> [String: Data] in
        let chatdb = try ToolRun()
        try chatdb.succeed("migrate", "up", "--to", oldVersion)
        return try chatdb.databases(and: "x.lock")
    }

    private static let interruptedFiles = Result { () throws -> [String: Data] in
        let chatdb = try oldStore()
        let old = try Data(contentsOf: URL(fileURLWithPath: chatdb.file("x_chat.db")))
        let from = try chatdb("migrate", "status", "--format", "json").answer()
        try chatdb.succeed("migrate", "up", "--no-backup")
        let to = try chatdb("migrate", "status", "--format", "json").answer()
        try old.write(to: URL(fileURLWithPath: chatdb.file("x_chat.db")))
        try writeRecord(in: chatdb, generation: to["agent"]?["generation"] ?? .null) { database in
            (from[database]?["version"] ?? .null, to[database]?["version"] ?? .null)
        }
        return try chatdb.databases(and: "x.lock", "x.migrating")
    }

    private static let newerFiles = Result { () throws -> [String: Data] in
        let chatdb = try ToolRun()
        try chatdb.succeed("migrate", "run", "--migrations-dir", newerFolder(in: chatdb))
        return try chatdb.databases(and: "x.lock")
    }

    /// A store whose migration from that version ended before its first commit.
    static func undoneStore() throws -> ToolRun {
        let chatdb = try oldStore()
        let plan = try chatdb("migrate", "plan", "--format", "json").answer()
        let generation = Int64(try chatdb.sql("SELECT generation FROM store", in: "x_agent.db")) ?? 0
        try writeRecord(in: chatdb, generation: .integer(generation + 1)) { database in
            (plan[database]?["from"] ?? .null, plan[database]?["to"] ?? .null)
        }
        return chatdb
    }

    /// Writes the record of a run that ended.
    /// - Parameter versions: those of a database before and after the run.
    private static func writeRecord(
        in chatdb: ToolRun, generation: JSONValue, _ versions: (String) -> (from: JSONValue, to: JSONValue)
    ) throws {
        let record: JSONValue = [
            "run": "r", "startedAt": "2026-01-01T00:00:00Z", "creates": false,
            "storeId": .string(try chatdb.sql("SELECT store_id FROM store", in: "x_agent.db")),
            "generation": generation,
            "databases": .object(
                ["agent", "chat"].map { database in
                    let pair = versions(database)
                    return .init(database, ["from": pair.from, "to": pair.to, "steps": []])
                }),
            "backup": .null,
        ]
        try Data(record.text(.pretty).utf8).write(to: URL(fileURLWithPath: chatdb.file("x.migrating")))
    }

    /// The migration of a newer program than this build.
    static let newerMigration = "20991231_notes"

    /// A store migrated by such a program, with two rows in its table; and the migrations of the program.
    static func newerStore() throws -> ToolRun {
        let chatdb = try ToolRun(newerFiles.get())
        _ = try newerFolder(in: chatdb)
        return chatdb
    }

    /// The migrations of such a program, in the folder of the test.
    private static func newerFolder(in chatdb: ToolRun) throws -> String {
        let folder = try migrationsFolder(in: chatdb)
        try write(
            [
                "\(newerMigration).up.sql": """
                -- Why: a test.
                CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
                INSERT INTO notes (body) VALUES ('a'), ('b');
                ALTER TABLE users ADD COLUMN colour TEXT;
                """,
                "\(newerMigration).down.sql": """
                -- chatdb: data-loss
                ALTER TABLE users DROP COLUMN colour;
                DROP TABLE notes;
                """,
            ], to: folder + "/chat")
        return folder
    }

    /// A copy of this build's migrations, in the folder of the test.
    static func migrationsFolder(in chatdb: ToolRun) throws -> String {
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../migrations/sqlite").standardizedFileURL
        let copy = chatdb.folder.file("migrations")
        try FileManager.default.copyItem(atPath: own.path, toPath: copy)
        return copy
    }

    /// A migration that takes longer than any test.
    static let endless = """
        -- Why: a test.
        CREATE TABLE counted AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n;
        """

    /// Writes files, by name.
    static func write(_ files: [String: String], to folder: String) throws {
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    }
}
