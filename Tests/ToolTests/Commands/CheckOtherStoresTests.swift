import Foundation
import Schema
import Testing

@Suite("check of stores that are not whole, not of this version, or not ours")
struct CheckOtherStoresTests: CheckTesting {
    @Test("Schema drift, an interrupted pair and a file of another store are told by their ids")
    func versions() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE TABLE more (x INTEGER); DROP INDEX idx_files_user_id")
        let drift = try checked(demo)
        #expect(ids(drift) == ["chatSchemaDrift"])
        #expect(
            drift["findings"]?.arrayValue?.first?["sample"]?.texts == [
                "extra table more", "missing index idx_files_user_id",
            ])
        try demo.sql("UPDATE store SET store_id = 'another'")
        #expect(try ids(checked(demo)) == ["mismatchedPair", "chatSchemaDrift"])
        let run = try demo("check", "--fix", "--yes")
        #expect(run.code == 1)
        let newer = try DemoStore.make()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL)")
        let answer = try checked(newer)
        #expect(ids(answer).isEmpty)
        #expect(answer["notes"]?.texts?.first?.contains("newer than this build, by 20990101_future") == true)
    }

    @Test("Of another version, of another pair, or damaged, nothing is mended, and nothing is asked")
    func refusals() throws {
        let newer = try faultyStore()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL)")
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

    @Test("One database alone is checked, and what needs the other is left out")
    func loneDatabase() throws {
        for (kept, missing) in [("chat", "agent"), ("agent", "chat")] {
            let demo = try DemoStore.make()
            try FileManager.default.removeItem(atPath: demo.file("x_\(missing).db"))
            let answer = try checked(demo, demo.file("x_\(kept).db"))
            #expect(ids(answer) == ["missingDatabase"])
            #expect(answer["findings"]?[0]?["sample"]?.texts == [missing])
            #expect(answer["leftOut"]?.arrayValue?.allSatisfy { $0["reason"] == "missingDatabase" } == true)
        }
    }

    @Test("A store of SimpleX Chat: only what holds for it, ids kept as bytes included, and nothing is mended")
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
        #expect(answer["notes"]?.texts?.first?.hasPrefix("a store of SimpleX Chat") == true)
        try folder.sql(
            "DELETE FROM connections WHERE conn_id = x'6163'; INSERT INTO users VALUES (7, 0)", in: "x_agent.db")
        #expect(try ids(checked(folder)) == ["agentProfileWithoutProfile", "connectionWithoutAgent"])
        let run = try folder("check", "--fix", "--yes", "--format", "json")
        #expect(try run.code == 1 && run.refusal()["code"] == "readOnlyStore")
    }
}
