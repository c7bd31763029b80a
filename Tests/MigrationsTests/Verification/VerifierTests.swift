import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// The verification of a history in memory.
@Suite struct VerifierTests {
    private func verify(_ steps: SyntheticHistory.Step..., of database: DatabaseName = .chat) throws -> Verifier.Report
    {
        let history = try SyntheticHistory.make(chat: steps, agent: steps)
        return try Verifier(engine: SQLiteEngine()).verify(history[database] ?? [], of: database)
    }

    @Test("down SQL that does not restore the schema is reported with the differences")
    func wayBack() throws {
        let report = try verify(.init("first", "CREATE TABLE t (id INTEGER) STRICT", down: "SELECT 1"))
        #expect(report.failures.map(\.subject.migration) == ["20300101_first"])
        #expect(report.failures.first?.differences.map(\.name) == ["t"])
    }

    @Test("a migration with another result the second time is reported")
    func secondTime() throws {
        // Its down SQL restores the schema, but leaves a row that changes the second run.
        let report = try verify(
            .init("first", "CREATE TABLE t (id INTEGER) STRICT", down: "DROP TABLE t"),
            .init("second", "CREATE TABLE IF NOT EXISTS u (id INTEGER) STRICT", down: "DROP TABLE u"),
            .init("third", "DROP TABLE u", down: "CREATE TABLE u (id TEXT) STRICT"))
        #expect(report.failures.map(\.subject.migration) == ["20300103_third"])
        #expect(report.failures.first?.differences.map(\.name) == ["u.id"])
    }

    @Test("both databases may have a migration of one name: each is reported with its database")
    func sameName() throws {
        let step = SyntheticHistory.Step("first", "CREATE TABLE t (id INTEGER) STRICT", down: "SELECT 1")
        let report = Verifier.Report(joining: try DatabaseName.allCases.map { try verify(step, of: $0) })
        #expect(report.failures.map(\.subject.database) == DatabaseName.allCases)
        #expect(Set(report.failures.map(\.subject.migration)) == ["20300101_first"])
        let forward = SyntheticHistory.Step("first", "CREATE TABLE t (id INTEGER) STRICT")
        let joined = Verifier.Report(joining: try DatabaseName.allCases.map { try verify(forward, of: $0) })
        #expect(joined.irreversible.map(\.database) == DatabaseName.allCases && joined.failures.isEmpty)
    }

