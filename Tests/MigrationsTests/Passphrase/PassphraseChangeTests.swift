import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The replacement of both databases by a change of the passphrase. The new files are those of a backup.
/// Rule: docs/encryption.md, "Changing the passphrase".
@Suite struct PassphraseChangeTests {
    @Test("a change puts the new databases in their places, and keeps the old ones with their mode")
    func replaced() throws {
        let world = try RestoreWorld()
        #expect(chmod(world.store.location.path(of: .chat), 0o640) == 0)
        let change = PassphraseChange(.change, try world.context())
        let outcome = try change.run(change.plan(), world.rewrite)
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
        let change = PassphraseChange(.set, try world.context())
        #expect(throws: StoreError.self) {
            try change.run(change.plan()) { path, new in
                try world.rewrite(path, new)
                if path.contains("chat") { throw StoreError(.diskFull, "no room") }
            }
        }
        #expect(try world.store.folder.fingerprint() == before)
    }

    @Test("a database that changes while it is copied undoes the change")
    func changedMeanwhile() throws {
        let world = try RestoreWorld()
        let change = PassphraseChange(.set, try world.context())
        #expect(throws: RestoreError.originalsChanged(.set, kept: [])) {
            try change.run(change.plan()) { path, new in
                try world.rewrite(path, new)
                if path.contains("agent") { try world.store.execute("INSERT INTO a VALUES (8)", in: .agent) }
            }
        }
        #expect(try world.content() == RestoreWorld.old + ["8"])
        #expect(try !world.names().contains { $0.contains("replaced") || $0.contains("restoring") })
    }

    @Test("a change removes the empty folders of replaced files that a killed one has left, and keeps those with files")
    func emptyFolders() throws {
        let world = try RestoreWorld()
        let (empty, full) = ("x.replaced-20300101T000000Z", "x.replaced-20300102T000000Z")
        for name in [empty, full] {
            try FileManager.default.createDirectory(
                atPath: world.store.folder.file(name), withIntermediateDirectories: true)
        }
        try world.write(["x_chat.db"], into: world.store.folder.file(full))
        let change = PassphraseChange(.set, try world.context())
        _ = try change.run(change.plan(), world.rewrite)
        #expect(try !world.names().contains(empty))
        #expect(try RestoreWorld.names(in: world.store.folder.file(full)) == ["x_chat.db"])
    }

    @Test("a journal that was never synced is removed before the copy, and the database stays as it was")
    func unsyncedJournal() throws {
        let world = try RestoreWorld()
        try world.store.execute("PRAGMA journal_mode = DELETE")
        let path = world.store.location.path(of: .chat)
        try Data([UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 9_000)).write(
            to: URL(fileURLWithPath: path + "-journal"))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let change = PassphraseChange(.set, try world.context())
        #expect(throws: StoreError.self) {
            try change.run(change.plan()) { _, _ in throw StoreError(.diskFull, "no room") }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(FileState(at: path + "-journal") == .missing)
        _ = try change.run(change.plan(), world.rewrite)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a change is refused if a run of migrations was killed after the plan, and no file is moved")
    func migratedMeanwhile() throws {
        let world = try RestoreWorld()
        let change = PassphraseChange(.set, try world.context())
        let plan = try change.plan()
        try IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: false, storeID: "x", generation: 2,
            courses: [.agent: .init(from: nil, to: "20300102_second", steps: [])], backup: nil
        ).write(world.store.location.intentPath)
        let before = try world.store.folder.fingerprint()
        let error = #expect(throws: MigrationError.self) { try change.run(plan, world.rewrite) }
        #expect(error?.code == "interruptedMigration")
        #expect(try world.store.folder.fingerprint() == before)
    }
}
