import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety R01 to R12, R16 and §2, with the tool as a process: what is there is read whole, and not a byte changes.
@Suite("stores as they are found") struct FoundStoreTests {
    /// The page as JSON, from a run that has changed nothing in the folder of the store and left nothing in that of its
    /// temporary files.
    private func page(_ store: ToolRun, _ prefix: String? = nil) throws -> JSONValue {
        let temporary = try TemporaryFolder()
        let before = try store.folder.fingerprint()
        let run = try store(
            ["inspect", "--format", "json", "-d", prefix ?? store.store], environment: ["TMPDIR": temporary.path])
        #expect(try store.folder.fingerprint() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
        try #require(run.code == 0, "\(run.code): \(run.errors)")
        return try run.answer()
    }

    private func journal(_ page: JSONValue) -> JSONValue? { page["store"]?["chat"]?["journal"] }

    @Test(
        "R01 to R05: what was committed is shown, what was not is not, and the page says how it was read",
        arguments: FoundStore.allCases)
    func states(_ state: FoundStore) throws {
        let page = try page(state.make())
        #expect(FoundStore.isWhole(page))
        #expect(journal(page)?["state"] == state.journalState)
        let notes = try #require(page["notes"]?.texts)
        switch state {
        case .cleanRollback, .cleanWAL: #expect(notes.isEmpty)
        case .hotWAL, .hotWALWithoutIndex: #expect(notes.contains { $0.contains("x_chat.db-wal") })
        case .hotJournal: #expect(notes.contains { $0.contains("rolled back in a copy") })
        }
    }

    @Test(
        "R06: on a mount that is read-only the same is shown, root or not",
        .enabled(if: ReadOnlyMount.obstacle == nil, "\(ReadOnlyMount.obstacle ?? "")"), arguments: FoundStore.allCases)
    func readOnlyMount(_ state: FoundStore) throws {
        let store = try state.make()
        let temporary = try TemporaryFolder()
        let before = try store.folder.fingerprint()
        let run = try ReadOnlyMount.run(
            "! touch new 2>&1 || exit 99; exec \"$CHATDB\" inspect --format json", store, temporary: temporary.path)
        try #require(run.code == 0, "\(run.code): \(run.errors)")
        // What `touch` said: the test is worth nothing where it could write.
        #expect(run.output.hasPrefix("touch: ") && run.output.contains("Read-only file system"))
        let page = try JSONValue(parsing: String(run.output.drop { $0 != "\n" }))
        #expect(FoundStore.isWhole(page))
        #expect(journal(page)?["state"] == state.journalState)
        #expect(try store.folder.fingerprint() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    #if os(Linux)
        @Test(
            "R07: somebody who may only read, in a folder that cannot be written, is shown the same",
            .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")),
            arguments: FoundStore.allCases)
        func readOnly(_ state: FoundStore) throws {
            let store = try state.make()
            let tool = try TemporaryFolder()
            for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path) {
                chmod(store.file(name), 0o444)
            }
            chmod(store.folder.path, 0o555)
            defer { chmod(store.folder.path, 0o700) }
            // A copy of the tool, because the folder it was built in may be closed to others.
            try FileManager.default.copyItem(atPath: BuiltTool.find().path, toPath: tool.file("chatdb"))
            chmod(tool.path, 0o777)
            let before = try store.folder.fingerprint()
            let run = try store.shell(
                """
                cd / && TMPDIR=\(tool.path) setpriv --reuid 65534 --regid 65534 --clear-groups \
                \(tool.file("chatdb")) inspect -d \(store.store) --format json
                """)
            try #require(run.code == 0, "\(run.errors)")
            #expect(FoundStore.isWhole(try run.answer()))
            #expect(try store.folder.fingerprint() == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: tool.path) == ["chatdb"])
        }
    #endif

    private static let commits = 20_000

