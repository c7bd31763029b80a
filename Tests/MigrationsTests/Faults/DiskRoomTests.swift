import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Too little space, on a disk and by a limit of the process. Rule: docs/migrations.md, "Room on the disk".
@Suite(.serialized, .timeLimit(.minutes(60))) struct DiskRoomTests {
    private static let migrating = ["migrate", "run", "--confirm", "yes-up", "--format", "json", "--store", "x"]

    private func fingerprint(_ outcome: SmallDisk.Outcome) throws -> Fingerprint {
        try Fingerprint(StoreLocation(prefix: outcome.result.file("result/x")))
    }

    private func bytes(_ store: TortureStore) -> Int64 {
        ["x_chat.db", "x_agent.db"].reduce(0) { $0 + FileSpace.size(of: store.folder.path + "/" + $1) }
    }

    @Test(
        "M06 B06: a disk of 1.5 times the store's size is refused before any write, and a full disk does no harm",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")),
        arguments: TortureStore.Journal.allCases)
    func smallDisk(_ journal: TortureStore.Journal) throws {
        let store = try TortureStore(journal: journal, items: 8_000)
        defer { store.remove() }
        let disk = SmallDisk(bytes: bytes(store) * 3 / 2)
        let tool = try BuiltTool.find().path

        let refused = try disk.run([tool] + Self.migrating, on: store.folder)
        #expect(refused.status == 74 && refused.output.contains("\"notEnoughSpace\""), "\(refused.output)")
        #expect(refused.before == refused.after && !refused.before.isEmpty)

        // A backup folder that does not exist yet, on the same disk, makes no difference.
        let elsewhere = try disk.run([tool] + Self.migrating + ["--backup-dir", "backups"], on: store.folder)
        #expect(elsewhere.status == 74 && elsewhere.output.contains("\"notEnoughSpace\""), "\(elsewhere.output)")

        let filled = try disk.run(
            [tool] + Self.migrating + ["--no-backup", "--skip-space-check"], on: store.folder)
        #expect(filled.status == 74 && filled.output.contains("database or disk is full"), "\(filled.output)")
        #expect(filled.output.contains("Nothing was changed.") && filled.output.contains("free some space"))
        #expect(try fingerprint(filled) == store.fingerprint)

        let withoutBackup = try disk.run([tool] + Self.migrating + ["--skip-space-check"], on: store.folder)
        #expect(withoutBackup.status == 74 && withoutBackup.output.contains("backupFailed"), "\(withoutBackup.output)")
        #expect(withoutBackup.before == withoutBackup.after)
        #expect(withoutBackup.output.contains("the backup failed: database or disk is full"))
        #expect(!FileManager.default.fileExists(atPath: withoutBackup.result.file("result/x.migrating")))
    }

    @Test(
        "a private copy without enough space, including its log or journal, is refused before it is made",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")),
        arguments: TortureStore.Journal.allCases)
    func privateCopy(_ journal: TortureStore.Journal) throws {
        let store = try TortureStore(journal: journal, items: 1)
        defer { store.remove() }
        let chat = store.folder.path + "/x_chat.db"
        let size = FileSpace.size(of: chat)
        // As after a crash: its content does not matter before it is copied.
        let side = [UInt8](repeating: 1, count: Int(size) * 2)
        try Data(side).write(to: URL(fileURLWithPath: chat + (journal == .wal ? "-wal" : "-journal")))
        // A checkpoint runs while the log still exists.
        let needed = size + Int64(side.count) * (journal == .wal ? 2 : 1)
        let words = ["sh", "-c", "TMPDIR=$PWD exec \"$0\" \"$@\"", try BuiltTool.find().path]
        let asking = ["query", "SELECT 1", "-d", store.folder.path + "/x", "--format", "json"]
        let empty = try TemporaryFolder()
        let refused = try SmallDisk(bytes: needed - 65_536).run(
            words + asking, on: URL(fileURLWithPath: empty.path))
        #expect(refused.status == 74 && refused.output.contains("\"diskFull\""), "\(refused.output)")
        #expect(
            refused.output.contains("a private copy needs \(FileSpace.text(needed)) in ")
                && refused.output.contains("TMPDIR"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: refused.result.file("result")).isEmpty)
        // With enough space the copy is made, and is not a database.
        let made = try SmallDisk(bytes: needed + 1_048_576).run(words + asking, on: URL(fileURLWithPath: empty.path))
        #expect(!made.output.contains("diskFull"), "\(made.output)")
    }

    @Test(
        "M19: the required space is enough: a run on a disk with exactly that much succeeds",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")),
        arguments: TortureStore.Journal.allCases)
    func figure(_ journal: TortureStore.Journal) throws {
        for items in [1, 1_000, 10_000] {
            let store = try TortureStore(journal: journal, items: items)
            defer { store.remove() }
            let tool = try BuiltTool.find().path
            // For the space that SQLite needs beside the files before any check.
            let (used, slack) = (bytes(store), Int64(512 << 10))
            let refused = try SmallDisk(bytes: used + slack).run([tool] + Self.migrating, on: store.folder)
            let figure = try #require(refused.output.firstMatch(of: /"needed":\s*(\d+),\s*"free":\s*(\d+)/))
            let (needed, free) = (try #require(Int64(figure.1)), try #require(Int64(figure.2)))
            // The file system's own space is on top: the disk must have `needed` bytes free.
            let size = used + slack - free + needed
            let outcome = try SmallDisk(bytes: size).run([tool] + Self.migrating, on: store.folder)
            #expect(outcome.status == 0, "\(items) messages: \(outcome.output)")
            #expect(try fingerprint(outcome).content == store.fingerprint.content)
        }
    }

    @Test("M19: a store with four times the messages takes about four times as long, not sixteen times")
    func linear() throws {
        let times = try [5_000, 20_000].map { items in
            let store = try TortureStore(journal: .wal, items: items)
            defer { store.remove() }
            var migrator = Migrator(
                engine: SQLiteEngine(), location: try StoreLocation(prefix: store.folder.path + "/x"),
                build: try MigrationSource.build.load())
            migrator.options.confirmation = .yesUp
            // The time of this thread alone, so that other work does not count.
            let began = threadTime()
            _ = try migrator.run()
            return threadTime() - began
        }
        #expect(times[1] < times[0] * 8, "\(times)")
    }

    @Test(
        "M07: a file size limit is a reported error, not a signal, and every row remains",
        arguments: TortureStore.Journal.allCases, [4, 1])
    func fileSizeLimit(_ journal: TortureStore.Journal, part: Int64) throws {
        let store = try TortureStore(journal: journal, items: 8_000)
        defer { store.remove() }
        // In blocks of 512 bytes. A quarter is too little for the backup; the full size is enough for it, but not for
        // the rebuild of the one large table.
        let blocks = FileSpace.size(of: store.folder.path + "/x_chat.db") / part / 512
        let words =
            ["sh", "-c", "ulimit -f $0; cd \"$1\"; shift; exec \"$@\"", "\(blocks)", store.folder.path]
            + [try BuiltTool.find().path] + Self.migrating
        for options in [[], ["--no-backup"]] {
            let (status, output) = try Shell.run(words + options)
            #expect(status == 74, "\(output)")
            #expect(output.contains("\"error\"") && !output.contains("this is a fault of the migration"), "\(output)")
            let location = try StoreLocation(prefix: store.folder.path + "/x")
            #expect(try Fingerprint(location) == store.fingerprint)
        }
        var migrator = Migrator(
            engine: SQLiteEngine(), location: try StoreLocation(prefix: store.folder.path + "/x"),
            build: try MigrationSource.build.load())
        migrator.options.confirmation = .yesUp
        migrator.options.backup = .none
        _ = try migrator.run()
        #expect(try Fingerprint(migrator.context.location).content == store.fingerprint.content)
    }

    private func threadTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
