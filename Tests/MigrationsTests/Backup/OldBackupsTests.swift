import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The order of backups by age. Rule: docs/backups.md, "What a backup is".
@Suite struct OldBackupsTests {
    private let folder: TemporaryFolder
    private let newest = "x-20300101T000009Z-v"

    init() throws {
        folder = try TemporaryFolder()
        try make(newest, "2030-01-01T00:00:09.000Z")
    }

    private func make(
        _ name: String, _ createdAt: String, generation: Int64 = 1, encryptedWith passphrase: Passphrase? = nil,
        isOfInterrupted: Bool = false, databases: [DatabaseName] = []
    ) throws {
        let path = folder.file(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        var parts: [DatabaseName: BackupManifest.Part] = [:]
        for database in databases {
            let file = "x_\(database).db"
            try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/" + file))
            parts[database] = BackupManifest.Part(file: file, bytes: 1, sha256: "", version: nil, counts: [:])
        }
        if let passphrase {
            let file = path + "/x_chat.db"
            let connection = try SQLiteEngine().encryptingNewDatabases(with: passphrase)
                .openForMigration(file, creating: true)
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY)")
            connection.close()
            let bytes = try #require(FileState(at: file).bytes)
            parts[.chat] = BackupManifest.Part(
                file: "x_chat.db", bytes: bytes, sha256: "", version: nil, counts: [:])
        }
        var manifest = BackupManifest(
            identity: StoreIdentity(storeID: "s", generation: generation), createdAt: createdAt, parts: parts)
        if isOfInterrupted {
            manifest.interrupted = BackupManifest.Record(file: "x.migrating", sha256: "")
            try "{}".write(toFile: path + "/x.migrating", atomically: true, encoding: .utf8)
        }
        try manifest.json.text(.pretty).write(toFile: path + "/backup.json", atomically: true, encoding: .utf8)
    }

    private func removed(
        keeping count: Int, of databases: [DatabaseName] = [.chat], with engine: SQLiteEngine = SQLiteEngine()
    ) throws -> [String] {
        let files = Dictionary(uniqueKeysWithValues: databases.map { ($0, folder.file("x_\($0).db")) })
        return OldBackups.remove(
            keeping: count, of: StoreIdentity(storeID: "s", generation: 9), at: try StoreLocation(files: files),
            newest: folder.file(newest), with: engine
        ).map { ($0 as NSString).lastPathComponent }
    }

    @Test("two backups of one second are ordered by milliseconds, regardless of their folders' names")
    func milliseconds() throws {
        try make("x-20300101T000001Z-v-2", "2030-01-01T00:00:01.100Z")
        try make("x-20300101T000001Z-v", "2030-01-01T00:00:01.900Z")
        try make("x-20300101T000001Z-v-3", "2030-01-01T00:00:01.500Z", generation: 7)
        #expect(try removed(keeping: 3) == ["x-20300101T000001Z-v-2"])
        #expect(try removed(keeping: 2) == ["x-20300101T000001Z-v-3"])
    }

    @Test("backups of the same time are ordered by generation, then by the numeric suffix of the name")
    func sameTime() throws {
        let time = "2030-01-01T00:00:01Z"
        try make("x-20300101T000001Z-v-10", time)
        try make("x-20300101T000001Z-v-9", time)
        try make("x-20300101T000001Z-v-2", time, generation: 2)
        try make("x-20300101T000001Z-v", time)
        #expect(try removed(keeping: 4) == ["x-20300101T000001Z-v"])
        #expect(try removed(keeping: 3) == ["x-20300101T000001Z-v-9"])
        #expect(try removed(keeping: 2) == ["x-20300101T000001Z-v-10"])
    }

    @Test("a backup from the middle of a migration neither counts nor is removed")
    func interrupted() throws {
        try make("x-20300101T000003Z-v", "2030-01-01T00:00:03Z", isOfInterrupted: true)
        try make("x-20300101T000002Z-v", "2030-01-01T00:00:02Z")
        try make("x-20300101T000001Z-v", "2030-01-01T00:00:01Z")
        #expect(try removed(keeping: 2) == ["x-20300101T000001Z-v"])
        try FileManager.default.removeItem(atPath: folder.file(newest))
        try make(newest, "2030-01-01T00:00:09.000Z", isOfInterrupted: true)
        #expect(try removed(keeping: 1) == [])
    }

    @Test("a backup that lacks one of two databases neither counts nor is removed")
    func oneDatabase() throws {
        let both = DatabaseName.allCases
        try make("x-20300101T000004Z-v", "2030-01-01T00:00:04Z", databases: [.agent])
        try make("x-20300101T000003Z-v", "2030-01-01T00:00:03Z", databases: both)
        try make("x-20300101T000002Z-v", "2030-01-01T00:00:02Z", databases: [.chat])
        try make("x-20300101T000001Z-v", "2030-01-01T00:00:01Z", databases: both)
        #expect(try removed(keeping: 2, of: both) == ["x-20300101T000001Z-v"])
        try FileManager.default.removeItem(atPath: folder.file(newest))
        try make(newest, "2030-01-01T00:00:09.000Z", databases: [.chat])
        #expect(try removed(keeping: 1, of: both) == [])
        #expect(try removed(keeping: 2) == ["x-20300101T000002Z-v"], "the store has one database")
    }

    @Test("a backup that the passphrase of the store does not open neither counts nor is removed")
    func encrypted() throws {
        let passphrase = Passphrase("secret".utf8)
        try make("x-20300101T000008Z-v", "2030-01-01T00:00:08Z", encryptedWith: passphrase)
        try make("x-20300101T000003Z-v", "2030-01-01T00:00:03Z")
        try make("x-20300101T000002Z-v", "2030-01-01T00:00:02Z")
        try make("x-20300101T000001Z-v", "2030-01-01T00:00:01Z", encryptedWith: passphrase)
        #expect(try removed(keeping: 2) == ["x-20300101T000002Z-v"])
        let other = SQLiteEngine().reading(with: Passphrase("other".utf8))
        #expect(try removed(keeping: 1, with: other) == ["x-20300101T000003Z-v"])
        let right = SQLiteEngine().reading(with: passphrase)
        #expect(try removed(keeping: 2, with: right) == ["x-20300101T000001Z-v"])
    }

    @Test("the time a backup was made is written to the millisecond")
    func written() throws {
        let store = try SyntheticStore()
        let migrator = store.migrator(try RestoreWorld.build()) { $0.backup = .folder(nil) }
        _ = try migrator.run()
        let made = try migrator.context.backUp().manifest.createdAt
        #expect(try #require(StoredTime(iso8601: made)).iso8601 == made, "\(made)")
    }
}
