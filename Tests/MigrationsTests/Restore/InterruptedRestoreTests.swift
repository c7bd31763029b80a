import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A restore interrupted while it moved files. Rule: docs/backups.md, "Interrupted restores".
@Suite struct InterruptedRestoreTests {
    /// A store whose restore has written its record and moved nothing.
    private func begun() throws -> RestoreWorld {
        let world = try RestoreWorld()
        let context = try world.store.migrator(RestoreWorld.build()).context
        let staging = RestoreStaging(context)
        let contents = try BackupContents(at: world.backup, in: context)
        _ = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: contents.folder, storeID: contents.identity?.storeID,
                generation: 2, aside: "", versions: try staging.fill(from: contents, generation: 2)))
        return world
    }

    @Test("readers, writers, migrations and backups meanwhile get an error, and change nothing")
    func refused() throws {
        let world = try begun()
        let migrator = try world.store.migrator(RestoreWorld.build(2)) { $0.backup = .folder(nil) }
        func isReported(_ body: () throws -> Void) -> Bool {
            do {
                try body()
                return false
            } catch let failure as MigrationFailure {
                return failure.error.code == "interruptedRestore"
            } catch { return (error as? MigrationError)?.code == "interruptedRestore" }
        }
        let before = try world.store.folder.fingerprint()
        #expect(isReported { _ = try migrator.plan() })
        #expect(isReported { _ = try migrator.run() })
        #expect(isReported { _ = try migrator.context.backUp() })
        #expect(isReported { _ = try StoreGate(migrator.context).enter() })
        #expect(isReported { try StoreGate(migrator.context).check() })
        #expect(isReported { _ = try world.restorer().plan(world.backup) })
        #expect(try migrator.context.status().interruptedRestore?.generation == 2)
        #expect(try world.store.folder.fingerprint() == before)
        for database in DatabaseName.allCases {
            try FileManager.default.removeItem(atPath: world.store.location.path(of: database))
        }
        let status = try migrator.context.status()
        #expect(status.parts.isEmpty && status.interruptedRestore?.generation == 2)
        #expect(isReported { _ = try migrator.run() }, "no new store is made over it")
    }

    @Test("it is completed without the backup, and a file created meanwhile is kept beside the older one")
    func completed() throws {
        let world = try begun()
        let aside = try #require(try world.restorer().interrupted()).aside
        let chat = world.store.location.path(of: .chat)
        try FileManager.default.moveItem(atPath: chat, toPath: world.store.folder.file(aside) + "/x_chat.db")
        try Data("made meanwhile".utf8).write(to: URL(fileURLWithPath: chat))
        try FileManager.default.removeItem(atPath: world.backup)
        let report = try #require(try world.restorer().complete())
        #expect(report.completed && report.identity?.generation == 2)
        #expect(try world.content() == RestoreWorld.new)
        let kept = try #require(report.replaced)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: kept)) == [
                "x_chat.db", "x_chat.db-2", "x_agent.db",
            ])
        #expect(try world.restorer().complete() == nil)
        #expect(try world.restorer().interrupted() == nil)
    }

    @Test(
        "an unreadable record, or one with a path to another folder, is an error, and nothing is moved",
        arguments: ["", "../x"])
    func unreadable(_ aside: String) throws {
        let world = try begun()
        let path = world.store.location.restoringPath + "/restore.json"
        let record = try #require(try world.restorer().interrupted())
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing(record.aside, with: aside).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: MigrationError.unreadableIntentRecord(path: path)) { _ = try world.restorer().complete() }
    }

    @Test("files of a restore that had moved nothing have no effect")
    func leftOver() throws {
        let world = try begun()
        try FileManager.default.removeItem(atPath: world.store.location.restoringPath + "/restore.json")
        #expect(try world.content() == RestoreWorld.old)
        try world.restore()
        #expect(try world.content() == RestoreWorld.new)
        #expect(try !world.names().contains("x.restoring"))
    }
}
