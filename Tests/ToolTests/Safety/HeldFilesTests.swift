import Foundation
import TestKit
import Testing

/// Safety R11: a process that closes any descriptor of a database drops the locks that SQLite has there, so that
/// another
/// program can commit in the middle of a transaction.
@Suite(
    "files that SQLite holds", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct HeldFilesTests {
    /// The processes that had each file open, in a run that must succeed.
    private func watch(
        _ arguments: [String], _ store: ToolRun, program: URL? = nil, allowing codes: Set<Int32> = [0]
    ) throws -> HeldFiles {
        let scratch = try TemporaryFolder()
        let log = URL(fileURLWithPath: scratch.file("held"))
        let command = FaultCommand(
            try program ?? BuiltTool.find(), environment: ["CHATDB_STORE": store.store, "XDG_DATA_HOME": scratch.path]
        ) { _ in arguments }
        let run = FaultRun(
            command, in: URL(fileURLWithPath: store.folder.path), scratch: URL(fileURLWithPath: scratch.path),
            plan: .watch(to: log))
        let outcome = try run.run()
        guard case .exit(let code) = outcome.termination, codes.contains(code) else {
            throw ToolRun.Failure(description: "\(arguments): \(outcome.termination) \(outcome.errors)")
        }
        return try HeldFiles(contentsOf: log)
    }

    private static let both: Set<String> = ["x_chat.db", "x_agent.db"]

    @Test(
        "R11: no command opens or closes a file outside SQLite while SQLite has locks on it",
        arguments: ["delete", "wal"])
    func commands(_ mode: String) throws {
        let store = try DemoStore.make()
        var apps: [HeldShell] = []
        for database in Self.both.sorted() {
            try store.sql("PRAGMA journal_mode = \(mode);", in: database)
            // SQLite reads a database in WAL mode without locks when no other process has it open.
            guard mode == "wal" else { continue }
            apps.append(try HeldShell(store, database))
            try apps.last?.run("SELECT count(*) FROM sqlite_master;")
        }
        for command in [
            ["inspect"], ["check"], ["backup"], ["preset", "export", "-u", "alice"], ["bundle", "--preview"],
            ["bundle", store.file("bundle.json")], ["query", "SELECT 1"], ["relay", "disable", "mine", "-u", "alice"],
        ] {
            let held = try watch(command, store)
            #expect(held.locked.contains("x_chat.db"), "\(command)")
            #expect(held.intrusions.isEmpty, "\(command)")
        }
        for app in apps { app.end() }
        let restored = try #require(
            try FileManager.default.contentsOfDirectory(atPath: store.file("x.backups")).first)
        let restore = try watch(["restore", store.file("x.backups/" + restored), "--yes"], store)
        #expect(!restore.locked.isEmpty && restore.intrusions.isEmpty)
    }

    @Test(
        "R11: nor when the database is encrypted, alone and while SQLCipher has it open",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func encrypted() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let before = try store.run.folder.fingerprint()
        for command in [
            ["inspect"], ["check"], ["query", "SELECT 1"], ["bundle", "--preview"], ["schema", "diff"],
            ["preset", "export", "-u", "alice"], ["group", "relays", "news", "-u", "alice"],
        ] {
            let held = try watch(
                command + ["-d", store.run.file("y"), "--passphrase-file", store.run.file("pass")], store.run)
            #expect(held.locked.contains("y_chat.db"), "\(command)")
            #expect(held.intrusions.isEmpty, "\(command): \(held.intrusions)")
        }
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("R11: nor does a migration, with its backup, in both journal modes", arguments: ["delete", "wal"])
    func migration(_ mode: String) throws {
        let store = try MigrationFixture.oldStore()
        for database in Self.both { try store.sql("PRAGMA journal_mode = \(mode);", in: database) }
        let held = try watch(["migrate", "run", "--confirm", "yes-up"], store)
        #expect(held.locked.isSuperset(of: Self.both) && held.intrusions.isEmpty)
    }

    @Test("R11: the test detects a program that reads a database it has locked")
    func control() throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = delete;")
        let held = try watch(
            [store.file("x_chat.db"), "BEGIN IMMEDIATE; SELECT length(readfile('\(store.file("x_chat.db"))'));"], store,
            program: URL(fileURLWithPath: "/usr/bin/sqlite3"))
        #expect(held.locked == ["x_chat.db"])
        #expect(held.intrusions.count == 2 && held.intrusions.allSatisfy { $0.contains("x_chat.db") })
    }
}
