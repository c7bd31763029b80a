import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// T02: an interrupted run is completed regardless of consent, and the later steps need their own.
@Suite struct CompletionTests {
    private func failure(_ body: () throws -> Void) -> MigrationFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? MigrationFailure
        }
    }

    @Test(
        "without consent the run is completed, and the error for the remaining steps says so",
        arguments: [(1, 2, 3), (2, 1, 3)])
    func anyMode(_ from: Int, _ to: Int, _ build: Int) throws {
        let split = try SplitStore(from: from, to: to)
        let failure = failure {
            _ = try split.store.migrator(SplitStore.history(build)) { $0.confirmation = .error }.run()
        }
        #expect(failure?.error.code == "needsUpgrade")
        #expect(failure?.state == .completed(split.record))
        #expect(try split.counts() == [to, to])
        #expect(FileState(at: split.store.location.intentPath) == .missing)
    }

    @Test("the interrupted run is completed even when the user declines the remaining steps")
    func declined() throws {
        let split = try SplitStore(from: 1, to: 2)
        let failure = failure {
            let build = try SplitStore.history(3)
            _ = try split.store.migrator(build) { options in
                options.confirmation = .console { plan in
                    #expect(plan.ups == ["20300103_agent_third", "20300103_third"] && plan.interrupted == nil)
                    return false
                }
            }.run()
        }
        #expect(failure?.error == .declined && failure?.state == .completed(split.record))
        #expect(try split.counts() == [2, 2])
    }

    @Test("a repeated request for steps down only completes the interrupted run")
    func stepsAgain() throws {
        let split = try SplitStore(from: 3, to: 2)
        let again = split.store.migrator(try SplitStore.history(3)) { $0.target = .downSteps(2) }
        let plan = try again.plan()
        #expect(
            plan.ups.isEmpty && plan.downs.isEmpty && plan.completes[.chat]?.steps.map(\.name) == ["20300103_third"])
        let report = try again.run()
        #expect(report.completed == split.record && report.plan.isEmpty)
        #expect(report.losses(.chat) == [Loss(table: "v", column: nil, rows: 1)] && report.losses(.agent).isEmpty)
        #expect(try split.counts() == [2, 2])
        // The next request is for new steps.
        _ = try again.run()
        #expect(try split.counts() == [1, 1])
    }

    @Test(
        "steps down are not repeated after a run with only its record left; after one without commits they start")
    func onlyTheRecord() throws {
        for (at, left) in [(2, 2), (3, 2)] {
            let store = try SplitStore(from: 3, to: 2).store
            let other = try SyntheticStore()
            _ = try other.migrator(SplitStore.history(3)).run()
            if at == 2 { _ = try other.migrator(SplitStore.history(2)).run() }
            let split = try IntentRecord.read(store.location.intentPath)
            let record = try #require(split)
            try IntentRecord(
                run: "run", startedAt: record.startedAt, creates: false,
                storeID: try other.rows("SELECT store_id FROM store").first ?? "", generation: 2,
                courses: record.courses, backup: nil
            ).write(other.location.intentPath)
            _ = try other.migrator(SplitStore.history(3)) { $0.target = .downSteps(2) }.run()
            #expect(try other.applied().count == left)
        }
    }

    @Test("the fault in the down SQL of an interrupted run stays in the report if a run without one follows")
    func downFault() throws {
        let split = try SplitStore(from: 1, to: 2)
        var build = try SplitStore.history(3)
        let down = try MigrationScript(storedDown: "DROP TABLE nowhere", of: "20300102_second")
        build[.chat] = build[.chat]?.map { migration in
            let isSecond = migration.name == "20300102_second"
            return Migration(name: migration.name, up: migration.up, down: isSecond ? down : migration.down)
        }
        let report = try split.store.migrator(build).run()
        #expect(try split.counts() == [3, 3])
        #expect(report.completed == split.record)
        #expect(report.findings[.chat]?.downFault?.code == "migrationFailed")
    }

    @Test("a run down to a name continues to it after completing the interrupted run")
    func downTo() throws {
        let split = try SplitStore(from: 3, to: 2)
        let target = MigrationTarget.down(to: "20300101_agent_first")
        _ = try split.store.migrator(SplitStore.history(3)) { $0.target = target }.run()
        #expect(try split.store.applied(.agent) == ["20300101_agent_first"])
    }

    @Test("an unknown name is refused before the completion")
    func unknownName() throws {
        let split = try SplitStore(from: 3, to: 2)
        let before = try split.store.folder.fingerprint()
        let failure = failure {
            _ = try split.store.migrator(SplitStore.history(3)) { $0.target = .up(to: "20300109_none") }.run()
        }
        #expect(failure?.error.code == "unknownMigration" && failure?.state == .unchanged)
        #expect(try split.store.folder.fingerprint() == before)
    }

    @Test("the plan lists the steps of the completion and their losses apart from the later steps")
    func plan() throws {
        let split = try SplitStore(from: 3, to: 2)
        let plan = try split.store.migrator(SplitStore.history(3)).plan()
        #expect(plan.interrupted == split.record)
        #expect(plan.completes.keys.sorted { $0.rawValue < $1.rawValue } == [.chat])
        #expect(plan.completes[.chat]?.steps.map(\.direction) == [.down])
        #expect(plan.completes[.chat]?.losses == [Loss(table: "v", column: nil, rows: 1)])
        #expect(plan.ups == ["20300103_agent_third", "20300103_third"])
        #expect(plan.databases[.chat]?.losses == [])
        let down = try split.store.migrator(SplitStore.history(3)) { $0.target = .down(to: "20300101_first") }.plan()
        #expect(down.databases[.chat]?.losses.map(\.table) == ["u"])
    }

    @Test("consent is for the SQL: down SQL changed in the database during the question needs new consent")
    func consentToSQL() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SplitStore.history(2)).run()
        try store.execute("INSERT INTO t VALUES (1, 'precious')")
        let asked = Counter()
        let failure = failure {
            let older = try SplitStore.history(1)
            _ = try store.migrator(older) { options in
                options.confirmation = .console { plan in
                    let shown = plan.databases[.chat]?.steps.first?.script.text ?? ""
                    guard asked.next() == 1 else {
                        #expect(shown.contains("DELETE FROM t"))
                        #expect(plan.databases[.chat]?.losses.map(\.table) == ["u", "t"])
                        return false
                    }
                    #expect(shown == "-- chatdb: data-loss\nDROP TABLE u;")
                    try store.execute(
                        "UPDATE migrations SET down = down || ' DELETE FROM t;' WHERE name = '20300102_second'")
                    return true
                }
            }.run()
        }
        #expect(failure?.error == .declined && asked.value == 2)
        #expect(try store.rows("SELECT note FROM t") == ["precious"])
    }
}
