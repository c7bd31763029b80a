import Engine
import EngineSQLite
import Foundation
import Schema
import TestKit
import Testing

@testable import Migrations

/// T02: a run that ended between its two commits, or while it was making the store.
@Suite struct InterruptedRunTests {
    private typealias Step = SyntheticHistory.Step
    private static let chat = [
        Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE t;"),
        Step("second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE u;"),
    ]
    private static let agent = [
        Step("agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE a;"),
        Step("agent_second", "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE b;"),
    ]

    private func history(_ count: Int) throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: Array(Self.chat.prefix(count)), agent: Array(Self.agent.prefix(count)))
    }

    /// Agent at the second version, chat at the first, and the record.
    private func split() throws -> (SyntheticStore, IntentRecord) {
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        let copy = store.folder.file("copy.db")
        try FileManager.default.copyItem(atPath: store.location.path(of: .chat), toPath: copy)
        _ = try store.migrator(history(2)).run()
        try FileManager.default.removeItem(atPath: store.location.path(of: .chat))
        try FileManager.default.moveItem(atPath: copy, toPath: store.location.path(of: .chat))
        let id = try store.rows("SELECT store_id FROM store").first ?? ""
        let record = IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: false, storeID: id, generation: 2,
            courses: [
                .agent: .init(
                    from: "20300101_agent_first", to: "20300102_agent_second", steps: ["20300102_agent_second"]),
                .chat: .init(from: "20300101_first", to: "20300102_second", steps: ["20300102_second"]),
            ], backup: "/backups/one")
        try record.write(store.location.intentPath)
        return (store, record)
    }

    @Test("the next run completes it whatever the mode, after a backup of its own, and the record goes")
    func completed() throws {
        let (store, record) = try split()
        #expect(try store.migrator(history(2)).plan().interrupted == record)
        let report = try store.migrator(history(2)) { options in
            options.confirmation = .error
            options.backup = .folder(nil)
        }.run()
        #expect(report.completed == record)
        #expect(try store.applied() == ["20300101_first", "20300102_second"])
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent))
        #expect(FileState(at: store.location.intentPath) == .missing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.location.backupsPath).count == 1)
    }

    @Test("an interrupted way down is completed by the SQL the databases have kept")
    func completedDown() throws {
        let (store, record) = try split()
        // Now agent is old again and chat too; pretend that the way down from 2 was interrupted.
        try IntentRecord.remove(store.location.intentPath)
        try store.execute("UPDATE store SET generation = 2")
        try store.execute("CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT")
        let second = try #require(history(2)[.chat]?.last)
        try store.execute(
            "INSERT INTO migrations VALUES ('20300102_second', 'now', 'DROP TABLE u', '\(second.checksum)')")
        try store.execute(
            "DROP TABLE b", "DELETE FROM migrations WHERE name = '20300102_agent_second'",
            "UPDATE store SET generation = 3", in: .agent)
        try IntentRecord(
            run: "down", startedAt: record.startedAt, creates: false, storeID: record.storeID, generation: 3,
            courses: [
                .agent: .init(
                    from: "20300102_agent_second", to: "20300101_agent_first", steps: ["20300102_agent_second"]),
                .chat: .init(from: "20300102_second", to: "20300101_first", steps: ["20300102_second"]),
            ], backup: nil
        ).write(store.location.intentPath)
        _ = try store.migrator(history(1)).run()
        #expect(try store.applied() == ["20300101_first"])
        #expect(try store.applied(.agent) == ["20300101_agent_first"])
    }

    @Test("a build without the migrations names the run; everybody else who would write refuses")
    func notCompletable() throws {
        let (store, record) = try split()
        for body: () throws -> Void in [
            { _ = try store.migrator(history(1)).run() }, { _ = try store.migrator(history(1)).plan() },
            { _ = try StoreGate(store.migrator(history(2))).enter() },
            { _ = try store.migrator(history(2)) { $0.only = .chat }.run() },
        ] {
            #expect(throws: (any Error).self) { try body() }
        }
        do {
            _ = try store.migrator(history(1)).run()
        } catch let failure as MigrationFailure {
            #expect(failure.error.code == "interruptedMigration")
            guard case .interruptedMigration(let named, _) = failure.error else { return }
            #expect(named == record)
        }
    }

    @Test("without the record the split is a pair that does not fit; a record nobody can read stops everything")
    func withoutRecord() throws {
        let (store, _) = try split()
        try Data("{".utf8).write(to: URL(fileURLWithPath: store.location.intentPath))
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "unreadableIntentRecord"
        }
        try IntentRecord.remove(store.location.intentPath)
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "mismatchedPair"
        }
    }

    @Test("a record of a run that committed nothing, or everything, is taken away")
    func leftOver() throws {
        for count in 1...2 {
            let (split, record) = try split()
            let store = try SyntheticStore()
            _ = try store.migrator(history(1)).run()
            if count == 2 { _ = try store.migrator(history(2)).run() }
            let id = try store.rows("SELECT store_id FROM store").first ?? ""
            try IntentRecord(
                run: record.run, startedAt: record.startedAt, creates: false, storeID: id, generation: 2,
                courses: record.courses, backup: nil
            ).write(store.location.intentPath)
            _ = try store.migrator(history(2)).run()
            #expect(try store.applied().count == 2)
            #expect(FileState(at: store.location.intentPath) == .missing)
            _ = split
        }
    }

    enum Remains: CaseIterable { case nothing, emptyFile, agentOnly, both }

    @Test("a run that was making the store is finished or begun again", arguments: Remains.allCases)
    func making(_ remains: Remains) throws {
        let store = try SyntheticStore()
        let (chat, agent) = (store.location.path(of: .chat), store.location.path(of: .agent))
        var id = "none"
        switch remains {
        case .nothing: break
        case .emptyFile: #expect(FileManager.default.createFile(atPath: agent, contents: Data()))
        case .agentOnly, .both:
            _ = try store.migrator(history(2)).run()
            id = try store.rows("SELECT store_id FROM store").first ?? ""
            if remains == .agentOnly { try FileManager.default.removeItem(atPath: chat) }
        }
        try IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: true, storeID: id, generation: 1,
            courses: [
                .agent: .init(from: nil, to: "20300102_agent_second", steps: []),
                .chat: .init(from: nil, to: "20300102_second", steps: []),
            ], backup: nil
        ).write(store.location.intentPath)
        _ = try store.migrator(history(2)).run()
        #expect(try store.applied().count == 2 && store.applied(.agent).count == 2)
        if remains == .both { #expect(try store.rows("SELECT store_id FROM store") == [id]) }
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    private func creating(_ id: String, _ databases: [DatabaseName]) -> IntentRecord {
        IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: true, storeID: id, generation: 1,
            courses: Dictionary(uniqueKeysWithValues: databases.map { ($0, .init(from: nil, to: "x", steps: [])) }),
            backup: nil)
    }

    enum Strange: CaseIterable { case database, text, folder }

    @Test("what a run cannot have left when it was making a store is never removed", arguments: Strange.allCases)
    func strangeFile(_ strange: Strange) throws {
        let store = try SyntheticStore()
        let path = store.location.path(of: .chat)
        switch strange {
        case .database:
            _ = try store.migrator(history(1)) { $0.only = .chat }.run()
            try store.execute("DROP TABLE store", "DROP TABLE migrations", "PRAGMA wal_checkpoint(TRUNCATE)")
        case .text: try Data(repeating: 0x61, count: 10_000).write(to: URL(fileURLWithPath: path))
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try creating("id", [.agent, .chat]).write(store.location.intentPath)
        let before = try store.folder.fingerprint()
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "interruptedMigration"
        }
        #expect(try store.folder.fingerprint().filter { !$0.key.hasSuffix(".lock") } == before)
    }

    @Test("a store that was finished and went on stays, though the record of its making is still there")
    func finishedAndWentOn() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        let id = try store.rows("SELECT store_id FROM store").first ?? ""
        try store.execute("INSERT INTO t VALUES (7)")
        _ = try store.migrator(history(2)).run()
        try creating(id, [.agent, .chat]).write(store.location.intentPath)
        _ = try store.migrator(history(2)).run()
        #expect(try store.rows("SELECT id FROM t") == ["7"])
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("a run that was making one database alone is begun again, and the other is not touched")
    func makingOne() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(2)) { $0.only = .agent }.run()
        try creating("id", [.chat]).write(store.location.intentPath)
        #expect(throws: (any Error).self) { try store.migrator(history(2)) { $0.only = .agent }.run() }
        let report = try store.migrator(history(2)) { $0.only = .chat }.run()
        #expect(report.created)
        #expect(try store.applied().count == 2 && store.applied(.agent).count == 2)
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("a record that is no file is one that nobody can read", .timeLimit(.minutes(1)))
    func recordIsNoFile() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        #expect(mkfifo(store.location.intentPath, 0o600) == 0)
        #expect { _ = try store.migrator(history(2)).plan() } throws: {
            ($0 as? MigrationError)?.code == "unreadableIntentRecord"
        }
    }

    @Test("a file of another store is never removed, whatever a record says")
    func foreignFile() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(2)).run()
        try FileManager.default.removeItem(atPath: store.location.path(of: .agent))
        try IntentRecord(
            run: "run", startedAt: "", creates: true, storeID: "another", generation: 1,
            courses: [.agent: .init(from: nil, to: "x", steps: []), .chat: .init(from: nil, to: "x", steps: [])],
            backup: nil
        ).write(store.location.intentPath)
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "interruptedMigration"
        }
        #expect(try store.applied().count == 2)
    }
}
