import ChatDBKit
import Foundation
import Testing

/// Hints after mistakes.
@Suite struct MigrateHintTests {
    @Test(
        "an unknown migration gives a suggestion: exit 64",
        arguments: [
            ("20260608_serch", "did you mean \"20260608_search\"?"), ("search", "did you mean \"20260608_search\"?"),
            ("20260608_search.up.sql", "did you mean \"20260608_search\"?"),
            ("migrations/chat/20260608_search.down.sql", "did you mean \"20260608_search\"?"),
            ("20260504", "did you mean \"20260504_relay_address_key\"?"),
            ("20261122", "did you mean \"20261122_link_keys\" or \"20261122_preset_choices\"?"),
            ("2026", "chatdb migrate status lists what is applied and pending"),
            ("nothing_like_it_at_all", "chatdb migrate status lists what is applied and pending"),
        ])
    func unknownTarget(_ name: String, _ hint: String) throws {
        let chatdb = try DemoStore.empty()
        for arguments in [["up", "--to", name], ["up", "--to", name, "--dry-run"], ["down", "--yes", "--to", name]] {
            let outcome = try chatdb(["migrate"] + arguments + ["--format", "json"])
            #expect(outcome.code == 64)
            #expect(try outcome.refusal()["code"] == "unknownMigration")
            #expect(try outcome.refusal()["hint"]?.stringValue == hint)
        }
    }

    @Test("one database of two: hints name --only for commands that have this option, and for no others")
    func incomplete() throws {
        let chatdb = try DemoStore.make()
        try FileManager.default.removeItem(atPath: chatdb.file("x_chat.db"))
        for arguments in [["plan"], ["run"], ["up"], ["down", "--steps", "1", "--yes"]] {
            let outcome = try chatdb(["migrate"] + arguments + ["--format", "json"])
            #expect(outcome.code == 66)
            #expect(try outcome.refusal()["hint"]?.stringValue?.hasSuffix("--only agent") == true, "\(arguments)")
        }
        #expect(try chatdb("migrate", "plan", "--only", "agent").code == 0)
        for arguments in [["relay", "list"], ["user", "add", "carol"], ["group", "list"]] {
            let outcome = try chatdb(arguments + ["--format", "json"])
            #expect(outcome.code == 66)
            #expect(try outcome.refusal()["hint"]?.stringValue?.contains("--only") == false, "\(arguments)")
        }
    }

