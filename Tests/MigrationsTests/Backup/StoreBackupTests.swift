import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A backup on request. Rule: docs/backups.md, "How a backup is made".
@Suite struct StoreBackupTests {
    private typealias Step = SyntheticHistory.Step

    private static func build() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(
            chat: [Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT, n INTEGER) STRICT;")],
            agent: [Step("agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER) STRICT;")])
    }

    private func filled(_ mode: String = "WAL") throws -> (SyntheticStore, Migrator) {
        let store = try SyntheticStore()
        let migrator = try store.migrator(Self.build()) { $0.backup = .folder(nil) }
        _ = try migrator.run()
        try store.execute("INSERT INTO t VALUES (1, 'one', 0), (2, CAST(x'61ff00' AS TEXT), 0)")
        for database in DatabaseName.allCases {
            try store.execute("PRAGMA journal_mode = \(mode)", in: database)
        }
        return (store, migrator)
    }

    /// What a folder holds, with inodes, sizes and times.
    private func listing(_ folder: String) throws -> [String: String] {
        var listing: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) + ["."] {
            var info = stat()
            guard stat(folder + "/" + name, &info) == 0 else { continue }
            #if canImport(Darwin)
                let time = info.st_mtimespec
            #else
                let time = info.st_mtim
            #endif
            listing[name] = "\(info.st_ino) \(info.st_size) \(info.st_mode) \(time.tv_sec).\(time.tv_nsec)"
        }
        return listing
    }

    @Test(
        "a backup into another folder makes, removes and changes nothing beside the store",
        arguments: ["WAL", "DELETE"], ["", "-wal", "-shm", "-wal -shm", "x.lock"])
    func besideNothing(_ mode: String, _ left: String) throws {
        let (store, migrator) = try filled(mode)
        let other = try TemporaryFolder()
        let folder = store.folder.path
        for name in ["x_chat.db-wal", "x_chat.db-shm", "x_agent.db-wal", "x_agent.db-shm"] {
            unlink(folder + "/" + name)
        }
        if left == "x.lock" {
            unlink(store.location.lockPath)
        } else {
            for suffix in left.split(separator: " ") {
                for database in DatabaseName.allCases {
                    let path = store.location.path(of: database) + suffix
                    try Data().write(to: URL(fileURLWithPath: path))
                }
            }
        }
        let before = try listing(folder)
        let report = try migrator.context.backUp(to: other.path)
        #expect(try listing(folder) == before)
        #expect(try copy(report, .chat, "SELECT id FROM t ORDER BY id").count == 2)
    }

    @Test("a database that another program begins to write while it is copied is copied again")
    func writtenMeanwhile() throws {
        let (store, _) = try filled()
        let path = store.location.path(of: .chat)
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let snapshot = try SQLiteEngine().openSnapshot(path)
        _ = try snapshot.renew()
        try snapshot.requireUnchanged()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: 24)
        try file.write(contentsOf: Data([0, 0, 1, 0]))
        try file.close()
        #expect(performing: { try snapshot.requireUnchanged() }, throws: { ($0 as? StoreError)?.kind == .busy })
        #expect(performing: { _ = try snapshot.renew() }, throws: { ($0 as? StoreError)?.kind == .busy })
        snapshot.close()
    }

    private func copy(_ report: BackupReport, _ database: DatabaseName, _ sql: String) throws -> [String] {
        let copy = try SQLiteEngine().open(report.path + "/x_\(database).db", as: .readOnly)
        defer { try? copy.close() }
        return try copy.read { try $0.rows(.unchecked(sql: sql)).map { "\($0.values)" } }
    }

    @Test(
        "B01 B02: both databases are complete, for the owner only, with their facts; the store is unchanged",
        arguments: ["WAL", "DELETE"])
    func whole(_ mode: String) throws {
        let (store, migrator) = try filled(mode)
        let before = try store.folder.fingerprint()
        let mask = umask(0)
        let report = try migrator.context.backUp()
        umask(mask)
        let after = try store.folder.fingerprint().filter { !$0.key.hasPrefix("x.backups") }
        #expect(after == before)
        #expect(report.manifest == BackupManifest.read(inFolder: report.path))
        #expect(report.manifest.identity?.generation == 1 && report.notes.isEmpty)
        #expect(report.manifest.parts[.chat]?.counts["t"] == 2)
        for database in DatabaseName.allCases {
            let part = try #require(report.manifest.parts[database])
            let path = report.path + "/" + part.file
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(FileSpace.size(of: path) == part.bytes)
            #expect(try FileHash.sha256(of: path) == part.sha256)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: report.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let content = "SELECT id, hex(CAST(body AS BLOB)) FROM t ORDER BY id"
        #expect(try copy(report, .chat, content).count == 2)
        #expect(
            try store.rows("SELECT id || hex(CAST(body AS BLOB)) FROM t ORDER BY id") == ["16F6E65", "261FF00"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: report.path).count == 3)
    }

    @Test("B03: a second backup within a second has its own folder, and only the requested number stays")
    func kept() throws {
        let (store, migrator) = try filled()
        let reports = try (0..<3).map { _ in try migrator.context.backUp() }
        #expect(Set(reports.map(\.path)).count == 3)
        let last = try migrator.context.backUp(keeping: 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.location.backupsPath)
        #expect(names.count == 2 && last.removedBackups.count == 2)
        #expect(names.contains((last.path as NSString).lastPathComponent))
    }

    @Test("B03: only the files named by old backups are removed, never through paths to other folders")
    func hostileNames() throws {
        let (store, migrator) = try filled()
        let first = try migrator.context.backUp().path
        let other = store.location.backupsPath + "/important.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: other))
        let below = first + "/below"
        try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(fileURLWithPath: below + "/kept.txt"))
        let manifest = first + "/backup.json"
        let good = try String(contentsOfFile: manifest, encoding: .utf8)
        for name in ["..", ".", "../important.txt", "below", "", "below/kept.txt"] {
            try good.replacing("\"x_chat.db\"", with: "\"\(name)\"").write(
                toFile: manifest, atomically: true, encoding: .utf8)
            let report = try migrator.context.backUp(keeping: 1)
            #expect(!report.removedBackups.contains(first))
            let isThere = FileManager.default.fileExists(atPath:)
            #expect(isThere(other) && isThere(below + "/kept.txt") && isThere(report.path + "/backup.json"), "\(name)")
        }
    }

    @Test("no file is created beside a store that chatdb did not make")
    func stranger() throws {
        let (store, migrator) = try filled("DELETE")
        for database in DatabaseName.allCases { try store.execute("PRAGMA application_id = 0", in: database) }
        try FileManager.default.removeItem(atPath: store.location.lockPath)
        let before = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        let elsewhere = try TemporaryFolder()
        #expect(try migrator.context.backUp(to: elsewhere.path).manifest.parts[.chat]?.counts["t"] == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted() == before.sorted())
    }

    @Test("B08: a backup beside a program that writes both databases without a pause ends, and has one moment")
    func besideWriter() throws {
        let (store, migrator) = try filled()
        let isOver = Cancellation()
        let engine = SQLiteEngine()
        let paths = DatabaseName.allCases.map { store.location.path(of: $0) }
        let writer = ThreadResult {
            // Agent first, then chat: chat is never ahead of agent.
            guard let chat = try? engine.open(paths[0], as: .existing),
                let agent = try? engine.open(paths[1], as: .existing)
            else { return }
            _ = try? agent.write { try $0.run("INSERT INTO a VALUES (1, 0)") }
            while !isOver.isRequested {
                _ = try? agent.write { try $0.run("UPDATE a SET n = n + 1") }
                _ = try? chat.write { try $0.run("UPDATE t SET n = n + 1") }
            }
            try? chat.close()
            try? agent.close()
        }
        defer {
            isOver.request()
            try? writer.value()
        }
        for _ in 0..<5 {
            let report = try migrator.context.backUp()
            let chat = try copy(report, .chat, "SELECT DISTINCT n FROM t")
            #expect(chat.count == 1, "one transaction changes both rows")
            let agent = try copy(report, .agent, "SELECT coalesce(max(n), 0) FROM a")
            let numbers = (chat + agent).compactMap { Int($0.filter(\.isNumber)) }
            #expect(numbers.count == 2 && (0...1).contains(numbers[1] - numbers[0]), "\(numbers)")
        }
    }

    @Test("a backup that waited for a command that failed and removed its lock file leaves none")
    func afterFailedCommand() throws {
        let (store, migrator) = try filled()
        let path = store.location.lockPath
        try FileManager.default.removeItem(atPath: path)
        let held = Mutex<StoreLock?>(try StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation()))
        var context = migrator.context
        context.lockTimeout = 60
        context.progress = { _ in
            held.withLock { lock in
                lock?.removeIfNew()
                lock = nil
            }
        }
        _ = try context.backUp()
        #expect(held.withLock { $0 == nil } && FileState(at: path) == .missing)
    }

    @Test("B09: a value of more than 64 MB is complete in the backup")
    func largeValue() throws {
        let (store, migrator) = try filled()
        try store.execute("CREATE TABLE files (body BLOB) STRICT", "INSERT INTO files VALUES (zeroblob(70000000))")
        let report = try migrator.context.backUp()
        #expect(
            try copy(report, .chat, "SELECT length(body) FROM files") == ["[ChatDBEngine.SQLValue.integer(70000000)]"])
        let restored = try Restorer(migrator.context).run(try Restorer(migrator.context).plan(report.path))
        #expect(restored.identity?.generation == 2)
        let connection = try SQLiteEngine().open(store.location.path(of: .chat), as: .readOnly)
        defer { try? connection.close() }
        #expect(try connection.integrityProblems().isEmpty)
        #expect(try connection.read { try $0.count("SELECT length(body) FROM files") } == 70_000_000)
    }

    @Test("B06: a backup that cannot be made leaves no file, and the error names the path")
    func impossible() throws {
        let (store, migrator) = try filled()
        let file = store.folder.file("a file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect {
            _ = try migrator.context.backUp(to: file + "/below")
        } throws: { error in
            guard case MigrationError.noBackupFolder(let cause) = error else { return false }
            return cause.message.contains((file as NSString).lastPathComponent)
        }
        #expect(!FileManager.default.fileExists(atPath: store.location.backupsPath))
    }

    @Test("a single database, a mismatched pair and a pair between two versions are backed up with a note")
    func oddStores() throws {
        let (store, migrator) = try filled()
        try store.execute("UPDATE store SET generation = 7")
        let split = try migrator.context.backUp()
        #expect(split.manifest.identity == nil)
        #expect(split.notes == ["the two databases do not belong together; the backup contains them as they are"])
        #expect(throws: RestoreError.mismatched(split.path)) { _ = try Restorer(migrator.context).plan(split.path) }
        try FileManager.default.removeItem(atPath: store.location.path(of: .agent))
        let lone = try migrator.context.backUp()
        #expect(lone.manifest.parts.keys.elementsEqual([.chat]))
        #expect(lone.notes.first?.contains("agent database of this store is missing") == true)
    }

    @Test("a version in the file cannot lead the backup into another folder")
    func hostileVersion() throws {
        let (store, migrator) = try filled()
        try store.execute("INSERT INTO migrations VALUES ('99999999_../../../evil\u{1b}', 'now', NULL, NULL, NULL)")
        let report = try migrator.context.backUp()
        #expect((report.path as NSString).deletingLastPathComponent.hasSuffix("/x.backups"))
        #expect(report.path.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test("the log of a killed program is in the backup, and stays unchanged beside the store")
    func leftOver() throws {
        let (store, migrator) = try filled()
        let chat = store.location.path(of: .chat)
        let connection = try SQLiteEngine().open(chat, as: .existing)
        _ = try connection.write { try $0.run("INSERT INTO t VALUES (3, 'three', 0)") }
        // The files after kill -9: the log without checkpoint.
        let killed = try SyntheticStore()
        for database in DatabaseName.allCases {
            for suffix in ["", "-wal"] where FileState(at: store.location.path(of: database) + suffix) != .missing {
                try FileManager.default.copyItem(
                    atPath: store.location.path(of: database) + suffix,
                    toPath: killed.location.path(of: database) + suffix)
            }
        }
        try connection.close()
        let log = try killed.folder.fingerprint()
        let report = try killed.migrator(Self.build()).context.backUp()
        #expect(report.manifest.parts[.chat]?.counts["t"] == 3)
        #expect(try killed.folder.fingerprint().filter { !$0.key.hasPrefix("x.backups") } == log)
        #expect(report.notes.contains { $0.contains("read a copy") })
        _ = migrator
    }
}
