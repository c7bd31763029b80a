import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Runs of the built tool, and their results.
@Suite struct MigrateRunTests {
    private func versions(_ chatdb: ToolRun) throws -> [String?] {
        let status = try chatdb("migrate", "status", "--format", "json").answer()
        return DatabaseName.allCases.map { status[$0.rawValue]?["version"]?.stringValue }
    }

    @Test(
        "a dry run shows the plan, and changes no byte",
        arguments: [
            ["run"], ["run", "--yes"], ["run", "--only", "agent"], ["up"], ["up", "--to", "20260713_server_roles"],
            ["down", "--steps", "2"], ["down", "--to", "20250707_operators", "--yes"],
        ])
    func dryRun(_ arguments: [String]) throws {
        let chatdb = try MigrationFixture.oldStore()
        let before = try chatdb.folder.fingerprint()
        let outcome = try chatdb(["migrate"] + arguments + ["--dry-run", "--format", "json"])
        let plan = try outcome.answer()
        let steps = DatabaseName.allCases.flatMap { plan[$0.rawValue]?["migrations"]?.arrayValue ?? [] }
        #expect(outcome.code == 0 && !steps.isEmpty)
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("a dry run exits with the status of a run whose plan exceeds the given consent")
    func dryRunWithoutConsent() throws {
        let old = try MigrationFixture.oldStore()
        #expect(try old("migrate", "run", "--confirm", "error", "--dry-run").code == 78)
        #expect(try old("migrate", "run", "--confirm", "yes-up", "--dry-run").code == 0)
        let newer = try MigrationFixture.newerStore()
        for arguments in [["--yes"], ["--confirm", "yes-up"]] {
            let dry = try newer(["migrate", "run"] + arguments + ["--dry-run"])
            #expect(dry.output.contains("Data that is lost"))
            #expect(try dry.code == 78 && newer(["migrate", "run"] + arguments).code == 78)
        }
        #expect(try newer("migrate", "run", "--dry-run").code == 0, "no consent is given yet")
    }

    @Test("a dry run without a store creates none")
    func dryRunOfNothing() throws {
        let chatdb = try ToolRun()
        #expect(try chatdb("migrate", "run", "--dry-run", "--format", "json").answer()["creates"] == true)
        #expect(try chatdb.folder.fingerprint().isEmpty)
    }

    @Test("a run says where it created a store, and names a store of a similar name beside it")
    func createdBeside() throws {
        let chatdb = try ToolRun()
        let first = try chatdb("migrate", "run", "-d", chatdb.file("alice"))
        #expect(first.output.hasPrefix("A new store was created at ") && first.output.contains("/alice."), "\(first)")
        #expect(first.errors.isEmpty)
        for command in [["plan"], ["run", "--dry-run"]] {
            let planned = try chatdb(["migrate"] + command + ["-d", chatdb.file("alcie")])
            #expect(planned.errors.contains("did you mean \"alice\"?"), "\(planned)")
        }
        let mistyped = try chatdb("migrate", "up", "-d", chatdb.file("alcie"), "--format", "csv")
        #expect(mistyped.errors.contains("note: a new store was created at ") && mistyped.errors.contains("/alcie\n"))
        #expect(mistyped.errors.contains("has a store of a similar name: did you mean \"alice\"?"), "\(mistyped)")
        let again = try chatdb("migrate", "up", "-d", chatdb.file("alcie"))
        #expect(again.errors.isEmpty && !again.output.contains("created"), "\(again)")
    }

    @Test("both databases share one history, ordered by name: --to keeps NAME, --steps reverts the latest")
    func oneHistory() throws {
        let chatdb = try MigrationFixture.oldStore()
        #expect(try versions(chatdb) == ["20260608_search", "20260330_agent_message_bodies"])
        try chatdb("migrate", "up", "--to", "20260713_server_roles")
        #expect(try versions(chatdb) == ["20260713_server_roles", "20260609_agent_cleanup_indexes"])
        try chatdb("migrate", "down", "--steps", "2", "--yes")
        #expect(try versions(chatdb) == ["20260608_search", "20260330_agent_message_bodies"])
        try chatdb("migrate", "down", "--to", "20260316_relay_soft_delete", "--yes")
        #expect(try versions(chatdb) == ["20260316_relay_soft_delete", "20260121_agent_files"])
        #expect(try chatdb("migrate", "up", "--to", "20250707_operators").code == 64)
        #expect(try chatdb("migrate", "down", "--to", "20260713_server_roles", "--yes").code == 64)
        #expect(try chatdb("migrate", "up", "--to", "20260101_unknown").code == 64)
        #expect(try chatdb("migrate", "down", "--steps", "99", "--yes").code == 64)
        #expect(try versions(chatdb) == ["20260316_relay_soft_delete", "20260121_agent_files"])
    }

    @Test(
        "the refusal of a read-only database names the reason, and no file appears beside it",
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0), arguments: ["WAL", "DELETE"])
    func writeProtected(_ mode: String) throws {
        let chatdb = try MigrationFixture.oldStore()
        for file in ["x_chat.db", "x_agent.db"] {
            try chatdb.sql("PRAGMA journal_mode = \(mode)", in: file)
            chmod(chatdb.file(file), 0o444)
        }
        chmod(chatdb.folder.path, 0o777)
        try FileManager.default.removeItem(atPath: chatdb.store + ".lock")
        let before = try chatdb.folder.fingerprint()
        let outcome = try chatdb.shell(
            "cp $CHATDB ./tool && chmod 755 tool && setpriv --reuid=65534 --regid=65534 --clear-groups ./tool migrate up; "
                + "code=$?; rm tool x.lock; exit $code")
        #expect(outcome.code == 74)
        #expect(outcome.errors.contains("x_agent.db cannot be written: Permission denied"))
        #expect(outcome.errors.contains("Nothing was changed."))
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("several problems of migration files take a line each")
    func problems() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(
            ["20991231_a.up.sql": "COMMIT;", "20991231_b.up.sql": "-- nothing\n"], to: folder + "/chat")
        let outcome = try chatdb("migrate", "run", "--migrations-dir", folder)
        #expect(outcome.code == 65 && !outcome.errors.contains("\\u{a}"))
        #expect(outcome.errors.hasPrefix("error: 2 problems in migrations:\n  "), "\(outcome.errors)")
    }

