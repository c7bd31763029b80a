import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A restore interrupted while it moved files. Rule: docs/backups.md, "Interrupted restores".
@Suite struct InterruptedRestoreTests {
    private func begun() throws -> RestoreWorld { try RestoreWorld.begunRestore().world }

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

    @Test("a database that was made meanwhile keeps its journal, under a number that no other file has")
    func madeMeanwhile() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        try world.move(["x_chat.db"], into: aside)
        try world.write(["x_chat.db-2-journal"], into: aside)
        try world.write(["x_chat.db", "x_chat.db-journal"])
        #expect(try Restorer(world.context()).complete()?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
        #expect(
            try RestoreWorld.names(in: aside) == [
                "x_chat.db", "x_chat.db-2-journal", "x_chat.db-3", "x_chat.db-3-journal", "x_agent.db",
            ])
    }

    @Test("the files beside an old database stay with it if the restore was interrupted between their moves")
    func betweenSideFiles() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        try world.write(["x_chat.db-journal"], into: aside)
        try world.write(["x_chat.db-shm"])
        #expect(try Restorer(world.context()).complete()?.completed == true)
        #expect(
            try RestoreWorld.names(in: aside) == ["x_chat.db", "x_chat.db-journal", "x_chat.db-shm", "x_agent.db"])
    }

    @Test("it takes no file away from a program that has a database open")
    func inUse() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        try world.move(["x_chat.db"], into: aside)
        try world.write(["x_chat.db"])
        let holder = try Holder(of: world.store.location.path(of: .chat))
        defer { holder.end() }
        let before = try world.store.folder.fingerprint()
        #expect {
            try Restorer(world.context(waiting: 0.1)).complete()
        } throws: { error in
            guard case MigrationError.inUse(.chat, let holders)? = error as? MigrationError else { return false }
            return holders.map(\.pid).contains(holder.pid)
        }
        #expect(try world.store.folder.fingerprint() == before)
        holder.end()
        #expect(try Restorer(world.context()).complete()?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a new database that has both of its names since a crash gets no third one")
    func linked() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        try world.move(["x_chat.db", "x_agent.db"], into: aside)
        try FileManager.default.linkItem(
            atPath: world.store.location.restoringPath + "/x_chat.db", toPath: world.store.location.path(of: .chat))
        #expect(try Restorer(world.context()).complete()?.completed == true)
        #expect(try RestoreWorld.names(in: aside) == ["x_chat.db", "x_agent.db"])
        #expect(try world.content() == RestoreWorld.new && !world.names().contains("x.restoring"))
    }

    @Test("it is completed without the folder for the replaced files")
    func withoutFolder() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        try world.move(["x_chat.db", "x_agent.db"], into: aside)
        try FileManager.default.removeItem(atPath: aside)
        let report = try #require(try Restorer(world.context()).complete())
        #expect(report.replaced == nil)
        #expect(try world.content() == RestoreWorld.new && !world.names().contains { $0.contains("replaced") })
    }

    /// An engine, during whose look at the replaced files a program makes a database.
    private func context(of world: RestoreWorld, making database: DatabaseName) throws -> StoreContext {
        var engine = WrappedEngine()
        let place = world.store.location.path(of: database)
        engine.looking = { path in
            guard path.contains(".replaced-"), FileState(at: place) == .missing else { return }
            try? Data("made meanwhile".utf8).write(to: URL(fileURLWithPath: place))
        }
        return StoreContext(engine: engine, location: world.store.location, build: try RestoreWorld.build())
    }

    @Test("a database that a program makes before the first new one is in its place is kept, and all are put back")
    func madeAtTheLastMoment() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        let first = try #require(world.store.location.databases.first)
        let context = try context(of: world, making: first)
        #expect {
            try Restorer(context).complete()
        } throws: { ($0 as? MigrationError)?.code == "inUse" }
        #expect(try world.content() == RestoreWorld.old)
        #expect(try RestoreWorld.names(in: aside) == [fileName(of: world.store.location.path(of: first)) + "-2"])
        #expect(try Restorer(world.context()).complete() == nil)
    }

    @Test("a database that a program makes after the first new one is in its place is kept when the restore goes on")
    func madeAfterTheFirst() throws {
        let (world, aside) = try RestoreWorld.begunRestore()
        let last = try #require(world.store.location.databases.last)
        let context = try context(of: world, making: last)
        #expect {
            try Restorer(context).complete()
        } throws: { ($0 as? RestoreError)?.code == "restoreNotFinished" }
        #expect(try Restorer(world.context()).complete()?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
        #expect(
            try RestoreWorld.names(in: aside) == [
                "x_chat.db", "x_agent.db", fileName(of: world.store.location.path(of: last)) + "-2",
            ])
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
