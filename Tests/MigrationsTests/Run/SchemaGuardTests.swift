import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// The comparison before a commit, and the refusals before a run.
@Suite struct SchemaGuardTests {
    private typealias Step = SyntheticHistory.Step
    private static let table = Step(
        "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '') STRICT;", down: "DROP TABLE t;"
    )

    private func error(_ body: () throws -> Void) -> MigrationError? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MigrationFailure)?.error ?? error as? MigrationError
        }
    }

    @Test("drift from before stays and is reported; strict refuses it")
    func drift() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table])).run()
        try store.execute(
            "ALTER TABLE t ADD COLUMN mine TEXT", "CREATE TABLE notes (id INTEGER)", "CREATE INDEX mine ON t (name)")
        let build = try SyntheticHistory.make(chat: [
            Self.table, Step("second", "ALTER TABLE t ADD COLUMN theirs TEXT;"),
        ])
        #expect(error { _ = try store.migrator(build) { $0.isStrict = true }.run() }?.code == "drift")
        let report = try store.migrator(build).run()
        #expect(
            report.findings[.chat]?.drift?.map { "\($0.kind) \($0.object) \($0.name)" } == [
                "extra table notes", "extra column t.mine", "extra index mine",
            ])
        #expect(try store.rows("SELECT name FROM pragma_table_info('t')") == ["id", "name", "mine", "theirs"])
        // With nothing to do, only strict looks.
        #expect(try store.migrator(build).run().findings.isEmpty)
        #expect(error { _ = try store.migrator(build) { $0.isStrict = true }.run() }?.code == "drift")
    }

    @Test(
        "a trigger or view that the version does not have is refused by name",
        arguments: [
            "CREATE TRIGGER spy AFTER UPDATE ON t BEGIN DELETE FROM t; END", "CREATE VIEW spy AS SELECT * FROM t",
        ])
    func unknownTrigger(_ sql: String) throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table])).run()
        try store.execute(sql)
        let build = try SyntheticHistory.make(chat: [
            Self.table, Step("second", "ALTER TABLE t ADD COLUMN theirs TEXT;"),
        ])
        #expect(error { _ = try store.migrator(build).run() } == .unknownTrigger(.chat, names: ["spy"]))
    }

    @Test(
        "S10: stored down SQL that leaves a trigger, a table or a column behind is rolled back, and they are named",
        arguments: [
            ("DROP TABLE u; CREATE TRIGGER left_behind AFTER INSERT ON t BEGIN DELETE FROM t; END", "left_behind"),
            ("SELECT 1", "u"), ("DROP TABLE u; ALTER TABLE t ADD COLUMN extra TEXT", "t.extra"),
            ("DROP TABLE u; ALTER TABLE t DROP COLUMN name", "t.name"),
        ])
    func wrongResult(_ down: String, _ name: String) throws {
        let store = try SyntheticStore()
        let second = Step("second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: down)
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second])).run()
        let older = store.migrator(try SyntheticHistory.make(chat: [Self.table]))
        let found = error { _ = try older.run() }
        guard case .wrongResult(.chat, "20300101_first", let differences)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(differences.contains { $0.name == name })
        #expect(try store.applied().count == 2)
    }

    @Test("a run that leaves a view without its table is rolled back, and the view is named, also in the details")
    func brokenView() throws {
        let store = try SyntheticStore()
        let view = Step("second", "CREATE TABLE u (id INTEGER) STRICT; CREATE VIEW v AS SELECT id FROM u;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, view])).run()
        let removal = Step("third", "DROP TABLE u;")
        let found = error { _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, view, removal])).run() }
        let broken = BrokenDefinition(.view, "v", reason: "no such table: main.u")
        #expect(found == .brokenDefinitions(.chat, version: "20300103_third", [broken]))
        #expect(
            found?.info.details == [
                "database": "chat", "version": "20300103_third",
                "definitions": [["object": "view", "name": "v", "reason": "no such table: main.u"]],
            ])
        #expect(try store.applied().count == 2)
        #expect(try store.migrator(SyntheticHistory.make(chat: [Self.table, view])).plan().isEmpty)
    }

    @Test("a view that lacked its table before the run does not count, and what the run breaks is named without it")
    func brokenBefore() throws {
        let store = try SyntheticStore()
        var steps = [
            Self.table, Step("second", "CREATE TABLE u (id INTEGER) STRICT; CREATE VIEW v AS SELECT id FROM u;"),
            Step("third", "DROP TABLE u;"),
        ]
        // A run looks at the last version only, and a run down not at all: so the store gets the view of the third.
        let mend = Step("fourth", "DROP VIEW v;", down: "CREATE VIEW v AS SELECT id FROM u;")
        _ = try store.migrator(SyntheticHistory.make(chat: steps + [mend])).run()
        _ = try store.migrator(SyntheticHistory.make(chat: steps)).run()
        #expect(try store.applied().last == "20300103_third")
        steps.append(Step("other", "CREATE TABLE z (id INTEGER) STRICT;"))
        _ = try store.migrator(SyntheticHistory.make(chat: steps)).run()
        #expect(try store.applied().last == "20300104_other")
        steps.append(
            Step(
                "fifth",
                """
                CREATE VIEW w AS SELECT name FROM t;
                CREATE TRIGGER r AFTER INSERT ON z BEGIN INSERT INTO t (name) VALUES ('x'); END;
                DROP TABLE t;
                """))
        let found = error { _ = try store.migrator(SyntheticHistory.make(chat: steps)).run() }
        let broken = [
            BrokenDefinition(.view, "w", reason: "no such table: main.t"),
            BrokenDefinition(.trigger, "r", reason: "no such table: main.t"),
        ]
        #expect(found == .brokenDefinitions(.chat, version: "20300105_fifth", broken))
        #expect(try store.applied().last == "20300104_other")
    }

    @Test(
        "a rebuild without its directive leaves the references to the table that it drops, with rows or without: a refusal"
    )
    func rebuildWithoutDirective() throws {
        let child = Step("second", "CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));")
        let rebuild = """
            ALTER TABLE t RENAME TO old;
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '', more TEXT) STRICT;
            INSERT INTO t (id, name) SELECT id, name FROM old;
            DROP TABLE old;
            """
        for rows in [[], ["INSERT INTO t (id) VALUES (1)", "INSERT INTO child (t) VALUES (1)"]] {
            let store = try SyntheticStore()
            _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, child])).run()
            for row in rows { try store.execute(row) }
            let wrong = try SyntheticHistory.make(chat: [Self.table, child, Step("third", rebuild)])
            guard case .migrationFailed(let failed)? = error({ _ = try store.migrator(wrong).run() }) else {
                Issue.record("the run ended without this error")
                return
            }
            #expect(failed.migration == "20300103_third" && failed.statement == 4)
            #expect(failed.cause.message == "child(t) refers to the table old, which does not exist")
            let plan = try store.migrator(wrong).plan()
            #expect(store.migrator(wrong).context.refusals(of: plan) == [.migrationFailed(failed)])
            #expect(try store.applied().count == 2)
            let right = Step("third", "-- chatdb: rebuild\n" + rebuild)
            _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, child, right])).run()
            #expect(try store.rows(#"SELECT "table" FROM pragma_foreign_key_list('child')"#) == ["t"])
        }
    }

    @Test(
        "a run that leaves a foreign key which SQLite cannot check is rolled back and its plan says so; an older one is no fault",
        arguments: [
            ("REFERENCES people", "t(owner) refers to the table people, which does not exist"),
            ("REFERENCES t (name)", "t(owner) refers to t(name), which needs PRIMARY KEY or UNIQUE"),
        ])
    func brokenReference(_ key: String, _ reason: String) throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table])).run()
        let second = Step("second", "ALTER TABLE t ADD COLUMN owner TEXT \(key);")
        let migrator = store.migrator(try SyntheticHistory.make(chat: [Self.table, second]))
        let found = error { _ = try migrator.run() }
        guard case .migrationFailed(let failed)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(failed.migration == "20300102_second" && failed.statement == 1 && failed.cause.message == reason)
        #expect(try store.applied().count == 1)
        #expect(try migrator.context.refusals(of: migrator.plan()) == [.migrationFailed(failed)])
        let new = try SyntheticStore()
        let made = error { _ = try new.migrator(SyntheticHistory.make(chat: [Self.table, second])).run() }
        #expect(made == .migrationFailed(failed))

        // What the run needs is there at its end. The way down removes it again, and a later run is not about that.
        let mend = Step(
            "third", "CREATE TABLE people (id TEXT PRIMARY KEY) STRICT; CREATE UNIQUE INDEX u ON t (name);",
            down: "DROP INDEX u; DROP TABLE people;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second, mend])).run()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second])).run()
        let other = Step("other", "CREATE TABLE z (id INTEGER) STRICT;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second, other])).run()
        #expect(try store.applied().last == "20300103_other")
    }

    @Test(
        "S09: stored down SQL that reaches beyond its transaction is refused, and no byte of the store changes",
        arguments: [
            "DELETE FROM u; COMMIT; ATTACH '/tmp/x' AS p", "PRAGMA writable_schema = 1", "ATTACH '/tmp/x' AS p",
            "SELECT load_extension('x')", "UPDATE migrations SET down = NULL", "DROP TABLE u; ROLLBACK",
        ])
    func unfitDown(_ down: String) throws {
        let store = try SyntheticStore()
        let second = Step("second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE u;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second])).run()
        let quoted = down.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        try store.execute("UPDATE migrations SET down = '\(quoted)' WHERE name LIKE '%second'")
        let before = try store.folder.fingerprint()
        let older = store.migrator(try SyntheticHistory.make(chat: [Self.table])) { $0.backup = .folder(nil) }
        #expect(error { _ = try older.run() }?.code == "invalidMigration")
        #expect(try store.folder.fingerprint() == before)
    }

    @Test(
        "an older build migrates down with unknown SQL, and reports the lost tables, columns and rows"
    )
    func downFromTheFile() throws {
        let store = try SyntheticStore()
        let second = Step(
            "second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT; ALTER TABLE t ADD COLUMN note TEXT;",
            down: "-- chatdb: data-loss\nDROP TABLE u; ALTER TABLE t DROP COLUMN note;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table, second])).run()
        try store.execute(
            "INSERT INTO u VALUES (1), (2), (3)", "INSERT INTO t (id, note) VALUES (1, 'x'), (2, NULL), (3, 'y')")
        let older = store.migrator(try SyntheticHistory.make(chat: [Self.table]))
        let plan = try older.plan()
        #expect(plan.databases[.chat]?.steps.map(\.origin) == [.file])
        #expect(
            plan.databases[.chat]?.losses == [
                Loss(table: "t", column: "note", rows: 2), Loss(table: "u", column: nil, rows: 3),
            ])
        _ = try older.run()
        #expect(try store.applied() == ["20300101_first"])
        #expect(try store.rows("SELECT id FROM t") == ["1", "2", "3"])
    }

    @Test("M17: a different history is refused with both names, also in the middle and out of order")
    func differentHistory() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(
            SyntheticHistory.make(chat: [Self.table, Step("second", "CREATE TABLE u (id INTEGER) STRICT")])
        ).run()
        let fork = try SyntheticHistory.make(chat: [Self.table, Step("another", "CREATE TABLE v (id INTEGER) STRICT")])
        #expect(
            error { _ = try store.migrator(fork).run() }
                == .differentHistory(.chat, build: "20300102_another", database: "20300102_second"))
    }

    @Test("after a run the changed tables have statistics, and much unused space is reported and kept")
    func afterwards() throws {
        let store = try SyntheticStore()
        let first = Step(
            "first",
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER) STRICT; CREATE INDEX t_n ON t (n);
            CREATE TABLE u (id INTEGER PRIMARY KEY, n INTEGER) STRICT; CREATE INDEX u_n ON u (n);
            CREATE TABLE big (body BLOB) STRICT;
            """)
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute(
            "INSERT INTO t VALUES (1, 1), (2, 1)", "INSERT INTO u VALUES (1, 1)",
            "INSERT INTO big VALUES (zeroblob(3000000))")
        let second = Step("second", "-- chatdb: data-loss\nUPDATE t SET n = id; DELETE FROM big;")
        let report = try store.migrator(SyntheticHistory.make(chat: [first, second])).run()
        #expect(try store.rows("SELECT DISTINCT tbl FROM sqlite_stat1") == ["t"])
        #expect((report.findings[.chat]?.freeBytes ?? 0) > 2_900_000)
        #expect(report.findings[.agent]?.freeBytes == nil)
        #expect(FileSpace.size(of: store.location.path(of: .chat)) > 3_000_000)
    }

    @Test("a migration edited after it was applied stops a run that has something to do, unless it is accepted")
    func edited() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.table])).run()
        let editedTable = Step("first", Self.table.up + "\n-- a remark", down: Self.table.down)
        let nothingPending = try SyntheticHistory.make(chat: [editedTable])
        #expect(try store.migrator(nothingPending).run().plan.databases[.chat]?.edited == ["20300101_first"])
        #expect(
            error { _ = try store.migrator(nothingPending) { $0.isStrict = true }.run() }?.code == "editedMigration")
        let pending = try SyntheticHistory.make(chat: [
            editedTable, Step("second", "CREATE TABLE u (id INTEGER) STRICT"),
        ])
        #expect(error { _ = try store.migrator(pending).run() } == .editedMigration(["20300101_first"]))
        _ = try store.migrator(pending) { $0.acceptsEdited = true }.run()
        #expect(try store.applied().count == 2)
        let restored = try SyntheticHistory.make(chat: [
            Self.table, Step("second", "CREATE TABLE u (id INTEGER) STRICT"),
            Step("third", "CREATE TABLE v (id INTEGER) STRICT"),
        ])
        #expect(
            error { _ = try store.migrator(restored).run() }
                == .editedMigration(["20300101_first"], sinceAccepted: true))
    }
}
