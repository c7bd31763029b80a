import ChatDBKit
import Testing

@testable import ChatDBTool

/// The plan of a store whose schema was changed by hand. Rule: docs/migrations.md, "Drift".
@Suite struct MigratePlanDriftTests {
    @Test("a plan of nothing to do warns of a column, an index and a table that do not fit, and names the command")
    func current() throws {
        let demo = try DemoStore.finished()
        #expect(try demo("migrate", "plan", "--format", "json").answer()["chat"]?["drift"] == [])
        #expect(try !demo("migrate", "plan").output.contains("differs"))
        try demo.sql("ALTER TABLE contacts ADD COLUMN more INTEGER; DROP INDEX idx_chat_relays_address_key")
        try demo.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY)", in: "x_agent.db")
        let plan = try demo("migrate", "plan", "-d", "x")
        #expect(plan.code == 0 && plan.output.contains("Nothing to do"), "\(plan)")
        for part in [
            "warning: the chat database differs from its version's schema: ", "contacts.more",
            "idx_chat_relays_address_key", "warning: the agent database differs from its version's schema: ", "notes",
            "; chatdb schema diff -d x shows how",
        ] {
            #expect(plan.output.contains(part), "\(part): \(plan.output)")
        }
        let json = try demo("migrate", "plan", "--format", "json").answer()
        #expect(json["chat"]?["drift"]?.texts?.count == 2 && json["agent"]?["drift"]?.texts?.count == 1, "\(json)")
        let warnings = json["warnings"]?.texts ?? []
        #expect(warnings.count == 2 && warnings[0].hasPrefix("the chat database differs"), "\(warnings)")
        let csv = try demo("migrate", "plan", "--format", "csv")
        #expect(csv.errors.contains("warning: the chat database differs"), "\(csv)")
        // The command shows the same.
        let diff = try demo("schema", "diff", "-d", "x").output
        #expect(diff.contains("contacts.more") && diff.contains("notes"), "\(diff)")
    }

    @Test("a plan and a dry run with migrations to apply warn of the drift that the run reports")
    func pending() throws {
        let chatdb = try MigrationFixture.oldStore()
        try chatdb.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
        let sentence = "the chat database differs from its version's schema: "
        for command in [["plan"], ["run", "--dry-run"], ["up", "--dry-run"]] {
            let shown = try chatdb(["migrate"] + command).output
            #expect(shown.contains("warning: \(sentence)") && shown.contains("notes"), "\(command): \(shown)")
            #expect(!shown.contains("the agent database differs"), "\(shown)")
        }
        let planned = try chatdb("migrate", "plan", "--format", "json").answer()["chat"]?["drift"]?.texts
        let run = try chatdb("migrate", "run", "--yes", "--format", "json")
        #expect(try run.code == 0 && run.answer()["chat"]?["drift"]?.texts == planned && planned?.count == 1, "\(run)")
    }

    @Test("with --strict, a run with nothing to do and its dry run end with the drift; without, its answer has null")
    func strict() throws {
        let demo = try DemoStore.finished()
        let run = ["migrate", "run", "--yes", "--format", "json"]
        let clean = try demo(run + ["--strict"]).answer()
        #expect(clean["chat"]?["drift"] == [] && clean["agent"]?["drift"] == [], "\(clean)")
        try demo.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
        let lenient = try demo(run).answer()
        #expect(lenient["chat"]?["drift"] == .null && lenient["agent"]?["drift"] == .null, "\(lenient)")
        for command in [run, ["migrate", "up", "--format", "json"]] {
            let refused = try demo(command + ["--strict"])
            #expect(refused.code == 78, "\(refused)")
            let refusal = try refused.refusal()
            #expect(refusal["code"] == "drift" && refusal["details"]?["differences"]?.texts?.count == 1, "\(refusal)")
            #expect(try demo(command + ["--strict", "--dry-run"]).code == 78, "\(command)")
            #expect(try demo(command + ["--dry-run"]).code == 0, "\(command)")
        }
        let shown = try demo("migrate", "run", "--strict", "--dry-run").output
        #expect(shown.contains("warning: the run will be refused: the chat database differs from"), "\(shown)")
    }

    @Test("a plan that accepts an edited file shows the differences once")
    func accepted() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        func write(_ columns: String) throws {
            try MigrationFixture.write(
                ["20991231_notes.up.sql": "-- Why: a test.\nCREATE TABLE notes (\(columns)) STRICT;\n"],
                to: folder + "/chat")
        }
        try write("id INTEGER PRIMARY KEY")
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        try write("id INTEGER PRIMARY KEY, body TEXT")
        let plan = ["migrate", "plan", "--migrations-dir", folder]
        #expect(try chatdb(plan).output.contains("the chat database differs from its version's schema: "))
        let shown = try chatdb(plan + ["--accept-edited"]).output
        #expect(shown.contains("notes.body") && !shown.contains("differs from its version's schema"), "\(shown)")
    }
}
