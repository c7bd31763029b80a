import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The replacement of both databases by a change of the passphrase, and what an interrupted one leaves. The new files
/// are those of a backup, so that the content tells them from the old ones.
/// Rule: docs/encryption.md, "Changing the passphrase".
@Suite struct PassphraseChangeTests {
    private func context(of world: RestoreWorld) throws -> StoreContext {
        try world.store.migrator(RestoreWorld.build()).context
    }

    private func rewrite(_ world: RestoreWorld) -> PassphraseChange.Rewrite {
        { path, new in
            try FileManager.default.copyItem(atPath: world.backup + "/" + fileName(of: path), toPath: new)
        }
    }

    /// A store whose change has written its record and moved nothing.
    private func begun() throws -> (world: RestoreWorld, aside: String) {
        let world = try RestoreWorld()
        let context = try context(of: world)
        let originals = try RestoreStaging(context).fill(of: PassphraseChange(.set, context).plan(), rewrite(world))
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: "", storeID: nil, generation: nil, aside: "",
                versions: [.chat: nil, .agent: nil], rewriting: .init(kind: .set, originals: originals)))
        return (world, world.store.folder.file(swap.record.aside))
    }

    private func expectUndone(_ world: RestoreWorld) throws {
        #expect(throws: RestoreError.originalsChanged) { try PassphraseChange.complete(context(of: world)) }
        #expect(try !world.names().contains("x.restoring"))
        #expect(try PassphraseChange.complete(context(of: world)) == nil)
    }

    @Test("a change puts the new databases in their places, and keeps the old ones with their mode")
    func replaced() throws {
        let world = try RestoreWorld()
        #expect(chmod(world.store.location.path(of: .chat), 0o640) == 0)
        let change = PassphraseChange(.change, try context(of: world))
        let outcome = try change.run(change.plan(), rewrite(world))
        #expect(try world.content() == RestoreWorld.new)
        #expect(outcome.kind == .change && !outcome.completed)
        let kept = try #require(outcome.replaced)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: kept)) == ["x_chat.db", "x_agent.db"])
        let path = world.store.location.path(of: .chat)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try !world.names().contains("x.restoring"))
    }

    @Test("a change whose new file cannot be made leaves the store as it was, and no folder")
    func failed() throws {
        let world = try RestoreWorld()
        let before = try world.store.folder.fingerprint()
        let change = PassphraseChange(.set, try context(of: world))
        #expect(throws: StoreError.self) {
            try change.run(change.plan()) { path, new in
                try rewrite(world)(path, new)
                if path.contains("chat") { throw StoreError(.diskFull, "no room") }
            }
        }
        #expect(try world.store.folder.fingerprint() == before)
    }

    @Test("a database that changes while it is copied undoes the change")
    func changedMeanwhile() throws {
        let world = try RestoreWorld()
        let change = PassphraseChange(.set, try context(of: world))
        #expect(throws: RestoreError.originalsChanged) {
            try change.run(change.plan()) { path, new in
                try rewrite(world)(path, new)
                if path.contains("agent") { try world.store.execute("INSERT INTO a VALUES (8)", in: .agent) }
            }
        }
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(try !world.names().contains { $0.contains("replaced") || $0.contains("restoring") })
    }

    @Test("an interrupted change is completed, while commands on the store name it")
    func completed() throws {
        let (world, aside) = try begun()
        let refused = #expect(throws: MigrationError.self) { try StoreGate(context(of: world)).enter() }
        #expect(refused?.code == "interruptedPassphraseChange")
        #expect(throws: MigrationError.self) { try world.restorer().plan(world.backup) }
        let chat = world.store.location.path(of: .chat)
        try FileManager.default.moveItem(atPath: chat, toPath: aside + "/x_chat.db")
        let outcome = try #require(try PassphraseChange.complete(context(of: world)))
        #expect(outcome.completed && outcome.kind == .set && outcome.replaced == aside)
        #expect(try world.content() == RestoreWorld.new)
        #expect(try PassphraseChange.complete(context(of: world)) == nil)
    }

    @Test("an interrupted change is completed after the first new database is in its place")
    func half() throws {
        let (world, aside) = try begun()
        for name in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.moveItem(atPath: world.store.folder.file(name), toPath: aside + "/" + name)
        }
        let staged = world.store.location.restoringPath + "/x_agent.db"
        try FileManager.default.moveItem(atPath: staged, toPath: world.store.folder.file("x_agent.db"))
        #expect(try PassphraseChange.complete(context(of: world))?.completed == true)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("an interrupted change is undone if a program has written the store since")
    func written() throws {
        let (world, aside) = try begun()
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        try expectUndone(world)
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(FileState(at: aside) == .missing)
    }

    @Test("an interrupted change is undone if a program has left a journal since")
    func journal() throws {
        let (world, _) = try begun()
        try Data("x".utf8).write(to: URL(fileURLWithPath: world.store.folder.file("x_chat.db-journal")))
        try expectUndone(world)
        try FileManager.default.removeItem(atPath: world.store.folder.file("x_chat.db-journal"))
        #expect(try world.content() == RestoreWorld.old)
    }

    @Test("a database that a program made in the place of a moved one is kept beside it, with its journal")
    func madeMeanwhile() throws {
        let (world, aside) = try begun()
        let chat = world.store.location.path(of: .chat)
        try FileManager.default.moveItem(atPath: chat, toPath: aside + "/x_chat.db")
        for suffix in ["", "-journal"] {
            try Data("made meanwhile".utf8).write(to: URL(fileURLWithPath: chat + suffix))
        }
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        try expectUndone(world)
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: aside)) == ["x_chat.db-2", "x_chat.db-journal"])
    }

    @Test("an interrupted change keeps the new files if an old one is gone, whatever happened to the other one")
    func missing() throws {
        let (world, _) = try begun()
        try FileManager.default.removeItem(atPath: world.store.location.path(of: .chat))
        try world.store.execute("INSERT INTO a VALUES (8)", in: .agent)
        #expect(throws: RestoreError.self) { try PassphraseChange.complete(context(of: world)) }
        #expect(FileState(at: world.store.location.restoringPath + "/x_chat.db") != .missing)
        #expect(FileState(at: world.store.location.restoringPath + "/restore.json") != .missing)
    }

    @Test("a program with a lock on an old file undoes the change")
    func locked() throws {
        let (world, _) = try begun()
        // The lock of another process: this one would not see its own.
        let (holder, input, output) = (Process(), Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = [
            "python3", "-c",
            """
            import fcntl, sys
            file = open(sys.argv[1], 'r+b')
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 510, 0x40000002)
            print('locked', flush=True)
            sys.stdin.read()
            """, world.store.location.path(of: .chat),
        ]
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        defer {
            try? input.fileHandleForWriting.close()
            holder.waitUntilExit()
        }
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        #expect(throws: StoreError.self) { try PassphraseChange.complete(context(of: world)) }
        #expect(try world.content() == RestoreWorld.old && !world.names().contains("x.restoring"))
    }
}
