import ChatDBKit
import Foundation
import Testing

@Suite("check of half stores, other versions and other programs")
struct CheckOtherStoresTests: CheckTesting {
    @Test("check reports schema drift, an interrupted pair and a file of another store by their ids")
    func versions() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE TABLE more (x INTEGER); DROP INDEX idx_files_user_id")
        let drift = try checked(demo)
        #expect(ids(drift) == ["chatSchemaLost", "chatSchemaDrift"])
        #expect(drift["findings"]?[0]?["sample"]?.texts == ["idx_files_user_id"])
        #expect(drift["findings"]?[1]?["sample"]?.texts == ["extra table more"])
        try demo.sql("UPDATE store SET store_id = 'another'")
        #expect(try ids(checked(demo)) == ["mismatchedPair", "chatSchemaLost", "chatSchemaDrift"])
        let run = try demo("check", "--fix", "--yes")
        #expect(run.code == 78)
        let newer = try DemoStore.make()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)")
        let answer = try checked(newer)
        #expect(ids(answer) == ["newerVersion"])
        #expect(answer["notes"]?.texts?.first?.contains("newer than this build, by 20990101_future") == true)
    }

    @Test("In a store of another version or pair, or a damaged one, check repairs nothing and does not ask")
    func refusals() throws {
        let newer = try faultyStore()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)")
        let mixed = try faultyStore()
        try mixed.sql("UPDATE store SET store_id = 'another'")
        let damaged = try faultyStore()
        let root = try #require(UInt64(damaged.sql("SELECT rootpage FROM sqlite_schema WHERE name = 'chat_tags'")))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: damaged.file("x_chat.db")))
        try file.seek(toOffset: (root - 1) * 4096)
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        for (store, code, exit) in [
            (newer, "noDownMigration", Int32(78)), (mixed, "mismatchedPair", 78), (damaged, "damaged", 66),
        ] {
            let before = try store.folder.fingerprint()
            let run = try store("check", "--fix", "--yes", "--format", "json")
            #expect(try run.code == exit && run.refusal()["code"]?.stringValue == code, "\(code): \(run.errors)")
            #expect(try store.folder.fingerprint() == before)
        }
    }

    @Test("a database with a damaged header is salvaged with the other one, and not left out")
    func zeroedHeader() throws {
        let demo = try DemoStore.make()
        #expect(try demo.shell("dd if=/dev/zero of=x_chat.db bs=100 count=1 conv=notrunc").code == 0)
        let answer = try checked(demo)
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "unreadableDatabase" }
        let remedy = finding?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("chatdb salvage --output NEW") && !remedy.contains("--only"), "\(answer)")
        let saved = try demo("salvage", "--output", "new")
        #expect(saved.code == 0 && saved.output.hasPrefix("Everything in the store was saved."), "\(saved)")
    }

    @Test("check does not take a table of another program for chatdb's own because of its name")
    func foreignTable() throws {
        let chatdb = try ToolRun()
        try chatdb.sql(
            "CREATE TABLE users (user_id TEXT PRIMARY KEY); INSERT INTO users VALUES ('a')", in: "app.sqlite")
        let run = try chatdb("check", "--database", "chat=app.sqlite", "--format", "json")
        #expect(try ids(run.answer()) == ["unknownStore"], "\(run)")
    }

    @Test("check checks one database alone, and leaves out the checks that need the other")
    func loneDatabase() throws {
        for (kept, missing) in [("chat", "agent"), ("agent", "chat")] {
            let demo = try DemoStore.make()
            try FileManager.default.removeItem(atPath: demo.file("x_\(missing).db"))
            let answer = try checked(demo, demo.file("x_\(kept).db"))
            #expect(ids(answer) == ["missingDatabase"] && answer["ok"] == false)
            #expect(try demo("check", "-d", demo.file("x_\(kept).db")).code == 1)
            #expect(answer["findings"]?[0]?["sample"]?.texts == [missing])
            #expect(answer["leftOut"]?.arrayValue?.allSatisfy { $0["reason"] == "missingDatabase" } == true)
        }
    }

    @Test("An unreadable database is an error, and check checks and shows the other; without either: exit 66")
    func unreadable() throws {
        for (broken, healthy) in [("chat", "agent"), ("agent", "chat")] {
            let demo = try faultyStore()
            try Data("hello".utf8).write(to: URL(fileURLWithPath: demo.file("x_\(broken).db")))
            let answer = try checked(demo)
            #expect(finding(answer, 0, "unreadableDatabase", [broken]))
            #expect(ids(answer).contains("startedWithoutLink") == (healthy == "chat"))
            #expect(answer["leftOut"]?.arrayValue?.allSatisfy { $0["reason"] == "unreadableDatabase" } == true)
            #expect(answer["notes"]?.texts?.first?.hasPrefix(demo.file("x_\(broken).db")) == true)
            #expect(try demo("check").output.contains("left out, because the \(broken) database cannot be read"))
            #expect(try demo("check", "--fix", "--yes").code != 0)
            let page = try demo("inspect", "--format", "json")
            #expect(try page.code == 0 && page.answer()["store"]?[healthy]?["version"]?.stringValue != nil)
            #expect(try (page.answer()["relays"]?.arrayValue?.isEmpty == false) == (healthy == "chat"))
            #expect(try page.answer()["next"]?.texts == ["chatdb check -d \(demo.store)"])
            #expect(try demo("bundle", "--preview").answer()["findings"]?[0]?["id"] == "unreadableDatabase")
            try Data("hello".utf8).write(to: URL(fileURLWithPath: demo.file("x_\(healthy).db")))
            let run = try demo("check", "--format", "json")
            #expect(try run.code == 66 && run.refusal()["code"] == "notADatabase")
        }
    }

    private func finding(_ answer: JSONValue, _ index: Int, _ id: String, _ sample: [String]) -> Bool {
        let finding = answer["findings"]?[index]
        return finding?["id"]?.stringValue == id && finding?["sample"]?.texts == sample
    }

    @Test(
        "In a store of SimpleX Chat, check runs only the rules for it, ids kept as bytes included, and repairs nothing")
    func simplex() throws {
        let folder = try ToolRun()
        let ledger = """
            CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT);
            INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL);
            """
        try folder.sql(
            ledger + """
                CREATE TABLE users (user_id INTEGER PRIMARY KEY, agent_user_id INTEGER NOT NULL, view_pwd_hash BLOB);
                CREATE TABLE connections (connection_id INTEGER PRIMARY KEY, agent_conn_id BLOB NOT NULL UNIQUE,
                    conn_status TEXT NOT NULL);
                CREATE TABLE chat_relays (chat_relay_id INTEGER PRIMARY KEY, deleted INTEGER);
                CREATE TABLE group_relays (chat_relay_id INTEGER);
                INSERT INTO chat_relays VALUES (1, 1);
                INSERT INTO users VALUES (1, 1, NULL);
                INSERT INTO connections VALUES (1, x'6162', 'ready'), (2, x'6163', 'ready');
                """)
        try folder.sql(
            ledger + """
                CREATE TABLE users (user_id INTEGER PRIMARY KEY, deleted INTEGER NOT NULL DEFAULT 0);
                CREATE TABLE connections (conn_id BLOB NOT NULL PRIMARY KEY, user_id INTEGER, deleted INTEGER DEFAULT 0);
                INSERT INTO users (user_id) VALUES (1);
                INSERT INTO connections (conn_id, user_id) VALUES (x'6162', 1), (x'6163', 1);
                """, in: "x_agent.db")
        let answer = try checked(folder)
        #expect(ids(answer).isEmpty)
        #expect(answer["notes"]?.texts?.first?.hasPrefix("this is a store of SimpleX Chat") == true)
        try folder.sql(
            "DELETE FROM connections WHERE conn_id = x'6163'; INSERT INTO users VALUES (7, 0)", in: "x_agent.db")
        #expect(try ids(checked(folder)) == ["connectionWithoutAgent", "agentProfileWithoutProfile"])
        let run = try folder("check", "--fix", "--yes", "--format", "json")
        #expect(try run.code == 1 && run.refusal()["code"] == "readOnlyStore")
    }
}
