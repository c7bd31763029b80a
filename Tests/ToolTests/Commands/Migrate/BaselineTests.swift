import Foundation
import Testing

@testable import ChatDBTool

/// `migrate baseline`, and the other commands on what it adopted.
@Suite("chatdb migrate baseline") struct BaselineTests {
    private let chatdb: ToolRun
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]
    private let name = ["--to", "20260101_first"]

    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, password TEXT, active_user TEXT);
            INSERT INTO users(name, password, active_user) VALUES ('ann', 'p1', 'on');
            """, in: "app.sqlite")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try chatdb(["schema", "dump", "--database", "chat=app.sqlite"])
        try first.output.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        try "-- Why: a colour.\nALTER TABLE users ADD COLUMN colour TEXT;\n".write(
            toFile: folder + "/20260201_colour.up.sql", atomically: false, encoding: .utf8)
    }

    private func adopt() throws {
        let made = try chatdb(["migrate", "baseline", "--yes"] + name + arguments)
        try #require(made.code == 0, "\(made.errors)")
    }

    @Test("a file under another name than chat and agent is refused, and makes no store of that name")
    func otherName() throws {
        let chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE note (id INTEGER PRIMARY KEY)", in: "app.sqlite")
        let before = try chatdb.folder.fingerprint()
        for command in [["migrate", "run"], ["migrate", "baseline"], ["check"]] {
            let outcome = try chatdb(command + ["--database", "app=app.sqlite"])
            #expect(outcome.code == 64, "\(command): \(outcome.output)")
            #expect(outcome.errors.contains("chat=FILE and agent=FILE"), "\(outcome.errors)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("baseline adopts a database, and the next run migrates it")
    func baseline() throws {
        let dry = try chatdb(["migrate", "baseline", "--dry-run", "--format", "json"] + name + arguments).answer()
        #expect(dry["applied"] == false && dry["storeId"] == .null && dry["agent"] == .null)
        #expect(dry["chat"]?["migrations"] == ["20260101_first"])
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("app.sqlite.lock")))
        let asked = try chatdb(["migrate", "baseline"] + name + arguments)
        #expect(asked.code == 64 && asked.errors.contains("--yes"))
        // The plan comes first, and a program gets the refusal alone.
        #expect(asked.errors.hasPrefix("The schema is that of 20260101_first. chatdb would record"), "\(asked)")
        let refusal = try chatdb(["migrate", "baseline", "--format", "json"] + name + arguments).refusal()
        #expect(refusal["code"] == "confirmationNeeded", "\(refusal)")

        let made = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + name + arguments).answer()
        #expect(made["applied"] == true && made["storeId"]?.stringValue != nil)
        #expect(made["backup"]?.stringValue?.contains("/app.sqlite.backups/") == true)
        let run = try chatdb(["migrate", "run", "--confirm", "yes-up", "--format", "json"] + arguments).answer()
        #expect(run["chat"]?["applied"] == ["20260201_colour"])
        #expect(try chatdb.sql("SELECT name, colour IS NULL FROM users", in: "app.sqlite") == "ann|1")
        let status = try chatdb(["migrate", "status", "--exit-code"] + arguments)
        #expect(status.code == 0 && !status.output.contains("agent"))
    }

    @Test("before the adoption, status and inspect name the command that adopts; afterwards, inspect says who made it")
    func named() throws {
        let only = ["--database", "chat=app.sqlite"]
        let status = try chatdb(["migrate", "status"] + arguments)
        #expect(status.code == 0 && status.output.contains("not adopted"))
        #expect(
            status.output.contains(
                "chatdb migrate baseline --to NAME --database 'chat=app.sqlite' --migrations-dir migrations adopts it"),
            "\(status.output)")
        let next = try #require(chatdb(["inspect", "--format", "json"] + only).answer()["next"]?.texts)
        let dump = "mkdir -p DIR/chat && chatdb schema dump --only chat --database 'chat="
        #expect(next.count == 2 && next[0].hasPrefix(dump), "\(next)")
        let file = #/app\.sqlite' > DIR/chat/([0-9]{8}_0000_first)\.up\.sql$/#
        let first = try #require(next.first?.firstMatch(of: file)).1
        #expect(next.last?.hasPrefix("chatdb migrate baseline --to \(first) --migrations-dir DIR ") == true, "\(next)")
        // The commands work as they are, with a folder that does not exist in the place of DIR.
        for command in next {
            let line = command.replacing("DIR", with: "new").replacing(#/\bchatdb /#, with: "$CHATDB ")
            #expect(try chatdb.shell(line + (line.contains("baseline") ? " --dry-run" : "")).code == 0, "\(command)")
        }
        let made = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + name + arguments).answer()
        #expect(made["backup"]?.stringValue?.hasSuffix("-not-adopted") == true)
        #expect(try chatdb(["inspect"] + only).output.contains("another program, adopted by chatdb"))
        // chatdb's own migrations do not count for it.
        let without = try chatdb(["migrate", "status"] + only).output
        let row = without.split(separator: "\n").first { $0.hasPrefix("chat ") }
        #expect(row?.split(separator: " ").suffix(3) == ["–", "–", "–"], "\(without)")
    }

    @Test("inspect names no command that adopts a database with a table of a name of chatdb's own, and says why")
    func ownName() throws {
        try chatdb.sql("CREATE TABLE Store (id INTEGER)", in: "app.sqlite")
        let answer = try chatdb("inspect", "--format", "json", "--database", "chat=app.sqlite").answer()
        #expect(answer["next"] == [], "\(answer)")
        let note = "chatdb cannot adopt the chat database while it has the table Store, a name of chatdb's own tables"
        #expect(answer["notes"]?.texts?.contains(note) == true, "\(answer)")
    }

    @Test("the terminal asks before it adopts")
    func asks() throws {
        let words = ["migrate", "baseline", "--to", "20260101_first", "--migrations-dir", "migrations"]
        let run = try TerminalRun(words + ["--database", "chat=app.sqlite"], in: chatdb, answer: .shown)
        run.terminal.type("n\n")
        let end = try run.end()
        #expect(end.code == 1 && end.shown.contains("Adopt this database? [y/N]"))
        #expect(try chatdb.sql("SELECT count(*) FROM sqlite_master", in: "app.sqlite") == "1")
    }

    @Test("another schema is refused with its differences, and the hint dumps it")
    func otherSchema() throws {
        try chatdb.sql("ALTER TABLE users ADD COLUMN age INTEGER", in: "app.sqlite")
        let refused = try chatdb(["migrate", "baseline", "--yes"] + name + arguments)
        #expect(refused.code == 78)
        #expect(refused.errors.contains("extra column users.age"))
        #expect(refused.errors.contains("chatdb schema dump --database 'chat="))
        let json = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + name + arguments).refusal()
        #expect(json["code"] == "otherSchema" && json["details"]?["differences"]?[0]?["name"] == "users.age")
    }

    @Test("its columns are secret, also in tables that have the name of one of chatdb's, unless unknown ones are shown")
    func secret() throws {
        for _ in 0..<2 {
            // In chatdb's own table of that name, active_user is public.
            let masked = try chatdb(
                "query", "SELECT name, password, active_user FROM users", "--database", "chat=app.sqlite",
                "--format", "json"
            ).answer()
            #expect(masked["masked"]?.arrayValue?.count == 3, "\(masked)")
            let personal = try chatdb(
                "query", "--show", "personal", "SELECT name, password FROM users", "--database", "chat=app.sqlite")
            #expect(!personal.output.contains("ann") && !personal.output.contains("p1"))
            #expect(personal.errors.contains("--show unknown shows"))
            let shown = try chatdb(
                "query", "--show", "unknown", "SELECT name, password FROM users", "--database", "chat=app.sqlite")
            #expect(shown.output.contains("ann") && shown.output.contains("p1"))
            if try chatdb.sql("SELECT count(*) FROM sqlite_master", in: "app.sqlite") == "1" { try adopt() }
        }
        let ledger = try chatdb("query", "SELECT name, note FROM migrations", "--database", "chat=app.sqlite")
        #expect(ledger.output.contains("20260101_first  adopted"))
    }

    @Test("check and inspect read it with its migrations, and say when they lack them")
    func inspected() throws {
        try adopt()
        let check = try chatdb(["check", "--format", "json"] + arguments).answer()
        #expect(check["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["olderVersion"])
        _ = try chatdb(["migrate", "run", "--confirm", "yes-up"] + arguments)
        let clean = try chatdb(["check"] + arguments)
        #expect(clean.code == 0 && clean.output.contains("found no problems"))
        try chatdb.sql("CREATE INDEX extra ON users(name)", in: "app.sqlite")
        let drift = try chatdb(["check", "--format", "json"] + arguments).answer()
        #expect(drift["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["chatSchemaDrift"])
        let without = try chatdb("check", "--database", "chat=app.sqlite")
        #expect(without.code == 0 && (without.output + without.errors).contains("--migrations-dir DIR"))

        let page = try chatdb(["inspect", "--format", "json"] + arguments).answer()
        #expect(page["databases"]?["agent"] == .null || page["databases"]?["agent"] == nil)
        let text = try chatdb(["inspect"] + arguments)
        #expect(text.output.contains("current") && !text.output.contains("Profiles"))
        #expect(!text.output.contains("missing"))
        #expect(text.output.contains("/app.sqlite' --migrations-dir migrations"))
        #expect(try chatdb("inspect", "--database", "chat=app.sqlite").output.contains("other migrations"))
    }

    @Test("without the folder of its migrations, plan, run and down say that they need it, and change nothing")
    func withoutFolder() throws {
        try adopt()
        let before = try chatdb.folder.fingerprint()
        for command in [["plan"], ["run", "--yes"], ["up"], ["down", "--steps", "1", "--yes"]] {
            let refused = try chatdb(["migrate"] + command + ["--database", "chat=app.sqlite", "--format", "json"])
            let error = try refused.refusal()
            #expect(refused.code == 78)
            #expect(
                error["message"]?.stringValue
                    == "the chat database has other migrations than chatdb's own, and this command needs their files",
                "\(command)")
            #expect(error["hint"] == "name the folder of its migrations with --migrations-dir")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("backups are listed, verified and restored, with commands that can be typed")
    func backups() throws {
        try adopt()
        let made = try chatdb(["backup", "make", "--format", "json"] + arguments).answer()
        let command = try #require(made["restore"]?.stringValue)
        try chatdb.sql("DELETE FROM users", in: "app.sqlite")
        let restored = try chatdb.shell(command.replacingOccurrences(of: "chatdb ", with: "$CHATDB ") + " --yes")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try chatdb.sql("SELECT name FROM users", in: "app.sqlite") == "ann")
        let undo = try #require(restored.output.split(separator: "\n").first { $0.hasPrefix("chatdb restore") })
        let undone = try chatdb.shell(undo.replacingOccurrences(of: "chatdb ", with: "$CHATDB ") + " --yes")
        #expect(undone.code == 0, "\(undone.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM users", in: "app.sqlite") == "0")
        let list = try chatdb("backup", "list", "--database", "chat=app.sqlite", "--format", "json").answer()
        #expect(list["backups"]?.arrayValue?.count == 2)
    }

    @Test("a backup from before the adoption has the command that restores it, before the adoption and after it")
    func backupBefore() throws {
        let text = try chatdb.succeed("backup", "--database", "chat=app.sqlite").output
        let command = try #require(text.firstMatch(of: #/chatdb restore /\S+ .*/#), "\(text)").0
        #expect(!text.contains("move its files away") && !text.contains("belong together"), "\(text)")
        let json = try chatdb("backup", "make", "--database", "chat=app.sqlite", "--format", "json").answer()
        #expect(json["restore"]?.stringValue?.hasPrefix("chatdb restore /") == true, "\(json)")
        let listed = try chatdb("backup", "list", "--database", "chat=app.sqlite", "--format", "json").answer()
        #expect(listed["backups"]?[0]?["restore"] == json["restore"], "\(listed)")
        let before = try chatdb.succeed("backup", "list", "--database", "chat=app.sqlite").output
        #expect(before.contains("To restore the newest") && !before.contains("To undo the adoption"), "\(before)")
        func run(_ command: Substring) throws {
            let line = String(command).replacing("chatdb ", with: "$CHATDB ")
            let done = try chatdb.shell(line + " --yes")
            #expect(done.code == 0, "\(line): \(done.errors)")
        }
        try chatdb.sql("DELETE FROM users", in: "app.sqlite")
        let plan = try chatdb.shell(String(command).replacing("chatdb ", with: "$CHATDB ") + " --dry-run").output
        #expect(plan.contains("neither the store nor the backup is adopted"), "\(plan)")
        #expect(!plan.contains("the restore undoes the adoption"), "\(plan)")
        try run(command)
        #expect(try chatdb.sql("SELECT name FROM users", in: "app.sqlite") == "ann")
        try adopt()
        let after = try chatdb("backup", "list", "--database", "chat=app.sqlite", "--format", "json").answer()
        #expect(after["backups"]?.arrayValue?.allSatisfy { $0["restore"]?.stringValue != nil } == true)
        #expect(after["backups"]?.arrayValue?.allSatisfy { $0["beforeAdoption"] == true } == true)
        let shown = try chatdb.succeed("backup", "list", "--database", "chat=app.sqlite").output
        #expect(shown.contains("To undo the adoption") && !shown.contains("To restore the newest"), "\(shown)")
        try run(command)
        #expect(try chatdb.sql("SELECT group_concat(name) FROM sqlite_master", in: "app.sqlite") == "users")
    }

    @Test("the backup from before the adoption without backup.json: the hint says how to copy the files by hand")
    func withoutDescription() throws {
        let made = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + name + arguments).answer()
        let backup = try #require(made["backup"]?.stringValue)
        try FileManager.default.removeItem(atPath: backup + "/backup.json")
        let refused = try chatdb(["restore", backup, "--yes"] + arguments)
        #expect(refused.code != 0 && refused.errors.contains("the folder has no backup.json"), "\(refused.errors)")
        #expect(!refused.errors.contains("adopts a database"), "\(refused.errors)")
    }

    @Test("the printed command undoes an adoption, and that of the undoing adopts again")
    func undone() throws {
        let made = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + name + arguments).answer()
        _ = try chatdb(["migrate", "run", "--confirm", "yes-up"] + arguments)
        let command = try #require(made["undo"]?.stringValue)
        func run(_ command: String) throws -> ToolRun.Outcome {
            try chatdb.shell(command.replacingOccurrences(of: "chatdb ", with: "$CHATDB ") + " --yes")
        }
        let plan = try chatdb.shell(command.replacingOccurrences(of: "chatdb ", with: "$CHATDB ") + " --dry-run").output
        #expect(plan.contains("Chat version:  not adopted\n") && !plan.contains("Agent version"), "\(plan)")
        #expect(plan.contains("the backup is from before the adoption; the restore undoes the adoption"), "\(plan)")
        let undone = try run(command)
        #expect(undone.code == 0, "\(undone.errors)")
        #expect(try chatdb.sql("SELECT group_concat(name) FROM sqlite_master", in: "app.sqlite") == "users")
        #expect(try chatdb.sql("PRAGMA application_id; SELECT name FROM users", in: "app.sqlite") == "0\nann")
        // The backup is not one of a database of another name.
        try chatdb.sql("CREATE TABLE users(id INTEGER PRIMARY KEY)", in: "other.sqlite")
        let folder = try #require(made["backup"]?.stringValue)
        let refused = try chatdb("restore", folder, "--yes", "--database", "chat=other.sqlite", "--format", "json")
        #expect(try refused.code == 1 && refused.refusal()["code"] == "otherFileNames", "\(refused.errors)")

        let undo = try #require(undone.output.split(separator: "\n").first { $0.hasPrefix("chatdb restore") })
        let again = try run(String(undo))
        #expect(again.code == 0, "\(again.errors)")
        #expect(try chatdb(["migrate", "status", "--exit-code"] + arguments).code == 0)

        // The moved files are not adopted and have no backup.json, but the backup works again.
        #expect(again.output.contains("move them by hand") && again.output.contains("The backup from before"))
        let back = try #require(again.output.split(separator: "\n").last { $0.hasPrefix("chatdb restore") })
        #expect(back.contains(folder) && !back.contains("--force"))
        let third = try run(String(back))
        #expect(third.code == 0, "\(third.errors)")
        #expect(try chatdb.sql("SELECT group_concat(name) FROM sqlite_master", in: "app.sqlite") == "users")
    }

    @Test("a database of another program is not replaced by a backup of an adopted one without --force")
    func foreign() throws {
        try adopt()
        let made = try chatdb(["backup", "make", "--format", "json"] + arguments).answer()
        let folder = try #require(made["backup"]?["path"]?.stringValue)
        for file in ["app.sqlite", "app.sqlite-wal", "app.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: chatdb.file(file))
        }
        try chatdb.sql("CREATE TABLE x(a)", in: "app.sqlite")
        let refused = try chatdb("restore", folder, "--yes", "--database", "chat=app.sqlite")
        #expect(refused.code == 1 && refused.errors.contains("the chat database is not adopted"), "\(refused.errors)")
        #expect(refused.errors.contains("hint: if the adoption was undone, --force"), "\(refused.errors)")
        #expect(try chatdb("restore", folder, "--yes", "--force", "--database", "chat=app.sqlite").code == 0)
    }

    @Test("the error of an unknown trigger in an adopted database has the name of the trigger")
    func unknownTrigger() throws {
        try adopt()
        try chatdb.sql("CREATE TRIGGER Loud AFTER INSERT ON users BEGIN SELECT 1; END", in: "app.sqlite")
        let refusal = try chatdb(["migrate", "run", "--yes", "--format", "json"] + arguments).refusal()
        #expect(refusal["code"] == "unknownTrigger" && refusal["details"]?["names"] == ["Loud"], "\(refusal)")
        #expect(refusal["message"]?.stringValue?.hasSuffix("differ from it: Loud") == true, "\(refusal)")
    }

    @Test("a key in descending order is dumped so that the database can be adopted")
    func descendingKey() throws {
        try chatdb.sql("CREATE TABLE sorted (id INTEGER PRIMARY KEY DESC, name TEXT)", in: "app.sqlite")
        let dump = try chatdb(["schema", "dump", "--database", "chat=app.sqlite"]).output
        #expect(dump.contains("id INTEGER PRIMARY KEY DESC,"), "\(dump)")
        try dump.write(
            toFile: chatdb.file("migrations/chat/20260101_first.up.sql"), atomically: false, encoding: .utf8)
        try adopt()
    }

    @Test("with an empty list, check names the loss, no run changes the database, and baseline writes the list again")
    func emptyList() throws {
        try adopt()
        try chatdb.sql("DELETE FROM migrations", in: "app.sqlite")
        let other = chatdb.file("other/chat")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try "CREATE TABLE more (a);\n".write(
            toFile: other + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        let file = ["--database", "chat=app.sqlite"]
        let cases = [
            (arguments, "the schema is that of 20260101_first", "chatdb migrate baseline --to 20260101_first"),
            (file, "the tables are not those of this build", "chatdb migrate baseline then writes the list again"),
            (
                file + ["--migrations-dir", "other"], "the tables are not those of the folder",
                "chatdb migrate baseline then writes the list again"
            ),
        ]
        for (options, sample, advice) in cases {
            let run = try chatdb(["check", "--format", "json"] + options)
            let findings = try run.answer()["findings"]?.arrayValue ?? []
            #expect(run.code == 1 && findings.map { $0["id"] } == ["lostMigrations"], "\(findings)")
            #expect(findings.first?["sample"]?.texts == ["chat: the list is empty, and \(sample)"], "\(findings)")
            let text = try chatdb(["check"] + options).output
            #expect(!text.contains("no such table") && text.contains(advice), "\(text)")
            let inspected = try chatdb(["inspect"] + options).output
            #expect(inspected.contains("lost rows: do not migrate it"), "\(inspected)")
            let status = try chatdb(["migrate", "status"] + options).output
            #expect(status.contains("do not migrate it") && !status.contains("pending:"), "\(status)")
            let versions = try chatdb(["migrate", "status", "--format", "json"] + options).answer()
            #expect(versions["chat"]?["lostMigrations"] == true, "\(versions)")
            let refused = try chatdb(["migrate", "run", "--yes", "--format", "json"] + options)
            #expect(refused.code == 78, "\(refused)")
            #expect(try refused.refusal()["code"] == "lostMigrations", "\(refused)")
        }
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        #expect(try chatdb.sql(tables, in: "app.sqlite") == "migrations\nstore\nusers")
        try adopt()
        #expect(try chatdb(["check"] + arguments).code == 0)
    }

    @Test("commands about chatdb's own tables refuse it")
    func ownTables() throws {
        try adopt()
        for command in [["relay", "list"], ["user", "add", "bob"], ["group", "list"], ["settings", "get"]] {
            let refused = try chatdb(command + ["--database", "chat=app.sqlite", "--format", "json"])
            #expect(refused.code == 78, "\(command): \(refused.errors)")
            #expect(try refused.refusal()["code"] == "otherMigrations")
        }
    }

    @Test("options that contradict each other are refused")
    func usage() throws {
        for arguments in [
            ["migrate", "baseline", "--to", "x", "--database", "chat=app.sqlite"],
            ["inspect", "-d", "x", "--database", "chat=app.sqlite"],
            ["inspect", "--database", "chat=a", "--database", "chat=b"],
            ["inspect", "--database", "chat="],
            ["migrate", "status", "--only", "agent", "--database", "chat=app.sqlite"],
            ["check", "--fix", "--migrations-dir", "migrations"],
            ["schema", "dump", "--database", "chat=app.sqlite", "--migrations-dir", "migrations"],
        ] {
            #expect(try chatdb(arguments).code == 64, "\(arguments)")
        }
        let baseline = try chatdb("migrate", "baseline", "--to", "x", "--database", "chat=app.sqlite")
        #expect(baseline.errors.contains("see chatdb migrate baseline --help"), "\(baseline.errors)")
        let folders = try chatdb("inspect", "--database", "chat=app.sqlite", "--database", "agent=/tmp/keys.db")
        #expect(folders.code == 66 && folders.errors.contains("two folders"))
    }

    @Test("a store may be named in the environment by its file")
    func environment() throws {
        try adopt()
        let status = try chatdb(
            ["migrate", "status", "--migrations-dir", "migrations"],
            environment: ["CHATDB_STORE": "chat=" + chatdb.file("app.sqlite")])
        #expect(status.code == 0 && status.output.contains("20260101_first"))
    }
}
