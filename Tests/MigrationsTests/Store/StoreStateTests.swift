import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The states in which a run accepts a store, and in which it leaves the store.
@Suite struct StoreStateTests {
    @Test("M21: a current store is not written: bytes and times stay the same")
    func nothingToDo() throws {
        let store = try TwoVersions.oldStore()
        let before = try store.folder.fingerprint()
        #expect(try store.migrator(TwoVersions.old()).run().plan.isEmpty)
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("a record is read again when no run is at work that might just have written it")
    func recordOfRunningWork() throws {
        let store = try TwoVersions.oldStore()
        let id = try #require(try store.rows("SELECT store_id FROM store").first)
        try IntentRecord(
            run: "r", startedAt: "2030-01-01T00:00:00Z", creates: false, storeID: id, generation: 2, courses: [:],
            backup: nil
        ).write(store.location.intentPath)
        let looks = Mutex<[String?]>([])
        let location = store.location
        let engine = WrappedEngine { _ in
            let code = TwoVersions.code {
                _ = try StoreLock.take(location.lockPath, .alone, timeout: 0, cancellation: Cancellation())
            }
            looks.withLock { $0.append(code) }
        }
        let context = StoreContext(engine: engine, location: location, build: try TwoVersions.old())
        let status = try context.status()
        #expect(looks.withLock { $0 } == ["storeLocked", "storeLocked"] && status.interrupted?.run == "r")
        try IntentRecord.remove(at: store.location)
        #expect(try store.migrator(TwoVersions.old()).context.status().interrupted == nil)
    }

    @Test("R15: a FIFO at the path of the lock does not block", .timeLimit(.minutes(60)))
    func lockIsNoFile() throws {
        let store = try TwoVersions.oldStore()
        try FileManager.default.removeItem(atPath: store.location.lockPath)
        mkfifo(store.location.lockPath, 0o600)
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } != nil)
        try store.execute("UPDATE store SET generation = 7")
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.old()).plan() } == "mismatchedPair")
        #expect(StoreLock.shareExisting(store.location.lockPath, timeout: 0) == nil)
    }

    @Test("a database of another program is refused, a store of SimpleX Chat by its name")
    func foreign() throws {
        let store = try TwoVersions.oldStore()
        try store.execute("PRAGMA application_id = 0")
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } == "notOurStore")
        try store.execute("UPDATE migrations SET name = '20220101_initial'")
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } == "readOnlyStore")
        // Exchanged files are not chatdb's either.
        let other = try TwoVersions.oldStore()
        let (chat, agent) = (other.location.path(of: .chat), other.location.path(of: .agent))
        try FileManager.default.moveItem(atPath: chat, toPath: other.folder.file("spare"))
        try FileManager.default.moveItem(atPath: agent, toPath: chat)
        try FileManager.default.moveItem(atPath: other.folder.file("spare"), toPath: agent)
        #expect(TwoVersions.code { _ = try other.migrator(TwoVersions.new()).run() } == "notOurStore")
    }

    @Test(
        "T02: mismatched databases are refused",
        arguments: [
            "UPDATE store SET store_id = 'another'", "UPDATE store SET generation = 7",
        ])
    func mismatched(_ sql: String) throws {
        let store = try TwoVersions.oldStore()
        try store.execute(sql)
        let before = try store.folder.fingerprint()
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } == "mismatchedPair")
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("M20: damage is found before anything is written", arguments: ["i", "t"])
    func damaged(_ object: String) throws {
        let store = try SyntheticStore()
        let wide = TwoVersions.Step(
            "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT) STRICT; CREATE INDEX i ON t (body);")
        _ = try store.migrator(SyntheticHistory.make(chat: [wide], agent: [TwoVersions.agentFirst])).run()
        try store.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i, hex(zeroblob(100)) || i FROM n",
            "PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try #require(
            Int(try store.rows("SELECT rootpage FROM sqlite_master WHERE name = '\(object)'").first ?? ""))
        let file = try #require(FileHandle(forUpdatingAtPath: store.location.path(of: .chat)))
        try file.seek(toOffset: UInt64(page * 4096 - 4096))
        try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
        try file.close()
        let before = try store.folder.fingerprint()
        let build = try SyntheticHistory.make(chat: [wide, TwoVersions.second], agent: [TwoVersions.agentFirst])
        #expect {
            _ = try store.migrator(build).run()
        } throws: { error in
            guard let error = (error as? MigrationFailure)?.error else { return false }
            return error.code == "damaged" && error.message.hasPrefix("the chat database is damaged: ")
        }
        #expect(try store.folder.fingerprint().filter { !$0.key.hasSuffix("-shm") } == before)
    }

    @Test(
        "R09 R10: a store that another program has open is refused by its name and pid", arguments: ["WAL", "DELETE"])
    func inUse(_ mode: String) throws {
        let store = try TwoVersions.oldStore()
        try store.execute("PRAGMA journal_mode = \(mode)")
        let shell = try HeldStore(store.location.path(of: .chat), "SELECT count(*) FROM t;")
        defer { shell.end() }
        let before = try store.folder.bytes()
        let found = Result { try store.migrator(TwoVersions.new()).run() }
        guard case .failure(let failure as MigrationFailure) = found, case .inUse(.chat, let holders) = failure.error
        else {
            Issue.record("\(found)")
            return
        }
        #expect(holders == [FileHolder(pid: shell.pid, program: "sqlite3")])
        #expect(try store.folder.bytes() == before)
    }
}