    @Test("R08: while a program commits without end, every page is one of its commits", arguments: ["wal", "delete"])
    func busyWriter(_ mode: String) throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = \(mode);")
        let app = try HeldShell(store)
        try app.run("PRAGMA busy_timeout = 10000; UPDATE chat_relays SET display_name = 'n0' WHERE chat_relay_id < 3;")
        let elsewhere = try TemporaryFolder()
        let script = (1...Self.commits).map { number in
            """
            BEGIN; UPDATE chat_relays SET display_name = 'n\(number)' WHERE chat_relay_id = 1;
            UPDATE chat_relays SET display_name = 'n\(number)' WHERE chat_relay_id = 2; COMMIT;
            """
        }.joined(separator: "\n")
        try Data(script.utf8).write(to: URL(fileURLWithPath: elsewhere.file("commits.sql")))
        // From a file: a pipe would be full as long as it writes.
        app.say(".read \(elsewhere.file("commits.sql"))")
        var answers: Set<String> = []
        // As long as it writes, and until there were answers of two commits.
        while answers.count < 2 {
            let run = try store("inspect", "--format", "json")
            let answer = try #require(try? run.answer(), "\(run.code): \(run.errors)")
            if answer["relays"] == .null {
                // A rollback journal keeps readers out while it is written: busy, and nothing worse.
                let said = (answer["warnings"]?.texts ?? []) + (answer["notes"]?.texts ?? [])
                try #require(mode == "delete" && said.contains { $0.contains("locked") }, "\(said)")
                continue
            }
            let relays = answer["relays"]?.arrayValue ?? []
            let names = relays.filter { [1, 2].contains($0["relay"]?["chatRelayId"]?.integerValue) }
                .compactMap { $0["relay"]?["name"]?.stringValue }
            try #require(names.count == 2 && Set(names).count == 1, "\(names)")
            if names[0] == "n\(Self.commits)" { break }
            answers.formUnion(names)
        }
        #expect(answers.count == 2, "the program had ended before anything was read")
        app.crash()
    }

    @Test("a store that an app has open is read where it is, and the page names the app", arguments: ["wal", "delete"])
    func inUse(_ mode: String) throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = \(mode);")
        let app = try HeldShell(store)
        try app.run("\(FoundStore.committed) BEGIN IMMEDIATE; UPDATE users SET local_display_name = 'u' || user_id;")
        let before = try image(store)
        let run = try store("inspect", "--format", "json")
        try #require(run.code == 0, "\(run.errors)")
        let page = try run.answer()
        #expect(FoundStore.isWhole(page))
        #expect(try image(store) == before)
        #if os(Linux)
            #expect(journal(page)?["state"] == "inUse")
            #expect(journal(page)?["heldBy"]?[0]?["pid"]?.integerValue == Int64(app.pid))
            #expect(page["notes"]?.texts?.contains { $0.contains("sqlite3 (\(app.pid)) has it open") } == true)
        #endif
        app.end()
    }

    @Test("a database that an app is writing at this moment is told as that, the other one is shown, nothing changes")
    func exclusive() throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = delete;")
        let app = try HeldShell(store)
        try app.run("BEGIN EXCLUSIVE; UPDATE users SET local_display_name = 'u' || user_id;")
        let before = try image(store)
        let run = try store("inspect", "--format", "json")
        // What can be read, the agent database, is told all the same.
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.answer()["warnings"]?.texts?.contains { $0.contains("x_chat.db") } == true)
        #expect(try image(store) == before)
        app.end()
    }

    /// The folder without the shared memory of the log, in which every reader marks where it reads.
    private func image(_ store: ToolRun) throws -> [String: [String]] {
        try store.folder.fingerprint().filter { !$0.key.hasSuffix("-shm") }
    }

    /// Puts the log of another store, of which one relay is left, beside the chat database.
    private func addForeignLog(to mine: ToolRun, preparing sql: String = "") throws {
        let other = try DemoStore.make()
        if !sql.isEmpty { try other.sql(sql) }
        let app = try HeldShell(other)
        try app.run("DELETE FROM chat_relays WHERE chat_relay_id > 1;")
        app.crash()
        try FileManager.default.copyItem(atPath: other.file("x_chat.db-wal"), toPath: mine.file("x_chat.db-wal"))
    }

    @Test("R12: what comes from a log that may be of another store is told to, by whoever shows it")
    func foreignLog() throws {
        let mine = try DemoStore.make()
        try addForeignLog(to: mine)
        let page = try page(mine)
        // SQLite takes the log for the store's own: of the seven relays one is left.
        #expect(page["relays"]?.arrayValue?.count == 1)
        let pairing = "x_chat.db-wal"
        #expect(page["notes"]?.texts?.contains { $0.contains(pairing) } == true)
        #expect(page["notes"]?.texts?.contains { $0.contains("copied together") } == true)
        #expect(journal(page)?["state"] == "pendingLog" && journal(page)?["walBytes"] != 0)
        let shown = try mine.succeed("inspect").output.replacing("\n", with: " ")
        #expect(shown.contains(pairing) && shown.contains("copied together"))
        for command in [["relay", "list"], ["preset", "export"], ["query", "SELECT count(*) FROM chat_relays"]] {
            let run = try mine(command)
            #expect(run.code == 0 && run.errors.contains("copied together"), "\(command): \(run.errors)")
        }
    }

    @Test("R12: a log beside a database that keeps none is told as that too")
    func unexpectedLog() throws {
        let mine = try DemoStore.make()
        try mine.sql("PRAGMA journal_mode = delete;")
        try addForeignLog(to: mine)
        let page = try page(mine)
        #expect(page["relays"]?.arrayValue?.count == 1)
        #expect(page["notes"]?.texts?.contains { $0.contains("not in WAL mode; it may belong to another") } == true)
        #expect(page["notes"]?.texts?.contains { $0.contains("copied together") } == true)
    }

    @Test("R12: a log with pages of another size is of another database: nobody reads it, and it is named")
    func impossibleLog() throws {
        let mine = try DemoStore.make()
        try addForeignLog(
            to: mine,
            preparing: "PRAGMA journal_mode = delete; PRAGMA page_size = 1024; VACUUM; PRAGMA journal_mode = wal;")
        let page = try page(mine)
        let words = "x_chat.db-wal has another page size (1024 bytes) than the database"
        #expect(page["relays"] == .null)
        #expect(page["warnings"]?.texts?.contains { $0.contains(words) } == true, "\(page["warnings"] ?? .null)")
        let before = try mine.folder.fingerprint()
        for command in [["relay", "list"], ["relay", "disable", "mine", "-u", "alice"], ["migrate", "run"]] {
            let run = try mine(command)
            #expect(run.code == 66 && run.errors.contains(words), "\(command): \(run.errors)")
        }
        #expect(try mine.folder.fingerprint() == before)
    }

    @Test("R16: what a killed run left in the temporary folder goes with the next; what is in use stays")
    func abandonedCopies() throws {
        let store = try FoundStore.hotWAL.make()
        let temporary = try TemporaryFolder()
        let left = temporary.file("chatdb-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        for name in ["lock", "copy.db", "copy.db-wal"] {
            try Data([1]).write(to: URL(fileURLWithPath: left + "/" + name))
        }
        try store(["inspect"], environment: ["TMPDIR": temporary.path])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }
}
