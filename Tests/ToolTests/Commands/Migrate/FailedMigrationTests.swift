import Foundation
import Testing

/// Hints after a migration of a folder that failed on the rows or the schema of a store. Rule: docs/migrations.md.
@Suite("hints after a failed migration") struct FailedMigrationTests {
    private let chatdb: ToolRun
    private let folder: String

    /// Makes a store whose table log has two rows.
    init() throws {
        chatdb = try ToolRun()
        folder = chatdb.file("own")
        for database in ["chat", "agent"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(database)", withIntermediateDirectories: true)
        }
        try MigrationFixture.write(
            [
                "chat/20260101_log.up.sql":
                    "CREATE TABLE log (id INTEGER PRIMARY KEY, a); INSERT INTO log VALUES (1, 1), (2, 2)",
                "agent/20260102_queues.up.sql": "CREATE TABLE queues (id INTEGER PRIMARY KEY)",
            ], to: folder)
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
    }

    @Test(
        "the hint speaks of the rows, of the view or of the file, whatever the migration needs",
        arguments: [
            ("ALTER TABLE log DROP COLUMN id", "this is a fault of the migration: correct its file"),
            ("ALTER TABLE log ADD COLUMN b CHECK (id > 1)", "rows of the database do not fit what the"),
            ("CREATE UNIQUE INDEX i ON log (a > 0)", "rows of the database do not fit what the"),
            ("CREATE VIEW v AS SELECT idd FROM log", "correct the trigger or view, if a migration makes it; "),
            ("ALTER TABLE log DROP COLUMN a", "if that is intended, 20260105_more.up.sql must declare it in a line"),
        ])
    func hint(_ sql: String, _ hint: String) throws {
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("hint: " + hint), "\(run)")
        #expect(try chatdb.sql("SELECT count(*) FROM log") == "2")
    }
}
