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

    @Test("B01: a backup has the other database also if another program writes it while it is copied")
    func otherWritten() throws {
        let store = try filled()
        let path = store.location.path(of: .agent)
        let copies = Counter()
        var migrator = try store.migrator(build(1), only: .chat) { $0.backup = .folder(nil) }
        migrator.context.progress = { progress in
            guard case .backingUp(.agent, _) = progress, copies.next() == 1 else { return }
            let program = try? SQLiteEngine().openForMigration(path, creating: false)
            _ = try? program?.rows("CREATE TABLE later (id INTEGER) STRICT")
            program?.close()
        }
        let folder = try #require(try migrator.run().backup)
        let manifest = try #require(BackupManifest.read(inFolder: folder))
        #expect(copies.value > 1 && manifest.parts[.agent]?.counts["later"] == 0, "\(manifest.parts)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.location.backupsPath).count == 1)
    }

    @Test("B01: a backup lacks the other database if that cannot be copied; a stop or a full disk ends the run")
    func otherNotCopied() throws {
        let ways: [(kind: StoreError.Kind, code: String?)] = [
            (.inputOutput, nil), (.accessDenied, nil), (.diskFull, "backupFailed"), (.interrupted, "interrupted"),
        ]
        for (kind, code) in ways {
            let store = try filled()
            var engine = WrappedEngine()
            engine.snapshot = { UncopiableSnapshot($0, StoreError(kind, "no copy")) }
            var context = StoreContext(engine: engine, location: store.location, build: try build(1))
            context.only = .chat
            var options = MigrationOptions()
            options.confirmation = .yesUpDown
            let migrator = Migrator(context, options: options)
            var folder: String?
            let ended = TwoVersions.code { folder = try migrator.run().backup }
            #expect(ended == code, "\(kind)")
            let databases = folder.flatMap { BackupManifest.read(inFolder: $0) }.map { Set($0.parts.keys) }
            #expect(databases == (code == nil ? [.chat] : nil), "\(kind)")
        }
    }

    @Test("the check of free space leaves out a database that the backup leaves out")
    func spaceForOther() throws {
        let store = try filled()
        let path = store.location.path(of: .agent)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        // No disk of a test has so much free space; the file takes none.
        try #require(truncate(path, 4 << 40) == 0)
        let report = try store.migrator(build(1), only: .chat) { $0.backup = .folder(nil) }.run()
        let manifest = try #require(report.backup.flatMap(BackupManifest.read(inFolder:)))
        #expect(Set(manifest.parts.keys) == [.chat])
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

/// A snapshot of a database that cannot be copied.
private final class UncopiableSnapshot: SnapshotConnection {
    private let source: any SnapshotConnection
    private let error: StoreError

    init(_ source: any SnapshotConnection, _ error: StoreError) { (self.source, self.error) = (source, error) }

    func copy(to path: String, progress: (Double) throws -> Void) throws { throw error }

    // MARK: As the source has it

    var dialect: Dialect { source.dialect }
    var notes: [String] { source.notes }
    var interrupt: @Sendable () -> Void { source.interrupt }
    func rows(_ query: Query) throws(StoreError) -> [ResultRow] { try source.rows(query) }
    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws { try source.forEach(query, body) }
    func renew() throws(StoreError) -> Int64 { try source.renew() }
    func applicationMark() throws(StoreError) -> Int64? { try source.applicationMark() }
    func structure() throws(StoreError) -> DatabaseStructure { try source.structure() }
    func ordinaryTables() throws(StoreError) -> Set<String> { try source.ordinaryTables() }
    func rowCount(of table: String) throws(StoreError) -> Int { try source.rowCount(of: table) }
    func requireUnchanged() throws(StoreError) { try source.requireUnchanged() }
    func close() { source.close() }
}
