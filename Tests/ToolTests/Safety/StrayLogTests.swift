import ChatDBKit
import Foundation
import Testing

/// Write-ahead logs that are not what they seem: `check` says what removing each one costs.
@Suite("stray logs") struct StrayLogTests {
    private func findings(_ store: ToolRun) throws -> [JSONValue] {
        let before = try store.folder.fingerprint()
        let run = try store("check", "--format", "json")
        #expect(try store.folder.fingerprint() == before)
        return try run.answer()["findings"]?.arrayValue ?? []
    }

    private func finding(_ store: ToolRun, _ id: String) throws -> JSONValue {
        let all = try findings(store)
        return try #require(all.first { $0["id"] == .string(id) }, "\(all)")
    }

    /// Writes into a database and kills the writer, so that its log stays. No program has it open afterwards.
    private func leaveLog(_ store: ToolRun, _ sql: String, in database: String) throws {
        let shell = try HeldShell(store, database)
        try shell.run("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; \(sql)")
        shell.crash()
        try? FileManager.default.removeItem(atPath: store.file(database + "-shm"))
    }

    private func copy(_ from: String, _ to: String) throws {
        try? FileManager.default.removeItem(atPath: to)
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    @Test("a log of the other database: nothing in it is of this one, and it is not applied")
    func otherDatabase() throws {
        let store = try DemoStore.finished()
        try leaveLog(store, "CREATE TABLE zz (a); INSERT INTO zz VALUES (1);", in: "x_agent.db")
        try copy(store.file("x_agent.db-wal"), store.file("x_chat.db-wal"))
        let found = try finding(store, "foreignLog")
        let text = found["sample"]?.texts?.first ?? ""
        #expect(
            text.hasPrefix("chat: its -wal has another application id than the database; it has 2 committed changes ("))
        #expect(found["remedy"]?.stringValue?.contains("move the -wal") == true)
        let unreadable = try finding(store, "unreadableDatabase")
        #expect(unreadable["remedy"]?.stringValue?.contains("foreignLog") == true)
        #expect(
            try store("relay", "list").errors.contains("belongs to another database; move it away (it has 2 committed"))
        try FileManager.default.removeItem(atPath: store.file("x_chat.db-wal"))
        #expect(try store("relay", "list").code == 0)
    }

    @Test("a log of another store: the database is in order without it, and its damage has no remedy of its own")
    func otherStore() throws {
        let store = try DemoStore.finished()
        let other = try DemoStore.make()
        try leaveLog(
            other, "CREATE TABLE zz (a); INSERT INTO zz VALUES (1); UPDATE contact_profiles SET full_name = 'z';",
            in: "x_chat.db")
        try store.sql(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 999) "
                + "INSERT INTO contact_profiles (user_id, display_name) SELECT 1, n FROM n; PRAGMA wal_checkpoint(TRUNCATE)"
        )
        try copy(other.file("x_chat.db-wal"), store.file("x_chat.db-wal"))
        let found = try finding(store, "foreignLog")
        #expect(
            found["sample"]?.texts?.first?.hasPrefix(
                "chat: its -wal damages the database, which is in order without it; it has 3 committed changes") == true
        )
        #expect(try finding(store, "chatDamaged")["remedy"]?.stringValue?.contains("foreignLog") == true)
    }

    @Test("a log of an earlier time is called older, and no answer says that the latest changes are in it")
    func older() throws {
        let store = try DemoStore.finished()
        try leaveLog(store, "CREATE TABLE zz (a); INSERT INTO zz VALUES (zeroblob(90000));", in: "x_agent.db")
        let log = try Data(contentsOf: URL(fileURLWithPath: store.file("x_agent.db-wal")))
        try store.sql("PRAGMA wal_checkpoint(TRUNCATE)", in: "x_agent.db")
        for _ in 0..<3 {
            try store.sql(
                "INSERT INTO zz VALUES (zeroblob(90000)); PRAGMA wal_checkpoint(TRUNCATE)", in: "x_agent.db")
        }
        try? FileManager.default.removeItem(atPath: store.file("x_agent.db-shm"))
        try log.write(to: URL(fileURLWithPath: store.file("x_agent.db-wal")))
        let shown = try store("inspect").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(!shown.contains("the latest changes are in"), "\(shown)")
        #expect(shown.contains("x_agent.db-wal") && shown.contains("is older than x_agent.db"), "\(shown)")
        #expect(shown.contains("the log is older than the database, which has later changes"), "\(shown)")
        let check = try store("check", "--format", "json").answer()["notes"]?.texts ?? []
        #expect(!check.contains { $0.contains("restore a backup first") }, "\(check)")
    }

    @Test("noise in a log costs nothing, and is not taken for changes")
    func noise() throws {
        let store = try DemoStore.finished()
        var random = SplitMix64(seed: 3)
        let noise = (0..<9_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(noise).write(to: URL(fileURLWithPath: store.file("x_chat.db-wal")))
        let found = try finding(store, "uselessLog")
        #expect(found["severity"] == "info")
        #expect(found["sample"]?.texts == ["chat: its -wal has no committed change: removing it loses nothing"])
        #expect(try !store("inspect").output.contains("the latest changes are in"))
        #expect(try store("check").code == 0)
    }

    @Test("noise in a journal is not taken for an interrupted change")
    func noiseInJournal() throws {
        let store = try DemoStore.finished()
        let before = try store.sql("SELECT count(*) FROM chat_relays")
        var random = SplitMix64(seed: 4)
        let noise = [0x41] + (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(noise).write(to: URL(fileURLWithPath: store.file("x_chat.db-journal")))
        let shown = try store("inspect")
        let text = shown.output + shown.errors
        #expect(!text.contains("rolls the write back") && !text.contains("was interrupted"), "\(text)")
        #expect(text.contains("does not begin as a journal does"), "\(text)")
        #expect(try store("check").code == 0)
        let saved = try store("salvage", "--output", "new", "--only", "chat", "--format", "json")
        #expect(try saved.code == 0 && saved.answer()["chat"]?["log"] == .null, "\(saved.output)")
        #expect(try store.sql("SELECT count(*) FROM chat_relays", in: "new_chat.db") == before)
    }

    @Test("a log without its database is named, with what it holds")
    func orphan() throws {
        let store = try DemoStore.finished()
        try leaveLog(store, "CREATE TABLE zz (a); INSERT INTO zz VALUES (1);", in: "x_agent.db")
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        let found = try finding(store, "orphanLog")
        #expect(
            found["sample"]?.texts?.first?.hasPrefix("agent: its -wal has no database; it has 2 committed changes")
                == true)
        try FileManager.default.removeItem(atPath: store.file("x_chat.db"))
        let hint = try store("inspect", "--format", "json").refusal()["hint"]?.stringValue ?? ""
        #expect(hint.contains("is there without its database") && !hint.contains("migrate run"))
    }

    @Test("a log whose changes the database has already costs nothing")
    func checkpointed() throws {
        let store = try DemoStore.finished()
        let shell = try HeldShell(store, "x_agent.db")
        try shell.run("CREATE TABLE zz (a); INSERT INTO zz VALUES (1); PRAGMA wal_checkpoint(FULL);")
        shell.crash()
        try? FileManager.default.removeItem(atPath: store.file("x_agent.db-shm"))
        let notes = try store("check", "--format", "json").answer()["notes"]?.texts ?? []
        #expect(notes.contains { $0.contains(", and all of these pages are already in the database)") }, "\(notes)")
    }
}