    @Test("a step that loses rows of an earlier migration without declaring it is reported once, as a run refuses it")
    func undeclared() throws {
        let table = "CREATE TABLE t (id INTEGER, kind TEXT) STRICT; INSERT INTO t VALUES (1, 'a'), (2, 'b')"
        let report = try verify(.init("first", table, down: "DROP TABLE t"))
        #expect(report.failures.isEmpty && !report.isOK)
        #expect(report.undeclared.map(\.subject.migration) == ["20300101_first"])
        #expect(report.undeclared.first?.direction == .down)
        #expect(report.undeclared.first?.loss == Loss(table: "t", column: nil, rows: 2))
        let declared = try verify(.init("first", table, down: "-- chatdb: data-loss\nDROP TABLE t"))
        #expect(declared.isOK && declared.undeclared.isEmpty)
        let up = try verify(
            .init("first", table), .init("second", "DELETE FROM t WHERE id = 1"),
            .init("third", "ALTER TABLE t DROP COLUMN kind"))
        #expect(
            up.undeclared.map(\.loss) == [
                Loss(deletedFrom: "t", rows: 1), Loss(table: "t", column: "kind", rows: 1),
            ])
    }

    private static let removals: [(migration: String, broken: [BrokenDefinition])] = [
        (
            "CREATE VIEW v AS SELECT id FROM t; DROP TABLE t",
            [BrokenDefinition(.view, "v", reason: "no such table: main.t")]
        ),
        (
            """
            CREATE TABLE log (id INTEGER) STRICT;
            CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;
            DROP TABLE log
            """, [BrokenDefinition(.trigger, "r", reason: "no such table: main.log")]
        ),
        (
            """
            -- chatdb: rebuild
            CREATE VIEW v AS SELECT name FROM t; CREATE TABLE u (id INTEGER) STRICT; DROP TABLE t;
            ALTER TABLE u RENAME TO t
            """, [BrokenDefinition(.view, "v", reason: "no such column: name")]
        ),
        // All are named, also behind views with a function of the program, and without views that only read a named one.
        (
            """
            CREATE VIEW f AS SELECT own_function() AS own; CREATE VIEW g AS SELECT own FROM f;
            CREATE VIEW h AS SELECT own FROM g; CREATE VIEW v AS SELECT id FROM t; CREATE VIEW w AS SELECT id FROM v;
            CREATE TABLE log (id INTEGER) STRICT;
            CREATE TRIGGER r AFTER INSERT ON log BEGIN DELETE FROM t; END;
            CREATE VIEW "a: b" AS SELECT name FROM t; DROP TABLE t
            """,
            [
                BrokenDefinition(.view, "v", reason: "no such table: main.t"),
                BrokenDefinition(.trigger, "r", reason: "no such table: main.t"),
                BrokenDefinition(.view, "a: b", reason: "no such table: main.t"),
            ]
        ),
    ]

    @Test(
        "a migration that leaves triggers or views without what they need is refused with all names",
        arguments: removals)
    func brokenDefinitions(_ migration: String, _ broken: [BrokenDefinition]) throws {
        let table = SyntheticHistory.Step("first", "CREATE TABLE t (id INTEGER, name TEXT) STRICT")
        let error = #expect(throws: MigrationError.self) { try verify(table, .init("second", migration)) }
        #expect(error == .brokenDefinitions(.chat, version: "20300102_second", broken))
    }

    @Test(
        "a foreign key without its table, or to columns that are not unique, is refused with the statement that leaves it",
        arguments: [
            (
                "ALTER TABLE t ADD COLUMN owner INTEGER REFERENCES people",
                "t(owner) refers to the table people, which does not exist"
            ),
            (
                "CREATE TABLE u (name TEXT REFERENCES t (name)) STRICT",
                "u(name) refers to t(name), which needs PRIMARY KEY or UNIQUE"
            ),
        ])
    func brokenReferences(_ statement: String, _ reason: String) throws {
        let error = #expect(throws: MigrationError.self) {
            try verify(
                .init("first", "CREATE TABLE t (id INTEGER, name TEXT) STRICT"),
                .init("second", "CREATE TABLE z (id INTEGER) STRICT; \(statement)"),
                .init("third", "CREATE TABLE y (id INTEGER) STRICT"))
        }
        guard case .migrationFailed(let failed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failed.migration == "20300102_second" && failed.statement == 2 && failed.text == statement)
        #expect(failed.cause.message == reason)
    }

    @Test("a foreign key to a table or an index that a later migration makes is no fault")
    func laterParent() throws {
        #expect(
            try verify(
                .init("first", "CREATE TABLE t (owner INTEGER REFERENCES p, name TEXT REFERENCES p (name)) STRICT"),
                .init("second", "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT) STRICT"),
                .init("third", "CREATE UNIQUE INDEX by_name ON p (name)")
            ).isOK)
    }

    @Test("a view that lacks a function of the program is no fault of a migration, nor is a view that reads it")
    func functionOfProgram() throws {
        let functions = SyntheticHistory.Step(
            "first",
            "CREATE VIEW f AS SELECT own_function() AS own; CREATE VIEW g AS SELECT own FROM f; "
                + "CREATE VIEW h AS SELECT own FROM g")
        #expect(try verify(functions, .init("second", "CREATE TABLE t (id INTEGER) STRICT")).isOK)
    }

    @Test("a history without migrations passes")
    func empty() throws {
        let report = try Verifier(engine: SQLiteEngine()).verify([], of: .chat)
        #expect(report.steps.isEmpty && report.failures.isEmpty && report.irreversible.isEmpty)
    }

    @Test("a statement that fails is named with its migration and direction")
    func failing() throws {
        let error = try #require(throws: MigrationError.self) {
            try verify(.init("first", "CREATE TABLE t (id INTEGER) STRICT", down: "DROP TABLE nowhere"))
        }
        guard case .migrationFailed(let failed) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failed.migration == "20300101_first" && failed.direction == .down && failed.database == .chat)
    }
}
