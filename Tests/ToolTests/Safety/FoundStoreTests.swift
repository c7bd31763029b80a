import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety R01 to R12, R16 and §2, with the tool as a process: it reads all committed data and changes no byte.
@Suite("stores in every state") struct FoundStoreTests {
    /// The page as JSON. The run must change nothing in the store's folder and leave no file in its folder of temporary
    /// files.
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
        "R01 to R05: inspect shows committed data, hides uncommitted data, and says how it read the store",
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
        "R06: inspect shows the same on a read-only mount, as root or not",
        .enabled(if: ReadOnlyMount.obstacle == nil, "\(ReadOnlyMount.obstacle ?? "")"), arguments: FoundStore.allCases)
    func readOnlyMount(_ state: FoundStore) throws {
        let store = try state.make()
        let temporary = try TemporaryFolder()
        let before = try store.folder.fingerprint()
        let run = try ReadOnlyMount.run(
            "! touch new 2>&1 || exit 99; exec \"$CHATDB\" inspect --format json", store, temporary: temporary.path)
        try #require(run.code == 0, "\(run.code): \(run.errors)")
        // The output of `touch`: if the folder can be written, the test proves nothing.
        #expect(run.output.hasPrefix("touch: ") && run.output.contains("Read-only file system"))
        let page = try JSONValue(parsing: String(run.output.drop { $0 != "\n" }))
        #expect(FoundStore.isWhole(page))
        #expect(journal(page)?["state"] == state.journalState)
        #expect(try store.folder.fingerprint() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    #if os(Linux)
        @Test(
            "R07: a user who may only read, in a folder without write permission, gets the same page",
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
            // A copy of the tool, because other users may lack permission for the build folder.
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

    private static let commits = 2_000
    private static let rounds = 50

    @Test(
        "R08: while a program commits continuously, every page shows one of its commits", arguments: ["wal", "delete"])
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
        // From a file: the process would fill a pipe.
        for _ in 1...Self.rounds { app.say(".read \(elsewhere.file("commits.sql"))") }
        app.say("UPDATE chat_relays SET display_name = 'end' WHERE chat_relay_id < 3;")
        var answers: Set<String> = []
        // Until the process ends, and until the answers show two commits.
        while answers.count < 2 {
            let run = try store("inspect", "--format", "json")
            let answer = try #require(try? run.answer(), "\(run.code): \(run.errors)")
            if answer["relays"] == .null {
                // A program that writes a rollback journal locks readers out: they get `busy`, and no other error.
                let said = (answer["warnings"]?.texts ?? []) + (answer["notes"]?.texts ?? [])
                try #require(mode == "delete" && said.contains { $0.contains("locked") }, "\(said)")
                continue
            }
            let relays = answer["relays"]?.arrayValue ?? []
            let names = relays.filter { [1, 2].contains($0["relay"]?["chatRelayId"]?.integerValue) }
                .compactMap { $0["relay"]?["name"]?.stringValue }
            try #require(names.count == 2 && Set(names).count == 1, "\(names)")
            if names[0] == "end" { break }
            answers.formUnion(names)
        }
        #expect(answers.count == 2, "the program had ended before anything was read")
        app.crash()
    }

    @Test(
        "inspect reads a store that an app has open in place, and the page names the app", arguments: ["wal", "delete"])
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

    @Test("inspect reports a database that an app is writing as busy, shows the other one, and changes nothing")
    func exclusive() throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = delete;")
        let app = try HeldShell(store)
        try app.run("BEGIN EXCLUSIVE; UPDATE users SET local_display_name = 'u' || user_id;")
        let before = try image(store)
        let run = try store("inspect", "--format", "json")
        // The page still shows the agent database, which can be read.
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.answer()["warnings"]?.texts?.contains { $0.contains("x_chat.db") } == true)
        #expect(try image(store) == before)
        app.end()
    }

    /// The folder without the shared memory of the log, where every reader records its position.
    private func image(_ store: ToolRun) throws -> [String: [String]] {
        try store.folder.fingerprint().filter { !$0.key.hasSuffix("-shm") }
    }

    /// Puts the log of another store, with one relay left, beside the chat database.
    private func addForeignLog(to mine: ToolRun, preparing sql: String = "") throws {
        let other = try DemoStore.make()
        if !sql.isEmpty { try other.sql(sql) }
        let app = try HeldShell(other)
        try app.run("DELETE FROM chat_relays WHERE chat_relay_id > 1;")
        app.crash()
        try FileManager.default.copyItem(atPath: other.file("x_chat.db-wal"), toPath: mine.file("x_chat.db-wal"))
    }

    @Test("R12: commands that show data from a log that may belong to another store warn of it")
    func foreignLog() throws {
        let mine = try DemoStore.make()
        try addForeignLog(to: mine)
        let page = try page(mine)
        // SQLite accepts the log as the store's own: one of the seven relays is left.
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

    @Test("R12: inspect reports a log beside a database that is not in WAL mode")
    func unexpectedLog() throws {
        let mine = try DemoStore.make()
        try mine.sql("PRAGMA journal_mode = delete;")
        try addForeignLog(to: mine)
        let page = try page(mine)
        #expect(page["relays"]?.arrayValue?.count == 1)
        #expect(page["notes"]?.texts?.contains { $0.contains("not in WAL mode; it may belong to another") } == true)
        #expect(page["notes"]?.texts?.contains { $0.contains("copied together") } == true)
    }

    @Test("R12: inspect reports a log with another page size as another database's, and does not read it")
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

    @Test("R16: the next run removes what a killed run left in the temporary folder, and keeps what is in use")
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
