import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// What an interrupted change of the passphrase leaves. Rule: docs/encryption.md, "Changing the passphrase".
@Suite struct InterruptedPassphraseTests {
    /// - Parameter kept: the databases of another program, which the error names.
    private func expectUndone(_ world: RestoreWorld, kept: [String] = []) throws {
        #expect(throws: RestoreError.originalsChanged(.set, kept: kept)) {
            try PassphraseChange.complete(world.context())
        }
        #expect(try !world.names().contains("x.restoring"))
        #expect(try PassphraseChange.complete(world.context()) == nil)
    }

    @Test("an interrupted change is completed, while commands on the store name it")
    func completed() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        let refused = #expect(throws: MigrationError.self) { try StoreGate(world.context()).enter() }
        #expect(refused?.code == "interruptedPassphraseChange")
        #expect(throws: MigrationError.self) { try world.restorer().plan(world.backup) }
        try world.move(["x_chat.db"], into: aside)
        let outcome = try #require(try PassphraseChange.complete(world.context()))
        #expect(outcome.completed && outcome.kind == .set && outcome.replaced == aside)
        #expect(try world.content() == RestoreWorld.new)
        #expect(try PassphraseChange.complete(world.context()) == nil)
    }

    @Test("an interrupted change is completed after the first new database is in its place")
    func half() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db", "x_agent.db"], into: aside)
        let staged = world.store.location.restoringPath + "/x_agent.db"
        try FileManager.default.moveItem(atPath: staged, toPath: world.store.folder.file("x_agent.db"))
        #expect(try PassphraseChange.complete(world.context())?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("an interrupted change is undone if a program has written the store since")
    func written() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        try expectUndone(world)
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(FileState(at: aside) == .missing)
    }

    @Test("an interrupted change is undone if a program has left a journal since")
    func journal() throws {
        let (world, _) = try RestoreWorld.begunChange()
        try Data("x".utf8).write(to: URL(fileURLWithPath: world.store.folder.file("x_chat.db-journal")))
        try expectUndone(world)
        try FileManager.default.removeItem(atPath: world.store.folder.file("x_chat.db-journal"))
        #expect(try world.content() == RestoreWorld.old)
    }

    @Test("a database that a program made in the place of a moved one is kept beside it, with its journal")
    func madeMeanwhile() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db"], into: aside)
        try world.write(["x_chat.db", "x_chat.db-journal"])
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        let kept = aside + "/x_chat.db-2"
        #expect(RestoreError.originalsChanged(.set, kept: [kept]).info.message.hasSuffix(" meanwhile as \(kept)"))
        try expectUndone(world, kept: [kept])
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(try RestoreWorld.names(in: aside) == ["x_chat.db-2", "x_chat.db-2-journal"])
    }

    @Test("a change that is undone puts back the record of a migration and the files beside an old database")
    func allPutBack() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db"], into: aside)
        try world.write(["x.migrating", "x_chat.db-journal", "x_chat.db-wal"], into: aside)
        try world.write(["x_chat.db", "x_chat.db-shm"])
        try expectUndone(world, kept: [aside + "/x_chat.db-2"])
        #expect(try world.names().isSuperset(of: ["x.migrating", "x_chat.db", "x_chat.db-journal", "x_chat.db-wal"]))
        #expect(try RestoreWorld.names(in: aside) == ["x_chat.db-2", "x_chat.db-2-shm"])
    }

    @Test("an interrupted change keeps the new files if an old one is gone, and the error names both of its paths")
    func missing() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try FileManager.default.removeItem(atPath: world.store.location.path(of: .chat))
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        try expectMissing(.chat, in: world, aside)
        // The user follows the hint.
        try FileManager.default.removeItem(atPath: world.store.location.path(of: .agent))
        #expect(try PassphraseChange.complete(world.context())?.replaced == nil)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a database in the place of an old one does not undo the change if the folder with the old one is gone")
    func replacedByNew() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db", "x_agent.db"], into: aside)
        try FileManager.default.removeItem(atPath: aside)
        try world.write(["x_chat.db", "x_agent.db"])
        try expectMissing(try #require(world.store.location.databases.first), in: world, aside)
    }

    private func expectMissing(_ database: DatabaseName, in world: RestoreWorld, _ aside: String) throws {
        let before = try world.store.folder.fingerprint()
        let location = world.store.location
        let record = try #require(try RestoreRecord.read(at: location))
        let place = location.path(of: database)
        #expect(
            throws: RestoreError.originalMissing(
                record, database, place: place, aside: aside + "/" + fileName(of: place), new: location.restoringPath)
        ) { try PassphraseChange.complete(world.context()) }
        #expect(try world.store.folder.fingerprint() == before)
    }

    @Test("an interrupted change is completed if the user has removed the old files")
    func removed() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db", "x_agent.db"], into: aside)
        try FileManager.default.removeItem(atPath: aside)
        let outcome = try #require(try PassphraseChange.complete(world.context()))
        #expect(outcome.completed && outcome.replaced == nil)
        #expect(try world.content() == RestoreWorld.new && !world.names().contains { $0.contains("replaced") })
    }

    @Test("an interrupted change takes no file away from a program that has a database open")
    func inUse() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        try world.move(["x_chat.db"], into: aside)
        let holder = try Holder(of: world.store.location.path(of: .agent))
        defer { holder.end() }
        let before = try world.store.folder.fingerprint()
        #expect {
            try PassphraseChange.complete(world.context(waiting: 0.1))
        } throws: { ($0 as? MigrationError)?.code == "inUse" }
        #expect(try world.store.folder.fingerprint() == before)
        holder.end()
        #expect(try PassphraseChange.complete(world.context())?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a database that a program makes before the first new one is in its place is kept, and the change undone")
    func madeAtTheLastMoment() throws {
        let (world, aside) = try RestoreWorld.begunChange()
        let first = try #require(world.store.location.databases.first)
        let place = world.store.location.path(of: first)
        var engine = WrappedEngine()
        engine.looking = { path in
            guard path.contains(".replaced-"), FileState(at: place) == .missing else { return }
            try? Data("made meanwhile".utf8).write(to: URL(fileURLWithPath: place))
        }
        let context = StoreContext(engine: engine, location: world.store.location, build: try RestoreWorld.build())
        #expect {
            try PassphraseChange.complete(context)
        } throws: { ($0 as? MigrationError)?.code == "inUse" }
        #expect(try world.content() == RestoreWorld.old)
        #expect(try RestoreWorld.names(in: aside) == [fileName(of: place) + "-2"])
        #expect(try PassphraseChange.complete(world.context()) == nil)
    }

    /// Another process with SQLite's lock on a database: this one would not see its own.
    private func locking(_ path: String, for seconds: Double) throws -> Process {
        let (holder, output) = (Process(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = [
            "python3", "-c",
            """
            import fcntl, sys, time
            file = open(sys.argv[1], 'r+b')
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 510, 0x40000002)
            print('locked', flush=True)
            time.sleep(float(sys.argv[2]))
            """, path, "\(seconds)",
        ]
        holder.standardOutput = output
        try holder.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        return holder
    }

    @Test("a program with a lock on an old file is waited for, and the change stays interrupted if it keeps the lock")
    func locked() throws {
        let (world, _) = try RestoreWorld.begunChange()
        let record = try #require(try RestoreRecord.read(at: world.store.location))
        let holder = try locking(world.store.location.path(of: .chat), for: 60)
        defer { holder.terminate() }
        let before = try world.store.folder.fingerprint()
        // Without the look for programs that have the files open, as where the system does not list them.
        let swap = RestoreSwap(context: try world.context(waiting: 0.1), record: record)
        #expect { try swap.finish(completing: true) } throws: { ($0 as? MigrationError)?.code == "inUse" }
        #expect(try world.store.folder.fingerprint() == before)
        holder.terminate()
        holder.waitUntilExit()
        let other = try locking(world.store.location.path(of: .agent), for: 0.3)
        defer { other.waitUntilExit() }
        let report = try RestoreSwap(context: try world.context(waiting: 60), record: record).finish(completing: true)
        #expect(report.completed)
        #expect(try world.content() == RestoreWorld.new)
    }
}
