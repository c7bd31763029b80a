import ChatDBKit
import Foundation
import Testing

/// Plans of runs down whose down SQL does not make the schema of the target version. Rule: docs/migrations.md, "The plan".
@Suite("plans of down SQL that makes another schema") struct DownRefusalTests {
    private let chatdb: ToolRun
    private let folder: String

    /// Makes a store with rows in both tables of the chat database and in the column of the newest migration.
    init() throws {
        chatdb = try ToolRun()
        folder = chatdb.file("own")
        for database in ["chat", "agent"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(database)", withIntermediateDirectories: true)
        }
        try MigrationFixture.write(
            [
                "chat/20260101_notes.up.sql":
                    "CREATE TABLE books (id INTEGER PRIMARY KEY); CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)",
                "chat/20260103_mark.up.sql": "ALTER TABLE notes ADD COLUMN p TEXT; CREATE INDEX i ON notes (p)",
                "chat/20260103_mark.down.sql": "DROP INDEX i; ALTER TABLE notes DROP COLUMN p",
                "agent/20260102_queues.up.sql": "CREATE TABLE queues (id INTEGER PRIMARY KEY)",
            ], to: folder)
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        try chatdb.sql("INSERT INTO books VALUES (1), (2); INSERT INTO notes VALUES (1, 'a', 'b')")
    }

    private func down(_ rest: String...) throws -> ToolRun.Outcome {
        try chatdb(["migrate", "down", "--steps", "1", "--migrations-dir", folder] + rest)
    }

    @Test("a dry run says that down SQL leaves a column, and does not list the column as lost")
    func leftColumn() throws {
        try MigrationFixture.write(["20260103_mark.down.sql": "DROP INDEX i"], to: folder + "/chat")
        let plan = try down("--dry-run")
        #expect(plan.code == 65 && plan.output.contains("the run will be refused: "), "\(plan)")
        #expect(plan.output.contains("would not have the schema of 20260101_notes: extra column notes.p"), "\(plan)")
        #expect(!plan.output.contains("Data that is lost"), "\(plan)")
        let run = try down("--yes")
        #expect(run.code == 65 && run.errors.contains("extra column notes.p"), "\(run)")
    }

    @Test("a dry run, a run and verify say in which form a column is expected, and in which form down SQL makes it")
    func otherForm() throws {
        try MigrationFixture.write(
            [
                "20260104_title.up.sql": "-- chatdb: data-loss\nALTER TABLE notes DROP COLUMN body",
                "20260104_title.down.sql": "ALTER TABLE notes ADD COLUMN body TEXT NOT NULL DEFAULT ''",
            ], to: folder + "/chat")
        try chatdb.succeed("migrate", "up", "--migrations-dir", folder)
        let forms = "different column notes.body (expected body TEXT, found body TEXT NOT NULL DEFAULT '')"
        #expect(try down("--dry-run").output.contains(forms))
        let run = try down("--yes", "--format", "json")
        let refusal = try run.refusal()
        #expect(run.code == 65 && refusal["message"]?.stringValue?.hasSuffix(": \(forms)") == true, "\(refusal)")
        #expect(refusal["details"]?["differences"]?.texts == [forms], "\(refusal)")
        #expect(refusal["hint"]?.stringValue?.contains("it may have to rebuild the table") == true, "\(refusal)")
        let verify = try chatdb("migrate", "verify", "--migrations-dir", folder)
        #expect(verify.code == 1 && verify.output.contains("does not restore the schema: \(forms)"), "\(verify)")
    }

    @Test("a plan, a dry run and verify say that only the order of columns differs, and how SQLite adds a column")
    func otherOrder() throws {
        try MigrationFixture.write(
            [
                "20260104_title.up.sql": "-- chatdb: data-loss\nALTER TABLE notes DROP COLUMN body",
                "20260104_title.down.sql": "ALTER TABLE notes ADD COLUMN body TEXT",
            ], to: folder + "/chat")
        let difference =
            "different table notes (expected the columns in the order id, body, p, found the same columns in another "
            + "order: id, p, body); SQLite's ALTER TABLE adds no column that is NOT NULL without a default"
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        #expect(plan.code == 0 && plan.output.contains("warning: going down again would fail"), "\(plan)")
        #expect(plan.output.contains(difference), "\(plan)")
        let verify = try chatdb("migrate", "verify", "--migrations-dir", folder)
        #expect(verify.code == 1 && verify.output.contains(difference), "\(verify)")
        try chatdb.succeed("migrate", "up", "--migrations-dir", folder)
        let dry = try down("--dry-run")
        #expect(dry.code == 65 && dry.output.contains(difference), "\(dry)")
    }

    @Test("a dry run lists the tables that down SQL drops although the target version has them")
    func droppedTables() throws {
        try MigrationFixture.write(
            ["20260103_mark.down.sql": "DROP TABLE notes; DROP TABLE books"], to: folder + "/chat")
        let json = try down("--dry-run", "--format", "json")
        let answer = try json.answer()["chat"]
        #expect(json.code == 65 && answer?["migrations"]?[0]?["dataLoss"] == true, "\(json)")
        #expect(answer?["refused"]?.texts == ["books", "notes"], "\(json)")
        #expect(answer?["losses"]?[0]?["table"] == "books" && answer?["losses"]?[0]?["rows"] == 2, "\(json)")
        #expect(try down("--dry-run").output.contains("missing table books"))
        #expect(try down("--yes").code == 65)
        #expect(try chatdb.sql("SELECT count(*) FROM books") == "2")
    }

    @Test("a dry run reports other schemas by down SQL that only the store has")
    func storedSQL() throws {
        try chatdb.sql("UPDATE migrations SET down = 'DROP INDEX i' WHERE name = '20260103_mark'")
        for direction in ["up", "down"] {
            try FileManager.default.removeItem(atPath: "\(folder)/chat/20260103_mark.\(direction).sql")
        }
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        #expect(plan.code == 65 && plan.output.contains("extra column notes.p"), "\(plan)")
        #expect(try chatdb("migrate", "run", "--confirm", "yes-up-down", "--migrations-dir", folder).code == 65)
    }

    @Test("a dry run of down SQL that makes the schema of the target ends with 0, also beside drift")
    func right() throws {
        let plan = try down("--dry-run")
        #expect(plan.code == 0 && !plan.output.contains("refused"), "\(plan)")
        try chatdb.sql("ALTER TABLE notes ADD COLUMN mine TEXT")
        #expect(try down("--dry-run").code == 0)
        #expect(try down("--yes").code == 0)
    }
}
