import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The store after a run: its journal mode, its generation, and its state after concurrent or cancelled runs.
@Suite struct RunEndTests {
    @Test("M22 M23: the journal mode stays the same", arguments: ["WAL", "DELETE"])
    func journalMode(_ mode: String) throws {
        let store = try TwoVersions.oldStore()
        for database in DatabaseName.allCases { try store.execute("PRAGMA journal_mode = \(mode)", in: database) }
        _ = try store.migrator(TwoVersions.new()).run()
        for database in DatabaseName.allCases {
            #expect(try TwoVersions.headerMode(store.location.path(of: database)) == mode)
        }
    }

    @Test("every run raises the generation in both databases, also when only one of them changes")
    func generation() throws {
        let store = try TwoVersions.oldStore()
        let build = try SyntheticHistory.make(
            chat: [TwoVersions.first, TwoVersions.second], agent: [TwoVersions.agentFirst])
        _ = try store.migrator(build).run()
        #expect(try store.rows("SELECT generation FROM store") == ["2"])
        #expect(try store.rows("SELECT generation FROM store", in: .agent) == ["2"])
    }

    @Test("the greatest possible generation, which only another program can have written, has a successor")
    func lastGeneration() throws {
        let store = try TwoVersions.oldStore()
        for database in DatabaseName.allCases {
            try store.execute("UPDATE store SET generation = \(Int64.max)", in: database)
        }
        let migrator = store.migrator(try TwoVersions.new()) { $0.backup = .folder(nil) }
        let backup = try #require(try migrator.run().backup)
        #expect(try store.applied().count == 2)
        let restorer = Restorer(migrator.context)
        _ = try restorer.run(try restorer.plan(backup))
        #expect(try store.applied().count == 1)
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent))
        let id = try store.rows("SELECT store_id FROM store").joined()
        try IntentRecord(
            run: "r", startedAt: "2030-01-01T00:00:00Z", creates: false, storeID: id, generation: .min, courses: [:],
            backup: nil
        ).write(store.location.intentPath)
        #expect(try migrator.plan().interrupted?.generation == .min)
    }

    @Test("M09: one of many concurrent runs migrates, and the others have no steps")
    func atOnce() throws {
        let store = try TwoVersions.oldStore()
        let build = try TwoVersions.new()
        let applied = try OwnThreads.results(6) { _ in
            try store.migrator(build, lockTimeout: 60).run().applied(.chat).count
        }
        #expect(applied.sorted() == [0, 0, 0, 0, 0, 1])
    }

    @Test("M08: a run cancelled at any moment leaves the store unchanged")
    func cancelled() throws {
        var moments = 1
        var moment = 0
        while moment < moments {
            moment += 1
            let store = try TwoVersions.oldStore()
            let cancellation = Cancellation()
            let counter = Counter()
            var migrator = store.migrator(try TwoVersions.new()) { $0.backup = .folder(nil) }
            migrator.context.cancellation = cancellation
            let stopAt = moment
            migrator.context.progress = { _ in if counter.next() == stopAt { cancellation.request() } }
            let failure = #expect(throws: MigrationFailure.self) { _ = try migrator.run() }
            #expect(failure?.error == .interrupted, "moment \(moment)")
            let backups = try? FileManager.default.contentsOfDirectory(atPath: store.location.backupsPath)
            #expect(backups?.isEmpty != true, "a folder for nothing, moment \(moment)")
            #expect(try store.applied() == ["20300101_first"] && store.applied(.agent) == ["20300101_agent_first"])
            if moment == 1 {
                let whole = Counter()
                let other = try TwoVersions.oldStore()
                var migrator = other.migrator(try TwoVersions.new()) { $0.backup = .folder(nil) }
                migrator.context.progress = { _ in _ = whole.next() }
                _ = try migrator.run()
                #expect(try other.applied().count == 2)
                moments = whole.value
            }
        }
        #expect(moments > 8)
    }
}
