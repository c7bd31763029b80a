import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

/// A writer that has looked at a store, and asked for confirmation, opens it without a second look; what changed
/// meanwhile is found all the same.
@Suite struct StoreGateTests {
    /// What was found before the question.
    private func seen(_ gate: StoreGate) throws -> FoundStore {
        let opened = try gate.openForReading()
        opened.close()
        return opened.found
    }

    @Test("a store that did not change since the look is opened once more, to write it")
    func unchanged() throws {
        let store = try TwoVersions.oldStore()
        let opens = Mutex<[String]>([])
        let engine = WrappedEngine { path in opens.withLock { $0.append(path) } }
        let gate = StoreGate(
            StoreContext(engine: engine, location: store.location, build: try TwoVersions.old()))
        let seen = try seen(gate)
        let (_, opened) = try gate.openForWriting(after: seen)
        defer { opened.close() }
        for database in DatabaseName.allCases {
            let path = store.location.path(of: database)
            #expect(opens.withLock { $0.count { $0 == path } } == 2)
        }
    }

    @Test("a store whose databases a run of migrations held until it ended is read")
    func endedRun() throws {
        let store = try TwoVersions.oldStore()
        try #require(FileState(at: store.location.lockPath) != .missing)
        let opens = Mutex(0)
        var engine = WrappedEngine()
        engine.failing = { _ in
            let count = opens.withLock { opens in
                opens += 1
                return opens
            }
            return count == 1 ? StoreError(.busy, "the database is locked") : nil
        }
        let context = StoreContext(engine: engine, location: store.location, build: try TwoVersions.old())
        try StoreGate(context).openForReading().close()
        #expect(opens.withLock { $0 } == 3)
    }

    @Test(
        "a store that changed since the look is refused as if there had been no look",
        arguments: [
            ("INSERT INTO migrations VALUES ('z', '2030-01-01 00:00:00', NULL, 'x', NULL)", "noDownMigration"),
            ("DELETE FROM migrations", "needsUpgrade"), ("UPDATE store SET generation = 9", "mismatchedPair"),
            ("CREATE TRIGGER spy AFTER UPDATE ON t BEGIN DELETE FROM t; END", "unknownTrigger"),
            ("PRAGMA application_id = 0", "notOurStore"),
        ])
    func changed(_ statement: String, _ code: String) throws {
        let store = try TwoVersions.oldStore()
        let gate = StoreGate(try store.migrator(TwoVersions.old()).context)
        let seen = try seen(gate)
        try store.execute(statement)
        #expect(TwoVersions.code { _ = try gate.openForWriting(after: seen) } == code)
        #expect(TwoVersions.code { try gate.check() } == code)
    }

    @Test("a store with an interrupted migration since the look is refused")
    func interrupted() throws {
        let store = try TwoVersions.oldStore()
        let gate = StoreGate(try store.migrator(TwoVersions.old()).context)
        let seen = try seen(gate)
        let id = try #require(try store.rows("SELECT store_id FROM store").first)
        try IntentRecord(
            run: "r", startedAt: "2030-01-01T00:00:00Z", creates: false, storeID: id, generation: 2, courses: [:],
            backup: nil
        ).write(store.location.intentPath)
        #expect(TwoVersions.code { _ = try gate.openForWriting(after: seen) } == "interruptedMigration")
    }

    @Test("a store without a lock file is looked at before chatdb makes one")
    func noLockFile() throws {
        let store = try TwoVersions.oldStore()
        try FileManager.default.removeItem(atPath: store.location.lockPath)
        try store.execute("PRAGMA application_id = 0")
        #expect(TwoVersions.code { _ = try StoreGate(store.migrator(TwoVersions.old()).context).enter() } != nil)
        #expect(FileState(at: store.location.lockPath) == .missing)
    }
}
