import ChatDBKit
import Foundation
import TestKit
import Testing

/// Backups of stores of SimpleX Chat, restored. Rule: docs/backups.md, "Stores of SimpleX Chat".
@Suite("restoring a store of SimpleX Chat")
struct SimplexRestoreTests {
    /// The words of the command that undoes a change, from the answer.
    private func undo(_ answer: JSONValue) throws -> [String] {
        let command = try #require(answer["simplex"]?["backup"]?["command"]?.stringValue)
        return command.split(separator: " ").dropFirst().map(String.init)
    }

    /// All rows and definitions of both databases.
    private func content(_ phone: SimplexPhone) throws -> [[String]] {
        try DatabaseName.allCases.map { database in
            try phone.lines(database) + phone.store.rows("PRAGMA user_version", in: database)
        }
    }

    @Test("the command of the answer undoes a change: both databases have their rows from before, and the app starts")
    func undone() throws {
        let phone = try SimplexPhone()
        for (database, mode) in zip(DatabaseName.allCases, [0o644, 0o600]) {
            let path = phone.store.location.path(of: database)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let (before, modes, launches) = (try content(phone), try phone.access(), try phone.launches())
        let words = try undo(phone.answer("server", "delete", "my.example.org", "--yes"))
        #expect(try content(phone) != before)

        let dry = try phone.run(words + ["--dry-run", "--format", "json"])
        #expect(dry.code == 0, "\(dry.errors)")
        #expect(try dry.answer()["losesMessages"] == false && dry.answer()["backup"]?["storeId"] == .null)
        #expect(
            try dry.answer()["differences"]?.arrayValue?.compactMap { $0["table"]?.stringValue } == ["protocol_servers"]
        )
        #expect(try content(phone) != before)

        let restored = try phone.run(words + ["--yes", "--format", "json"])
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try content(phone) == before && phone.access() == modes)
        #expect(try phone.harm(since: launches).isEmpty)

        // The restore itself can be undone.
        let back = try #require(restored.answer()["undo"]?.stringValue)
        let again = try phone.run(back.split(separator: " ").dropFirst().map(String.init) + ["--yes"])
        #expect(again.code == 0, "\(again.errors)")
        #expect(try content(phone) != before)
    }

    @Test("chatdb backup names the command that restores it, and warns of what the app has received since")
    func received() throws {
        let phone = try SimplexPhone()
        let made = try phone.answer("backup")
        let words = try #require(made["restore"]?.stringValue).split(separator: " ").dropFirst().map(String.init)
        let before = try content(phone)
        try phone.store.execute("DELETE FROM migrations WHERE name = 'm20220101_initial' AND 0", in: .agent)
        try phone.store.execute("UPDATE users SET local_display_name = local_display_name || 'x' WHERE user_id = 1")
        for format in ["table", "csv"] {
            let dry = try phone.run(words + ["--dry-run", "--format", format])
            let text = dry.output + dry.errors
            #expect(format == "csv" || text.contains("SimpleX Chat was used since the backup"), "\(text)")
        }
        let json = try phone.run(words + ["--dry-run", "--format", "json"])
        #expect(try json.answer()["losesMessages"] == true)
        #expect(try phone.run(words + ["--yes"]).code == 0)
        #expect(try content(phone) == before)
    }

    @Test("both databases are restored or neither: half a backup, and a changed file, are refused")
    func whole() throws {
        let phone = try SimplexPhone()
        let folder = try #require(phone.answer("backup")["backup"]?["path"]?.stringValue)
        let file = folder + "/simplex_v1_agent.db"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        var changed = bytes
        changed[changed.count - 1] ^= 1
        try changed.write(to: URL(fileURLWithPath: file))
        #expect(try phone.refusal(["restore", folder, "--yes"]).code == "damagedBackup")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.removeItem(atPath: folder + "/backup.json")
        #expect(try phone.refusal(["restore", folder, "--force", "--yes"]).code == "incompleteBackup")
        // The two files exchanged.
        try bytes.write(to: URL(fileURLWithPath: phone.run.file("a")))
        let chat = folder + "/simplex_v1_chat.db"
        try FileManager.default.moveItem(atPath: chat, toPath: file)
        try FileManager.default.moveItem(atPath: phone.run.file("a"), toPath: chat)
        #expect(try phone.refusal(["restore", folder, "--force", "--yes"]).code == "mismatchedBackup")
    }

    @Test("a store with a journal or log, and one that an app has open, is not replaced")
    func busy() throws {
        let phone = try SimplexPhone()
        let folder = try #require(phone.answer("backup")["backup"]?["path"]?.stringValue)
        for file in ["simplex_v1_chat.db-journal", "simplex_v1_agent.db-wal"] {
            try Data(repeating: 7, count: 600).write(to: URL(fileURLWithPath: phone.run.file(file)))
            let refusal = try phone.refusal(["restore", folder, "--yes"])
            #expect(refusal.code == "simplexJournal" && refusal.text.contains(file), "\(refusal.text)")
            try FileManager.default.removeItem(atPath: phone.run.file(file))
        }
        let shell = try HeldShell(phone.run, "simplex_v1_agent.db")
        try shell.run("SELECT count(*) FROM migrations;")
        let before = (try phone.bytes(.chat), try phone.bytes(.agent))
        let outcome = try phone(["restore", folder, "--yes", "--lock-timeout", "0.1", "--format", "json"])
        #expect(try outcome.code == 75 && outcome.refusal()["code"] == "inUse", "\(outcome.errors)")
        shell.crash()
        #expect(try phone.bytes(.chat) == before.0 && phone.bytes(.agent) == before.1)
    }

    @Test("an app that is killed while chatdb waits for it leaves a journal, and the store is not replaced")
    func killed() throws {
        let phone = try SimplexPhone()
        let folder = try #require(phone.answer("backup")["backup"]?["path"]?.stringValue)
        let outcome = try phone.killingApp(during: ["restore", folder, "--yes", "--format", "json"])
        #expect(try outcome.refusal()["code"] == "simplexJournal", "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: phone.run.file("simplex_v1_chat.db-journal")))
    }

    @Test(
        "a backup of another phone needs --force; one of chatdb's own store is never restored there, nor the other way")
    func others() throws {
        let (phone, other) = (try SimplexPhone(), try SimplexPhone())
        try other.store.execute("UPDATE users SET created_at = '2026-01-02 03:04:05.678901'")
        let folder = try #require(other.answer("backup")["backup"]?["path"]?.stringValue)
        #expect(try phone.refusal(["restore", folder, "--yes"]).code == "otherStore")
        #expect(try phone(["restore", folder, "--yes", "--force"]).code == 0)

        let demo = try DemoStore.make()
        let own = try #require(demo.succeed("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue)
        let refused = try phone.refusal(["restore", own, "--yes", "--force"])
        #expect(refused.code == "readOnlyStore" && refused.text.contains("check the path of the store"), "\(refused)")
        let wrong = try demo("restore", folder, "--yes", "--force", "--format", "json")
        #expect(try wrong.refusal()["code"] == "notOurStore")
    }
}
