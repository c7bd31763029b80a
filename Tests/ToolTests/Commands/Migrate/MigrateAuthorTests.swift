import ChatDBKit
import Foundation
import Testing

@testable import ChatDBMigrations
@testable import ChatDBTool

/// Reports to authors of migrations, and the files that they name.
@Suite struct MigrateAuthorTests {
    /// A pair with two migrations in the folder's chat database and one in its agent database, after the last of the
    /// build.
    private func ownPair(_ files: [String: String] = [:]) throws -> (tool: ToolRun, folder: String) {
        let chatdb = try ToolRun()
        let folder = chatdb.file("own")
        for database in ["chat", "agent"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(database)", withIntermediateDirectories: true)
        }
        try MigrationFixture.write(
            [
                "chat/20260101_people.up.sql": "CREATE TABLE people (id INTEGER PRIMARY KEY)",
                "chat/20260101_people.down.sql": "DROP TABLE people",
                "chat/20260103_log.up.sql":
                    "CREATE TABLE log (id INTEGER PRIMARY KEY); INSERT INTO log VALUES (1), (2)",
                "chat/20260103_log.down.sql": "DROP TABLE log",
                "agent/20260102_queues.up.sql": "CREATE TABLE queues (id INTEGER PRIMARY KEY)",
                "agent/20260102_queues.down.sql": "DROP TABLE queues",
            ].merging(files) { $1 }, to: folder)
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        return (chatdb, folder)
    }

