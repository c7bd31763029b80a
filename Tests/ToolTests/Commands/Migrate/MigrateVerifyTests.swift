import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `migrate verify` without `--data`: verifying migrations in memory.
@Suite struct MigrateVerifyTests {
    /// A folder with this build's migrations and one more.
    private func folder(
        in chatdb: ToolRun, _ databases: [DatabaseName], up: String, down: String?
    ) throws -> String {
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        var files = ["20991231_colours.up.sql": "-- Why: a test.\n" + up]
        files["20991231_colours.down.sql"] = down
        for database in databases { try MigrationFixture.write(files, to: "\(folder)/\(database)") }
        return folder
    }

    @Test("migrate verify checks this build's migrations, or those of one database, without a store and without a file")
    func build() throws {
        let chatdb = try ToolRun()
        let both = try chatdb("migrate", "verify")
        #expect(both.code == 0 && both.errors.isEmpty)
        #expect(
            both.output.contains(
                "31 migrations of this build were applied, undone and applied again; every schema was restored."))
        for (database, count) in [("chat", 22), ("agent", 9)] {
            let outcome = try chatdb("migrate", "verify", "--only", database, "--format", "json")
            let answer = try outcome.answer()
            #expect(
                outcome.code == 0 && answer["ok"] == true && answer["failures"] == [] && answer["irreversible"] == [])
            let steps = answer["steps"]?.arrayValue ?? []
            #expect(Set(steps.compactMap { $0["name"]?.stringValue }).count == count)
            #expect(steps.allSatisfy { $0["database"] == .string(database) })
            // Up, down and up again, and all the way down at the end.
            #expect(steps.count == 4 * count)
        }
        #expect(try chatdb.folder.fingerprint().isEmpty)
    }

    @Test(
        "a migration that leaves a view without its table, or uses a name of chatdb's own tables: exit 65, with a hint",
        arguments: [
            (
                "CREATE TABLE t (id INTEGER); CREATE VIEW v AS SELECT id FROM t; DROP TABLE t;",
                "view v (no such table: main.t)", "must also drop the trigger or view"
            ),
            (
                "CREATE TABLE MIGRATIONS (id INTEGER);", "is the name of a table of chatdb's own",
                "hint: if the table is one of the program's own, rename it"
            ),
        ])
    func refused(_ up: String, _ message: String, _ hint: String) throws {
        let chatdb = try ToolRun()
        let folder = try folder(in: chatdb, [.chat], up: up, down: nil)
        let outcome = try chatdb("migrate", "verify", "--migrations-dir", folder)
        #expect(outcome.code == 65 && outcome.errors.contains("20991231_colours"), "\(outcome.errors)")
        #expect(outcome.errors.contains(message) && outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("a down migration that gives another schema: exit 1, with the migration, its database and the differences")
    func wrongWayBack() throws {
        let chatdb = try ToolRun()
        let folder = try folder(
            in: chatdb, DatabaseName.allCases, up: "CREATE TABLE colours (id INTEGER) STRICT;", down: "SELECT 1;")
        let outcome = try chatdb("migrate", "verify", "--migrations-dir", folder, "--format", "json")
        let answer = try outcome.answer()
        #expect(outcome.code == 1 && outcome.errors.isEmpty && answer["ok"] == false)
        // Both databases have a migration of this name: the report shows both.
        #expect(
            answer["failures"]
                == .array(
                    ["chat", "agent"].map {
                        ["database": .string($0), "name": "20991231_colours", "differences": ["extra table colours"]]
                    }))
        let text = try chatdb("migrate", "verify", "--migrations-dir", folder)
        #expect(text.code == 1)
        #expect(
            text.output.contains(
                "warning: undoing 20991231_colours of the agent database does not restore the schema: "
                    + "extra table colours"))
        #expect(!text.output.contains("20250107_agent_initial"), "only problems are listed")
        let rows = try chatdb("migrate", "verify", "--migrations-dir", folder, "--only", "agent", "--format", "csv")
        #expect(rows.code == 1)
        #expect(rows.output.hasPrefix("database,name,direction,milliseconds,rows,bytes,peakBytes\nagent,20250107_"))
    }

    @Test("without --migrations-dir, a note says that the folder migrations was not tested")
    func unreadFolder() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        #expect(folder.hasSuffix("/migrations"))
        let note = "note: the migrations in migrations were not tested; --migrations-dir migrations tests them"
        for format in ["table", "json"] {
            let outcome = try chatdb("migrate", "verify", "--format", format)
            #expect(outcome.code == 0 && outcome.errors.contains(note), "\(outcome)")
        }
        let named = try chatdb("migrate", "verify", "--migrations-dir", "migrations")
        #expect(named.code == 0 && named.errors.isEmpty, "\(named)")
        #expect(named.output.contains("31 migrations were applied"), "\(named)")
    }

    @Test("--only limits migrate verify to one database")
    func only() throws {
        let chatdb = try ToolRun()
        let folder = try folder(
            in: chatdb, [.agent], up: "CREATE TABLE colours (id INTEGER) STRICT;", down: "SELECT 1;")
        #expect(try chatdb("migrate", "verify", "--migrations-dir", folder, "--only", "chat").code == 0)
        #expect(try chatdb("migrate", "verify", "--migrations-dir", folder, "--only", "agent").code == 1)
        #expect(try chatdb("migrate", "verify", "--only", "cha").code == 64)
    }

    @Test("migrate verify names a down file that loses rows without declaring it, with exit code 1")
    func undeclaredLoss() throws {
        let chatdb = try ToolRun()
        let folder = try folder(
            in: chatdb, [.chat], up: "CREATE TABLE colours (id INTEGER) STRICT; INSERT INTO colours VALUES (1), (2);",
            down: "DROP TABLE colours;")
        let outcome = try chatdb("migrate", "verify", "--migrations-dir", folder, "--format", "json")
        #expect(outcome.code == 1)
        let answer = try outcome.answer()
        #expect(answer["ok"] == false && answer["failures"] == [])
        #expect(
            answer["undeclaredLosses"] == [
                [
                    "database": "chat", "name": "20991231_colours", "direction": "down", "kind": "table",
                    "table": "colours", "column": .null, "rows": 2,
                ]
            ])
        let text = try chatdb("migrate", "verify", "--migrations-dir", folder).output
        #expect(text.contains("steps lose rows that they do not declare"), "\(text)")
        #expect(!text.contains("every schema was restored"), "\(text)")
    }

    @Test("migrate verify reports a migration without a way down, and does not fail")
    func noWayBack() throws {
        let chatdb = try ToolRun()
        let folder = try folder(in: chatdb, [.chat], up: "CREATE TABLE colours (id INTEGER) STRICT;", down: nil)
        let outcome = try chatdb("migrate", "verify", "--migrations-dir", folder, "--format", "json")
        #expect(outcome.code == 0)
        #expect(try outcome.answer()["irreversible"] == [["database": "chat", "name": "20991231_colours"]])
        let text = try chatdb("migrate", "verify", "--migrations-dir", folder)
        #expect(text.output.contains("where they have down SQL; every schema was restored."))
        #expect(text.output.contains("note: 20991231_colours of the chat database has no down SQL"))
    }

    @Test("an invalid file, and a statement that fails: exit 65, with file and line")
    func invalid() throws {
        let chatdb = try ToolRun()
        let refused = try chatdb(
            "migrate", "verify", "--format", "json", "--migrations-dir",
            try folder(in: chatdb, [.chat], up: "SELECT 1;\nVACUUM;", down: nil))
        #expect(refused.code == 65 && refused.output.isEmpty)
        #expect(try refused.refusal()["code"] == "invalidMigration")
        #expect(try refused.refusal()["details"]?["problems"]?[0]?["line"] == 3)
        let other = try ToolRun()
        let failing = try other(
            "migrate", "verify", "--format", "json", "--migrations-dir",
            try folder(in: other, [.chat], up: "CREATE TABLE t (id INTEGER);", down: "SELECT 1;\nDROP TABLE u;"))
        #expect(failing.code == 65)
        let details = try failing.refusal()["details"]
        #expect(details?["direction"] == "down" && details?["line"] == 2 && details?["database"] == "chat")
    }

    @Test("a missing folder, or one without migrations: exit 66, with the expected layout")
    func folders() throws {
        let chatdb = try ToolRun()
        for path in [chatdb.file("nothing"), chatdb.folder.path] {
            let outcome = try chatdb("migrate", "verify", "--migrations-dir", path, "--format", "json")
            #expect(outcome.code == 66)
            #expect(try outcome.refusal()["code"] == "noMigrationsFolder")
            #expect(try outcome.refusal()["hint"]?.stringValue?.contains("chat/ and agent/") == true)
            let message = try outcome.refusal()["message"]?.stringValue ?? ""
            let isMissing = message.hasSuffix("does not exist; correct the path, or make it first")
            #expect(isMissing == (path != chatdb.folder.path), "\(message)")
        }
    }

    @Test("a reader that closes the pipe is no error")
    func pipe() throws {
        let run = try ToolRun().shell(
            "\"$CHATDB\" migrate verify --format json | head -1 > /dev/null; echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n" && run.errors.isEmpty)
    }
}
