import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety S01, R15: no file keeps the tool working or waiting for ever.
@Suite("stores that would keep chatdb busy", .timeLimit(.minutes(60))) struct EndlessStoreTests {
    /// A store with a table whose pages share the next ones, and a backup from before that table.
    private func endless() throws -> ToolRun {
        let store = try DemoStore.make()
        try store.succeed("backup", "backups")
        try store.sql(
            """
            PRAGMA journal_mode = delete; CREATE TABLE circle(a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4000)
            INSERT INTO circle SELECT x, printf('%.500c', 'x') FROM n;
            """)
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = 'circle'")))
        let file = URL(fileURLWithPath: store.file("x_chat.db"))
        var bytes = Array(try Data(contentsOf: file))
        SharedPages.lead(from: root, in: &bytes)
        try Data(bytes).write(to: file)
        return store
    }

    /// A run that the system ends after this many seconds of processor time, with at most 600 MiB of memory where the
    /// system has such a limit.
    private func run(_ command: String, seconds: Int, _ store: ToolRun) throws -> ToolRun.Outcome {
        let files = { try store.folder.fingerprint().filter { !$0.key.hasPrefix("backups") } }
        let before = try files()
        let run = try store.shell("ulimit -t \(seconds); ulimit -v 614400 2>/dev/null; exec \"$CHATDB\" \(command)")
        #expect([0, 1, 65, 66, 74].contains(run.code), "\(command): \(run.code) \(run.errors)")
        #expect(try files() == before)
        return run
    }

    @Test("S01: inspect answers in ten seconds for a store whose pages share the next ones, with what it can read")
    func inspect() throws {
        let answer = try run("inspect --format json", seconds: 10, endless()).answer()
        #expect(answer["users"]?.arrayValue?.count == 2)
        #expect(answer["notes"]?.texts?.contains("the chat database: the rows of its tables cannot be counted") == true)
    }

    @Test("S01: a query to it ends at its time limit")
    func question() throws {
        let query = try run("query 'SELECT count(*) FROM circle' --timeout 0.3", seconds: 5, endless())
        #expect(query.code == 1 && query.errors.contains("longer than 0.3 seconds"), "\(query.errors)")
    }

    // A shorter time limit than the tool's, so that the suite does not wait; `patience` uses the tool's.

    @Test("S01: chatdb refuses to back it up, and still restores over it")
    func backupAndRestore() throws {
        let store = try endless()
        var options = MigrationOptions()
        options.backup = .folder(store.file("backups"))
        let migrator = Migrator(
            engine: SQLiteEngine(queryTimeLimit: .milliseconds(200)), location: try StoreLocation(prefix: store.store),
            build: try MigrationSource.build.load(), options: options)
        let refused = #expect(throws: MigrationError.self) { try migrator.context.backUp() }
        #expect(refused?.message.contains("limit for an untrusted file") == true, "\(refused as Any)")
        let folder = try backup(of: store)
        let plan = try Restorer(migrator.context).plan(folder)
        #expect(plan.notes.contains { $0.contains("chatdb did not compare the table circle") }, "\(plan.notes)")
        _ = try Restorer(migrator.context).run(plan)
        #expect(try store.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
    }

    private func backup(of store: ToolRun) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: store.file("backups"))
        return store.file("backups/" + (try #require(names.first)))
    }

    @Test(
        "S01: with the tool's own time limit, bundle succeeds, backup is refused, and restore shows its plan",
        .enabled(if: FaultSample.isTortured, "it takes half a minute: under make torture"))
    func patience() throws {
        let store = try endless()
        let bundle = try run("bundle --preview", seconds: 60, store).answer()
        #expect(bundle["rows"]?["chat"] != nil)
        let refused = try run("backup backups", seconds: 60, store)
        #expect(refused.code != 0 && refused.errors.contains("limit for an untrusted file"))
        let plan = try run("restore \(backup(of: store)) --dry-run", seconds: 60, store)
        #expect(
            plan.code == 0 && (plan.output + plan.errors).contains("chatdb did not compare the table circle"),
            "\(plan.output) \(plan.errors)")
    }

    @Test("R15: every command names a FIFO beside a database, and does not wait for it")
    func fifo() throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA journal_mode = delete;")
        for suffix in ["-journal", "-wal", "-shm"] {
            let fifo = store.file("x_chat.db\(suffix)")
            mkfifo(fifo, 0o600)
            for command in [
                "inspect", "check", "user list", "query 'SELECT 1'", "backup", "relay disable mine -u alice",
            ] {
                let run = try store.shell("exec timeout 600 \"$CHATDB\" \(command)")
                #expect([0, 1, 66].contains(run.code), "\(command): \(run.code)")
                #expect((run.output + run.errors).contains("x_chat.db\(suffix) is a named pipe"), "\(command)")
            }
            unlink(fifo)
        }
    }
}
