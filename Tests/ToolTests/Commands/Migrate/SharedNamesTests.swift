import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// Migrations of both databases with one name. Rule: docs/migrations.md, "The plan".
@Suite("migrations that both databases have under one name") struct SharedNamesTests {
    private let chatdb: ToolRun
    private let folder: String
    private let options: [String]

    /// Makes a store with two migrations of each name.
    init() throws {
        chatdb = try ToolRun()
        folder = chatdb.file("own")
        options = ["-d", chatdb.store, "--migrations-dir", folder]
        for database in ["chat", "agent"] {
            let place = "\(folder)/\(database)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try MigrationFixture.write(
                [
                    "20260101_first.up.sql": "CREATE TABLE t (a TEXT)",
                    "20260102_more.up.sql": "ALTER TABLE t ADD COLUMN b",
                    "20260102_more.down.sql": "ALTER TABLE t DROP COLUMN b",
                ], to: place)
        }
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
    }

    @Test("a way down by steps says that the other database keeps the migration, and how to undo it in both")
    func half() throws {
        let down = ["migrate", "down", "--steps", "1"] + options
        let sentence = """
            20260102_more is also applied in the agent database, and the plan does not undo it there; --steps 2 undoes it \
            in both
            """
        #expect(try chatdb(down + ["--dry-run"]).output.contains("note: \(sentence)\n"))
        let plan = try chatdb(down + ["--dry-run", "--format", "json"])
        #expect(try plan.answer()["notes"]?.texts == [sentence], "\(plan)")
        let both = try chatdb(["migrate", "down", "--steps", "2", "--dry-run"] + options)
        #expect(both.code == 0 && !both.output.contains("is also applied"), "\(both)")
        let run = try chatdb(down + ["--yes"])
        let rest = "chatdb migrate down --steps 1 -d \(chatdb.store) --migrations-dir \(folder)"
        #expect(run.code == 0 && run.errors.contains("stays applied in the agent database; \(rest) undoes"), "\(run)")
        let last = try chatdb(down + ["--yes"])
        #expect(last.code == 0 && !last.errors.contains("stays applied"), "\(last)")
        #expect(try chatdb.sql("SELECT max(name) FROM migrations", in: "x_agent.db") == "20260101_first")
    }

    @Test("an error that lists migrations has each name once")
    func once() throws {
        for database in ["chat", "agent"] {
            try MigrationFixture.write(
                ["20260103_last.up.sql": "ALTER TABLE t ADD COLUMN c"], to: "\(folder)/\(database)")
        }
        let refused = try chatdb(["migrate", "run"] + options)
        #expect(refused.code == 78 && refused.errors.contains("folder: 20260103_last would have to be"), "\(refused)")
    }

    @Test("schema diff says that it compares a database with its own version if migrations are pending")
    func ownVersion() throws {
        try MigrationFixture.write(["20260103_last.up.sql": "ALTER TABLE t ADD COLUMN c"], to: "\(folder)/chat")
        let diff = try chatdb(["schema", "diff"] + options)
        #expect(diff.code == 0 && diff.output == "no differences\n", "\(diff)")
        let note =
            "note: the chat database is compared with its own version, 20260102_more; 1 later migration is pending\n"
        #expect(diff.errors == note, "\(diff)")
    }
}
