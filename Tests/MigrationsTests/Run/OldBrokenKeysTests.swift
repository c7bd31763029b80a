import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Foreign keys that SQLite could not check before a run are no fault of the run.
@Suite struct OldBrokenKeysTests {
    private typealias Step = SyntheticHistory.Step
    private static let first = Step(
        "first",
        """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, mail TEXT UNIQUE) STRICT;
        CREATE TABLE a (
            id INTEGER PRIMARY KEY, n TEXT REFERENCES people (name), k TEXT REFERENCES people (kind),
            p INTEGER REFERENCES people) STRICT;
        """)

    /// A store at the first migration. It can only be made with a later one that mends the two keys, and is undone.
    private func store() throws -> SyntheticStore {
        let store = try SyntheticStore()
        let mend = Step(
            "mend", "CREATE UNIQUE INDEX by_name ON people (name); CREATE UNIQUE INDEX by_kind ON people (kind);",
            down: "DROP INDEX by_name; DROP INDEX by_kind;")
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first, mend])).run()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        #expect(try store.applied() == ["20300101_first"])
        return store
    }

    private func migrator(_ sql: String, in store: SyntheticStore) throws -> Migrator {
        store.migrator(try SyntheticHistory.make(chat: [Self.first, Step("second", sql)]))
    }

    @Test(
        "a run may add a sound key, mend one of the old ones, and rename their tables and columns",
        arguments: [
            "ALTER TABLE a ADD COLUMN m TEXT REFERENCES people (mail);",
            "CREATE UNIQUE INDEX by_name ON people (name);",
            "CREATE UNIQUE INDEX by_kind ON people (kind);", "ALTER TABLE a RENAME TO b;",
            "ALTER TABLE a RENAME COLUMN n TO named;", "ALTER TABLE people RENAME TO persons;",
            "ALTER TABLE people RENAME COLUMN name TO title;",
        ])
    func allowed(_ sql: String) throws {
        let store = try store()
        let migrator = try migrator(sql, in: store)
        #expect(try migrator.context.refusals(of: migrator.plan()) == [])
        _ = try migrator.run()
        #expect(try store.applied().last == "20300102_second")
    }

    @Test("a new key beside the old ones is refused by its name")
    func newKey() throws {
        let store = try store()
        let migrator = try migrator("ALTER TABLE a ADD COLUMN z TEXT REFERENCES people (kind);", in: store)
        let failure = #expect(throws: MigrationFailure.self) { _ = try migrator.run() }
        guard case .migrationFailed(let failed)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failed.cause.message == "a(z) refers to people(kind), which needs PRIMARY KEY or UNIQUE")
        #expect(try migrator.context.refusals(of: migrator.plan()) == [.migrationFailed(failed)])
    }

    @Test("a row that the run deletes is missed by a sound key of a table that has a broken one")
    func soundKey() throws {
        let store = try store()
        try store.execute("INSERT INTO people (id) VALUES (1)", "INSERT INTO a (id, n, p) VALUES (7, 'x', 1)")
        let migrator = try migrator("-- chatdb: data-loss\nDELETE FROM people;", in: store)
        let failure = #expect(throws: MigrationFailure.self) { _ = try migrator.run() }
        let made = DanglingReference(table: "a", row: 7, parent: "people", columns: ["p"])
        #expect(
            failure?.error == .madeDanglingReferences(.chat, migrations: ["20300102_second"], [made]),
            "\(String(describing: failure))")
    }

    @Test("references of an old key to missing rows are not of the run that mends it, also under a new name")
    func mended() throws {
        let store = try store()
        try store.execute("INSERT INTO a (id, n, k) VALUES (7, 'nobody', 'nothing')")
        _ = try migrator(
            """
            ALTER TABLE a RENAME COLUMN n TO named; CREATE UNIQUE INDEX by_name ON people (name);
            UPDATE a SET p = NULL;
            """, in: store
        ).run()
        #expect(try store.applied().last == "20300102_second")
    }

    @Test("a new key is refused although an index of the database alone makes its columns unique")
    func drift() throws {
        let store = try store()
        try store.execute("CREATE UNIQUE INDEX mine ON people (id, kind)")
        let table = "CREATE TABLE b (i INTEGER, k TEXT, FOREIGN KEY (i, k) REFERENCES people (id, kind)) STRICT;"
        let failure = #expect(throws: MigrationFailure.self) { _ = try migrator(table, in: store).run() }
        guard case .migrationFailed(let failed)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failed.cause.message == "b(i, k) refers to people(id, kind), which needs PRIMARY KEY or UNIQUE")
    }
}
