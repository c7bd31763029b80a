import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// The losses of a plan, listed before anything runs.
@Suite struct LossTests {
    private typealias Step = SyntheticHistory.Step

    /// The losses in the plan from `first` (and `second`), for a store changed by `statements`.
    private func losses(
        _ first: String, _ second: Step, down: Bool = false, _ statements: String...
    ) throws -> [Loss] {
        let store = try SyntheticStore()
        let (one, two) = (
            try SyntheticHistory.make(chat: [Step("first", first)]),
            try SyntheticHistory.make(chat: [Step("first", first), second])
        )
        _ = try store.migrator(down ? two : one).run()
        for statement in statements { try store.execute(statement) }
        return try store.migrator(down ? one : two).plan().databases[.chat]?.losses ?? []
    }

    private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT) STRICT;"

    @Test("a plan up also lists dropped tables and columns with their rows")
    func up() throws {
        #expect(
            try losses(
                Self.table + "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;",
                Step("second", "-- chatdb: data-loss\nDROP TABLE u; ALTER TABLE t DROP COLUMN note;"),
                "INSERT INTO t VALUES (1, 'a'), (2, NULL)", "INSERT INTO u VALUES (1), (2), (3)")
                == [Loss(table: "t", column: "note", rows: 1), Loss(table: "u", column: nil, rows: 3)])
    }

    @Test(
        "a run reports the parts with data that it discarded, in either direction", arguments: [true, false])
    func report(down: Bool) throws {
        let store = try SyntheticStore()
        let gone = "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE v (id INTEGER PRIMARY KEY) STRICT;"
        let dropping = "-- chatdb: data-loss\nDROP TABLE u; DROP TABLE v; ALTER TABLE t DROP COLUMN note;"
        let bare = "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;"
        let (before, after) =
            down
            ? (
                [
                    Step("first", bare),
                    Step("second", gone + "ALTER TABLE t ADD COLUMN note TEXT;", down: dropping),
                ], [Step("first", bare)]
            )
            : ([Step("first", Self.table + gone)], [Step("first", Self.table + gone), Step("second", dropping)])
        _ = try store.migrator(SyntheticHistory.make(chat: before)).run()
        try store.execute("INSERT INTO t VALUES (1, 'a'), (2, NULL)")
        try store.execute("INSERT INTO u VALUES (1), (2), (3)")
        let report = try store.migrator(SyntheticHistory.make(chat: after)).run()
        let lost = [Loss(table: "t", column: "note", rows: 1), Loss(table: "u", column: nil, rows: 3)]
        #expect(report.losses(.chat) == lost && report.losses(.agent).isEmpty)
        #expect(report.plan.databases[.chat]?.losses == lost + [Loss(table: "v", column: nil, rows: 0)])
    }

    @Test(
        "rows deleted from a table that stays are estimated in the plan, and exact in the report")
    func deletedRows() throws {
        let store = try SyntheticStore()
        let tables =
            Self.table
            + "CREATE TABLE \"U x\" (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE w (id INTEGER PRIMARY KEY) STRICT;"
        let deleting = """
            -- chatdb: data-loss
            DELETE FROM t WHERE note = 'a';
            delete from T WHERE id < 3;
            DELETE FROM main."U x" AS other WHERE other.id NOT IN (SELECT id FROM t);
            ALTER TABLE t ADD COLUMN more TEXT;
            DELETE FROM t WHERE more IS NULL AND id = 4;
            DELETE FROM w;
            DROP TABLE w;
            """
        let after = try SyntheticHistory.make(chat: [Step("first", tables), Step("second", deleting)])
        _ = try store.migrator(SyntheticHistory.make(chat: [Step("first", tables)])).run()
        try store.execute("INSERT INTO t VALUES (1, 'a'), (2, 'a'), (3, 'a'), (4, NULL), (5, 'b')")
        try store.execute("INSERT INTO \"U x\" VALUES (1), (5), (9)")
        try store.execute("INSERT INTO w VALUES (1)")
        let whole = Loss(table: "w", column: nil, rows: 1)
        #expect(
            try store.migrator(after).plan().databases[.chat]?.losses
                == [whole, Loss(deletedFrom: "U x", rows: 1), Loss(deletedFrom: "t", rows: 5)])
        let report = try store.migrator(after).run()
        #expect(try store.rows("SELECT id FROM t") == ["5"] && store.rows("SELECT id FROM \"U x\"") == ["5"])
        #expect(
            report.losses(.chat) == [whole, Loss(deletedFrom: "U x", rows: 2), Loss(deletedFrom: "t", rows: 4)])
    }

    @Test("deleted rows of a renamed table are listed under its old name, and those of helper tables are not")
    func renamedThenDeleted() throws {
        let store = try SyntheticStore()
        let first = Step("first", Self.table + "CREATE TABLE w (id INTEGER PRIMARY KEY) STRICT;")
        let steps = [
            Step(
                "second",
                "ALTER TABLE t RENAME TO u; CREATE TABLE helper (id INTEGER PRIMARY KEY) STRICT; INSERT INTO helper VALUES (1), (2);"
            ),
            Step(
                "third",
                "-- chatdb: data-loss\nDELETE FROM u WHERE id = 1; DELETE FROM helper; DELETE FROM w RETURNING id;"),
            Step(
                "fourth",
                "-- chatdb: data-loss\nDELETE FROM u WHERE id IN (SELECT id FROM u ORDER BY id LIMIT 1); DROP TABLE w;"),
        ]
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute("INSERT INTO t VALUES (1, 'a'), (2, 'a'), (3, 'a')")
        try store.execute("INSERT INTO w VALUES (1)")
        let report = try store.migrator(SyntheticHistory.make(chat: [first] + steps)).run()
        #expect(
            report.losses(.chat) == [Loss(table: "w", column: nil, rows: 1), Loss(deletedFrom: "t", rows: 2)])
    }

    @Test("statements that delete nothing, and other statements, lose no rows")
    func nothingDeleted() throws {
        let second = Step(
            "second", "-- chatdb: data-loss\nDELETE FROM t WHERE note = 'z'; UPDATE t SET note = 'DELETE FROM t';")
        #expect(try losses(Self.table, second, "INSERT INTO t VALUES (1, 'a')") == [])
    }

    @Test(
        "renamed objects are not lost, however the rename is written",
        arguments: [
            "ALTER TABLE t RENAME TO u", "alter table \"T\" rename to `u`", "ALTER TABLE t RENAME note TO remark",
            "ALTER TABLE main.t RENAME COLUMN [NOTE] TO remark",
            "ALTER TABLE t RENAME COLUMN note TO n2; ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME COLUMN n2 TO remark",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT * FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t; ALTER TABLE t RENAME note TO remark",
        ])
    func renamed(_ sql: String) throws {
        #expect(try losses(Self.table, Step("second", sql), "INSERT INTO t VALUES (1, 'a')") == [])
    }

    @Test("a plan down does not list a renamed table as lost")
    func renamedDown() throws {
        let second = Step("second", "ALTER TABLE t RENAME TO u", down: "ALTER TABLE u RENAME TO t")
        #expect(try losses(Self.table, second, down: true, "INSERT INTO u VALUES (1, 'a')") == [])
    }

    @Test(
        "a row with the column's default holds no data",
        arguments: [
            ("TEXT NOT NULL DEFAULT 'ok'", "'ok'", "'other'"), ("TEXT NOT NULL DEFAULT ''", "''", "'x'"),
            ("TEXT NOT NULL DEFAULT 'it''s'", "'it''s'", "'its'"), ("INTEGER NOT NULL DEFAULT -1", "-1", "1"),
            ("REAL NOT NULL DEFAULT 1.5", "1.5", "2"), ("INTEGER", "NULL", "0"),
        ])
    func defaults(_ type: String, _ usual: String, _ other: String) throws {
        let second = Step(
            "second", "ALTER TABLE t ADD COLUMN more \(type)",
            down: "-- chatdb: data-loss\nALTER TABLE t DROP COLUMN more")
        #expect(
            try losses(
                Self.table, second, down: true, "INSERT INTO t (id, more) VALUES (1, \(usual)), (2, \(other))")
                == [Loss(table: "t", column: "more", rows: 1)])
    }

    @Test("parts outside the version's schema are listed where they can be lost, and not where they stay")
    func drift() throws {
        let mine = ["ALTER TABLE t ADD COLUMN mine TEXT", "INSERT INTO t (id, mine) VALUES (1, 'x')"]
        #expect(try losses(Self.table, Step("second", "ALTER TABLE t ADD COLUMN more TEXT"), mine[0], mine[1]) == [])
        let rebuild =
            "-- chatdb: data-loss\n-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT id, note FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t;"
        #expect(
            try losses(Self.table, Step("second", rebuild), mine[0], mine[1])
                == [Loss(table: "t", column: "mine", rows: 1)])
    }

    @Test(
        "rows that a DELETE finds without data-loss are counted, also beside a new column or an index of the table",
        arguments: ["", "ALTER TABLE t ADD COLUMN more TEXT; ", "CREATE UNIQUE INDEX i ON t (note); "])
    func undeclaredDeletion(_ first: String) throws {
        let second = Step("second", first + "DELETE FROM t WHERE id <= 1;")
        #expect(
            try losses(Self.table, second, "INSERT INTO t (id) VALUES (1), (2)") == [Loss(deletedFrom: "t", rows: 1)])
    }

    @Test("rows that a migration may have moved are not counted")
    func movedRows() throws {
        let second = Step(
            "second",
            """
            CREATE TABLE copy (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO copy SELECT * FROM t;
            DELETE FROM t; INSERT INTO t SELECT * FROM copy;
            """)
        #expect(try losses(Self.table, second, "INSERT INTO t (id) VALUES (1), (2)") == [])
    }

    @Test("no migration up of this build has undeclared losses")
    func ownChain() throws {
        let build = try MigrationSource.build.load()
        for (database, migrations) in build {
            for (index, migration) in migrations.enumerated() where index > 0 {
                if try migration.up.directives.contains(.dataLoss) { continue }
                let before = try SchemaText.structure(of: Array(migrations[..<index]), engine: engine)
                let after = try SchemaText.structure(of: Array(migrations[...index]), engine: engine)
                let comparison = try LossComparison(
                    live: before, version: before, target: after, steps: [.up(migration)])
                let connection = try engine.scratch()
                defer { connection.close() }
                try connection.begin()
                for earlier in migrations[..<index] { try MigrationScripts.run(earlier.up, on: connection) }
                let lost = try comparison.losses(in: connection)
                #expect(lost == [], "\(database) \(migration.name)")
            }
        }
    }

    private let engine = SQLiteEngine()
}
