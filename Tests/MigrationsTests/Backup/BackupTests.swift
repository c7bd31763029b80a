import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The backup before a run. Rule: docs/migrations.md, "Backups".
@Suite struct BackupTests {
    private typealias Step = SyntheticHistory.Step
    private static let first = Step(
        "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT) STRICT;", down: "DROP TABLE t;")

    private func build(_ count: Int) throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(
            chat: [Self.first]
                + (0..<count).map {
                    Step("more\($0)", "CREATE TABLE m\($0) (id INTEGER) STRICT;", down: "DROP TABLE m\($0);")
                })
    }

    private func filled() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(build(0)).run()
        try store.execute("INSERT INTO t VALUES (1, 'one'), (2, CAST(x'61ff00' AS TEXT))")
        return store
    }

    @Test(
        "B01: the backup is a complete store of the state before, for the owner only, with a correct manifest",
        arguments: ["WAL", "DELETE"])
    func whole(_ mode: String) throws {
        let store = try filled()
        try store.execute("PRAGMA journal_mode = \(mode)")
        umask(0)
        let report = try store.migrator(build(1)) { $0.backup = .folder(nil) }.run()
        umask(0o022)
        let folder = try #require(report.backup)
        let manifest = try #require(BackupManifest.read(inFolder: folder))
        #expect(manifest.parts[.chat]?.counts["t"] == 2)
        #expect(manifest.parts[.chat]?.version == "20300101_first")
        #expect(manifest.identity?.generation == 1)
        for database in DatabaseName.allCases {
            let part = try #require(manifest.parts[database])
            let path = folder + "/" + part.file
            // B02
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(FileSpace.size(of: path) == part.bytes)
            #expect(try FileHash.sha256(of: path) == part.sha256)
            let copy = try SQLiteEngine().open(path, as: .untrusted)
            #expect(try copy.integrityProblems() == [])
            try copy.close()
        }
        let copy = try SQLiteEngine().open(folder + "/x_chat.db", as: .untrusted)
        defer { try? copy.close() }
        #expect(
            try copy.read {
                try $0.rows("SELECT hex(CAST(body AS BLOB)) AS h FROM t").map { try $0.get("h") as String }
            } == ["6F6E65", "61FF00"])
        #expect(try copy.structure().tables["m0"] == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    @Test(
        "B03: a backup never replaces an older one; only the requested number is kept, of this store alone")
    func kept() throws {
        let store = try filled()
        var folders: Set<String> = []
        for count in 1...3 {
            let report = try store.migrator(build(count)) { $0.backup = .folder(nil) }.run()
            folders.insert(try #require(report.backup))
        }
        #expect(folders.count == 3 && folders.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        let foreign = store.location.backupsPath + "/of-another-program"
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
        let report = try store.migrator(build(4)) { options in
            options.backup = .folder(nil)
            options.keepBackups = 2
        }.run()
        #expect(report.removedBackups.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.location.backupsPath).count == 3)
        #expect(FileManager.default.fileExists(atPath: foreign))
        #expect(FileManager.default.fileExists(atPath: try #require(report.backup)))
    }

    @Test("B01: a run of one database backs both up; one alone if the other cannot be read, or is of another store")
    func oneDatabase() throws {
        let ways: [(spoil: (SyntheticStore) throws -> Void, backedUp: Set<DatabaseName>)] = [
            ({ _ in }, [.chat, .agent]),
            ({ try $0.execute("PRAGMA journal_mode = DELETE", in: .agent) }, [.chat, .agent]),
            ({ try Data("no database".utf8).write(to: URL(fileURLWithPath: $0.location.path(of: .agent))) }, [.chat]),
            ({ try $0.execute("UPDATE store SET store_id = 'other'", in: .agent) }, [.chat]),
            ({ try $0.execute("UPDATE store SET generation = 9", in: .agent) }, [.chat]),
        ]
        for (number, way) in ways.enumerated() {
            let store = try filled()
            try way.spoil(store)
            let before = try Data(contentsOf: URL(fileURLWithPath: store.location.path(of: .agent)))
            let report = try store.migrator(build(1), only: .chat) { $0.backup = .folder(nil) }.run()
            let folder = try #require(report.backup)
            let manifest = try #require(BackupManifest.read(inFolder: folder))
            #expect(Set(manifest.parts.keys) == way.backedUp, "\(number)")
            #expect(manifest.parts[.chat]?.counts["t"] == 2 && manifest.identity?.generation == 1, "\(number)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: store.location.path(of: .agent))) == before, "\(number)")
        }
    }

    @Test("with a limit of one, a backup of one database alone does not remove a whole backup")
    func keptWithOneDatabase() throws {
        let store = try filled()
        let whole = try store.migrator(build(1)) { $0.backup = .folder(nil) }.context.backUp().path
        try Data("no database".utf8).write(to: URL(fileURLWithPath: store.location.path(of: .agent)))
        let report = try store.migrator(build(1), only: .chat) { options in
            options.backup = .folder(nil)
            options.keepBackups = 1
        }.run()
        #expect(report.removedBackups == [] && FileManager.default.fileExists(atPath: whole))
    }

    @Test("B06: when no backup can be made, the store is not touched")
    func impossible() throws {
        let store = try filled()
        let file = store.folder.file("a file")
        try Data().write(to: URL(fileURLWithPath: file))
        let before = try store.folder.fingerprint()
        #expect {
            _ = try store.migrator(build(1)) { $0.backup = .folder(file + "/below") }.run()
        } throws: { error in
            (error as? MigrationFailure)?.error.code == "backupFailed"
                && (error as? MigrationFailure)?.state == .unchanged
        }
        #expect(try store.folder.fingerprint().filter { !$0.key.hasSuffix("-shm") } == before)
    }
}
