import ChatDBKit
import Foundation
import TestKit
import Testing

/// A store whose migration ended between its two commits: reading it, backing it up, and completing the run.
@Suite struct InterruptedStoreTests {
    @Test("commands that read answer, change no byte, and say on standard error how to complete the run")
    func reading() throws {
        let chatdb = try MigrationFixture.interruptedStore()
        let before = try chatdb.folder.fingerprint()
        let list = try chatdb("user", "list", "-q", "-d", chatdb.store)
        #expect(list.code == 0 && list.output.contains("no profiles"))
        #expect(list.errors.hasPrefix("warning: a migration begun at 2026-01-01T00:00:00Z was interrupted, and"))
        #expect(list.errors.hasSuffix("; chatdb migrate run -d \(chatdb.store) completes or undoes it\n"))
        let query = try chatdb("query", "SELECT count(*) AS n FROM migrations", "--format", "json").answer()
        #expect(query["rows"]?.arrayValue?.first?["n"] == 14)
        #expect(try chatdb.folder.fingerprint() == before)
        // No command reads a store whose creation was interrupted.
        let record = try String(contentsOfFile: chatdb.file("x.migrating"), encoding: .utf8)
        try record.replacing("\"creates\": false", with: "\"creates\": true").write(
            toFile: chatdb.file("x.migrating"), atomically: true, encoding: .utf8)
        #expect(try chatdb("user", "list", "--format", "json").refusal()["code"] == "interruptedMigration")
    }

    @Test("after a run that changed neither database, no answer says that something has to be completed")
    func undone() throws {
        let chatdb = try MigrationFixture.undoneStore()
        let moment = "interrupted before it had changed a database"
        for command in [["check"], ["migrate", "status"], ["migrate", "plan"], ["inspect"]] {
            let answer = try chatdb(command)
            let text = answer.output + answer.errors
            #expect(text.contains(moment) && !text.contains("between the two"), "\(command): \(text)")
        }
        #expect(try chatdb("migrate", "plan").output.contains("nothing has to be completed"))
        let refused = try chatdb("user", "add", "bob", "--format", "json").refusal()
        #expect(refused["hint"] == "chatdb migrate run completes or undoes it")
        let before = try chatdb.folder.fingerprint()
        let asked = try chatdb("migrate", "run")
        #expect(asked.code == 78 && asked.errors.contains("Nothing was changed."), "\(asked.errors)")
        #expect(try chatdb.folder.fingerprint() == before)
        try chatdb.succeed("migrate", "run", "--yes")
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("x.migrating")))
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("a backup and a restore report the interrupted migration, and the next run reports what it completed")
    func backupAndRestore() throws {
        let chatdb = try MigrationFixture.interruptedStore()
        let backup = try chatdb.succeed("backup", "--format", "json")
        #expect(backup.errors.contains("warning: a migration begun at 2026-01-01T00:00:00Z was interrupted"))
        let made = try backup.answer()
        #expect(made["interrupted"]?["chat"]?["from"]?.stringValue == MigrationFixture.oldVersion)
        let folder = try #require(made["backup"]?["path"]?.stringValue)
        try chatdb.succeed("migrate", "run", "--no-backup")
        let plan = try chatdb("restore", folder, "--dry-run", "--format", "json").answer()
        #expect(plan["interrupted"]?["startedAt"] == "2026-01-01T00:00:00Z")
        let restored = try chatdb("restore", folder, "--yes", "--format", "json").answer()
        #expect(restored["interrupted"] == true && restored["outcome"] == "restored")

        let run = try chatdb("migrate", "run", "--format", "json").answer()
        let names = [
            "20260713_server_roles", "20260907_list_indexes", "20261122_link_keys",
            "20261122_preset_choices", "20261123_chat_details", "20261123_relay_failure", "20261124_people",
            "20261124_relay_service",
        ]
        #expect(run["chat"]?["direction"] == "up" && run["chat"]?["applied"]?.texts == names)
        #expect(run["chat"]?["from"]?.stringValue == MigrationFixture.oldVersion)
        #expect(run["agent"]?["direction"] == "none" && run["agent"]?["applied"]?.texts == [])
        let fresh = try #require(run["chat"]?["backup"]?.stringValue)
        #expect(run["completed"]?["completionBackup"]?.stringValue == fresh && run["completed"]?["backup"] == .null)
        #expect(run["completed"]?["applied"]?["chat"]?.texts == names)
        #expect(FileManager.default.fileExists(atPath: fresh + "/x.migrating"))
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("the run that completes an interrupted run names the backup of it, and a limit keeps that backup")
    func backupOfInterrupted() throws {
        let chatdb = try MigrationFixture.interruptedStore()
        let made = try chatdb("backup", "--format", "json").answer()
        let first = try #require(made["backup"]?["path"]?.stringValue)
        let record = try String(contentsOfFile: chatdb.file("x.migrating"), encoding: .utf8)
        let named = record.replacing("\"backup\": null", with: "\"backup\": \"\(first)\"")
        try #require(named != record)
        try named.write(toFile: chatdb.file("x.migrating"), atomically: true, encoding: .utf8)
        let run = try chatdb.succeed("migrate", "run", "--keep-backups", "1").output
        #expect(run.contains("To restore the backup of the interrupted run"), "\(run)")
        #expect(run.contains("chatdb restore \(first) "), "\(run)")
        #expect(!run.contains("was removed"), "\(run)")
        let pruning = try chatdb("backup", "prune", "--keep", "1", "--dry-run", "--format", "json").answer()
        #expect(pruning["interrupted"]?.arrayValue?.count == 2 && pruning["removed"] == [], "\(pruning)")
    }
}
