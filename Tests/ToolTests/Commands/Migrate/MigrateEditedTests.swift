import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `--accept-edited`: shown, and remembered.
@Suite struct MigrateEditedTests {
    private static let name = "20991231_notes"

    /// A store with a migration of the folder, whose file was edited since.
    private func edited(_ up: String, down: String = "DROP TABLE notes;\n") throws -> (ToolRun, [String]) {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        func write(_ up: String, _ down: String) throws {
            try MigrationFixture.write(
                ["\(Self.name).up.sql": "-- Why: a test.\n\(up)", "\(Self.name).down.sql": down], to: folder + "/chat")
        }
        try write("CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n", "DROP TABLE notes;\n")
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        try write(up, down)
        return (chatdb, ["--migrations-dir", folder, "--accept-edited"])
    }

    @Test("the plan and the dry run show what differs, for people and for programs")
    func shown() throws {
        let (chatdb, options) = try edited(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n",
            down: "-- Drops it.\nDROP TABLE notes;\n")
        let plan = try chatdb(["migrate", "plan"] + options)
        for part in ["notes.body", "+-- Drops it.", "accepting records the files as they are now", "differs"] {
            #expect(plan.output.contains(part), "\(part): \(plan.output)")
        }
        #expect(!plan.output.contains("Nothing to do") && plan.code == 0)
        #expect(try chatdb(["migrate", "run", "--dry-run"] + options).output == plan.output)
        let json = try chatdb(["migrate", "plan", "--format", "json"] + options).answer()["chat"]
        #expect(json?["accepted"]?.arrayValue?.first?["name"]?.stringValue == Self.name)
        #expect(json?["accepted"]?.arrayValue?.first?["down"]?.texts == ["+-- Drops it.", " DROP TABLE notes;"])
        #expect(json?["editedSchema"]?.arrayValue?.first?["name"]?.stringValue == "notes.body")
        let csv = try chatdb(["migrate", "plan", "--format", "csv"] + options)
        #expect(csv.errors.contains("note: accepted as edited: \(Self.name)"))
    }