    @Test("hints repeat the given store and migrations")
    func repeated() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(["20260105_more.up.sql": "CREATE TABLE more (id INTEGER)"], to: folder + "/chat")
        let run = try chatdb("-d", chatdb.store, "migrate", "run", "--migrations-dir", folder, "--confirm", "error")
        #expect(run.code == 78)
        #expect(
            run.errors.contains(
                "; chatdb migrate run --yes -d \(chatdb.store) --migrations-dir \(folder) applies them\n"),
            "\(run)")
    }

    @Test("the hint for a down file that deletes rows without a declaration names the file and the line")
    func lostRows() throws {
        let (chatdb, folder) = try ownPair()
        let plan = try chatdb("migrate", "down", "--steps", "1", "--dry-run", "--migrations-dir", folder)
        #expect(plan.code == 65, "that of the run")
        #expect(plan.output.contains("the run will be refused: it would delete rows of log in the chat database"))
        let run = try chatdb("migrate", "down", "--steps", "1", "--yes", "--migrations-dir", folder, "--format", "json")
        #expect(run.code == 65)
        let hint = try run.refusal()["hint"]?.stringValue ?? ""
        #expect(
            hint.contains("20260103_log.down.sql must declare it") && hint.contains("-- chatdb: data-loss"), "\(hint)")
    }

    @Test("a plan shows the rows that a migration deletes without a declaration, and says that the run will be refused")
    func undeclaredDeletion() throws {
        let (chatdb, folder) = try ownPair()
        let name = "20991231_tidy"
        try MigrationFixture.write(["\(name).up.sql": "DELETE FROM log WHERE id = 1"], to: folder + "/chat")
        let options = ["--migrations-dir", folder]
        let plan = try chatdb(["migrate", "plan"] + options)
        #expect(plan.output.contains("the run will be refused: it would delete rows of log in the chat database"))
        let json = try chatdb(["migrate", "plan", "--format", "json"] + options).answer()["chat"]
        #expect(json?["refused"]?.texts == ["log"] && json?["losses"]?[0]?["rows"] == 1)
        #expect(json?["migrations"]?[0]?["dataLoss"] == true)
        #expect(try chatdb(["migrate", "run", "--dry-run", "--confirm", "yes-up"] + options).code == 65)
        #expect(try chatdb(["migrate", "run", "--confirm", "yes-up"] + options).code == 65)
        // A migration may put the rows back: the run decides.
        try MigrationFixture.write(
            ["\(name).up.sql": "DELETE FROM log WHERE id = 1; INSERT INTO log VALUES (3)"], to: folder + "/chat")
        let moved = try chatdb(["migrate", "plan", "--format", "json"] + options).answer()["chat"]
        #expect(moved?["refused"]?.texts == [] && moved?["losses"] == [])
        #expect(try chatdb(["migrate", "run", "--confirm", "yes-up"] + options).code == 0)
    }

    @Test("on a terminal chatdb does not ask about a run that will be refused")
    func refusedBeforeTheQuestion() throws {
        let (chatdb, folder) = try ownPair()
        let run = try TerminalRun(
            ["migrate", "down", "--steps", "1", "--migrations-dir", folder], in: chatdb, answer: .shown)
        let end = try run.end()
        #expect(end.code == 65 && !end.shown.contains("[y/N]"), "\(end.shown)")
        #expect(end.shown.contains("20260103_log.down.sql must declare it"))
        #expect(try chatdb.sql("SELECT count(*) FROM log") == "2")
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("x.backups")))
    }

    @Test("status, inspect and check work beside a migration that is still being written, and warn of it")
    func halfWritten() throws {
        let (chatdb, folder) = try ownPair()
        try chatdb.succeed("migrate", "new", "more", "--only", "chat", "--migrations-dir", folder)
        for command in [["migrate", "status"], ["inspect"], ["check"]] {
            let answer = try chatdb(command + ["--migrations-dir", folder])
            #expect(answer.code == 0, "\(command): \(answer.errors)")
            #expect(answer.errors.contains("warning: ") && answer.errors.contains("more.up.sql"), "\(answer.errors)")
            #expect(answer.errors.contains("migrate run refuse to apply such a migration until it is corrected"))
        }
        #expect(try chatdb("migrate", "plan", "--migrations-dir", folder).code == 65)
    }

    @Test("an unfinished migration prevents neither a run down nor a run up to an earlier migration")
    func unfinished() throws {
        let (chatdb, folder) = try ownPair(["chat/20260103_log.down.sql": "-- chatdb: data-loss\nDROP TABLE log"])
        let options = ["--migrations-dir", folder]
        for text in ["-- unfinished\n", "COMMIT", "CREATE TABLE more ('", "ALTER TABLE nothing ADD COLUMN more"] {
            try MigrationFixture.write(["20260105_more.up.sql": text], to: folder + "/chat")
            let down = try chatdb(["migrate", "down", "--steps", "1", "--yes"] + options)
            #expect(down.code == 0, "\(text): \(down)")
            #expect(try chatdb(["migrate", "plan"] + options).code == 65, "\(text)")
            let up = try chatdb(["migrate", "up", "--to", "20260103_log"] + options)
            #expect(up.code == 0, "\(text): \(up)")
        }
        // The store would keep an unfinished down file.
        try MigrationFixture.write(
            ["20260105_more.up.sql": "CREATE TABLE more (id INTEGER)", "20260105_more.down.sql": "-- unfinished\n"],
            to: folder + "/chat")
        let refusal = try chatdb(["migrate", "up", "--format", "json"] + options).refusal()
        let file = refusal["details"]?["problems"]?[0]?["file"]?.stringValue ?? ""
        #expect(refusal["code"] == "invalidMigration" && file.hasSuffix("20260105_more.down.sql"), "\(refusal)")
    }

    @Test("a plan, a dry run and a run report a statement that fails with the same code and details")
    func samePlanAndRun() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(
            ["20260105_more.up.sql": "CREATE TABLE more (id INTEGER);\nALTER TABLE nothing ADD COLUMN a"],
            to: folder + "/chat")
        let commands = [["plan"], ["run", "--dry-run"], ["up", "--dry-run"], ["run", "--yes", "--no-backup"]]
        for command in commands {
            let run = try chatdb(["migrate"] + command + ["--migrations-dir", folder, "--format", "json"])
            let refusal = try run.refusal()
            #expect(run.code == 65 && refusal["code"] == "migrationFailed", "\(command): \(run)")
            let details = refusal["details"]
            #expect(details?["migration"] == "20260105_more" && details?["direction"] == "up", "\(refusal)")
            #expect(details?["statement"] == 2 && details?["line"] == 2, "\(refusal)")
            #expect(refusal["hint"]?.stringValue?.hasPrefix("this is a fault of the migration") == true, "\(refusal)")
        }
    }

    @Test("the plan of a run down reports a statement that fails, as the run does")
    func failingDown() throws {
        let (chatdb, folder) = try ownPair([
            "chat/20260103_log.down.sql": "-- chatdb: data-loss\nDROP TABLE log;\nDROP TABLE nothing"
        ])
        let dry = "--dry-run"
        for command in [["--steps", "1", dry], ["--to", "20260101_people", dry], ["--steps", "1", "--yes"]] {
            let line = ["migrate", "down"] + command + ["--migrations-dir", folder, "--format", "json"]
            let run = try chatdb(line)
            let refusal = try run.refusal()
            #expect(run.code == 65 && refusal["code"] == "migrationFailed", "\(command): \(run)")
            #expect(refusal["details"]?["direction"] == "down" && refusal["details"]?["line"] == 3, "\(refusal)")
            #expect(refusal["details"]?["migration"] == "20260103_log", "\(refusal)")
        }
        try MigrationFixture.write(
            ["20260103_log.down.sql": "-- chatdb: data-loss\nDROP TABLE log"], to: folder + "/chat")
        let plan = try chatdb("migrate", "down", "--steps", "2", dry, "--migrations-dir", folder)
        #expect(plan.code == 0 && plan.output.contains("20260102_queues"), "\(plan)")
    }

    @Test("the plan of a run down tries down SQL that only the store has, and reports a statement that fails")
    func failingStoredDown() throws {
        let (chatdb, folder) = try ownPair([
            "chat/20260103_log.down.sql": """
            -- chatdb: data-loss
            CREATE TABLE old (id INTEGER PRIMARY KEY);
            INSERT INTO old SELECT id FROM log;
            DROP TABLE log; ALTER TABLE old RENAME TO log;
            DELETE FROM log WHERE nothing = 1; DROP TABLE log
            """
        ])
        for direction in ["up", "down"] {
            try FileManager.default.removeItem(atPath: "\(folder)/chat/20260103_log.\(direction).sql")
        }
        let run = ["run", "--confirm", "yes-up-down"]
        for command in [["plan"], ["run", "--dry-run"], run] {
            let ended = try chatdb(["migrate"] + command + ["--migrations-dir", folder, "--format", "json"])
            let refusal = try ended.refusal()
            #expect(ended.code == 65 && refusal["code"] == "migrationFailed", "\(command): \(ended)")
            #expect(refusal["details"]?["direction"] == "down" && refusal["details"]?["statement"] == 5, "\(refusal)")
            #expect(refusal["details"]?["line"] == 5, "\(refusal)")
        }
        try chatdb.sql("UPDATE migrations SET down = replace(down, 'nothing', 'id') WHERE name = '20260103_log'")
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        #expect(plan.code == 0 && plan.output.contains("20260103_log, from the store"), "\(plan)")
        #expect(try chatdb(["migrate"] + run + ["--migrations-dir", folder]).code == 0)
    }

    @Test("the plan of a run down does not fail because of a view of a table that only the store has")
    func viewOfEngineTable() throws {
        let (chatdb, folder) = try ownPair([
            "chat/20260103_log.up.sql":
                "CREATE TABLE log (id INTEGER PRIMARY KEY); INSERT INTO log VALUES (1), (2);\n"
                + "ANALYZE; CREATE VIEW statistics AS SELECT tbl FROM sqlite_stat1",
            "chat/20260103_log.down.sql":
                "-- chatdb: data-loss\nCREATE TABLE old (id INTEGER); DROP TABLE log;\n"
                + "ALTER TABLE old RENAME TO log; DROP TABLE log; DROP VIEW statistics",
        ])
        for direction in ["up", "down"] {
            try FileManager.default.removeItem(atPath: "\(folder)/chat/20260103_log.\(direction).sql")
        }
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        #expect(plan.code == 0 && plan.output.contains("20260103_log, from the store"), "\(plan)")
        #expect(try chatdb("migrate", "run", "--confirm", "yes-up-down", "--migrations-dir", folder).code == 0)
    }

    @Test("an error names the tables of one's own migrations")
    func ownNames() throws {
        let (chatdb, folder) = try ownPair([
            "chat/20260104_names.up.sql": "CREATE TABLE badges (id INTEGER PRIMARY KEY, colour TEXT UNIQUE)"
        ])
        try chatdb.sql("INSERT INTO badges VALUES (1, 'red')")
        try MigrationFixture.write(
            ["20260105_more.up.sql": "INSERT INTO badges SELECT id + 1, colour FROM badges"], to: folder + "/chat")
        let run = try chatdb("migrate", "up", "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("badges.colour"), "\(run.errors)")
        #expect(run.errors.contains("correct its file"))
    }

    @Test("the hint for a migration of this folder without a way down names the file to write")
    func noWayDown() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(["20260105_more.up.sql": "CREATE TABLE more (id INTEGER)"], to: folder + "/chat")
        try chatdb.succeed("migrate", "up", "--migrations-dir", folder)
        let run = try chatdb("migrate", "down", "--steps", "1", "--yes", "--migrations-dir", folder, "--format", "json")
        #expect(run.code == 78)
        #expect(try run.refusal()["code"] == "noDownMigration")
        #expect(try run.refusal()["hint"]?.stringValue?.contains("write 20260105_more.down.sql") == true)
    }

    @Test("with --only chatdb does not report the other database as missing, or its migrations as unknown")
    func only() throws {
        let (chatdb, folder) = try ownPair()
        let status = try chatdb.succeed("migrate", "status", "--only", "chat", "--migrations-dir", folder)
        #expect(!status.output.contains("not there"))
        let run = try chatdb(
            "migrate", "down", "--to", "20260101_people", "--only", "agent", "--yes", "--migrations-dir", folder)
        #expect(run.code == 64 && run.errors.contains("20260101_people is a migration of the chat database"))
        #expect(!run.errors.contains("did you mean"))
    }

    @Test("errors and plans name the folder of one's own migrations, and not this build")
    func folderIsNamed() throws {
        let (chatdb, folder) = try ownPair()
        let options = ["--migrations-dir", folder]
        let files = ["up": "CREATE TABLE more (id INTEGER)", "down": "-- chatdb: data-loss\nDROP TABLE more"]
        for (direction, sql) in files {
            try MigrationFixture.write(["20260105_more.\(direction).sql": sql], to: folder + "/chat")
        }
        #expect(try chatdb(["migrate", "plan"] + options).output.contains("the folder's"))
        let older = try chatdb(["migrate", "run", "--confirm", "error"] + options)
        #expect(older.errors.contains("older than the migrations of the folder: 20260105_more"), "\(older)")
        #expect(try chatdb(["migrate", "up"] + options).code == 0)
        for direction in files.keys {
            try FileManager.default.removeItem(atPath: folder + "/chat/20260105_more.\(direction).sql")
        }
        let newer = try chatdb(["migrate", "up"] + options)
        #expect(newer.errors.contains("newer than the migrations of the folder: 20260105_more"), "\(newer)")
        let unknown = try chatdb(["migrate", "up", "--to", "20260109_nothing"] + options)
        #expect(unknown.errors.contains("the folder has no migration 20260109_nothing"), "\(unknown)")
        let status = try chatdb(["migrate", "status"] + options)
        #expect(status.output.contains("chat unknown to the folder: 20260105_more"), "\(status)")
        let page = try chatdb(["inspect", "--format", "json"] + options).answer()["warnings"]?.texts ?? []
        #expect(page.contains("the chat database is newer than the folder: 20260105_more"), "\(page)")
    }

    @Test("the plan says that it cannot count the rows of a table that an earlier migration changes")
    func unknownLoss() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(
            [
                "chat/20260105_kind.up.sql": "ALTER TABLE log ADD COLUMN kind INTEGER NOT NULL DEFAULT 1",
                "chat/20260106_prune.up.sql": "-- chatdb: data-loss\nDELETE FROM log WHERE kind = 1",
            ], to: folder)
        let answer = try chatdb("migrate", "plan", "--migrations-dir", folder, "--format", "json").answer()
        let steps = answer["chat"]?["migrations"]
        #expect(steps?[0]?["dataLoss"] == false && steps?[1]?["dataLoss"] == .null, "\(answer)")
        #expect(try chatdb("migrate", "plan", "--migrations-dir", folder).output.contains("unknown"))
    }

    @Test("the plan does not say that a migration loses nothing if it overwrites values or deletes uncounted rows")
    func emptiedColumn() throws {
        let (chatdb, folder) = try ownPair([
            "chat/20260104_notes.up.sql":
                "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO notes VALUES (1, 'a')"
        ])
        let files: [(sql: String, dataLoss: JSONValue)] = [
            ("UPDATE notes SET body = NULL", .null),
            ("UPDATE notes SET id = id, body = '' WHERE id = 1", .null),
            ("UPDATE notes SET body = 'b' WHERE body = ''", .null),
            ("UPDATE notes SET body = (SELECT max(body) FROM notes WHERE body = '')", .null),
            ("ALTER TABLE notes ADD COLUMN kind TEXT; UPDATE notes SET kind = ''", false),
            ("INSERT INTO notes (body) VALUES ('x'); DELETE FROM notes WHERE id = 1", .null),
        ]
        for (number, file) in files.enumerated() {
            try MigrationFixture.write(["202602\(10 + number)_more.up.sql": file.sql], to: folder + "/chat")
            let answer = try chatdb("migrate", "plan", "--migrations-dir", folder, "--format", "json").answer()
            let step = answer["chat"]?["migrations"]?.arrayValue?.last
            #expect(step?["dataLoss"] == file.dataLoss, "\(file.sql): \(answer)")
        }
        #expect(try chatdb("migrate", "plan", "--migrations-dir", folder).output.contains("20260215_more may lose"))
    }

    @Test("chatdb reports a store of another history as such")
    func otherHistory() throws {
        let (chatdb, folder) = try ownPair()
        try FileManager.default.moveItem(
            atPath: folder + "/chat/20260103_log.up.sql", toPath: folder + "/chat/20260103_diary.up.sql")
        try FileManager.default.removeItem(atPath: folder + "/chat/20260103_log.down.sql")
        let status = try chatdb.succeed("migrate", "status", "--migrations-dir", folder)
        #expect(status.output.contains("chat has another history than the folder"))
    }

    @Test("runs that fail repeatedly leave no more backups than --keep-backups permits")
    func failingRuns() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(
            ["20260105_more.up.sql": "CREATE TABLE more (id INTEGER); SELECT nothing"], to: folder + "/chat")
        for _ in 0..<3 {
            let run = try chatdb("migrate", "up", "--keep-backups", "1", "--migrations-dir", folder)
            #expect(run.code == 65 && run.errors.contains("The backup from before is in"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: chatdb.file("x.backups")).count == 1)
    }

    @Test("a rehearsal refuses, like a run, migrations edited after they were applied, with others pending")
    func edited() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(
            ["20260101_people.up.sql": "CREATE TABLE people (id INTEGER PRIMARY KEY) -- later"], to: folder + "/chat")
        let rehearse = ["migrate", "verify", "--data", chatdb.store, "--migrations-dir", folder]
        let current = try chatdb(rehearse)
        #expect(current.code == 0 && current.errors.contains("warning: edited after being applied: 20260101_people"))
        try MigrationFixture.write(["20260105_more.up.sql": "CREATE TABLE more (id INTEGER)"], to: folder + "/chat")
        let refused = try chatdb(rehearse + ["--format", "json"])
        #expect(try refused.code == 78 && refused.refusal()["code"] == "editedMigration")
        #expect(try chatdb(["migrate", "run", "--confirm", "yes-up", "--migrations-dir", folder]).code == 78)
        let accepted = try chatdb(rehearse + ["--accept-edited"])
        #expect(accepted.code == 0 && accepted.output.contains("20260105_more"))
        #expect(try chatdb("migrate", "verify", "--accept-edited").code == 64)
    }

    @Test("an empty --backup-dir is refused")
    func emptyFolder() throws {
        let demo = try DemoStore.make()
        for command in [
            ["migrate", "up"], ["user", "delete", "work", "--yes"],
            ["group", "delete", "id:1", "-u", "alice", "--yes"],
        ] {
            #expect(try demo(command + ["--backup-dir", ""]).code == 64, "\(command)")
        }
        #expect(try demo.sql("SELECT count(*) FROM users") == "2")
    }

    @Test("the error about missing space names --backup-dir where it helps")
    func space() {
        #expect(MigrationHint.space("/store", .folder(nil)).text().contains("--backup-dir"))
        #expect(
            MigrationHint.space("/backups", .folder("/backups")).text().contains("another folder with --backup-dir"))
        #expect(!MigrationHint.space("/store", .folder("/backups")).text().contains("--backup-dir"))
        #expect(!MigrationHint.space("/store", .none).text().contains("--backup-dir"))
    }

    @Test("schema diff and docs take migrations of a folder")
    func schema() throws {
        let (chatdb, folder) = try ownPair()
        let diff = try chatdb("schema", "diff", "--migrations-dir", folder, "--exit-code", "--format", "json")
        #expect(try diff.code == 0 && diff.answer()["differences"] == [])
        #expect(try chatdb.succeed("schema", "docs", "--migrations-dir", folder).output.contains("\n## people\n"))
    }

    @Test("on a terminal a progress bar shows a long migration")
    func progress() throws {
        let (chatdb, folder) = try ownPair()
        try MigrationFixture.write(["20991231_endless.up.sql": MigrationFixture.endless], to: folder + "/chat")
        let run = try TerminalRun(["migrate", "up", "--migrations-dir", folder], in: chatdb)
        let shown = try run.terminal.read(until: "migrating the chat database")
        #expect(!shown.contains("error"))
        // The line changes each second, although one statement runs.
        for second in 1...2 { _ = try run.terminal.read(until: ", \(second) s") }
        run.interrupt()
        #expect(try run.end().code == 130)
    }

    @Test("without a terminal a run reports nothing; with --verbose, a line for each migration")
    func verbose() throws {
        let quiet = try ToolRun()
        #expect(try quiet("migrate", "run").errors == "")
        let chatdb = try ToolRun()
        let lines = try chatdb("migrate", "run", "--verbose").errors.split(separator: "\n").filter {
            $0.contains(": up ")
        }
        let applied = try Int(chatdb.sql("SELECT count(*) FROM migrations")) ?? 0
        let agent = try Int(chatdb.sql("SELECT count(*) FROM migrations", in: "x_agent.db")) ?? 0
        #expect(lines.count == applied + agent && Set(lines).count == lines.count)
    }
}
