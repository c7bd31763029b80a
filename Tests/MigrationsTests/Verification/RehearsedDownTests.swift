import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The way down that a rehearsal up tries on its copy. Rule: docs/migrations.md, "The plan".
@Suite("a rehearsal undoes the migrations on its copy") struct RehearsedDownTests {
    private typealias Step = SyntheticHistory.Step

    private static let first = Step(
        "first",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT) STRICT; "
            + "CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id)) STRICT")
    private static let second = SyntheticHistory.name(1, "second")

    /// A store at its first migration, with three rows and their references.
    private func store() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        try store.execute(
            "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')", "INSERT INTO child VALUES (1, 1), (2, 2), (3, NULL)")
        return store
    }

    private func files(of store: SyntheticStore) throws -> [Data] {
        try DatabaseName.allCases.map { try Data(contentsOf: URL(fileURLWithPath: store.location.path(of: $0))) }
    }

    /// The fault that a rehearsal of these steps finds in a store.
    private func fault(in store: SyntheticStore, _ steps: Step...) throws -> MigrationError? {
        let build = try SyntheticHistory.make(chat: [Self.first] + steps)
        let before = try files(of: store)
        let report = try Verifier(engine: SQLiteEngine()).rehearse(store.migrator(build))
        #expect(try files(of: store) == before)
        #expect(report.steps.map(\.direction) == steps.map { _ in MigrationStep.Direction.up })
        #expect(report.downFaults[.agent] == nil && report.isOK == report.downFaults.isEmpty)
        return report.downFaults[.chat]
    }

    @Test("it counts the rows of the store with those that the migration inserts, unless their loss is declared")
    func copiedRows() throws {
        let up = "CREATE TABLE u (id INTEGER); INSERT INTO u VALUES (100); INSERT INTO u SELECT id FROM t"
        let store = try store()
        #expect(
            try fault(in: store, Step("second", up, down: "DROP TABLE u"))
                == .lostRows(.chat, migration: Self.second, table: "u", before: 4, after: 0))
        #expect(try fault(in: store, Step("second", up, down: "-- chatdb: data-loss\nDROP TABLE u")) == nil)
    }

    @Test("it finds references that the way down leaves to missing rows, as the run down does")
    func references() throws {
        let step = Step(
            "second", "INSERT INTO t VALUES (9, 'z'); UPDATE child SET t = 9 WHERE t IS NULL",
            down: "-- chatdb: data-loss\nDELETE FROM t WHERE id = 9")
        let store = try store()
        let found = try #require(try fault(in: store, step))
        guard case .madeDanglingReferences(.chat, [Self.second], let references) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(references.map(\.table) == ["child"] && references.map(\.row) == [3])

        let build = try SyntheticHistory.make(chat: [Self.first, step])
        _ = try store.migrator(build).run()
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try store.migrator(build) { $0.target = .downSteps(1) }.run()
        }
        #expect(failure?.error == found)
    }

    @Test("references that led nowhere before the run are no fault")
    func oldReferences() throws {
        let store = try store()
        try store.execute("PRAGMA foreign_keys = OFF", "INSERT INTO child VALUES (4, 77)")
        let step = Step(
            "second", "CREATE TABLE u (id INTEGER); UPDATE child SET t = t",
            down: "UPDATE child SET t = t; DROP TABLE u")
        #expect(try fault(in: store, step) == nil)
    }

    @Test("it names the statement that fails because the table has rows")
    func statement() throws {
        let step = Step(
            "second", "-- chatdb: data-loss\nALTER TABLE t DROP COLUMN body",
            down: "SELECT 1;\nALTER TABLE t ADD COLUMN body TEXT NOT NULL")
        guard case .migrationFailed(let failed)? = try fault(in: try store(), step) else {
            Issue.record("no failed statement")
            return
        }
        #expect(failed.migration == Self.second && failed.direction == .down && failed.statement == 2)
    }

    @Test("it compares the schema with the one before, except for drift")
    func schema() throws {
        let store = try store()
        try store.execute("CREATE TABLE extra (id INTEGER)", "INSERT INTO extra VALUES (1)")
        let up = "ALTER TABLE t ADD COLUMN c TEXT"
        #expect(try fault(in: store, Step("second", up, down: "ALTER TABLE t DROP COLUMN c")) == nil)
        let found = try fault(in: store, Step("second", up, down: "SELECT 1"))
        guard case .wrongResult(.chat, "20300101_first", let differences)? = found else {
            Issue.record("no wrong result")
            return
        }
        #expect(differences.map(\.name) == ["t.c"])
    }

    @Test("it undoes the last migration first, as far as there is down SQL")
    func several() throws {
        let up = "CREATE TABLE u (id INTEGER); INSERT INTO u SELECT id FROM t"
        let losing = Step("second", up, down: "DROP TABLE u")
        let store = try store()
        let moving = Step("third", "ALTER TABLE u RENAME TO v", down: "ALTER TABLE v RENAME TO u")
        #expect(
            try fault(in: store, losing, moving)
                == .lostRows(.chat, migration: Self.second, table: "u", before: 3, after: 0))
        #expect(try fault(in: store, losing, Step("third", "CREATE TABLE w (id INTEGER)")) == nil)
    }

    @Test("the space check covers the data that the way down rewrites")
    func room() throws {
        let store = try store()
        try store.execute("UPDATE t SET body = printf('%.100000c', 'x')")
        let step = Step(
            "second", "CREATE TABLE u (id INTEGER)", down: "DROP TABLE u; UPDATE t SET body = upper(body)")
        var verifier = Verifier(engine: SQLiteEngine())
        verifier.free = { _ in 1_100_000 }
        let build = try SyntheticHistory.make(chat: [Self.first, step])
        let error = try #require(throws: MigrationError.self) { try verifier.rehearse(store.migrator(build)) }
        guard case .notEnoughSpace(let needed, _, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(needed > 4 * 300_000)
    }
}
