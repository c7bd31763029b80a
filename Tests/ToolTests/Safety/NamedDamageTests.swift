import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// What `check` says about damage, and that its remedies work.
@Suite("named damage of stores") struct NamedDamageTests {
    private static let page = 4096

    /// A store with 2,000 contact profiles, so that the table and its indexes have several pages.
    private func store() throws -> ToolRun {
        let store = try DemoStore.finished()
        try store.sql(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, full_name)
            SELECT n + 100, 1, 'name' || n, 'full name ' || n FROM n;
            """)
        return store
    }

    /// Overwrites the page in the middle of those of one kind.
    private func overwrite(_ store: ToolRun, _ tree: String, _ kind: String = "leaf", with byte: UInt8 = 0) throws {
        let numbers = try store.sql("SELECT pageno FROM dbstat WHERE name = '\(tree)' AND pagetype = '\(kind)'")
        let pages = numbers.split(separator: "\n").compactMap { Int($0) }
        try #require(!pages.isEmpty)
        try overwrite(store, pages[pages.count / 2], [UInt8](repeating: byte, count: Self.page))
    }

    private func overwrite(_ store: ToolRun, _ number: Int, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: store.file("x_chat.db")))
        try file.seek(toOffset: UInt64((number - 1) * Self.page))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private func findings(_ store: ToolRun) throws -> [JSONValue] {
        try store("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
    }

    private func finding(_ store: ToolRun, _ id: String = "chatDamaged") throws -> JSONValue {
        let all = try findings(store)
        return try #require(all.first { $0["id"] == .string(id) }, "\(all)")
    }

    private func remedy(_ finding: JSONValue) -> String { finding["remedy"]?.stringValue ?? "" }

    @Test("a table: its rows are named, and the remedy is a backup")
    func table() throws {
        let store = try store()
        try overwrite(store, "contact_profiles")
        let found = try finding(store)
        let part = try #require(found["damage"]?[0])
        #expect(part["kind"] == "table" && part["name"] == "contact_profiles" && part["readable"] == false)
        let rows = try #require(part["unreadableRows"]?[0])
        let (from, to) = (try #require(rows["from"]?.integerValue), try #require(rows["to"]?.integerValue))
        #expect(from > 100 && to > from && to < 2_100)
        #expect((part["readableRows"]?.integerValue ?? 0) > 1_900)
        #expect(found["sample"]?.texts?.first?.contains("rows that cannot be read (\(from) to \(to)); ") == true)
        #expect(remedy(found).contains("chatdb restore FOLDER") && !remedy(found).contains("REINDEX"))
    }

    @Test("an index that cannot be read: no row is lost, and the remedy writes all rows into a new file")
    func unreadableIndex() throws {
        let store = try store()
        try store.sql("PRAGMA user_version = 7")
        let (numbers, rows) = try (
            store.sql("PRAGMA application_id; PRAGMA user_version"), store.sql("SELECT count(*) FROM contact_profiles")
        )
        try overwrite(store, "idx_contact_profiles_contact_link")
        let found = try finding(store)
        let part = try #require(found["damage"]?[0])
        #expect(part["kind"] == "index" && part["name"] == "idx_contact_profiles_contact_link")
        #expect(part["table"] == "contact_profiles" && part["readableRows"]?.integerValue.map(String.init) == rows)
        let text = remedy(found)
        #expect(text.contains("No row is lost") && !text.contains("restore FOLDER"))
        // SQLite's own remedy does not work.
        #expect(throws: ToolRun.Failure.self) { try store.sql("REINDEX") }
        let command = try #require(text.firstRange(of: "(umask ")).lowerBound
        let end = try #require(text.firstRange(of: "sqlite3 NEW)")).upperBound
        let mode = "stat -c %a NEW 2>/dev/null || stat -f %Lp NEW"
        let moving = "mv NEW x_chat.db && rm -f x_chat.db-wal x_chat.db-shm"
        let run = try store.shell("umask 022; \(text[command..<end]) && \(mode) && \(moving)")
        #expect(run.output.contains("600") && text.contains("with its -wal, -shm and -journal"), "\(run.output)")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try store.sql("SELECT count(*) FROM contact_profiles") == rows)
        #expect(try store.sql("PRAGMA application_id; PRAGMA user_version") == numbers, "the header has them")
        #expect(try findings(store).allSatisfy { $0["severity"] != "error" })
        #expect(try store("relay", "list").code == 0)
    }

    @Test("an index that differs from its table: the rows are named, and REINDEX works")
    func differingIndex() throws {
        let store = try store()
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: store.file("x_chat.db"))))
        let name = Array("SimpleX Chat Relay 1".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[place] ^= 0x20
        try Data(bytes).write(to: URL(fileURLWithPath: store.file("x_chat.db")))
        let found = try finding(store)
        let part = try #require(found["damage"]?[0])
        #expect(part["kind"] == "index" && part["readable"] == true, "\(part)")
        #expect(part["differingRows"]?.arrayValue?.isEmpty == false)
        let text = remedy(found)
        #expect(text.contains("Compare the named rows with a backup first."))
        let start = try #require(text.firstRange(of: "sqlite3 ")).lowerBound
        let end = try #require(text.firstRange(of: " builds the index again")).lowerBound
        let run = try store.shell(String(text[start..<end]))
        #expect(run.code == 0, "\(text): \(run.errors)")
        #expect(try !findings(store).contains { $0["id"] == "chatDamaged" })
    }

    @Test("REINDEX is not advised beside a wrong list of free pages, nor beside damage that loses rows")
    func noReindex() {
        var index = DatabaseDamage(.index, name: "i", table: "t")
        index.differing = [3]
        let list = DatabaseDamage(.freePages)
        var table = DatabaseDamage(.table, name: "t", table: "t")
        table.isReadable = false
        for owner in [FoundDatabase.Kind.chatdb, .simplex] {
            let remedies = DamageRemedies(database: .chat, path: "/s_chat.db", owner: owner)
            let both = remedies.remedy(for: [list, index]).text()
            #expect(both.contains("Do not use SQLite's REINDEX") && both.contains(".dump"), "\(both)")
            #expect(!both.contains("builds the index again from the table"), "\(both)")
            let lost = remedies.remedy(for: [table, index]).text()
            #expect(!lost.contains("REINDEX") && lost.contains("salvage"), "\(lost)")
            #expect(remedies.remedy(for: [index]).text().contains("REINDEX"), "alone")
        }
    }

    @Test("free pages: nothing is lost, and VACUUM INTO makes a whole copy")
    func freePages() throws {
        let store = try store()
        try store.sql("DELETE FROM contact_profiles WHERE contact_profile_id > 1000; PRAGMA wal_checkpoint(TRUNCATE);")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: store.file("x_chat.db"))))
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        try #require(trunk > 0)
        try overwrite(store, trunk, [UInt8](repeating: 0xA5, count: Self.page))
        let found = try finding(store)
        #expect(found["damage"]?[0]?["kind"] == "freePages" && found["damage"]?[0]?["name"] == .null)
        let text = remedy(found)
        #expect(text.contains("No row is lost") && !text.contains("restore FOLDER"))
        let start = try #require(text.firstRange(of: "(umask ")).lowerBound
        let end = try #require(text.firstRange(of: " writes all rows")).lowerBound
        let mode = "stat -c %a NEW 2>/dev/null || stat -f %Lp NEW"
        let run = try store.shell("umask 022; \(text[start..<end]) && \(mode) && mv NEW x_chat.db")
        #expect(run.output.contains("600"), "\(run.output)")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try !findings(store).contains { $0["id"] == "chatDamaged" })
    }

    @Test("the schema: the finding names it, and the other database is checked")
    func schema() throws {
        let store = try store()
        try overwrite(store, "sqlite_schema")
        let found = try finding(store)
        #expect(found["damage"]?[0]?["kind"] == "schema" && found["damage"]?[0]?["readable"] == false)
        #expect(try findings(store).contains { $0["id"] == "unreadableDatabase" })
        #expect(
            try store("relay", "list", "--format", "json").refusal()["message"]?.stringValue?.contains("schema") == true
        )
    }

    @Test("both files contain the chat database: neither is to be overwritten, and the agent's is found by its content")
    func copiedDatabase() throws {
        let store = try DemoStore.finished()
        #expect(
            try store.shell("mkdir x.backups x.backups/one && cp x_agent.db old.bin && cp x_chat.db x_agent.db").code
                == 0)
        let found = try finding(store, "copiedDatabase")
        let sample = found["sample"]?.texts?.first ?? ""
        #expect(sample.hasPrefix("agent: its file contains a chat database, as the other file does"))
        #expect(sample.contains("an agent database of this store is ") && sample.contains("old.bin"))
        #expect(remedy(found).contains("Do not rename or overwrite either file"))
        #expect(try !findings(store).contains { $0["id"] == "exchangedFiles" || $0["id"] == "mismatchedPair" })
        #expect(try store("inspect").output.contains("the agent database is missing"))
        #expect(try store.shell("mv old.bin x.backups/one/x_agent.db").code == 0)
        #expect(
            try finding(store, "copiedDatabase")["sample"]?.texts?.first?.contains("x.backups/one/x_agent.db") == true)
        #expect(try store.shell("rm x.backups/one/x_agent.db").code == 0)
        #expect(
            try finding(store, "copiedDatabase")["sample"]?.texts?.first?.contains(
                "no other file of the folder that it is an agent database of this store") == true)
    }

    @Test("both files contain the chat database: a file of another store is not offered as the missing one")
    func databaseOfAnotherStore() throws {
        let store = try DemoStore.finished()
        let made = try store.shell(
            """
            set -e
            $CHATDB migrate run -d else
            mv else_agent.db other.bin
            rm else_*
            mv x_agent.db old.bin
            cp x_chat.db x_agent.db
            """)
        #expect(made.code == 0, "\(made.errors)")
        let sample = try finding(store, "copiedDatabase")["sample"]?.texts?.first ?? ""
        #expect(sample.contains("old.bin") && !sample.contains("other.bin"), "\(sample)")
        #expect(try store.shell("rm old.bin").code == 0)
        let without = try finding(store, "copiedDatabase")["sample"]?.texts?.first ?? ""
        #expect(without.contains("no other file of the folder") && !without.contains("other.bin"), "\(without)")
    }
}
