import ChatDBKit
import Foundation
import Testing

@Suite("inspect")
struct InspectTests {
    /// The page as JSON. The run must change no byte, create no file and touch none.
    private func page(_ folder: ToolRun, _ store: String? = nil) throws -> JSONValue {
        let before = try folder.folder.fingerprint()
        let run = try folder("inspect", "-d", store ?? folder.store, "--format", "json")
        #expect(try folder.folder.fingerprint() == before)
        try #require(run.code == 0, "\(run.errors)")
        let text = try folder("inspect", "-d", store ?? folder.store)
        #expect(text.code == 0)
        #expect(try folder.folder.fingerprint() == before)
        return try run.answer()
    }

    private func part(_ page: JSONValue, _ database: String) -> JSONValue? {
        page["store"]?[database]
    }

    @Test("A whole store of this build has no warnings and no advice, and no byte changes")
    func current() throws {
        let demo = try DemoStore.make()
        let page = try page(demo)
        #expect(part(page, "chat")?["state"] == "current")
        #expect(part(page, "agent")?["journalMode"] == "wal")
        #expect(page["warnings"]?.texts == [])
        #expect(page["notes"]?.texts == [])
        #expect(page["next"]?.texts == ["chatdb check -d \(demo.store)"])
        #expect(page["users"]?.arrayValue?.count == 2)
        #expect(page["relays"]?.arrayValue?.count == 7)
        #expect(page["channels"]?.arrayValue?.count == 1)
    }

    @Test("CSV has the databases, and a note says that JSON has the rest")
    func csv() throws {
        let demo = try DemoStore.make()
        let run = try demo("inspect", "--format", "csv")
        #expect(run.code == 0 && run.output.split(separator: "\n").count == 3)
        #expect(run.errors == "note: CSV has only the databases; --format json has the whole page\n")
        #expect(try demo("inspect", "--format", "csv", "-q").errors.isEmpty)
    }

    @Test("At every older version inspect shows all sections; notes name what the version lacks")
    func olderVersions() throws {
        for (steps, lacks) in [
            (1, []), (10, []), (18, ["relays", "channels"]), (24, ["relays", "channels", "operators"]),
            (28, ["relays", "channels", "operators", "hidden profiles"]),
        ] as [(Int, [String])] {
            let demo = try DemoStore.make()
            try demo.succeed("migrate", "down", "--steps", "\(steps)", "--yes", "-q", "--no-backup")
            let page = try page(demo)
            #expect(page["warnings"]?.texts?.contains { $0.contains("older than this build") } == true)
            let next = try #require(page["next"]?.texts)
            #expect(next == ["migrate plan", "migrate up", "check"].map { "chatdb \($0) -d \(demo.store)" })
            let notes = try #require(page["notes"]?.texts)
            for what in lacks {
                #expect(notes.contains { $0.contains("no \(what)") }, "\(what) after \(steps) steps down: \(notes)")
            }
            #expect(page["users"]?.arrayValue?.isEmpty == false, "after \(steps) steps down")
            #expect(page["relays"]?.arrayValue?.isEmpty == lacks.contains("relays"), "after \(steps) steps down")
            #expect(page["channels"]?.arrayValue?.isEmpty == lacks.contains("channels"), "after \(steps) steps down")
        }
    }

    @Test("inspect reads one database alone; a command that writes exits with 66")
    func loneDatabase() throws {
        for (kept, missing) in [("chat", "agent"), ("agent", "chat")] {
            let demo = try DemoStore.make()
            try FileManager.default.removeItem(atPath: demo.file("x_\(missing).db"))
            let page = try page(demo, demo.file("x_\(kept).db"))
            #expect(part(page, missing) == .null)
            #expect(part(page, kept)?["state"] == "current")
            let note = "the \(missing) database is missing (\(demo.file("x_\(missing).db")))"
            #expect(page["warnings"]?.texts == [note])
            #expect(page["users"]?.arrayValue?.count == (kept == "chat" ? 2 : nil))
            #expect(page["next"]?.texts == ["chatdb check -d \(demo.store)"])
            let run = try demo("relay", "list", "--format", "json")
            #expect(run.code == (kept == "chat" ? 0 : 66))
            #expect(run.errors.contains(note) == (kept == "chat"))
            #expect(run.errors.contains("incompleteStore") == (kept == "agent"))
            let written = try demo("relay", "add", DemoStore.otherRelay, "--format", "json")
            #expect(written.code == 66)
            #expect(try written.refusal()["code"] == "incompleteStore")
        }
    }

