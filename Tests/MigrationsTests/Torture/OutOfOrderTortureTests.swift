import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A run that applies a migration out of order, killed at every operation from its record to its end.
@Suite("Torture of a run out of order", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct OutOfOrderTortureTests {
    /// The words of the migrations: `b` is missing in the store.
    private static let files = ["a": "20300101_a", "b": "20300102_b", "c": "20300103_c"]

    @Test("T02: killed between its commits or anywhere near, the next run completes it, and the note is there")
    func killed() throws {
        let store = try TemporaryFolder()
        try make(in: store)
        let run = FaultCommand(try BuiltTool.find()) {
            [
                "migrate", "up", "--store", $0.path + "/x", "--migrations-dir", $0.path + "/m", "--allow-out-of-order",
                "merge",
            ]
        }
        let operations = try operations(of: run, on: store)
        let record = try #require(operations.first { $0.kind == .rename && $0.newPath == "x.migrating" })
        var between = 0
        let isFull = FaultSample.isTortured
        for operation in operations where operation.number >= record.number {
            // A third of them is a sample that has both commits.
            if !isFull, !operation.number.isMultiple(of: 3) { continue }
            let copy = try TemporaryFolder()
            try fill(copy, from: store)
            let scratch = try TemporaryFolder()
            _ = try FaultRun(
                run, in: URL(fileURLWithPath: copy.path), scratch: URL(fileURLWithPath: scratch.path),
                plan: .kill(at: operation.number)
            ).run()
            if try finish(copy) { between += 1 }
        }
        #expect(between > 0, "no kill was between the commits")
    }

    @Test("M05: a failed commit of one database is reported with the actual state, although its version stays the same")
    func failedCommit() throws {
        let store = try TemporaryFolder()
        try make(in: store)
        let connection = try SQLiteEngine().openForMigration(store.file("x_chat.db"), creating: false)
        _ = try connection.rows(.unchecked(sql: "PRAGMA journal_mode = DELETE"))
        connection.close()
        let run = FaultCommand(try BuiltTool.find()) {
            [
                "migrate", "up", "--only", "chat", "--store", $0.path + "/x", "--migrations-dir", $0.path + "/m",
                "--allow-out-of-order", "merge",
            ]
        }
        let operations = try operations(of: run, on: store)
        let journal = try #require(operations.first { $0.kind == .unlink && $0.path == "x_chat.db-journal" })
        let sync = operations.first {
            $0.number > journal.number && [.fsync, .fdatasync].contains($0.kind) && $0.path.isEmpty
        }
        let scratch = try TemporaryFolder()
        let outcome = try FaultRun(
            run, in: URL(fileURLWithPath: store.path), scratch: URL(fileURLWithPath: scratch.path),
            plan: .fail(at: try #require(sync).number, errno: EIO, sticky: true)
        ).run()
        #expect(outcome.termination == .exit(74), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
        let connectionAfter = try SQLiteEngine().open(store.file("x_chat.db"), as: .readOnly)
        defer { try? connectionAfter.close() }
        let applied = try connectionAfter.read { try $0.rows("SELECT name FROM migrations WHERE note IS NOT NULL") }
        #expect(applied.count == 1)
    }

    private func make(in store: TemporaryFolder) throws {
        for folder in ["m", "m/chat", "m/agent"] {
            try FileManager.default.createDirectory(atPath: store.file(folder), withIntermediateDirectories: false)
        }
        func write(_ sql: String, _ path: String) throws {
            try Data("-- Why: a test.\n\(sql);\n".utf8).write(to: URL(fileURLWithPath: store.file("m/\(path).up.sql")))
        }
        try write("CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT", "agent/20300101_a")
        try write("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT", "chat/20300101_a")
        try write("ALTER TABLE t ADD COLUMN c TEXT", "chat/20300103_c")
        let location = try StoreLocation(prefix: store.file("x"))
        _ = try Migrator(
            engine: SQLiteEngine(), location: location, build: try MigrationSource.folder(store.file("m")).load()
        ).run()
        try write("ALTER TABLE t ADD COLUMN b TEXT", "chat/20300102_b")
    }

    private func fill(_ copy: TemporaryFolder, from store: TemporaryFolder) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
            try FileManager.default.copyItem(atPath: store.file(name), toPath: copy.file(name))
        }
    }

    private func operations(of run: FaultCommand, on store: TemporaryFolder) throws -> [FileOperation] {
        let (copy, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        try fill(copy, from: store)
        let log = URL(fileURLWithPath: scratch.file("log"))
        _ = try FaultRun(
            run, in: URL(fileURLWithPath: copy.path), scratch: URL(fileURLWithPath: scratch.path), plan: .log(to: log)
        ).run()
        return try OperationLog(contentsOf: log).operations
    }

    /// Completes the killed run without the reason, or repeats it; returns whether it was between its commits.
    private func finish(_ folder: TemporaryFolder) throws -> Bool {
        let location = try StoreLocation(prefix: folder.file("x"))
        var migrator = Migrator(
            engine: SQLiteEngine(), location: location, build: try MigrationSource.folder(folder.file("m")).load())
        migrator.options.outOfOrderReason = "merge"
        let completes = try migrator.plan().completes.isEmpty == false
        // Between the commits, neither consent nor reason is needed.
        if completes { migrator.options.outOfOrderReason = nil } else { migrator.options.confirmation = .yesUp }
        _ = try migrator.run()
        let applied = try #require(try migrator.context.status().readable[.chat]?.applied)
        #expect(applied.map(\.note) == [nil, "out of order: merge", nil])
        #expect(try migrator.context.drift(of: .chat) == [])
        #expect(try migrator.context.status().isCurrent(DatabaseName.allCases))
        #expect(FileState(at: location.intentPath) == .missing)
        return completes
    }
}
