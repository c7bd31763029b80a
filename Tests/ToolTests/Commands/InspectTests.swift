import Foundation
import Testing

@Suite("inspect")
struct InspectTests {
    /// The page as JSON, and that inspecting has not changed a byte, made a file, or touched one.
    private func page(_ folder: ToolRun, _ store: String? = nil) throws -> [String: Any] {
        let before = try folder.folder.fingerprint()
        let run = try folder.run("inspect", "-d", store ?? folder.store, "--format", "json")
        #expect(try folder.folder.fingerprint() == before)
        try #require(run.code == 0, "\(run.errors)")
        let text = try folder.run("inspect", "-d", store ?? folder.store)
        #expect(text.code == 0)
        #expect(try folder.folder.fingerprint() == before)
        return try run.json()
    }

    private func part(_ page: [String: Any], _ database: String) -> [String: Any]? {
        (page["store"] as? [String: Any])?[database] as? [String: Any]
    }

    @Test("A whole store of this build: no warnings, nothing to do, not a byte changed")
    func current() throws {
        let demo = try DemoStore.make()
        let page = try page(demo)
        #expect(part(page, "chat")?["state"] as? String == "current")
        #expect(part(page, "agent")?["journalMode"] as? String == "wal")
        #expect((page["warnings"] as? [String]) == [])
        #expect((page["notes"] as? [String]) == [])
        #expect((page["next"] as? [String]) == [])
        #expect((page["users"] as? [Any])?.count == 2)
        #expect((page["relays"] as? [Any])?.count == 7)
        #expect((page["channels"] as? [Any])?.count == 1)
    }

    @Test("At every older version it tells what it can: sections the version lacks are a note, and null for programs")
    func olderVersions() throws {
        var shown: Set<String> = []
        for steps in [1, 3, 6, 10, 14, 20, 24] {
            let demo = try DemoStore.make()
            try demo.succeed("migrate", "down", "--steps", "\(steps)", "--yes", "-q", "--no-backup")
            let page = try page(demo)
            #expect((page["warnings"] as? [String])?.contains { $0.contains("older than this build") } == true)
            let next = try #require(page["next"] as? [String])
            #expect(next == ["chatdb migrate plan -d \(demo.store)", "chatdb migrate up -d \(demo.store)"])
            let notes = try #require(page["notes"] as? [String])
            for (section, name) in [("users", "profiles"), ("relays", "relays"), ("channels", "channels")] {
                if page[section] is NSNull {
                    let isTold = notes.contains {
                        $0.contains("\(name) are not shown") || $0.contains("the profiles are not")
                    }
                    #expect(isTold, "\(section) after \(steps) steps down")
                } else {
                    shown.insert("\(section) \(steps)")
                }
            }
        }
        #expect(shown.isSuperset(of: ["users 1", "relays 1", "channels 1", "users 6", "channels 6", "users 10"]))
    }

    @Test("One database alone is enough for inspecting, and for nothing else: 66")
    func loneDatabase() throws {
        for (kept, missing) in [("chat", "agent"), ("agent", "chat")] {
            let demo = try DemoStore.make()
            try FileManager.default.removeItem(atPath: demo.file("x_\(missing).db"))
            let page = try page(demo, demo.file("x_\(kept).db"))
            #expect(part(page, missing) == nil)
            #expect(part(page, kept)?["state"] as? String == "current")
            let note = "the \(missing) database is not there (\(demo.file("x_\(missing).db")))"
            #expect((page["notes"] as? [String])?.contains(note) == true)
            #expect((page["users"] as? [Any])?.count == (kept == "chat" ? 2 : nil))
            #expect((page["next"] as? [String]) == [])
            let run = try demo.run("relay", "list", "--format", "json")
            #expect(run.code == 66)
            #expect(try run.error()["code"] as? String == "incompleteStore")
        }
    }

    @Test("A store of SimpleX Chat is known by its ledger, and what is not read is said")
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
        #expect((page["store"] as? [String: Any])?["kind"] as? String == "simplex")
        #expect(part(page, "chat")?["version"] as? String == "20220205_more")
        #expect(part(page, "chat")?["state"] is NSNull)
        #expect(page["users"] is NSNull)
        let note = "a store of SimpleX Chat: its profiles, relays and channels are not read yet"
        #expect((page["notes"] as? [String]) == [note])
        let run = try folder.run("user", "add", "x", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.error()["code"] as? String == "readOnlyStore")
    }

    @Test("Databases that do not belong together, one that is none, and a newer one are warned of")
    func warnings() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE store SET store_id = 'another'")
        var warnings = try page(demo)["warnings"] as? [String]
        #expect(warnings == ["the chat and the agent database do not belong together"])

        let newer = try DemoStore.make()
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL)")
        let page = try page(newer)
        warnings = page["warnings"] as? [String]
        #expect(warnings == ["the chat database is newer than this build: 20990101_future"])
        #expect(part(page, "chat")?["state"] as? String == "newer")
        #expect((page["relays"] as? [Any])?.count == 7)

        try Data("hello, world\n".utf8).write(to: URL(fileURLWithPath: newer.file("x_agent.db")))
        warnings = try self.page(newer)["warnings"] as? [String]
        #expect(warnings?.count == 2)
        #expect(warnings?.first?.hasPrefix("\(newer.file("x_agent.db")) is a text file, not a database") == true)
    }

    @Test("Where no database can be read: 66, and which file it is")
    func unreadable() throws {
        let folder = try ToolRun()
        for name in ["x_chat.db", "x_agent.db"] {
            try Data("%PDF-1.4".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let run = try folder.run("inspect", "--format", "json")
        #expect(run.code == 66)
        #expect(try run.error()["code"] as? String == "notADatabase")
        #expect(run.errors.contains("x_chat.db"))
    }

    @Test("The commands to run next can be run as they are, whatever the folder is called")
    func nextCommands() throws {
        let folder = try ToolRun()
        try FileManager.default.createDirectory(atPath: folder.file("it's $HOME"), withIntermediateDirectories: true)
        let store = folder.file("it's $HOME/my store")
        try folder.succeed("migrate", "run", "-q", "-d", store)
        try folder.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup", "-d", store)
        let next = try #require(try page(folder, store)["next"] as? [String])
        for command in next {
            let run = try folder.shell("\"$CHATDB\"\(command.dropFirst("chatdb".count))")
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
        #expect(
            try page(folder, store)["next"] as? [String] == [
                "chatdb user add NAME -d '\(store.replacing("'", with: "'\\''"))'"
            ])
    }

    @Test("A relay of an operator that is off, and soft-deleted ones, are not enabled relays")
    func operatorOff() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE server_operators SET enabled = 0; UPDATE chat_relays SET deleted = 1 WHERE preset = 0")
        let page = try page(demo)
        let warnings = try #require(page["warnings"] as? [String])
        #expect(warnings.contains("alice: No chat relays enabled. Channels require at least one relay."))
        #expect((page["relays"] as? [Any])?.count == 6)
        #expect((page["next"] as? [String])?.count == 2)
    }
}
