import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// A migration down reports what it deletes before and after the run, with the command that restores it.
@Suite struct MigrateLossTests {
    /// The last version without relays.
    private static let early = "20251201_prepared_groups"

    @Test("the answer lists deleted tables and columns that had data, and the command that restores them")
    func answer() throws {
        let chatdb = try MigrationFixture.newerStore()
        let text = try chatdb("migrate", "down", "--steps", "1", "--yes").output
        #expect(text.contains("Data that was lost\nDatabase  Table  Column             Rows\n"))
        #expect(text.contains("chat      notes  (the whole table)     2\n") && !text.contains("colour"), "\(text)")
        let restore = try #require(text.split(separator: "\n").last.map(String.init))
        #expect(restore.hasPrefix("chatdb restore /") && restore.hasSuffix(" --force"), "\(restore)")
        let back = try chatdb.shell("$CHATDB" + restore.dropFirst("chatdb".count) + " --yes")
        #expect(back.code == 0, "\(back.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM notes") == "2")
    }

    @Test("JSON lists the same, per database")
    func json() throws {
        let chatdb = try DemoStore.make()
        let run = try chatdb("migrate", "down", "--to", Self.early, "--yes", "--format", "json").answer()
        let losses = try #require(run["chat"]?["losses"]?.arrayValue)
        #expect(
            losses.contains([
                "kind": "table", "table": "chat_relays", "column": nil, "rows": losses.rows(of: "chat_relays"),
            ]))
        #expect(losses.allSatisfy { ($0["rows"]?.integerValue ?? 0) > 0 })
        let backup = try #require(run["chat"]?["backup"]?.stringValue)
        #expect(run["restore"]?.stringValue == "chatdb restore \(backup) -d \(chatdb.store)")
    }

    @Test("without a backup that chatdb restore accepts, the answer has no command to restore it")
    func noRestore() throws {
        for isOther in [false, true] {
            let chatdb = try MigrationFixture.newerStore()
            if isOther {
                try Data("no database".utf8).write(to: URL(fileURLWithPath: chatdb.file("x_agent.db")))
            }
            let run = ["migrate", "down", "--steps", "1", "--yes", "--format", "json"]
            let answer = try chatdb(run + (isOther ? ["--only", "chat"] : ["--no-backup"])).answer()
            #expect(answer["restore"] == .null && answer["chat"]?["losses"]?.arrayValue?.count == 1, "\(isOther)")
        }
    }

    @Test("a run of one database backs both up, and the answer has the command that restores them")
    func oneDatabase() throws {
        let chatdb = try MigrationFixture.newerStore()
        let run = ["migrate", "down", "--steps", "1", "--yes", "--only", "chat"]
        let answer = try chatdb(run + ["--format", "json"]).answer()
        let restore = try #require(answer["restore"]?.stringValue)
        #expect(restore.hasSuffix(" -d \(chatdb.store) --force"), "\(restore)")
        let back = try chatdb.shell("$CHATDB" + restore.dropFirst("chatdb".count) + " --yes")
        #expect(back.code == 0, "\(back.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM notes") == "2")
    }

    @Test("if the backup has one database alone, the answer says why, and how to put it back by hand")
    func byHand() throws {
        let chatdb = try MigrationFixture.newerStore()
        try Data("no database".utf8).write(to: URL(fileURLWithPath: chatdb.file("x_agent.db")))
        let text = try chatdb("migrate", "down", "--steps", "1", "--yes", "--only", "chat").output
        #expect(text.contains("The backup has the chat database alone, because the other one is missing"), "\(text)")
        #expect(text.contains("move \(chatdb.file("x_chat.db")) away") && !text.contains("chatdb restore"), "\(text)")
    }

    @Test("the command repeats the given folder of migrations")
    func migrationsDir() throws {
        let chatdb = try DemoStore.empty()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        let run = ["migrate", "down", "--steps", "1", "--yes", "--format", "json", "--migrations-dir", folder]
        let restore = try #require(try chatdb(run).answer()["restore"]?.stringValue)
        #expect(restore.hasSuffix(" -d \(chatdb.store) --migrations-dir \(folder)"), "\(restore)")
    }

    @Test(
        "a plan names hidden profiles that become visible only if there are any, and deleted profiles of the agent"
    )
    func warnings() throws {
        let demo = try DemoStore.make()
        let down = ["migrate", "down", "--to", "20250106_one_profile", "--format"]
        let plan = try demo(down + ["json", "--dry-run"]).answer()
        let warnings = plan["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(warnings.count == 1 && warnings[0].hasPrefix("the agent's profiles are deleted"), "\(warnings)")
        let csv = try demo(down + ["csv", "--dry-run"]).errors
        #expect(csv.contains("warning: the agent's profiles are deleted") && csv.contains("note: lost: "), "\(csv)")
        let text = try demo(down + ["table", "--dry-run"]).output
        #expect(
            text.contains("users") && text.contains("(rows)")
                && text.contains("may also delete rows of the tables it rebuilds"), "\(text)")
        let run = try demo(down + ["csv", "--yes"])
        #expect(run.code == 0 && !run.errors.contains("visible"), "\(run.errors)")
        #expect(run.errors.contains("deleted: users in the chat database, 1 deleted row"), "\(run.errors)")
        #expect(run.errors.contains("note: to restore the backup: chatdb restore "))
    }

    @Test("on a terminal of 80 columns losses are a table, and empty ones take one line")
    func question() throws {
        let chatdb = try DemoStore.make()
        let run = try TerminalRun(["migrate", "down", "--to", "20250106_one_profile"], in: chatdb)
        let asked = try run.terminal.read(until: "[y/N] ")
        run.terminal.type("n\n")
        #expect(try run.end().code == 1)
        let lines = asked.split(whereSeparator: \.isNewline).drop { $0 != "Data that is lost" }
        #expect(lines.dropFirst().first?.hasPrefix("Database  Table ") == true, "\(asked)")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let empty = #/^and [0-9]+ empty tables?, [0-9]+ columns? with only default values$/#
        #expect(lines.contains { $0.contains(empty) })
        #expect(!lines.contains { $0.hasSuffix(" 0") })
    }

    @Test("a plan that deletes only empty tables and columns has no heading for lost data")
    func nothingLost() throws {
        let chatdb = try DemoStore.empty()
        let plan = try chatdb.succeed("migrate", "down", "--steps", "1", "--dry-run").output
        let removed = #/\nRemoved without data: [0-9]+ empty tables?, [0-9]+ columns? with only default values\n/#
        #expect(plan.contains(removed), "\(plan)")
        #expect(!plan.contains("Data that is lost") && !plan.contains("no rows"), "\(plan)")
        let run = try chatdb.succeed("migrate", "down", "--steps", "1", "--yes").output
        #expect(!run.contains("Data that was lost"), "\(run)")
    }

    @Test("JSON and CSV of a plan say that a run will be refused that would drop the values of a column")
    func refusedColumn() throws {
        let chatdb = try MigrationFixture.newerStore()
        let folder = chatdb.file("migrations")
        try MigrationFixture.write(
            ["chat/20991231_other.up.sql": "-- Why: a test.\nALTER TABLE notes DROP COLUMN body;"], to: folder)
        let plan = ["migrate", "plan", "--migrations-dir", folder, "--format"]
        let json = try chatdb(plan + ["json"])
        let sentence = "the run will be refused: it would drop values of notes.body in the chat database"
        let answer = try json.answer()
        #expect(json.code == 65 && answer["chat"]?["refused"]?.texts == ["notes"], "\(answer)")
        #expect(answer["warnings"]?.texts?.first?.hasPrefix(sentence) == true, "\(answer)")
        #expect(try chatdb(plan + ["csv"]).errors.contains("warning: \(sentence)"))
    }

    @Test("the hint for stored SQL that declares no loss names the build that has the migration, and no file to change")
    func undeclaredInStore() throws {
        let chatdb = try MigrationFixture.newerStore()
        try chatdb.sql("UPDATE migrations SET down = replace(down, '-- chatdb: data-loss', '') WHERE name LIKE '2099%'")
        let refused = try chatdb("migrate", "down", "--steps", "1", "--yes")
        #expect(refused.code == 65 && refused.errors.contains(": use a build that has 20991231_notes\n"), "\(refused)")
        #expect(!refused.errors.contains("down.sql"), "\(refused)")
    }

    @Test("on a terminal of 80 columns the answer has long versions whole")
    func longVersions() throws {
        let run = try MigrationFixture.oldStore().onTerminal("migrate", "up")
        let lines = run.output.split(whereSeparator: \.isNewline)
        let ends = lines.filter { $0.contains("To:") && $0.hasSuffix(" 20260820_agent_receive_attempts") }
        #expect(run.code == 0 && ends.count == 1 && ends[0].count <= 80, "\(run.output)")
    }

    @Test(
        "a plan says that it also counts as lost what a migration may copy before it removes it",
        arguments: [
            ("INSERT INTO moved SELECT id, body FROM notes", true),
            ("INSERT INTO moved (text) SELECT id FROM notes", false),
            ("UPDATE notes SET other = body", true), ("DELETE FROM notes WHERE body = (SELECT 'a')", false),
        ])
    func copied(_ sql: String, _ isSaid: Bool) throws {
        let chatdb = try MigrationFixture.newerStore()
        let folder = chatdb.file("migrations")
        let statements = [
            "-- Why: a test.\n-- chatdb: data-loss", "CREATE TABLE moved (text TEXT, body TEXT);",
            "ALTER TABLE notes ADD COLUMN other TEXT;", "\(sql);", "ALTER TABLE notes DROP COLUMN body;",
        ]
        try MigrationFixture.write(
            ["chat/20991231_other.up.sql": statements.joined(separator: "\n")], to: folder)
        let plan = try chatdb.succeed("migrate", "plan", "--migrations-dir", folder).output
        #expect(plan.contains("note: 20991231_other reads notes.body before it removes it: ") == isSaid, "\(plan)")
    }

    @Test("without a terminal people get the plan before the refusal, and programs only the refusal")
    func refused() throws {
        let chatdb = try MigrationFixture.newerStore()
        let people = try chatdb("migrate", "down", "--steps", "1")
        #expect(people.code == 64 && people.output.isEmpty)
        let parts = people.errors.components(separatedBy: "error: ")
        #expect(
            parts.count == 2 && parts[0].contains("Data that is lost") && parts[0].contains("notes"), "\(people.errors)"
        )
        for format in ["json", "csv", "markdown"] {
            let errors = try chatdb("migrate", "down", "--steps", "1", "--format", format).errors
            #expect(!errors.contains("Data that is lost") && errors.contains("Undo 1 migration?"), "\(errors)")
        }
    }
}

extension [JSONValue] {
    /// The number of rows of a whole table that are lost.
    fileprivate func rows(of table: String) -> JSONValue {
        first { $0["table"]?.stringValue == table && $0["column"] == .null }?["rows"] ?? .null
    }
}
