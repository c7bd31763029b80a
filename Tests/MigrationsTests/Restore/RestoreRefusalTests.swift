import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Backups that are not restored, or only with force. Rule: docs/backups.md, "What is refused".
@Suite struct RestoreRefusalTests {
    private func refusal(_ world: RestoreWorld, _ folder: String? = nil, force: Bool = false) throws -> String? {
        let before = try world.content()
        defer { #expect((try? world.content()) == before) }
        do {
            try world.restore(folder, force: force)
            return nil
        } catch let error as RestoreError {
            #expect(!error.message.isEmpty && error.info.state == "Nothing was changed.")
            return error.code
        } catch let error as MigrationError {
            return error.code
        }
    }

    private func damage(_ path: String) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 5_000)
        try handle.write(contentsOf: Data([0x55]))
        try handle.close()
    }

    @Test("a modified backup is never restored")
    func damaged() throws {
        let chat = try RestoreWorld()
        try damage(chat.backup + "/x_chat.db")
        #expect(try refusal(chat, force: true) == "damagedBackup")
        let longer = try RestoreWorld()
        let handle = try #require(FileHandle(forUpdatingAtPath: longer.backup + "/x_agent.db"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        #expect(try refusal(longer, force: true) == "damagedBackup")
        let log = try RestoreWorld()
        try Data("x".utf8).write(to: URL(fileURLWithPath: log.backup + "/x_chat.db-wal"))
        #expect(try refusal(log, force: true) == "damagedBackup")
        let manifest = try RestoreWorld()
        try Data("{}".utf8).write(to: URL(fileURLWithPath: manifest.backup + "/backup.json"))
        #expect(try refusal(manifest, force: true) == "damagedBackup")
        let elsewhere = try RestoreWorld()
        let text = try String(contentsOfFile: elsewhere.backup + "/backup.json", encoding: .utf8)
        try text.replacing("\"x_chat.db\"", with: "\"../../x_chat.db\"").write(
            toFile: elsewhere.backup + "/backup.json", atomically: true, encoding: .utf8)
        #expect(try refusal(elsewhere, force: true) == "damagedBackup")
    }

    @Test("S04: a backup with a trigger that the restore would run is refused")
    func trigger() throws {
        let world = try RestoreWorld()
        try world.store.execute("CREATE TRIGGER rt AFTER UPDATE ON \"STORE\" BEGIN DELETE FROM t; END")
        let backup = try world.store.migrator(RestoreWorld.build()).context.backUp().path
        #expect(try refusal(world, backup, force: true) == "damagedBackup")
    }

    @Test("a missing folder, an empty folder and a folder with one database are refused")
    func incomplete() throws {
        let world = try RestoreWorld()
        #expect(try refusal(world, world.store.folder.file("nothing")) == "backupNotFound")
        #expect(try refusal(world, world.store.location.path(of: .chat)) == "backupNotFound")
        #expect(try refusal(world, world.store.location.backupsPath) == "notABackup")
        try FileManager.default.removeItem(atPath: world.backup + "/backup.json")
        #expect(try refusal(world) == "unverifiedBackup")
        try FileManager.default.removeItem(atPath: world.backup + "/x_agent.db")
        #expect(try refusal(world, force: true) == "incompleteBackup")
    }

    @Test("a backup of another store or of a newer version requires force")
    func forced() throws {
        let world = try RestoreWorld()
        let other = try RestoreWorld(version: 2)
        #expect(try refusal(world, other.backup) == "otherStore")
        try world.restore(other.backup, force: true)
        #expect(try world.store.rows("SELECT store_id FROM store") == other.store.rows("SELECT store_id FROM store"))
        #expect(try refusal(other) == "newerBackup")
        let plan = try other.restorer(force: true).plan(other.backup)
        #expect(plan.objections == [.newerVersion(["20300102_more1"])])
        #expect(try other.restorer(version: 2).plan(other.backup).objections.isEmpty)
    }

    @Test("files of other programs are neither restored nor replaced, and no link is moved")
    func strangers() throws {
        let world = try RestoreWorld()
        let chat = world.store.location.path(of: .chat)
        let id = try world.store.rows("PRAGMA application_id")[0]
        try world.store.execute("PRAGMA application_id = 0")
        #expect(try refusal(world, force: true) == "notOurStore")
        try world.store.execute(
            "INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL, NULL, NULL)")
        #expect(try refusal(world, force: true) == "readOnlyStore")
        try world.store.execute(
            "DELETE FROM migrations WHERE name = '20220101_initial'", "PRAGMA application_id = \(id)")
        try FileManager.default.moveItem(atPath: chat, toPath: world.store.folder.file("real.db"))
        try FileManager.default.createSymbolicLink(
            atPath: chat, withDestinationPath: world.store.folder.file("real.db"))
        #expect(try refusal(world, force: true) == "linkedStore")
    }

    @Test("over a store of which one database is of another store, the refusal names this database")
    func half() throws {
        let (world, other) = (try RestoreWorld(), try RestoreWorld())
        let ids = try [world, other].map { try $0.restorer(version: 2).plan($0.backup).identity?.storeID }
        let agent = world.store.location.path(of: .agent)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: agent + suffix) }
        try FileManager.default.copyItem(atPath: other.backup + "/x_agent.db", toPath: agent)
        let error = #expect(throws: RestoreError.self) { _ = try world.restorer(version: 2).plan(world.backup) }
        guard case .refused(_, .mismatchedStore(.agent, let backup, let id)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(ids == [backup, id])
        #expect(try refusal(world) == "otherStore")
    }

    @Test("a backup of two unrelated files, and one with wrong row counts, are refused")
    func mixed() throws {
        let (world, other) = (try RestoreWorld(), try RestoreWorld())
        let mixed = world.store.folder.file("mixed")
        try FileManager.default.copyItem(atPath: world.backup, toPath: mixed)
        try FileManager.default.removeItem(atPath: mixed + "/backup.json")
        try FileManager.default.removeItem(atPath: mixed + "/x_agent.db")
        try FileManager.default.copyItem(atPath: other.backup + "/x_agent.db", toPath: mixed + "/x_agent.db")
        #expect(try refusal(world, mixed, force: true) == "mismatchedBackup")
        let text = try String(contentsOfFile: world.backup + "/backup.json", encoding: .utf8)
        try text.replacing("\"t\": 1", with: "\"t\": 5").write(
            toFile: world.backup + "/backup.json", atomically: true, encoding: .utf8)
        #expect(try refusal(world, force: true) == "damagedBackup")
    }
}
