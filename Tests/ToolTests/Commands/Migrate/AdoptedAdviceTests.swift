import Foundation
import Testing

@testable import ChatDBTool

/// What commands say about a database that was adopted. Rule: docs/adoption.md.
@Suite("advice about an adopted database") struct AdoptedAdviceTests {
    private let chatdb: ToolRun
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]
    /// The backup from before the adoption.
    private let backup: String

    /// Adopts a database with the version of the first of two migrations.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE posts(id INTEGER PRIMARY KEY, author INTEGER REFERENCES users(id));
            """, in: "app.sqlite")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try chatdb.succeed("schema", "dump", "--database", "chat=app.sqlite").output
        try first.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        try "ALTER TABLE users ADD COLUMN colour TEXT;\n".write(
            toFile: folder + "/20260201_colour.up.sql", atomically: false, encoding: .utf8)
        let baseline = ["migrate", "baseline", "--yes", "--to", "20260101_first", "--format", "json"]
        let made = try chatdb(baseline + arguments).answer()
        backup = try #require(made["backup"]?.stringValue, "\(made)")
    }

    @Test("the backup from before the adoption can be restored again after the adoption was undone")
    func undoneTwice() throws {
        try #require(backup.hasSuffix("-not-adopted"))
        let restore = ["restore", backup, "--yes", "--format", "json", "--database", "chat=app.sqlite"]
        _ = try chatdb(restore).answer()
        for change in ["SELECT 1", "INSERT INTO users (name) VALUES ('bob')"] {
            try chatdb.sql(change, in: "app.sqlite")
            let again = try chatdb(restore)
            try #require(again.code == 0, "\(change): \(again.errors)")
            let replaced = try #require(try again.answer()["replaced"]?.stringValue)
            #expect(FileManager.default.fileExists(atPath: replaced + "/app.sqlite"))
            #expect(try chatdb.sql("SELECT count(*) FROM users", in: "app.sqlite") == "0")
        }
        // The answer does not name the backup that it has just restored.
        let text = try chatdb("restore", backup, "--yes", "--database", "chat=app.sqlite").output
        #expect(text.contains("move them by hand") && !text.contains("The backup from before"), "\(text)")
        let list = try chatdb.succeed("backup", "list", "--database", "chat=app.sqlite").output
        #expect(list.contains("To restore the newest") && list.contains("chatdb restore "), "\(list)")
        #expect(!list.contains("To undo the adoption"), "\(list)")
        // Without backup.json, nothing says that the files are of this database.
        try FileManager.default.removeItem(atPath: backup + "/backup.json")
        #expect(try chatdb(restore).code == 66)
    }

    @Test("after the adoption was undone, backup list says that the newer backups of the adopted database need --force")
    func undoneWithNewer() throws {
        // Otherwise both backups may be of the same second.
        let record = try String(contentsOfFile: backup + "/backup.json", encoding: .utf8)
        let older = record.replacing(#/"createdAt"\s*:\s*"[^"]*"/#, with: #""createdAt": "2026-01-01T00:00:00Z""#)
        try #require(older != record)
        try older.write(toFile: backup + "/backup.json", atomically: false, encoding: .utf8)
        let made = try chatdb(["backup", "make", "--format", "json"] + arguments).answer()
        let newer = try #require(made["backup"]?["path"]?.stringValue, "\(made)")
        let only = ["--database", "chat=app.sqlite"]
        func notes() throws -> [String] {
            try chatdb(["backup", "list", "--format", "json"] + only).answer()["notes"]?.texts ?? []
        }
        let note = "the store is not adopted; for a backup of the adopted store, restore needs --force"
        #expect(try !notes().contains(note))
        #expect(try chatdb(["restore", backup, "--yes"] + only).code == 0)
        let shown = try chatdb(["backup", "list"] + only).output
        #expect(shown.contains("To restore the newest that is not adopted"), "\(shown)")
        #expect(shown.contains("chatdb restore \(backup) "), "\(shown)")
        #expect(try notes().contains(note))
        #expect(try chatdb(["restore", newer, "--yes"] + only).code != 0)
        #expect(try chatdb(["restore", newer, "--yes", "--force"] + only).code == 0)
        #expect(try !notes().contains(note))
    }

    @Test("schema show has no meanings of chatdb for its tables, also if they have the names of chatdb's own")
    func meanings() throws {
        let show = ["schema", "show", "--database", "chat=app.sqlite", "--format", "json"]
        func expectNone(_ state: String) throws {
            let tables = try chatdb(show).answer()["tables"]?.arrayValue ?? []
            let users = try #require(tables.first { $0["name"] == "users" })
            #expect(users["meaning"] == .null, "\(state): \(tables)")
            let columns = try chatdb(show + ["users"]).answer()["tables"]?[0]?["columns"]?.arrayValue ?? []
            // In chatdb's own table of that name, active_user is public.
            #expect(columns.contains { $0["name"] == "active_user" }, "\(state): \(columns)")
            #expect(columns.allSatisfy { $0["meaning"] == .null && $0["class"] == "secret" }, "\(state): \(columns)")
            let query = ["query", "SELECT active_user FROM users", "--database", "chat=app.sqlite"]
            let masked = try chatdb(query + ["--format", "json"]).answer()["masked"]
            #expect(masked?.arrayValue?.count == 1, "\(state): \(masked as Any)")
            let ledger = tables.first { $0["name"] == "migrations" }
            #expect((ledger?["meaning"]?.stringValue != nil) == (state != "not adopted"), "\(state): \(tables)")
        }
        try chatdb.sql("ALTER TABLE users ADD COLUMN active_user TEXT", in: "app.sqlite")
        try expectNone("adopted")
        try chatdb.sql("DELETE FROM migrations", in: "app.sqlite")
        try expectNone("lost list")
        _ = try chatdb(["restore", backup, "--yes", "--database", "chat=app.sqlite"])
        try chatdb.sql("ALTER TABLE users ADD COLUMN active_user TEXT", in: "app.sqlite")
        try expectNone("not adopted")
    }

    @Test("a plan says that a run will be refused because of an unknown trigger, and ends with its exit code")
    func plannedTrigger() throws {
        try chatdb.sql("CREATE TRIGGER Loud AFTER INSERT ON users BEGIN SELECT 1; END", in: "app.sqlite")
        let plan = try chatdb(["migrate", "plan", "--format", "json"] + arguments)
        let warning = try plan.answer()["warnings"]?.texts?.first ?? ""
        #expect(warning.hasPrefix("the run will be refused: the chat database has "), "\(plan)")
        #expect(warning.contains("differ from it: Loud; chatdb schema diff "), "\(warning)")
        let shown = try chatdb(["migrate", "up", "--dry-run"] + arguments)
        #expect(shown.code == 1 && shown.output.contains("the run will be refused"), "\(shown)")
        #expect(try chatdb(["migrate", "run", "--yes"] + arguments).code == plan.code && plan.code == 1)
        // Without steps there is no run to refuse.
        try FileManager.default.removeItem(atPath: chatdb.file("migrations/chat/20260201_colour.up.sql"))
        #expect(try chatdb(["migrate", "plan"] + arguments).code == 0)
    }

    @Test("a plan says that a run will be refused because a view would lack its table, and ends with its exit code")
    func plannedView() throws {
        let folder = chatdb.file("migrations/chat")
        try "CREATE VIEW Written AS SELECT id FROM posts;\nALTER TABLE users ADD COLUMN colour TEXT;\n".write(
            toFile: folder + "/20260201_colour.up.sql", atomically: false, encoding: .utf8)
        try "-- chatdb: data-loss\nDROP TABLE posts;\n".write(
            toFile: folder + "/20260301_silent.up.sql", atomically: false, encoding: .utf8)
        let run = try chatdb(["migrate", "run", "--yes"] + arguments)
        #expect(run.code != 0 && run.errors.contains("Written"), "\(run)")
        let plan = try chatdb(["migrate", "plan"] + arguments)
        #expect(plan.code == run.code && plan.output.contains("the run will be refused: "), "\(plan) \(run)")
    }

    @Test("the backup from before the adoption is refused for a file of another name, and creates one of the same name")
    func otherFileName() throws {
        try chatdb.sql("CREATE TABLE users (id INTEGER PRIMARY KEY)", in: "other.sqlite")
        for file in ["other.sqlite", "absent.sqlite"] {
            let before = try chatdb.folder.fingerprint()
            let refused = try chatdb("restore", backup, "--yes", "--database", "chat=\(file)", "--format", "json")
            let refusal = try refused.refusal()
            #expect(refused.code == 1 && refusal["code"] == "otherFileNames", "\(refusal)")
            #expect(refusal["details"]?["files"] == ["app.sqlite"], "\(refusal)")
            #expect(refusal["message"]?.stringValue?.contains(" is of app.sqlite from before the adoption") == true)
            #expect(try chatdb.folder.fingerprint() == before)
        }
        _ = try chatdb.shell("mkdir new")
        let create = ["restore", backup, "--database", "chat=new/app.sqlite"]
        let plan = try chatdb(create + ["--dry-run"])
        #expect(plan.code == 0 && plan.output.contains("nothing to compare the backup with"), "\(plan)")
        #expect(!plan.output.contains("no differences"), "\(plan)")
        let run = try TerminalRun(create, in: chatdb, answer: .shown)
        run.terminal.type("y\n")
        let end = try run.end()
        #expect(end.code == 0 && end.shown.contains("/new/app.sqlite from this backup? [y/N]"), "\(end.shown)")
        #expect(end.shown.contains("Create ") && !end.shown.contains("Replace the store"), "\(end.shown)")
        #expect(try chatdb.sql("SELECT count(*) FROM sqlite_master", in: "new/app.sqlite") == "2")
    }

    @Test("without the folder of its migrations, the answers compare an adopted database with no migrations")
    func comparedWithNothing() throws {
        let only = ["--database", "chat=app.sqlite"]
        let status = try chatdb(["migrate", "status", "--format", "json"] + only).answer()["chat"]
        let inspected = try chatdb(["inspect", "--format", "json"] + only).answer()["store"]?["chat"]
        let bundle = try chatdb(["bundle", "--preview", "--format", "json"] + only).answer()["store"]?["chat"]
        for (command, part) in [("status", status), ("inspect", inspected), ("bundle", bundle)] {
            for key in ["pending", "edited", "unknown"] {
                #expect(part?[key] == .null, "\(command) \(key): \(part as Any)")
            }
        }
        let named = try chatdb(["migrate", "status", "--format", "json"] + arguments).answer()["chat"]
        #expect(named?["pending"] == ["20260201_colour"] && named?["unknown"] == [], "\(named as Any)")
    }

    @Test("migrate status names what the folder lacks and adds, also if it has none of the applied migrations")
    func otherFolder() throws {
        let folder = chatdb.file("other/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "CREATE TABLE a (x);\n".write(
            toFile: folder + "/20250101_a.up.sql", atomically: false, encoding: .utf8)
        let other = ["--migrations-dir", "other", "--database", "chat=app.sqlite"]
        let plan = try chatdb(["migrate", "plan"] + other)
        #expect(plan.code == 78 && plan.errors.contains("or name the folder that has them"), "\(plan)")
        let status = try chatdb(["migrate", "status"] + other).output
        #expect(status.contains("chat unknown to the folder: 20260101_first"), "\(status)")
        #expect(status.contains("chat pending: 20250101_a") && !status.contains("name their folder"), "\(status)")
    }

    @Test("for a schema that somebody changed by hand, check names baseline first, and baseline speaks of no lost rows")
    func changedByHand() throws {
        try chatdb.sql("ALTER TABLE users ADD COLUMN colour TEXT", in: "app.sqlite")
        let run = try chatdb(["migrate", "run", "--yes"] + arguments)
        #expect(run.code == 78 && run.errors.contains("or somebody changed the schema by hand"), "\(run)")
        let findings = try chatdb(["check", "--format", "json"] + arguments).answer()["findings"]?.arrayValue
        let remedy = findings?.first { $0["id"] == "lostMigrations" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.hasPrefix("The schema is already that of 20260201_colour"), "\(remedy)")
        let commands = remedy.matches(of: #/chatdb (migrate baseline|restore) /#).map { String($0.1) }
        #expect(commands == ["migrate baseline", "restore"], "\(remedy)")
        let written = try chatdb(["migrate", "baseline", "--to", "20260201_colour", "--yes"] + arguments)
        #expect(written.code == 0 && written.output.contains("wrote the missing rows"), "\(written)")
        #expect(!written.output.contains("lost rows"), "\(written)")
        #expect(try chatdb(["check"] + arguments).code == 0)
    }

    @Test("a run creates no file that --database names without --create, and names a file of a similar name")
    func mistypedFile() throws {
        let folder = ["--migrations-dir", "migrations", "--database"]
        let before = try chatdb.folder.fingerprint()
        for command in [["run", "--yes"], ["run"], ["run", "--encrypt"], ["up"], ["up", "--dry-run"], ["plan"]] {
            let mistyped = try chatdb(["migrate"] + command + ["--format", "json"] + folder + ["chat=ap.sqlite"])
            let refusal = try mistyped.refusal()
            #expect(mistyped.code == 66 && refusal["code"] == "storeNotFound", "\(command): \(refusal)")
            let hint = refusal["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("did you mean \"app.sqlite\"? chatdb migrate run --create "), "\(command): \(hint)")
        }
        let down = try chatdb(["migrate", "down", "--steps", "1", "--yes"] + folder + ["chat=ap.sqlite"])
        #expect(down.code == 66 && down.errors.contains("did you mean \"app.sqlite\"?"), "\(down)")
        #expect(!down.errors.contains("--create"), "\(down)")
        #expect(try chatdb.folder.fingerprint() == before)
        let run = ["migrate", "run", "--create", "--yes"] + folder
        let similar = try chatdb(run + ["chat=ap.sqlite"])
        #expect(similar.code == 0 && similar.errors.contains("did you mean \"app.sqlite\"?"), "\(similar)")
        let other = try chatdb(run + ["chat=notes.sqlite"])
        #expect(other.code == 0 && !other.errors.contains("did you mean"), "\(other)")
        #expect(try chatdb.sql("SELECT count(*) FROM migrations", in: "notes.sqlite") == "2")
    }

    @Test("with migrations of a program, and without a named store, no command creates the default store")
    func unnamedStore() throws {
        let environment = ["CHATDB_STORE": "", "XDG_DATA_HOME": chatdb.file("data")]
        let before = try chatdb.folder.fingerprint()
        for command in [["run", "--yes"], ["run", "--dry-run"], ["up"], ["plan"]] {
            let line = ["migrate"] + command + ["--migrations-dir", "migrations"]
            let refused = try chatdb(line, environment: environment)
            #expect(refused.code == 64 && refused.errors.contains("--database chat=FILE"), "\(command): \(refused)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
        // chatdb's own migrations in a folder make the default store.
        let own = try ToolRun()
        let line = ["migrate", "run", "--migrations-dir", try MigrationFixture.migrationsFolder(in: own)]
        let run = try own(line, environment: environment.merging(["XDG_DATA_HOME": own.file("data")]) { $1 })
        #expect(run.code == 0, "\(run)")
    }

    @Test("the hint for a backup without --database names the database beside it")
    func unnamedDatabase() throws {
        let made = try chatdb(["backup", "make", "--format", "json"] + arguments).answer()
        let folder = try #require(made["backup"]?["path"]?.stringValue, "\(made)")
        for path in [backup, folder] {
            let refused = try chatdb("restore", path, "--dry-run")
            #expect(refused.code == 66 && !refused.errors.contains("by hand"), "\(refused)")
            #expect(refused.errors.contains("/app.sqlite'"), "\(refused)")
        }
    }

    @Test("the plan of a restore of an older backup names the folder, and a command that works")
    func olderBackup() throws {
        let made = try chatdb(["backup", "make", "--format", "json"] + arguments).answer()
        let folder = try #require(made["backup"]?["path"]?.stringValue, "\(made)")
        let plan = try chatdb(["restore", folder, "--dry-run"] + arguments)
        let command = "chatdb migrate plan --database 'chat=app.sqlite' --migrations-dir migrations"
        let note = "the backup is older than the folder; \(command) shows"
        #expect(plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(note), "\(plan)")
    }

    @Test("check says which checks of an adopted database only need the folder of its migrations")
    func leftOutChecks() throws {
        let note = "4 checks were left out, because they compare the schema"
        let alone = try chatdb("check", "--database", "chat=app.sqlite").output
        #expect(alone.contains(note), "\(alone)")
        let compared = try chatdb(["check"] + arguments).output
        #expect(!compared.contains("they compare the schema"), "\(compared)")
    }

    @Test("check has a note for each foreign key that SQLite cannot check, which stops no run of another migration")
    func brokenReferences() throws {
        try chatdb.sql(
            "ALTER TABLE posts ADD COLUMN place INTEGER REFERENCES places; "
                + "ALTER TABLE posts ADD COLUMN reader TEXT REFERENCES users(name)", in: "app.sqlite")
        let notes = try chatdb(["check", "--format", "json"] + arguments).answer()["notes"]?.texts ?? []
        for reason in [
            "posts(place) refers to the table places, which does not exist",
            "posts(reader) refers to users(name), which needs PRIMARY KEY or UNIQUE",
        ] { #expect(notes.contains { $0.hasPrefix("the chat database: \(reason); ") }, "\(notes)") }
        let run = try chatdb(["migrate", "run", "--yes"] + arguments)
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("an edited down file of an applied migration: status warns of it, and a plan down has a note")
    func editedDown() throws {
        let file = chatdb.file("migrations/chat/20260201_colour.down.sql")
        let down = "ALTER TABLE users DROP COLUMN colour;\n"
        try down.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try chatdb(["migrate", "up"] + arguments).code == 0)
        let plan = ["migrate", "down", "--steps", "1", "--dry-run"] + arguments
        func shown() throws -> (status: String, plan: String) {
            (try chatdb(["migrate", "status"] + arguments).output, try chatdb(plan).output)
        }
        let same = try shown()
        #expect(!same.status.contains("down SQL") && !same.plan.contains("down SQL"), "\(same)")
        try ("-- Undone.\n" + down).write(toFile: file, atomically: false, encoding: .utf8)
        let edited = try shown()
        #expect(edited.status.contains("differs from that of the store: 20260201_colour"), "\(edited)")
        #expect(edited.plan.contains("its file has other down SQL than the store"), "\(edited)")
    }

    @Test("the hint for a way down below the adopted migration names the backup, and no SQL that deletes the tables")
    func belowTheAdoption() throws {
        let down = ["migrate", "down", "--steps", "1", "--yes", "--format", "json"] + arguments
        let refused = try chatdb(down)
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        #expect(try refused.code == 78 && refused.refusal()["code"] == "noDownMigration", "\(refused)")
        #expect(hint.contains("chatdb restore ") && hint.contains(backup), "\(hint)")
        #expect(!hint.contains("down.sql"), "\(hint)")
    }

    @Test("what commands say about a store of one database speaks of no other one")
    func oneDatabase() throws {
        let one = ["--database", "chat=app.sqlite"]
        // A damaged page.
        let root = try chatdb.sql("SELECT rootpage FROM sqlite_schema WHERE name = 'posts'", in: "app.sqlite")
        let page = try #require(Int(root))
        try chatdb.sql("PRAGMA wal_checkpoint(TRUNCATE)", in: "app.sqlite")
        let whole = try Data(contentsOf: URL(fileURLWithPath: chatdb.file("app.sqlite")))
        let size = try #require(Int(try chatdb.sql("PRAGMA page_size", in: "app.sqlite")))
        var damaged = whole
        damaged.replaceSubrange((page - 1) * size..<page * size, with: Data(repeating: 0x20, count: size))
        try damaged.write(to: URL(fileURLWithPath: chatdb.file("app.sqlite")))
        func remedies(_ options: [String]) throws -> [String] {
            let findings = try chatdb(["check", "--format", "json"] + options).answer()["findings"]?.arrayValue ?? []
            return findings.compactMap { $0["remedy"]?.stringValue }
        }
        let found = try remedies(one)
        #expect(found.contains { $0.contains("copy its files to another place") }, "\(found)")
        #expect(!found.contains { $0.contains("both") }, "\(found)")
        let backup = try chatdb(["backup"] + one)
        #expect(backup.code != 0 && backup.errors.contains("copy the files of the store"), "\(backup)")
        try whole.write(to: URL(fileURLWithPath: chatdb.file("app.sqlite")))
        // A folder without a backup, and a backup of another database.
        try FileManager.default.createDirectory(atPath: chatdb.file("empty"), withIntermediateDirectories: false)
        let empty = try chatdb(["restore", "empty", "--yes"] + one)
        #expect(empty.code == 66 && !empty.errors.contains("agent"), "\(empty)")
        try chatdb.sql("CREATE TABLE keys (id INTEGER)", in: "keys.sqlite")
        let made = try chatdb(["backup", "make", "--format", "json", "--database", "agent=keys.sqlite"]).answer()
        let other = try chatdb(["restore", try #require(made["backup"]?["path"]?.stringValue), "--yes"] + one)
        #expect(other.code == 66 && !other.errors.contains("both"), "\(other)")
        #expect(other.errors.contains("name a backup of this database: chatdb backup list --database"), "\(other)")
        // The name of the other database.
        let named = ["--database", "agent=app.sqlite"]
        let advice = "name it with --database 'chat="
        #expect(try remedies(named).contains { $0.contains(advice) })
        let planned = try chatdb(["migrate", "plan", "--migrations-dir", "migrations"] + named)
        #expect(planned.errors.contains(advice), "\(planned)")
    }

    @Test("a migration with a virtual table that chatdb cannot open is refused with its statement and the reason")
    func modules() throws {
        let file = chatdb.file("migrations/chat/20260301_tree.up.sql")
        for (statement, reason) in [
            (
                "CREATE VIRTUAL TABLE tree USING rtree(id, a, b)",
                "it makes a table of the module rtree, which SQLite opens only with the permission to write"
            ),
            ("CREATE VIRTUAL TABLE tree USING zara(id)", "no such module: zara"),
        ] {
            try statement.appending(";\n").write(toFile: file, atomically: false, encoding: .utf8)
            let refusal = try chatdb(["migrate", "run", "--yes", "--format", "json"] + arguments).refusal()
            let message = refusal["message"]?.stringValue ?? ""
            #expect(message.contains("20260301_tree") && message.contains(statement), "\(refusal)")
            #expect(message.hasSuffix(reason), "\(refusal)")
            let hint = refusal["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("write the migration with plain tables"), "\(refusal)")
        }
    }

    @Test("the error for a database with an R*Tree table names the module")
    func tree() throws {
        try chatdb.sql("CREATE VIRTUAL TABLE tree USING rtree(id, a, b)", in: "map.sqlite")
        let dump = try chatdb("schema", "dump", "--database", "chat=map.sqlite", "--format", "json")
        let refusal = try dump.refusal()
        #expect(refusal["code"] == "denied" && dump.code == 65, "\(dump)")
        let message = refusal["message"]?.stringValue ?? ""
        #expect(message.contains("it has a table of the module rtree, which SQLite opens only with"), "\(refusal)")
        #expect(refusal["hint"]?.stringValue?.hasPrefix("keep the tool with which") == true, "\(refusal)")
    }

    @Test("the remedy for lost rows speaks of rows, and not of chats")
    func lostRows() throws {
        try chatdb.sql("PRAGMA foreign_keys = OFF; INSERT INTO posts VALUES (1, 99)", in: "app.sqlite")
        let findings = try chatdb(["check", "--format", "json"] + arguments).answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "chatDanglingReference" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("Delete no row because of them") && !remedy.contains("chats"), "\(findings)")
    }
}
