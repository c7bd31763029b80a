import Engine
import EngineSQLite
import Foundation
import Schema
import TestKit
import Testing

@testable import Migrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// In which states a store is taken, and how it is left.
@Suite struct StoreStateTests {
    private typealias Step = SyntheticHistory.Step
    private static let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE t;")
    private static let second = Step("second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE u;")
    private static let agentFirst = Step(
        "agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE a;")
    private static let agentSecond = Step(
        "agent_second", "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE b;")

    private func old() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: [Self.first], agent: [Self.agentFirst])
    }

    private func new() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: [Self.first, Self.second], agent: [Self.agentFirst, Self.agentSecond])
    }

    private func oldStore() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(old()).run()
        return store
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MigrationFailure)?.error.code ?? (error as? MigrationError)?.code
        }
    }

    /// As the header says: a connection that declares the file immutable would say something else.
    private func headerMode(_ path: String) throws -> String {
        let header = try #require(FileManager.default.contents(atPath: path)?.prefix(20))
        return header[18] == 2 && header[19] == 2 ? "WAL" : "DELETE"
    }

    @Test("a new store is made for the owner alone, in WAL mode, with one id and generation")
    func created() throws {
        let store = try SyntheticStore()
        let report = try store.migrator(new()) { $0.confirmation = .error }.run()
        #expect(report.created && report.backup == nil)
        for database in DatabaseName.allCases {
            let path = store.location.path(of: database)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try headerMode(path) == "WAL")
        }
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent))
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("M21: a store that is current is not written at all: bytes and times are the same")
    func nothingToDo() throws {
        let store = try oldStore()
        let before = try store.folder.fingerprint()
        #expect(try store.migrator(old()).run().plan.isEmpty)
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("a record is looked at while nobody is at work, who might have written it just now")
    func recordOfSomebodyAtWork() throws {
        let store = try oldStore()
        let id = try #require(try store.rows("SELECT store_id FROM store").first)
        try IntentRecord(
            run: "r", startedAt: "2030-01-01T00:00:00Z", creates: false, storeID: id, generation: 2, courses: [:],
            backup: nil
        ).write(store.location.intentPath)
        var looks: [String?] = []
        let status = try store.migrator(old()).status { _, _, _ in
            looks.append(
                code {
                    _ = try StoreLock.take(
                        store.location.lockPath, .alone, timeout: 0, cancellation: Cancellation())
                })
        }
        #expect(looks == ["storeLocked", "storeLocked"] && status.interrupted?.run == "r")
        try IntentRecord.remove(store.location.intentPath)
        #expect(try store.migrator(old()).status().interrupted == nil)
    }

    @Test("R15: a FIFO in the place of the lock keeps nobody waiting", .timeLimit(.minutes(30)))
    func lockIsNoFile() throws {
        let store = try oldStore()
        try FileManager.default.removeItem(atPath: store.location.lockPath)
        mkfifo(store.location.lockPath, 0o600)
        #expect(code { _ = try store.migrator(new()).run() } != nil)
        try store.execute("UPDATE store SET generation = 7")
        #expect(code { _ = try store.migrator(old()).plan() } == "mismatchedPair")
        #expect(StoreLock.shareExisting(store.location.lockPath, timeout: 0) == nil)
    }

    @Test("M22 M23: the journal mode stays what it was", arguments: ["WAL", "DELETE"])
    func journalMode(_ mode: String) throws {
        let store = try oldStore()
        for database in DatabaseName.allCases { try store.execute("PRAGMA journal_mode = \(mode)", in: database) }
        _ = try store.migrator(new()).run()
        for database in DatabaseName.allCases {
            #expect(try headerMode(store.location.path(of: database)) == mode)
        }
    }

    @Test("every run raises the generation in both databases, also when only one of them changes")
    func generation() throws {
        let store = try oldStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first, Self.second], agent: [Self.agentFirst])).run()
        #expect(try store.rows("SELECT generation FROM store") == ["2"])
        #expect(try store.rows("SELECT generation FROM store", in: .agent) == ["2"])
    }

    @Test("T04: one database missing, an empty file, a folder that is not there: told by name, and nothing is made")
    func incomplete() throws {
        let store = try oldStore()
        try FileManager.default.removeItem(atPath: store.location.path(of: .agent))
        let before = try store.folder.fingerprint()
        #expect(code { _ = try store.migrator(new()).run() } == "incompleteStore")
        #expect(try store.folder.fingerprint() == before)
        #expect(FileManager.default.createFile(atPath: store.location.path(of: .agent), contents: Data()))
        #expect(code { _ = try store.migrator(new()).run() } == "notADatabase")
        #expect(FileState(at: store.location.path(of: .agent)) == .empty)

        let nowhere = try StoreLocation(prefix: store.folder.file("nowhere/x"))
        let migrator = Migrator(engine: SQLiteEngine(), location: nowhere, build: try new())
        #expect(code { _ = try migrator.run() } == "folderNotFound")
        #expect(FileState(at: nowhere.folder) == .missing)
    }

    @Test("with one database named, the other is neither made, read nor missed")
    func only() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(old()) { $0.only = .chat }.run()
        #expect(FileState(at: store.location.path(of: .agent)) == .missing)
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: store.location.path(of: .agent)))
        _ = try store.migrator(new()) { $0.only = .chat }.run()
        #expect(try store.applied().count == 2)
    }

    @Test("a database of another program is refused, a store of SimpleX Chat by its name")
    func foreign() throws {
        let store = try oldStore()
        try store.execute("PRAGMA application_id = 0")
        #expect(code { _ = try store.migrator(new()).run() } == "notOurStore")
        try store.execute("UPDATE migrations SET name = '20220101_initial'")
        #expect(code { _ = try store.migrator(new()).run() } == "readOnlyStore")
        // The files exchanged are not ours either.
        let other = try oldStore()
        let (chat, agent) = (other.location.path(of: .chat), other.location.path(of: .agent))
        try FileManager.default.moveItem(atPath: chat, toPath: other.folder.file("spare"))
        try FileManager.default.moveItem(atPath: agent, toPath: chat)
        try FileManager.default.moveItem(atPath: other.folder.file("spare"), toPath: agent)
        #expect(code { _ = try other.migrator(new()).run() } == "notOurStore")
    }

    @Test(
        "T02: two databases that do not belong together are refused",
        arguments: [
            "UPDATE store SET store_id = 'another'", "UPDATE store SET generation = 7",
        ])
    func mismatched(_ sql: String) throws {
        let store = try oldStore()
        try store.execute(sql)
        let before = try store.folder.fingerprint()
        #expect(code { _ = try store.migrator(new()).run() } == "mismatchedPair")
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("M20: damage is found before anything is written", arguments: ["i", "t"])
    func damaged(_ object: String) throws {
        let store = try SyntheticStore()
        let wide = Step(
            "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT) STRICT; CREATE INDEX i ON t (body);")
        _ = try store.migrator(SyntheticHistory.make(chat: [wide], agent: [Self.agentFirst])).run()
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
        let build = try SyntheticHistory.make(chat: [wide, Self.second], agent: [Self.agentFirst])
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
        let store = try oldStore()
        try store.execute("PRAGMA journal_mode = \(mode)")
        let shell = Process()
        let (input, output) = (Pipe(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = [store.location.path(of: .chat)]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        defer { shell.terminate() }
        try input.fileHandleForWriting.write(contentsOf: Data("SELECT count(*) FROM t;\n.print ready\n".utf8))
        var said = Data()
        while !String(decoding: said, as: UTF8.self).contains("ready") {
            said += output.fileHandleForReading.availableData
        }
        let found = Result { try store.migrator(new()).run() }
        guard case .failure(let failure as MigrationFailure) = found, case .inUse(.chat, let holders) = failure.error
        else {
            Issue.record("\(found)")
            return
        }
        #expect(holders == [FileHolder(pid: shell.processIdentifier, program: "sqlite3")])
    }

    @Test("a second run waits for the first and then names it; the lock of a dead process is free")
    func locked() throws {
        let store = try oldStore()
        let cancellation = Cancellation()
        var lock: StoreLock? = try StoreLock.take(
            store.location.lockPath, .alone, timeout: 0, cancellation: cancellation)
        #expect(code { _ = try store.migrator(new()).run() } == "storeLocked")
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try store.migrator(new()).run()
        #expect(try store.applied().count == 2)
    }

    @Test("a run in the way is named, and not another program that has its number now")
    func lockHolder() throws {
        let store = try oldStore()
        let path = store.location.lockPath
        func named() -> FileHolder? {
            do {
                _ = try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
                return nil
            } catch {
                guard case .storeLocked(let holder) = error else { return nil }
                return holder
            }
        }
        let alone = try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
        #expect(named()?.pid == getpid())
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/bin/cat")
        other.standardInput = Pipe()
        try other.run()
        defer { other.terminate() }
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data("\(other.processIdentifier)\n".utf8))
        #expect(throws: MigrationError.storeLocked(by: nil)) {
            try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
        }
        try file.close()
        withExtendedLifetime(alone) {}
    }

    @Test("whoever writes shares the lock with others that write, and waits for a migration")
    func sharedLock() throws {
        let store = try oldStore()
        let gate = StoreGate(store.migrator(try old()))
        let pass = try gate.enter()
        let other = try gate.enter()
        #expect(code { _ = try store.migrator(new()).run() } == "storeLocked")
        withExtendedLifetime((pass, other)) {}
        #expect(code { _ = try StoreGate(store.migrator(new())).enter() } == "needsUpgrade")
    }

    @Test("M09: of many runs at once one migrates, and the others have nothing to do")
    func atOnce() async throws {
        let store = try oldStore()
        let build = try new()
        let reports = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try store.migrator(build) { $0.lockTimeout = 60 }.run().applied(.chat).count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.sorted() == [0, 0, 0, 0, 0, 1])
    }

    @Test("M08: asked to stop at any moment, a run leaves the store as it was")
    func cancelled() throws {
        var moments = 1
        var moment = 0
        while moment < moments {
            moment += 1
            let store = try oldStore()
            let cancellation = Cancellation()
            let counter = Counter()
            var migrator = store.migrator(try new()) { $0.backup = .folder(nil) }
            migrator.cancellation = cancellation
            let stopAt = moment
            migrator.progress = { _ in if counter.next() == stopAt { cancellation.request() } }
            let failure = #expect(throws: MigrationFailure.self) { _ = try migrator.run() }
            #expect(failure?.error == .interrupted, "moment \(moment)")
            #expect(try store.applied() == ["20300101_first"] && store.applied(.agent) == ["20300101_agent_first"])
            if moment == 1 {
                let whole = Counter()
                let other = try oldStore()
                var migrator = other.migrator(try new()) { $0.backup = .folder(nil) }
                migrator.progress = { _ in _ = whole.next() }
                _ = try migrator.run()
                #expect(try other.applied().count == 2)
                moments = whole.value
            }
        }
        #expect(moments > 8)
    }
}

/// Counts calls from a closure that must be Sendable.
final class Counter: @unchecked Sendable {
    // Called on the thread of one run only.
    private(set) var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}
