import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Down SQL of migrations that a run applies, which is tried in memory. Rule: docs/migrations.md, "The plan".
@Suite("faults in the down SQL of migrations up") struct DownFaultTests {
    private typealias Step = SyntheticHistory.Step

    private static let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY)", down: "DROP TABLE t")
    private static let add = "ALTER TABLE t ADD COLUMN c TEXT"

    /// What the plan and the run of these steps after the first one find.
    private func faults(_ steps: Step...) throws -> [MigrationError?] {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        let migrator = store.migrator(try SyntheticHistory.make(chat: [Self.first] + steps))
        let planned = try migrator.plan().databases[.chat]?.downFault
        let report = try migrator.run()
        #expect(try store.applied().count == steps.count + 1)
        return [planned, report.findings[.chat]?.downFault]
    }

    @Test("a plan and a run name the statement of a down file that fails, and the run applies the migration")
    func failing() throws {
        let faults = try faults(Step("second", Self.add, down: "SELECT 1;\nALTER TABLE t DROP COLUM c"))
        #expect(faults.count == 2)
        for fault in faults {
            guard case .migrationFailed(let failed)? = fault else {
                Issue.record("\(String(describing: fault))")
                continue
            }
            #expect(failed.migration == SyntheticHistory.name(1, "second") && failed.direction == .down)
            #expect(failed.statement == 2 && failed.line == 2 && failed.database == .chat)
        }
    }

    @Test("a plan and a run say that down SQL does not make the schema from before")
    func differing() throws {
        for fault in try faults(Step("second", Self.add, down: "SELECT 1")) {
            guard case .wrongResult(.chat, "20300101_first", let differences)? = fault else {
                Issue.record("\(String(describing: fault))")
                continue
            }
            #expect(differences.map(\.name) == ["t.c"])
        }
    }

    @Test("a plan and a run name the down SQL that loses rows of the migrations, unless it declares that")
    func losingRows() throws {
        let up = "CREATE TABLE u (id INTEGER); INSERT INTO u VALUES (1)"
        let lost = MigrationError.lostRows(
            .chat, migration: SyntheticHistory.name(1, "second"), table: "u", before: 1, after: 0)
        #expect(try faults(Step("second", up, down: "DROP TABLE u")) == [lost, lost])
        #expect(try faults(Step("second", up, down: "-- chatdb: data-loss\nDROP TABLE u")) == [nil, nil])
    }

    @Test("a run whose plan was shown reports the fault of the plan")
    func shown() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        let build = try SyntheticHistory.make(chat: [Self.first, Step("second", Self.add, down: "SELECT 1")])
        let report = try store.migrator(build) { $0.confirmation = .console { _ in true } }.run()
        #expect(report.findings[.chat]?.downFault?.code == "migrationFailed")
        #expect(report.findings[.agent]?.downFault == nil)
    }

    @Test("the way down from the last migration is tried, as far as there is down SQL")
    func several() throws {
        let drop = "ALTER TABLE t DROP COLUMN c"
        let third = Step("third", "CREATE TABLE u (id INTEGER)", down: "DROP TABLE u")
        #expect(try faults(Step("second", Self.add, down: drop), third) == [nil, nil])
        #expect(try faults(Step("second", Self.add), third) == [nil, nil])
        let undone = try faults(Step("second", Self.add, down: "DROP TABLE nowhere"), third)
        #expect(undone.allSatisfy { $0?.code == "migrationFailed" })
        // Nothing can undo the third one, so nobody gets to the second.
        let last = Step("third", "CREATE TABLE u (id INTEGER)")
        #expect(try faults(Step("second", Self.add, down: "DROP TABLE nowhere"), last) == [nil, nil])
    }

    @Test("the plan of a new store tries the down SQL of all migrations")
    func newStore() throws {
        let store = try SyntheticStore()
        let broken = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY)", down: "DROP TABLE u")
        let plan = try store.migrator(SyntheticHistory.make(chat: [broken])).plan()
        #expect(plan.creates && plan.databases[.chat]?.downFault?.code == "migrationFailed")
        #expect(plan.databases[.agent]?.downFault == nil)
    }
}