    @Test("between two commits, the error names the command that completes the run")
    func interrupted() throws {
        let chatdb = try MigrationFixture.interruptedStore()
        for arguments in [["migrate", "plan", "--only", "chat"], ["user", "add", "carol"]] {
            let outcome = try chatdb(arguments + ["--format", "json"])
            #expect(outcome.code == 78, "\(arguments)")
            #expect(try outcome.refusal()["code"] == "interruptedMigration")
            #expect(try outcome.refusal()["hint"] == "chatdb migrate run completes or undoes it")
        }
        let plan = try chatdb("migrate", "plan", "--format", "json").answer()
        #expect(plan["completes"]?["chat"]?["direction"] == "up" && plan["chat"]?["direction"] == "none")
        #expect(try chatdb("migrate", "plan").output.contains("To complete the interrupted run"))
        // The run has more to do than that, and cannot ask.
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(
            ["20991231_notes.up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;"],
            to: folder + "/chat")
        let asked = try chatdb(
            "migrate", "run", "--confirm", "console", "--migrations-dir", folder, "--format", "json")
        #expect(asked.code == 64)
        #expect(try asked.refusal()["state"]?.stringValue?.contains("was completed. Nothing else") == true)
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("the hint for a newer store does not begin with the command that deletes its data")
    func newer() throws {
        let chatdb = try MigrationFixture.newerStore()
        for arguments in [["group", "list"], ["user", "add", "carol"], ["user", "list"]] {
            let outcome = try chatdb(arguments + ["-d", "x", "--format", "json"])
            #expect(try outcome.code == 78 && outcome.refusal()["code"] == "needsDowngrade", "\(arguments)")
            let hint = try outcome.refusal()["hint"]?.stringValue ?? ""
            #expect(hint.contains("chatdb migrate plan -d x shows") && !hint.contains("yes-up-down"), "\(hint)")
        }
    }

    @Test("without SQL to go down, a command that does not migrate says that the store is newer")
    func newerWithoutSQL() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)")
        for arguments in [["relay", "list"], ["user", "list"], ["user", "add", "carol"]] {
            let outcome = try chatdb(arguments + ["--format", "json"])
            #expect(try outcome.code == 78 && outcome.refusal()["code"] == "noDownMigration", "\(outcome)")
            let message = try outcome.refusal()["message"]?.stringValue ?? ""
            #expect(message.hasPrefix("the store is newer than this build: 20990101_future"), "\(message)")
            #expect(try outcome.refusal()["hint"] == "use the newer chatdb that made this version", "\(outcome)")
        }
        #expect(try chatdb("migrate", "plan").errors.contains("there is no SQL to undo 20990101_future"))
    }

    @Test("a negative number of steps gives the error of 0")
    func negativeSteps() throws {
        let chatdb = try ToolRun()
        let outcome = try chatdb("migrate", "down", "--steps", "-1")
        #expect(outcome.code == 64 && outcome.errors.contains("--steps must be at least 1"), "\(outcome)")
    }

    @Test("the plan of a folder's migrations names the command that tries their constraints on a copy")
    func notTried() throws {
        let chatdb = try ToolRun()
        let folder = chatdb.file("migrations")
        let options = ["-d", chatdb.store, "--migrations-dir", folder]
        for database in ["chat", "agent"] {
            let place = "\(folder)/\(database)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try MigrationFixture.write(["20260101_a.up.sql": "CREATE TABLE t (a)"], to: place)
        }
        let new = try chatdb(["migrate", "run", "--dry-run"] + options)
        #expect(new.code == 0 && !new.output.contains("are not tried"), "\(new.output) \(new.errors)")
        #expect(try chatdb(["migrate", "run", "--yes"] + options).code == 0)
        try chatdb.sql("INSERT INTO t VALUES (1), (1)")
        try MigrationFixture.write(["chat/20260102_b.up.sql": "CREATE UNIQUE INDEX i ON t (a)"], to: folder)
        let command = "chatdb migrate verify --data \(chatdb.store) --migrations-dir \(folder)"
        for words in [["migrate", "plan"], ["migrate", "run", "--yes", "--dry-run"]] {
            let plan = try chatdb(words + options)
            #expect(plan.code == 0 && plan.output.contains(": \(command) tries them"), "\(plan.output)")
            let untried = "constraints are not tried on the rows (NOT NULL, CHECK, keys, unique indexes, references): "
            #expect(plan.output.contains(untried), "\(plan.output)")
            let notes = try chatdb(words + options + ["--format", "json"]).answer()["notes"]?.texts ?? []
            #expect(notes.count == 2 && notes[1].contains(command), "\(notes)")
            #expect(try chatdb(words + options + ["--format", "csv"]).errors.contains(command))
        }
        #expect(try chatdb(["migrate", "verify", "--data", chatdb.store, "--migrations-dir", folder]).code != 0)
        #expect(try chatdb(["migrate", "run", "--yes"] + options).code == 65)
    }

    @Test("the hint for a missing store says how to create one")
    func noStore() throws {
        let chatdb = try ToolRun()
        for arguments in [
            ["migrate", "status"], ["migrate", "verify", "--data", "x"], ["schema", "diff"], ["schema", "show"],
            ["schema", "diff", "x"],
        ] {
            let outcome = try chatdb(arguments)
            #expect(outcome.code == 66)
            let missing = try #require(outcome.errors.firstMatch(of: /there is no store at (.+)/)?.1)
            #expect(
                outcome.errors.contains("hint: check the path; chatdb migrate run -d \(missing) creates a new store"),
                "\(arguments): \(outcome.errors)")
        }
    }
}
