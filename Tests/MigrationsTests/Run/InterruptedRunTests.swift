import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// T02: a run interrupted between its two commits, or while it created the store.
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

    @Test("the next run completes it in every mode, after its own backup, and removes the record")
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

    @Test("an interrupted run down is completed with the SQL stored in the databases")
    func completedDown() throws {
        let (store, record) = try split()
        // Both databases are old again; now imitate an interrupted run down from 2.
        try IntentRecord.remove(at: store.location)
        try store.execute("UPDATE store SET generation = 2")
        try store.execute("CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT")
        let second = try #require(history(2)[.chat]?.last)
        try store.execute(
            "INSERT INTO migrations VALUES ('20300102_second', 'now', 'DROP TABLE u', '\(second.checksum)', NULL)")
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

    @Test("a build without the migrations names the run; all writers refuse the store")
    func notCompletable() throws {
        let (store, record) = try split()
        for body: () throws -> Void in [
            { _ = try store.migrator(history(1)).run() }, { _ = try store.migrator(history(1)).plan() },
            { _ = try StoreGate(store.migrator(history(2)).context).enter() },
            { _ = try store.migrator(history(2), only: .chat).run() },
        ] {
            #expect(throws: (any Error).self) { try body() }
        }
        do {
            _ = try store.migrator(history(1)).run()
        } catch let failure as MigrationFailure {
            #expect(failure.error.code == "interruptedMigration")
            guard case .interruptedMigration(let named, let reason) = failure.error else { return }
            #expect(named == record && reason == .lacksMigrations(to: record.courses[.chat]?.to))
        }
    }

    @Test("without the record the pair is mismatched; an unreadable record prevents every command")
    func withoutRecord() throws {
        let (store, _) = try split()
        try Data("{".utf8).write(to: URL(fileURLWithPath: store.location.intentPath))
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "unreadableIntentRecord"
        }
        try IntentRecord.remove(at: store.location)
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "mismatchedPair"
        }
    }

    @Test("the record of a run that committed nothing, or everything, is removed")
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

    @Test("after a run that changed neither database, a run that is refused or fails keeps the record")
    func undone() throws {
        let (_, record) = try split()
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        try IntentRecord(
            run: record.run, startedAt: record.startedAt, creates: false,
            storeID: try store.rows("SELECT store_id FROM store").first ?? "", generation: 2, courses: record.courses,
            backup: nil
        ).write(store.location.intentPath)
        let asking = try store.migrator(history(2)) { $0.confirmation = .error }
        #expect(try asking.plan().isUndone && asking.context.status().progressOfInterrupted == .nothing)
        let broken = try SyntheticHistory.make(
            chat: [Self.chat[0], Step("second", "INSERT INTO nowhere VALUES (1)")], agent: Self.agent)
        for (migrator, code) in [(asking, "needsUpgrade"), (store.migrator(broken), "migrationFailed")] {
            #expect {
                _ = try migrator.run()
            } throws: { error in
                guard let failure = error as? MigrationFailure else { return false }
                return failure.error.code == code && failure.state == .unchanged
            }
            #expect(FileState(at: store.location.intentPath) != .missing)
        }
        #expect(try store.applied() == ["20300101_first"])
        // A run that has nothing to do ends the interrupted one too.
        #expect(try store.migrator(history(1)).run().plan.isEmpty)
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("a failure after the completion of an interrupted run does not claim an unchanged store")
    func failureAfterCompletion() throws {
        let (store, record) = try split()
        let more = try SyntheticHistory.make(
            chat: Self.chat + [Step("third", "INSERT INTO nowhere VALUES (1)")], agent: Self.agent)
        #expect {
            _ = try store.migrator(more).run()
        } throws: { error in
            guard let failure = error as? MigrationFailure else { return false }
            return failure.error.code == "migrationFailed" && failure.state == .completed(record)
        }
        #expect(try store.applied() == ["20300101_first", "20300102_second"])
    }
}