    @Test("with --only a run neither creates nor needs the other database")
    func only() throws {
        let chatdb = try ToolRun()
        let made = try chatdb("migrate", "run", "--only", "agent", "--format", "json").answer()
        #expect(made["created"] == true && made["chat"] == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: chatdb.folder.path).contains("x_agent.db"))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: chatdb.folder.path).contains("x_chat.db"))
        #expect(try chatdb("migrate", "run", "--only", "agent").code == 0)
        let both = try chatdb("migrate", "run", "--format", "json")
        #expect(try both.code == 66 && both.refusal()["code"]?.stringValue == "incompleteStore")
        let beside = try chatdb("migrate", "up", "--only", "chat")
        #expect(beside.code == 66)
        #expect(beside.errors.contains("x_agent.db already exists, and a new chat database would not belong"))
        #expect(try chatdb("migrate", "status").output.contains("the chat database is missing"))
    }

    @Test("--backup-dir sets the folder of the backup, --keep-backups the number, and only --no-backup skips it")
    func backups() throws {
        let chatdb = try MigrationFixture.oldStore()
        let none = try chatdb("migrate", "up", "--no-backup", "--format", "json").answer()
        #expect(none["chat"]?["backup"] == .null)
        #expect(!FileManager.default.fileExists(atPath: chatdb.folder.file("x.backups")))
        let folder = chatdb.folder.file("elsewhere")
        var kept: [String] = []
        for arguments in [["down", "--steps", "1", "--yes"], ["up"], ["down", "--steps", "2", "--yes"]] {
            let run = try chatdb(
                ["migrate"] + arguments + ["--backup-dir", folder, "--keep-backups", "2", "--format", "json"]
            ).answer()
            kept.append(try #require(run["chat"]?["backup"]?.stringValue))
            #expect(kept.last?.hasPrefix(folder) == true)
            if kept.count == 3 { #expect(run["removedBackups"]?.arrayValue?.count == 1) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        #expect(try chatdb("migrate", "up", "--no-backup", "--backup-dir", folder).code == 64)
    }

    @Test("a run refuses an edited migration without an option to accept it, and status reports it")
    func edited() throws {
        let chatdb = try MigrationFixture.oldStore()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        let file = folder + "/chat/20250519_files.up.sql"
        func edit() throws {
            try MigrationFixture.write(
                ["20250519_files.up.sql": String(contentsOfFile: file, encoding: .utf8) + "\n-- later\n"],
                to: folder + "/chat")
        }
        try edit()
        let refused = try chatdb("migrate", "up", "--migrations-dir", folder, "--format", "json")
        #expect(try refused.code == 78 && refused.refusal()["code"]?.stringValue == "editedMigration")
        let status = try chatdb("migrate", "status", "--migrations-dir", folder, "--format", "json").answer()
        #expect(status["chat"]?["edited"] == ["20250519_files"])
        let accepted = try chatdb("migrate", "up", "--migrations-dir", folder, "--accept-edited")
        #expect(accepted.code == 0 && accepted.output.contains("accepted as edited: 20250519_files"))
        let current = try chatdb("migrate", "up", "--migrations-dir", folder)
        #expect(current.code == 0 && current.errors == "", "the acceptance is remembered")
        // With nothing pending there is only a warning.
        try edit()
        let again = try chatdb("migrate", "up", "--migrations-dir", folder)
        #expect(again.code == 0 && again.errors.contains("20250519_files differs from the text that was accepted last"))
    }

    @Test("Ctrl-C stops a run: exit 130, with the state, and the store is unchanged")
    func interrupted() throws {
        let chatdb = try DemoStore.empty()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(["20991231_endless.up.sql": MigrationFixture.endless], to: folder + "/chat")
        let before = try versions(chatdb)
        let run = try TerminalRun(
            ["migrate", "up", "-v", "--no-progress", "--migrations-dir", folder], in: chatdb)
        _ = try run.terminal.read(until: "up 20991231_endless")
        run.interrupt()
        let end = try run.end()
        #expect(end.code == 130 && end.answer.isEmpty, "\(end)")
        #expect(end.shown.contains("Nothing was changed. The backup from before is in "), "\(end.shown)")
        #expect(try versions(chatdb) == before)
        #expect(!FileManager.default.fileExists(atPath: chatdb.folder.file("x.migrating")))
    }

    @Test("a run leaves a store alone that another program has open or locked: exit 75")
    func others() throws {
        let chatdb = try MigrationFixture.oldStore()
        let holder = try #require(FileHandle(forReadingAtPath: chatdb.folder.file("x_chat.db")))
        let inUse = try chatdb("migrate", "up", "--lock-timeout", "0", "--format", "json")
        #expect(try inUse.code == 75 && inUse.refusal()["code"]?.stringValue == "inUse")
        #expect(
            try inUse.refusal()["details"]?["holders"]?[0]?["pid"]?.integerValue
                == Int64(ProcessInfo.processInfo.processIdentifier))
        try holder.close()
        let lock = try #require(FileHandle(forUpdatingAtPath: chatdb.folder.file("x.lock")))
        flock(lock.fileDescriptor, LOCK_EX)
        let locked = try chatdb("migrate", "up", "--lock-timeout", "0", "--format", "json")
        #expect(try locked.code == 75 && locked.refusal()["code"]?.stringValue == "storeLocked")
        try lock.close()
        #expect(try chatdb("migrate", "up").code == 0)
    }

    @Test(
        "--lock-timeout limits how long a command waits for a program that has locked a database",
        arguments: [["migrate", "run", "--yes"], ["migrate", "down", "--steps", "1", "--yes"], ["backup", "make"]])
    func lockedDatabase(_ command: [String]) throws {
        let chatdb = try DemoStore.make()
        // With a write-ahead log, readers would not wait for the writer.
        try chatdb.sql("PRAGMA journal_mode = DELETE")
        let shell = try HeldShell(chatdb)
        defer { shell.end() }
        try shell.run("BEGIN EXCLUSIVE;")
        let start = ContinuousClock.now
        let run = try chatdb(command + ["--lock-timeout", "0.1", "--format", "json"])
        #expect(run.code == 75, "\(run.output) \(run.errors)")
        // Without the limit, each connection waits five seconds.
        #expect(ContinuousClock.now - start < .seconds(4.5), "\(ContinuousClock.now - start)")
    }

    @Test("status --exit-code exits with 0 only for a store of this version")
    func exitCode() throws {
        #expect(try DemoStore.empty()("migrate", "status", "--exit-code").code == 0)
        #expect(try MigrationFixture.oldStore()("migrate", "status", "--exit-code").code == 78)
        #expect(try MigrationFixture.newerStore()("migrate", "status", "--exit-code").code == 78)
        #expect(try MigrationFixture.oldStore()("migrate", "status").code == 0)
        let (one, other) = (try DemoStore.empty(), try ToolRun())
        try other.succeed("migrate", "run")
        try FileManager.default.removeItem(atPath: one.folder.file("x_agent.db"))
        try FileManager.default.copyItem(
            atPath: other.folder.file("x_agent.db"), toPath: one.folder.file("x_agent.db"))
        let mismatched = try one("migrate", "status", "--exit-code")
        #expect(mismatched.code == 78 && mismatched.output.contains("do not belong together"))
    }

    @Test("the error of a migration that fails names file and line, and the store is unchanged: exit 65")
    func failing() throws {
        let chatdb = try DemoStore.empty()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(
            ["20991231_wrong.up.sql": "-- Why: a test.\nSELECT 1;\nINSERT INTO nowhere\nVALUES (1);\n"],
            to: folder + "/agent")
        let outcome = try chatdb("migrate", "up", "--migrations-dir", folder, "--format", "json")
        let details = try #require(try outcome.refusal()["details"])
        #expect(outcome.code == 65 && details["line"] == 3 && details["statement"] == 2)
        #expect(details["text"] == "INSERT INTO nowhere" && details["direction"] == "up")
        #expect(try outcome.refusal()["state"]?.stringValue?.hasPrefix("Nothing was changed.") == true)
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }
}