    @Test("a database of chatdb that --database names is not called adopted")
    func namedDatabase() throws {
        let demo = try DemoStore.make()
        let page = try demo.succeed("inspect", "--database", "chat=x_chat.db").output
        #expect(page.contains("Made by") && !page.contains("adopted"), "\(page)")
    }

    @Test("inspect recognizes a store of SimpleX Chat by its ledger, whatever its tables, and says what is missing")
    func simplex() throws {
        let folder = try ToolRun()
        for name in ["x_chat.db", "x_agent.db"] {
            try folder.sql(
                """
                CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT);
                INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL),
                    ('20220205_more', '2022-02-05 00:00:00', NULL);
                """, in: name)
        }
        let page = try page(folder)
        #expect(page["store"]?["kind"] == "simplex")
        #expect(part(page, "chat")?["version"] == "20220205_more")
        #expect(part(page, "chat")?["state"] == .null)
        #expect(page["users"]?.arrayValue?.isEmpty == true)
        #expect(
            page["notes"]?.texts?.first
                == "in a store of SimpleX Chat, chatdb changes relays, servers and operators, and nothing else")
        #expect(page["notes"]?.texts?.contains { $0.hasPrefix("this version has no profiles") } == true)
        #expect(try folder("user", "list").output == "no profiles\n")
        let run = try folder("user", "add", "x", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "readOnlyStore")
    }

    @Test("inspect warns of databases of two stores, of a file that is no database, and of a newer one")
    func warnings() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE store SET store_id = 'another'")
        var warnings = try page(demo)["warnings"]?.texts
        #expect(warnings == ["the chat and the agent database do not belong together"])

        let newer = try DemoStore.make()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)")
        let page = try page(newer)
        warnings = page["warnings"]?.texts
        #expect(warnings == ["the chat database is newer than this build: 20990101_future"])
        #expect(part(page, "chat")?["state"] == "newer")
        #expect(page["relays"]?.arrayValue?.count == 7)

        try Data("hello, world\n".utf8).write(to: URL(fileURLWithPath: newer.file("x_agent.db")))
        warnings = try self.page(newer)["warnings"]?.texts
        #expect(warnings?.count == 2)
        #expect(warnings?.first?.hasPrefix("\(newer.file("x_agent.db")) is a text file, not a database") == true)
    }

    @Test("If no database can be read: exit 66, and the error names the file")
    func unreadable() throws {
        let folder = try ToolRun()
        for name in ["x_chat.db", "x_agent.db"] {
            try Data("%PDF-1.4".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let run = try folder("inspect", "--format", "json")
        #expect(run.code == 66)
        #expect(try run.refusal()["code"] == "notADatabase")
        #expect(run.errors.contains("x_chat.db"))
    }

    @Test("The advised commands run as they are, whatever the name of the folder")
    func nextCommands() throws {
        let folder = try ToolRun()
        try FileManager.default.createDirectory(atPath: folder.file("it's $HOME"), withIntermediateDirectories: true)
        let store = folder.file("it's $HOME/my store")
        try folder.succeed("migrate", "run", "-q", "-d", store)
        try folder.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup", "-d", store)
        let next = try #require(try page(folder, store)["next"]?.texts)
        for command in next {
            let run = try folder.shell("\"$CHATDB\"\(command.dropFirst("chatdb".count))")
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
        #expect(
            try page(folder, store)["next"]?.texts
                == ["user add NAME", "check"].map {
                    "chatdb \($0) -d '\(store.replacing("'", with: "'\\''"))'"
                })
    }

    @Test("Relays of a disabled operator, and soft-deleted ones, do not count as enabled")
    func operatorOff() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE server_operators SET enabled = 0; UPDATE chat_relays SET deleted = 1 WHERE preset = 0")
        let page = try page(demo)
        let warnings = try #require(page["warnings"]?.texts)
        #expect(warnings.contains("alice: No chat relays enabled. Channels require at least one relay."))
        #expect(page["relays"]?.arrayValue?.count == 6)
        #expect(page["next"]?.texts?.first == "chatdb operator enable id:1 -d \(demo.store)")
    }

    @Test("Enabled relays and servers of operators that are off do not count for people; a bundle marks each of them")
    func entriesOfOperatorOff() throws {
        let demo = try DemoStore.make()
        #expect(try demo("inspect").output.contains(#/alice +(yes|no) +\d of \d +7 of 20 +6 of 12/#))
        try demo.sql("UPDATE server_operators SET enabled = 0 WHERE trade_name = 'Flux'")
        let text = try demo("inspect").output
        #expect(text.contains(#/alice +(yes|no) +\d of \d +4 of 20 +3 of 12/#), "\(text)")
        #expect(text.contains(#/alice +Flux +off +0 of 0 +0 of 6 +0 of 6/#), "\(text)")
        let servers = try demo("bundle", "--preview").answer()["servers"]?.arrayValue ?? []
        #expect(servers.contains { $0["operatorOff"] == true } && servers.contains { $0["operatorOff"] == false })
        #expect(servers.allSatisfy { $0["operatorOff"] == .bool($0["operator"] == "flux") }, "\(servers)")
    }

    @Test("A profile whose servers are all disabled, or of disabled operators, gets commands that work as they are")
    func serversOff() throws {
        let all = "UPDATE protocol_servers SET enabled = 0 WHERE user_id = 1"
        for (change, commands) in [
            (all, ["server enable id:SMP --user id:1", "server enable id:XFTP --user id:1"]),
            ("UPDATE server_operators SET enabled = 0", ["operator enable id:1"]),
            (
                "\(all); UPDATE server_operators SET enabled = 0",
                ["operator enable id:1", "server enable id:SMP --user id:1"]
            ),
            ("DELETE FROM protocol_servers WHERE user_id = 1", ["preset sync --user id:1"]),
        ] {
            let demo = try DemoStore.make()
            try demo.sql(change)
            func first(_ kind: String) throws -> String {
                try demo.sql(
                    "SELECT min(smp_server_id) FROM protocol_servers WHERE user_id = 1 AND protocol = '\(kind)'")
            }
            let (smp, xftp) = (try first("smp"), try first("xftp"))
            let next = try #require(try page(demo)["next"]?.texts)
            for command in commands {
                let named = command.replacing("id:SMP", with: "id:\(smp)").replacing("id:XFTP", with: "id:\(xftp)")
                #expect(next.contains { $0.hasPrefix("chatdb \(named)") }, "\(change): \(next)")
            }
            for command in next where !command.hasPrefix("chatdb check") {
                let asks = command.contains("preset sync") ? " --yes" : ""
                let run = try demo.shell("\"$CHATDB\"\(command.dropFirst("chatdb".count))\(asks)")
                #expect(run.code == 0, "\(command): \(run.errors)")
            }
            let left = try page(demo)["warnings"]?.texts ?? []
            #expect(!left.contains { $0.contains("servers enabled") }, "\(change): \(left)")
        }
    }

    @Test("the time line says what it lacks: a message that is older than the searched ones, and times that are none")
    func timeline() throws {
        let demo = try DemoStore.make()
        func notes() throws -> [String] {
            let page = try demo("inspect", "--format", "json").answer()
            return (page["notes"]?.texts ?? []).filter { $0.hasPrefix("the time line") }
        }
        #expect(try notes() == [])
        try demo.sql(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1190)
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT 1, 1, 0, '2026-07-20 09:05:00.120', 'rcv_read', '{}', '' FROM n;
            UPDATE chat_items SET created_at = 'yesterday' WHERE chat_item_id = 1000
            """)
        let expected = [
            "the time line has no sent message: none is among the newest 1,000 entries of chats",
            "the time line leaves out 1 entry of a chat: the time cannot be read",
        ]
        #expect(try notes() == expected)
        let bundle = try demo("bundle", "--preview").answer()["notes"]?.texts ?? []
        #expect(bundle.filter { $0.hasPrefix("the time line") } == expected)
    }

    @Test("the time line of an archive has the time of the archive's file, and not that of the copy that chatdb reads")
    func archive() throws {
        let demo = try DemoStore.make()
        try demo.archive()
        let path = demo.file("archive.zip")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_790_856_000)], ofItemAtPath: path)
        for command in [["inspect"], ["bundle", "--preview"]] {
            let answer = try demo(command + ["-d", path, "--format", "json"]).answer()
            let events = (answer["timeline"]?.arrayValue ?? []).filter { $0["event"] == "filesWritten" }
            #expect(events.map { $0["at"] } == ["2026-10-01T12:00:00Z"], "\(command): \(events)")
        }
    }
}
