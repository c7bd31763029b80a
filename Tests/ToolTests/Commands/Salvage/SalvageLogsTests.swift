import ChatDBKit
import Foundation
import TestKit
import Testing

/// What `salvage` says about logs and about what it could not save. Rule: docs/support.md, "Salvage a damaged store".
@Suite("salvage with logs of others, and in part") struct SalvageLogsTests {
    /// A log of 40 tables that no store has.
    private func makeLog(_ name: String, in store: ToolRun) throws {
        let tables = (0..<200).map { "CREATE TABLE t\($0)(a);" }.joined()
        try store.sql("PRAGMA journal_mode = WAL", in: "other.db")
        let made = try store.shell(
            """
            sqlite3 other.db "PRAGMA wal_autocheckpoint = 0; \(tables) INSERT INTO t1 VALUES ('evil')" \
            ".shell kill -9 \\$PPID"
            mv other.db-wal \(name); ls \(name)
            """)
        try #require(made.output.contains(name), "\(made.errors)")
    }

    @Test("the log of an unrelated database is not taken, although the result would be in order")
    func unrelated() throws {
        let store = try ToolRun()
        _ = try SimplexStore(in: store.folder, isHealthy: true)
        let users = try store.sql("SELECT count(*), max(local_display_name) FROM users", in: "simplex_v1_chat.db")
        try makeLog("simplex_v1_chat.db-wal", in: store)
        let before = try store.folder.fingerprint()
        let run = try store("salvage", "-d", "simplex_v1", "--output", "new", "--format", "json")
        let answer = try run.answer()
        #expect(run.code == 1 && answer["ok"] == false && answer["chat"]?["log"] == "leftOut", "\(run.output)")
        #expect(answer["notes"]?.texts?.contains { $0.contains("without its -wal") } == true, "\(run.output)")
        #expect(try store.sql("SELECT count(*), max(local_display_name) FROM users", in: "new_chat.db") == users)
        #expect(try store.sql("SELECT count(*) FROM sqlite_master WHERE name = 't1'", in: "new_chat.db") == "0")
        #expect(try store.folder.fingerprint().filter { before[$0.key] != nil } == before)
    }

    @Test("a log of a store without its database: the store was saved in part")
    func orphanLog() throws {
        let store = try DemoStore.finished()
        try makeLog("x_agent.db-wal", in: store)
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        let run = try store("salvage", "--output", "new", "--format", "json")
        #expect(try run.code == 1 && run.answer()["ok"] == false, "\(run.output)")
        #expect(
            try run.answer()["notes"]?.texts?.contains { $0.hasPrefix("agent: the database is missing") } == true,
            "\(run.output)")
        let shown = try store("salvage", "--output", "shown")
        #expect(shown.output.contains("saved in part") && !shown.output.contains("Everything"), "\(shown.output)")
    }

    @Test("a store without one of its databases: the store was saved in part, and the sentence names the database")
    func missingDatabase() throws {
        let store = try DemoStore.finished()
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        let shown = try store("salvage", "--output", "new")
        #expect(shown.code == 1, "\(shown.output)")
        #expect(
            shown.output.contains("The store was saved in part: the agent database is missing."), "\(shown.output)")
        let run = try store("salvage", "--output", "other", "--format", "json")
        #expect(try run.code == 1 && run.answer()["ok"] == false && run.answer()["agent"] == .null, "\(run.output)")
    }

    @Test("exchanged files are saved, and the first sentence names the error")
    func exchanged() throws {
        let store = try DemoStore.finished()
        #expect(try store.shell("mv x_chat.db c && mv x_agent.db x_chat.db && mv c x_agent.db").code == 0)
        let shown = try store("salvage", "--output", "new")
        #expect(
            shown.output.contains("The check of the new store found errors:")
                && shown.output.contains("exchangedFiles"),
            "\(shown.output)")
    }

    @Test("values that the damage changed: the store was saved in part")
    func changedValues() throws {
        let store = try DemoStore.finished()
        try store.sql(
            """
            PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = 'chat_relays';
            PRAGMA writable_schema = RESET; UPDATE chat_relays SET tested_at = 'soon';
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = sql || ' STRICT' WHERE name = 'chat_relays'
            """)
        let run = try store("salvage", "--output", "new", "--only", "chat", "--format", "json")
        let answer = try run.answer()
        let ids = answer["check"]?["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.contains("unreadableValue"), "\(ids)")
        #expect(run.code == 1 && answer["ok"] == false, "\(run.output.prefix(600))")
        #expect(answer["notes"]?.texts?.contains { $0.contains("values that cannot be read") } == true)
    }

    @Test("a file of which nothing can be read: no row could be saved")
    func nothing() throws {
        let store = try DemoStore.finished()
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        var bytes = Array(try Data(contentsOf: url))
        bytes.replaceSubrange(100..., with: [UInt8](repeating: 0, count: bytes.count - 100))
        try Data(bytes).write(to: url)
        let shown = try store("salvage", "--output", "new")
        #expect(shown.code == 1 && shown.output.contains("No row of the store could be saved."), "\(shown.output)")
    }

    @Test("inspect and check name salvage for a file that cannot be opened")
    func advice() throws {
        for damage in [
            "head -c 50000 x_chat.db > c && mv c x_chat.db",
            "dd if=/dev/zero of=x_chat.db bs=100 count=1 conv=notrunc status=none",
        ] {
            let store = try DemoStore.finished()
            #expect(try store.shell(damage).code == 0)
            #expect(try store("inspect").output.contains("chatdb salvage --output NEW -d"), "\(damage)")
            let checked = try store("check").output
            #expect(checked.contains("chatdb salvage --output NEW writes what can be read"), "\(damage)")
        }
        // A file of something else has nothing to save.
        let other = try DemoStore.finished()
        try Data("hello".utf8).write(to: URL(fileURLWithPath: other.file("x_chat.db")))
        #expect(try !other("inspect").output.contains("salvage"))
    }
}
