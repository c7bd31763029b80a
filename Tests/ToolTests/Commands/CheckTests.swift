import Foundation
import Schema
import Testing

@Suite("check")
struct CheckTests {
    /// What is found, and that looking has not changed a byte, made a file, or touched one.
    private func found(_ folder: ToolRun, _ store: String? = nil) throws -> JSONValue {
        let before = try folder.folder.fingerprint()
        let run = try folder("check", "-d", store ?? folder.store, "--format", "json")
        #expect(try folder.folder.fingerprint() == before)
        let answer = try run.answer()
        #expect(answer["ok"]?.boolValue == (run.code == 0), "\(run.errors)")
        return answer
    }

    private func ids(_ answer: JSONValue) -> [String] {
        (answer["findings"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    /// A store in which a profile was being made, a relay forgotten, and a group marked for nothing.
    private func faulty() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        try demo.sql(
            """
            INSERT INTO chat_relays (user_id, address, address_key, deleted)
                SELECT 2, address, address_key, 1 FROM chat_relays WHERE preset = 0;
            UPDATE groups SET conn_link_started_connection = 1;
            INSERT INTO protocol_servers (user_id, host, key_hash) VALUES (1, 'a.example', 'k'), (1, 'A.example,b', 'k')
            """)
        return demo
    }

    @Test("A store in order has no finding at this version or any older one: 0, and not a byte changed")
    func healthy() throws {
        let demo = try DemoStore.make()
        var left = 0
        for step in 0...24 {
            if step > 0 { try demo.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup") }
            let answer = try found(demo)
            #expect(ids(answer).isEmpty, "\(step) steps down")
            let leftOut = answer["leftOut"]?.arrayValue ?? []
            #expect(leftOut.allSatisfy { $0["reason"] == "otherVersion" })
            // An older version has never more to look at.
            #expect(leftOut.count >= left, "\(step) steps down")
            left = leftOut.count
        }
    }

    @Test("An error ends with 1, a warning with 0")
    func exitCodes() throws {
        let demo = try faulty()
        #expect(
            try ids(found(demo)) == [
                "startedWithoutLink", "duplicateServer", "agentProfileWithoutProfile", "deletedRelayWithoutReference",
            ])
        #expect(try demo("check").code == 1)
        try demo.sql(
            "UPDATE groups SET conn_link_started_connection = 0; DELETE FROM protocol_servers WHERE host LIKE 'a.%'")
        #expect(try ids(found(demo)) == ["agentProfileWithoutProfile", "deletedRelayWithoutReference"])
        #expect(try demo("check").code == 0)
    }

    @Test("What can be mended is, after a backup of what was there; what cannot is still told, with 1")
    func fixes() throws {
        let demo = try faulty()
        let run = try demo("check", "--fix", "--yes", "--format", "json")
        #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
        let answer = try run.answer()
        #expect(ids(answer) == ["duplicateServer"])
        #expect(answer["fixed"]?.arrayValue?.map { $0["changed"] } == [1, 1, 1])
        let backup = try #require(answer["backup"]?.stringValue)
        let before = try ToolRun()
        for file in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.copyItem(atPath: "\(backup)/\(file)", toPath: before.file(file))
        }
        #expect(try ids(found(before)).count == 4)
        // Nothing is left to mend: no question, no backup.
        let again = try demo("check", "--fix", "--format", "json").answer()
        #expect(again["backup"] == .null && again["fixed"] == [])
        try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
        #expect(try demo("check", "--fix", "--yes", "--no-backup", "--format", "json").answer()["backup"] == .null)
    }

    @Test("Without a terminal and without --yes nothing is mended: 64")
    func nobodyToAsk() throws {
        let demo = try faulty()
        let before = try demo.folder.fingerprint()
        let run = try demo("check", "--fix", "--format", "json")
        #expect(try run.code == 64 && run.refusal()["code"] == "confirmationNeeded")
        #expect(run.output.isEmpty)
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("On a terminal it shows what it would do, and asks: no is 1 with nothing done, yes is done, Ctrl-C is 130")
    func asked() throws {
        let demo = try faulty()
        let before = try demo.folder.fingerprint()
        let run = try TerminalRun(["check", "--fix"], in: demo)
        let question = try run.terminal.read(until: "[y/N] ")
        #expect(question.contains("Mend 3 of 4 findings?") && question.contains("removes them"))
        run.terminal.type("n\n")
        let end = try run.end()
        #expect(end.code == 1 && end.shown.contains("Nothing was done."))
        let stopped = try TerminalRun(["check", "--fix"], in: demo)
        _ = try stopped.terminal.read(until: "[y/N] ")
        stopped.interrupt()
        #expect(try stopped.end().code == 130)
        #expect(try demo.folder.fingerprint() == before)
        let done = try TerminalRun(["check", "--fix"], in: demo)
        _ = try done.terminal.read(until: "[y/N] ")
        done.terminal.type("y\n")
        #expect(try done.end().code == 1)
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE deleted") == "0")
    }

    @Test("S08: a search index that is damaged or behind is an error, and made anew")
    func search() throws {
        let item = """
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT user_id, group_id, 0, '2026-01-01 00:00:00.000', 'rcv_new', '{}', 'hello world' FROM groups
            """
        for fault in [
            "UPDATE chat_items_fts_data SET block = zeroblob(length(block)) WHERE id > 10",
            "INSERT INTO chat_items_fts (chat_items_fts) VALUES ('delete-all')",
            "DROP TABLE chat_items_fts_docsize",
        ] {
            let demo = try DemoStore.make()
            try demo.sql(item)
            #expect(try ids(found(demo)).isEmpty)
            try demo.sql(fault)
            #expect(try ids(found(demo)).contains("searchIndex"), "\(fault)")
            if fault.hasPrefix("DROP") {
                // Beyond mending, and no reason to leave the rest.
                let run = try demo("check", "--fix", "--yes", "--format", "json")
                #expect(run.code == 1 && ids(try run.answer()).contains("searchIndex"), "\(run.errors)")
                continue
            }
            #expect(try demo("check", "--fix", "--yes").code == 0, "\(fault)")
            #expect(try demo.sql("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'world'") == "1")
            #expect(try ids(found(demo)).isEmpty)
        }
    }

    @Test("Schema drift, an interrupted pair and a file of another store are told by their ids")
    func versions() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE TABLE more (x INTEGER); DROP INDEX idx_files_user_id")
        let drift = try found(demo)
        #expect(ids(drift) == ["chatSchemaDrift"])
        #expect(
            drift["findings"]?.arrayValue?.first?["sample"]?.texts == [
                "extra table more", "missing index idx_files_user_id",
            ])
        try demo.sql("UPDATE store SET store_id = 'another'")
        #expect(try ids(found(demo)) == ["mismatchedPair", "chatSchemaDrift"])
        let run = try demo("check", "--fix", "--yes")
        #expect(run.code == 1)
        let newer = try DemoStore.make()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL)")
        let answer = try found(newer)
        #expect(ids(answer).isEmpty)
        #expect(answer["notes"]?.texts?.first?.contains("newer than this build, by 20990101_future") == true)
    }

    @Test("Of another version, of another pair, or damaged, nothing is mended, and nothing is asked")
    func refusals() throws {
        let newer = try faulty()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL)")
        let mixed = try faulty()
        try mixed.sql("UPDATE store SET store_id = 'another'")
        let damaged = try faulty()
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
            let answer = try found(demo, demo.file("x_\(kept).db"))
            #expect(ids(answer).isEmpty)
            #expect(
                answer["notes"]?.texts == ["the \(missing) database is not there (\(demo.file("x_\(missing).db")))"])
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
        let answer = try found(folder)
        #expect(ids(answer).isEmpty)
        #expect(answer["notes"]?.texts?.first?.hasPrefix("a store of SimpleX Chat") == true)
        try folder.sql(
            "DELETE FROM connections WHERE conn_id = x'6163'; INSERT INTO users VALUES (7, 0)", in: "x_agent.db")
        #expect(try ids(found(folder)) == ["agentProfileWithoutProfile", "connectionWithoutAgent"])
        let run = try folder("check", "--fix", "--yes", "--format", "json")
        #expect(try run.code == 1 && run.refusal()["code"] == "readOnlyStore")
    }

    @Test("What is asked for --fix is refused without it; without a store: 66")
    func usage() throws {
        let folder = try ToolRun()
        #expect(try folder("check", "--yes").code == 64)
        #expect(try folder("check", "--no-backup").code == 64)
        for command in [["check"], ["check", "--fix"]] {
            let run = try folder(command + ["--format", "json"])
            #expect(try run.code == 66 && run.refusal()["code"] == "storeNotFound")
        }
        #expect(try folder.folder.fingerprint().isEmpty)
    }

    @Test("Every answer is as recorded, in every format")
    func recorded() throws {
        let demo = try faulty()
        for (format, ending) in [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")] {
            let run = try demo("check", "--format", format)
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            try Snapshot.check(run.output, "check.\(ending)", in: demo)
        }
        try Snapshot.check(try demo.onTerminal("check").output, "check-terminal.txt", in: demo)
        try Snapshot.check(try demo("check", "--fix", "--yes").output, "check-fix.txt", in: demo)
        try Snapshot.check(try DemoStore.make()("check").output, "check-healthy.txt")
    }
}
