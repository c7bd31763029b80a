import Foundation
import TestKit
import Testing

/// Plans that undo migrations with the SQL in the database, because the folder has no longer their files.
@Suite struct StoredDownPlanTests {
    private static let database = ["--database", "chat=a.db", "--migrations-dir", "migrations"]

    /// A database after two migrations, and a folder with the files of the first one alone.
    private func undoable() throws -> ToolRun {
        let chatdb = try ToolRun()
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try MigrationFixture.write(
            [
                "20250101_notes.up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n",
                "20250101_notes.down.sql": "DROP TABLE notes;\n",
                "20250102_more.up.sql": """
                -- Why: a test.
                ALTER TABLE notes ADD COLUMN stars INTEGER CHECK (stars > 0);
                ALTER TABLE notes ADD COLUMN parent INTEGER REFERENCES notes (id);
                """,
                "20250102_more.down.sql": """
                ALTER TABLE notes DROP COLUMN stars;
                ALTER TABLE notes DROP COLUMN parent;
                """,
            ], to: folder)
        let made = try chatdb(["migrate", "run", "--create", "--yes"] + Self.database)
        try #require(made.code == 0, "\(made)")
        for direction in ["up", "down"] {
            try FileManager.default.removeItem(atPath: "\(folder)/20250102_more.\(direction).sql")
        }
        return chatdb
    }

    @Test("a plan does not refuse to drop a column with a check or a reference, which a run drops")
    func constraints() throws {
        let chatdb = try undoable()
        let plan = try chatdb(["migrate", "plan"] + Self.database)
        #expect(plan.code == 0 && plan.output.contains("20250102_more"), "\(plan)")
        let run = try chatdb(["migrate", "run", "--confirm", "yes-up-down"] + Self.database)
        #expect(run.code == 0, "\(run)")
        #expect(try chatdb.sql("SELECT group_concat(name) FROM pragma_table_info('notes')", in: "a.db") == "id")
    }

    @Test("a plan still finds SQL in the database that fails")
    func failing() throws {
        let chatdb = try undoable()
        try chatdb.sql(
            "UPDATE migrations SET down = 'ALTER TABLE notes DROP COLUMN moons;' WHERE name LIKE '%more'", in: "a.db")
        let plan = try chatdb(["migrate", "plan"] + Self.database)
        #expect(plan.code == 65 && plan.errors.contains("20250102_more of the chat database failed"), "\(plan)")
    }
}