    @Test("run accepts an edited file without --yes and without a terminal, unless a migration is pending")
    func consent() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT; -- The same.\n")
        let accepted = try chatdb(["migrate", "run", "--format", "json"] + options).answer()
        #expect(accepted["chat"]?["accepted"]?.texts == [Self.name], "\(accepted)")
        try MigrationFixture.write(
            [
                "\(Self.name).up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n",
                "20991231_other.up.sql": "-- Why: a test.\nCREATE TABLE other (id INTEGER PRIMARY KEY) STRICT;\n",
            ], to: options[1] + "/chat")
        #expect(try chatdb(["migrate", "run"] + options).code == 78)
        #expect(try chatdb(["migrate", "run", "--yes"] + options).code == 0)
    }

    @Test("check names --accept-edited, and does not report what an accepted edit added as lost")
    func checked() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n")
        let check = ["check"] + options.prefix(2)
        #expect(try chatdb(check).output.contains("--accept-edited"))
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        let after = try chatdb(check + ["--format", "json"]).answer()
        let ids = after["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.contains("chatSchemaDrift") && !ids.contains("chatSchemaMissing"), "\(ids)")
        #expect("\(after)".contains("edited migrations were accepted: \(Self.name)"))
    }

    @Test("the error beside a pending migration says what the warning says, with the command for the direction")
    func refused() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n")
        try MigrationFixture.write(
            ["21000101_other.up.sql": "-- Why: a test.\nCREATE TABLE other (a INTEGER) STRICT;\n"],
            to: options[1] + "/chat")
        let folder = options.prefix(2).joined(separator: " ")
        for (command, accepting) in [
            (["plan"], "run"), (["run", "--yes"], "run"), (["up"], "run"),
            (["up", "--to", "21000101_other"], "up --to 21000101_other"),
            (["down", "--steps", "1", "--yes"], "down --steps 1"),
        ] {
            let outcome = try chatdb(["migrate"] + command + ["--format", "json"] + options.prefix(2))
            let refusal = try outcome.refusal()
            #expect(outcome.code == 78 && refusal["code"] == "editedMigration", "\(command): \(refusal)")
            let hint = """
                chatdb does not apply it again: to change the schema, restore the file as it was, and write another \
                migration: chatdb migrate new WORDS --only chat \(folder); chatdb schema diff \(folder) shows whether the \
                database lacks what the edit changed; if the database is as it should be: chatdb migrate \(accepting) \
                --accept-edited \(folder)
                """
            #expect(refusal["hint"]?.stringValue == hint, "\(command): \(refusal)")
        }
    }

    @Test("status warns of a schema that differs from that of its version after an edit was accepted")
    func drifted() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n")
        let warning =
            "the chat database differs from its version's schema, which an accepted edit may explain; chatdb schema diff"
        let status = ["migrate", "status"] + options.prefix(2)
        #expect(try !chatdb(status).output.contains(warning))
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        let after = try chatdb(status)
        #expect(after.code == 0 && after.output.contains(warning), "\(after)")
    }

    @Test("check of an edited folder says that the file was edited, and explains the drift by it")
    func explained() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n")
        let folder = options.prefix(2).joined(separator: " ")
        func findings() throws -> [JSONValue] {
            let answer = try chatdb(["check", "--format", "json"] + options.prefix(2)).answer()
            return (answer["findings"]?.arrayValue ?? []).filter { $0["id"] != "noActiveProfile" }
        }
        let found = try findings()
        #expect(found.compactMap { $0["id"]?.stringValue } == ["editedMigration", "chatSchemaDrift"])
        #expect(found.first?["message"] == "applied migrations whose text differs in the folder")
        let edit = try #require(found.first?["remedy"]?.stringValue)
        #expect(edit.hasPrefix("The file was edited after the database applied it; "), "\(edit)")
        #expect(edit.contains("chatdb migrate new WORDS --only chat \(folder)"), "\(edit)")
        #expect(edit.hasSuffix("if the database is as it should be: chatdb migrate run --accept-edited \(folder)."))
        let drift = try #require(found.last?["remedy"]?.stringValue)
        #expect(drift.hasPrefix("chatdb schema diff \(folder) shows the differences. The edit of \(Self.name) "))
        for text in [edit, drift] { #expect(!text.contains("which build")) }
        // An accepted edit explains the drift as well.
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        let after = try findings()
        #expect(after.compactMap { $0["id"]?.stringValue } == ["chatSchemaDrift"])
        let remedy = try #require(after.first?["remedy"]?.stringValue)
        let step = " Then accept the restored text: chatdb migrate run --accept-edited \(folder)."
        #expect(remedy.contains(step) && remedy.replacing(step, with: "") == drift, "\(remedy)")
        let shown = try chatdb(["check"] + options.prefix(2)).output
        #expect(shown.contains("The edit of \(Self.name) explains them"), "\(shown)")
    }

    @Test("the remedy for the drift of an accepted edit works: the restored text is accepted with the next migration")
    func restoredText() throws {
        let (chatdb, options) = try edited("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;\n")
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        try MigrationFixture.write(
            [
                "\(Self.name).up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n",
                "21000101_body.up.sql": "-- Why: a test.\nALTER TABLE notes ADD COLUMN body TEXT;\n",
                "21000101_body.down.sql": "ALTER TABLE notes DROP COLUMN body;\n",
            ], to: options[1] + "/chat")
        let refusal = try chatdb(["migrate", "run", "--yes", "--format", "json"] + options.prefix(2)).refusal()
        let message = refusal["message"]?.stringValue ?? ""
        #expect(message.contains("\(Self.name) differs from the text that was accepted last"), "\(refusal)")
        #expect(refusal["code"] == "editedMigration", "\(refusal)")
        #expect(refusal["hint"]?.stringValue?.contains("accept the files as they are") == true, "\(refusal)")
        let run = try chatdb(["migrate", "run", "--yes"] + options)
        #expect(run.code == 0, "\(run)")
        let after = try chatdb(["check", "--format", "json"] + options.prefix(2)).answer()
        let ids = after["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(!ids.contains("chatSchemaDrift") && !ids.contains("editedMigration"), "\(ids)")
    }

    @Test("an edit that was accepted and then undone is no longer called an edit, until it is accepted or restored")
    func undone() throws {
        let first = "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n"
        let (chatdb, options) = try edited("-- A comment.\n" + first)
        let folder = Array(options.prefix(2))
        func write(_ up: String) throws {
            try MigrationFixture.write(["\(Self.name).up.sql": "-- Why: a test.\n\(up)"], to: options[1] + "/chat")
        }
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        try write(first)
        for command in [["migrate", "status"], ["migrate", "plan"], ["migrate", "run"]] {
            let run = try chatdb(command + folder)
            let shown = run.output + run.errors
            #expect(
                shown.contains(
                    "\(Self.name) differs from the text that was accepted last, and may be the text that the database"),
                "\(shown)")
            #expect(!shown.contains("edited after being applied"), "\(shown)")
        }
        let answer = try chatdb(["check", "--format", "json"] + folder).answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "editedMigration" }
        let remedy = finding?["remedy"]?.stringValue ?? ""
        #expect(remedy.hasPrefix("The text of \(Self.name) differs from the one that was accepted last"), "\(remedy)")
        #expect(!remedy.contains("was edited after"), "\(remedy)")
        let page = try chatdb(["inspect"] + folder).output
        #expect(page.contains("differ from the text that was accepted last: \(Self.name)"), "\(page)")
        // The command of the warning.
        let accepted = try chatdb(["migrate", "run"] + options)
        #expect(accepted.code == 0 && accepted.output.contains("accepted as edited: \(Self.name)"), "\(accepted)")
        #expect(try !chatdb(["migrate", "status"] + folder).output.contains("differs from the text"))
        // A backup from before the acceptance knows the first text.
        let backups = try FileManager.default.contentsOfDirectory(atPath: chatdb.file("x.backups")).sorted()
        let backup = chatdb.file("x.backups/\(try #require(backups.first))")
        let restore = try chatdb(["restore", backup, "--yes"] + folder)
        #expect(restore.code == 0, "\(restore)")
        let restored = try chatdb(["migrate", "status"] + folder).output
        #expect(!restored.contains("accepted") && !restored.contains("edited after"), "\(restored)")
        try write("-- A comment.\n" + first)
        let again = try chatdb(["migrate", "status"] + folder).output
        #expect(again.contains("edited after being applied: \(Self.name)"), "\(again)")
    }

    @Test("an index that an edit added was not lost, and another index was")
    func explainedIndex() throws {
        let (chatdb, options) = try edited(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\nCREATE INDEX notes_id ON notes(id);\n")
        try chatdb.sql("DROP INDEX idx_chat_tags_text")
        let answer = try chatdb(["check", "--format", "json"] + options.prefix(2)).answer()
        func finding(_ id: String) -> JSONValue? { answer["findings"]?.arrayValue?.first { $0["id"] == .string(id) } }
        let lost = try #require(finding("chatSchemaLost"), "\(answer)")
        #expect(lost["sample"]?.texts == ["idx_chat_tags_text"], "\(answer)")
        let create = lost["remedy"]?.stringValue ?? ""
        #expect(create.hasPrefix("Run the statements of the migrations that create them with "), "\(create)")
        #expect(!create.contains("explains them"), "\(create)")
        let drift = try #require(finding("chatSchemaDrift"), "\(answer)")
        #expect(drift["sample"]?.texts == ["missing index notes_id"] && drift["severity"] == "warning", "\(answer)")
        #expect(drift["remedy"]?.stringValue?.contains("The edit of \(Self.name) explains them") == true, "\(answer)")
    }

    @Test("an edited copy of this build's own migrations is a difference from the folder, and nothing is lost")
    func ownMigrations() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        let options = ["--migrations-dir", folder]
        #expect(try chatdb(["migrate", "run"] + options).code == 0)
        let name = try #require(try MigrationSource.build.load()[.chat]?.last?.name)
        let file = URL(fileURLWithPath: "\(folder)/chat/\(name).up.sql")
        let text = try String(contentsOf: file, encoding: .utf8)
        let edit = """

            ALTER TABLE groups ADD COLUMN mood TEXT;
            CREATE INDEX idx_groups_name ON groups (local_display_name);

            """
        try (text + edit).write(to: file, atomically: true, encoding: .utf8)
        let check = try chatdb(["check", "--format", "json"] + options)
        let found = try (check.answer()["findings"]?.arrayValue ?? []).filter { $0["id"] != "noActiveProfile" }
        #expect(check.code == 0 && found.compactMap { $0["id"] } == ["editedMigration", "chatSchemaDrift"], "\(check)")
        #expect(found.first?["message"] == "applied migrations whose text differs in the folder")
        let remedy = found.first?["remedy"]?.stringValue ?? ""
        #expect(remedy.hasPrefix("The file was edited after the database applied it; "), "\(remedy)")
        #expect(found.last?["sample"]?.texts == ["missing column groups.mood", "missing index idx_groups_name"])
        let drift = found.last?["remedy"]?.stringValue ?? ""
        #expect(drift.contains("The edit of \(name) explains them if they are what it changed"), "\(drift)")
        // The edit names the table groups, and does not create it. Nor does it create idx_chat_tags_text.
        try chatdb.sql("DROP TABLE groups; DROP INDEX idx_chat_tags_text")
        let after = try chatdb(["check", "--format", "json"] + options).answer()["findings"]?.arrayValue ?? []
        let missing = try #require(after.first { $0["id"] == "chatSchemaMissing" }, "\(after)")
        #expect(missing["sample"]?.texts == ["missing table groups"] && missing["severity"] == "error", "\(missing)")
        let lost = after.first { $0["id"] == "chatSchemaLost" }?["remedy"]?.stringValue ?? ""
        #expect(lost.contains("check --fix") && !lost.contains("explains them"), "\(lost)")
    }

    @Test("a run that undoes an edited migration does not warn of it")
    func undoneByRun() throws {
        let (chatdb, options) = try edited("-- A comment.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n")
        let down = ["migrate", "down", "--steps", "1"]
        #expect(try chatdb(down + ["--yes"] + options.prefix(2)).code == 78)
        for consent in ["--dry-run", "--yes"] {
            let run = try chatdb(down + [consent] + options)
            #expect(run.code == 0 && run.output.contains(Self.name), "\(run)")
            #expect(!(run.output + run.errors).contains("edited after being applied"), "\(run)")
        }
    }

    @Test("an edit that changes no schema is reported as one, and the run remembers it")
    func remembered() throws {
        let (chatdb, options) = try edited("-- A comment.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n")
        #expect(try chatdb(["migrate", "plan"] + options).output.contains("statements that change rows may differ"))
        let status = ["migrate", "status"] + options.prefix(2)
        #expect(try chatdb(status).output.contains("edited after being applied: \(Self.name)"))
        let run = try chatdb(["migrate", "run"] + options)
        #expect(run.code == 0 && run.output.contains("accepted as edited: \(Self.name)"), "\(run.output)\(run.errors)")
        #expect(!run.errors.contains("edited after"))
        let after = try chatdb(status).output
        #expect(!after.contains("edited after") && after.contains("chat \(Self.name): edited, accepted"), "\(after)")
        #expect(!after.contains("differs from its version's schema"), "\(after)")
        let again = try chatdb(["migrate", "run", "--format", "json"] + options).answer()
        #expect(again["chat"]?["accepted"]?.texts == [] && again["chat"]?["backup"] == .null)
    }
}
