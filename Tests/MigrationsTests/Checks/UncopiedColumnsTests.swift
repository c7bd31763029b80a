import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Columns that stay, and whose values a migration does not keep. Rule: docs/migrations.md, "Data that will be lost".
@Suite("columns whose values a migration does not keep") struct UncopiedColumnsTests {
    private typealias Step = SyntheticHistory.Step

    private static let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT, mark TEXT, bare TEXT)")
    private static let new = "CREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT, mark TEXT, bare TEXT); "
    private static let second = SyntheticHistory.name(1, "second")
    private static let swap = "DROP TABLE t; ALTER TABLE n RENAME TO t;"

    /// The plan for a store with a row that has values in all columns except `bare`.
    private func plan(_ steps: Step..., down: Bool = false) throws -> DatabasePlan {
        let store = try SyntheticStore()
        let (one, all) = (
            try SyntheticHistory.make(chat: [Self.first]), try SyntheticHistory.make(chat: [Self.first] + steps)
        )
        _ = try store.migrator(down ? all : one).run()
        try store.execute("INSERT INTO t (id, note, mark) VALUES (1, 'a', 'b')")
        return try #require(try store.migrator(down ? one : all).plan().databases[.chat])
    }

    @Test(
        "a plan names the columns that a new table gets no values for",
        arguments: [
            (new + "INSERT INTO n (id) SELECT id FROM t; " + swap, ["note", "mark"]),
            (new + "INSERT INTO main.n(\"id\", 'NOTE') SELECT id, max(note, '') FROM t; " + swap, ["mark"]),
            (new + "INSERT INTO n (id, note, MARK) SELECT id, NULL, '' FROM t; " + swap, ["note", "mark"]),
            (new + "WITH c (x) AS (SELECT id FROM t) INSERT INTO n (id) SELECT x FROM c; " + swap, ["note", "mark"]),
            ("-- chatdb: rebuild\n" + new + "INSERT INTO n (id, note) SELECT id, note FROM t; " + swap, ["mark"]),
            (
                "ALTER TABLE t RENAME TO old; CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT, mark TEXT, bare TEXT);"
                    + "INSERT INTO t (id, mark) SELECT id, mark FROM old; DROP TABLE old", ["note"]
            ),
            (
                "-- chatdb: data-loss\nALTER TABLE t DROP COLUMN note; ALTER TABLE t ADD COLUMN note TEXT", ["note"]
            ),
        ])
    func lost(_ sql: String, _ columns: [String]) throws {
        let plan = try plan(Step("second", sql))
        #expect(plan.uncopied == [UncopiedColumns(migration: Self.second, table: "t", columns: columns)])
        #expect(plan.stepsWithUnknownLoss == [true])
    }

    @Test(
        "a plan names no column that a new table gets values for",
        arguments: [
            new + "INSERT INTO n SELECT * FROM t; " + swap,
            new + "INSERT INTO n AS x (id, note, mark) SELECT id, note, mark FROM t; " + swap,
            new + "INSERT INTO n (id, note) SELECT id, note FROM t; UPDATE n SET mark = (SELECT mark FROM t); " + swap,
            new + "INSERT INTO n (id, note, mark) SELECT 1, NULL, NULL UNION SELECT id, note, mark FROM t; " + swap,
            new + "INSERT INTO n (id, note, mark) SELECT id, note, mark FROM t; " + swap
                + "ALTER TABLE t RENAME mark TO sign",
            "ALTER TABLE t RENAME mark TO sign; "
                + "CREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT, sign TEXT, bare TEXT);"
                + "INSERT INTO n (id, note, sign) SELECT id, note, sign FROM t; " + swap,
            "CREATE TABLE n AS SELECT * FROM t; " + swap,
            new + "INSERT INTO n (id) SELECT id FROM t",
        ])
    func kept(_ sql: String) throws {
        let plan = try plan(Step("second", sql))
        #expect(plan.uncopied == [] && plan.stepsWithUnknownLoss == [false])
    }

    @Test("the step that does not copy the values is named, also before a step that copies all columns")
    func twoSteps() throws {
        let plan = try plan(
            Step("second", Self.new + "INSERT INTO n (id, note) SELECT id, note FROM t; " + Self.swap),
            Step("third", Self.new + "INSERT INTO n SELECT * FROM t; " + Self.swap))
        #expect(plan.uncopied == [UncopiedColumns(migration: Self.second, table: "t", columns: ["mark"])])
        #expect(plan.stepsWithUnknownLoss == [true, false])
    }

    @Test("a plan down names the columns too, beside a column that it drops")
    func down() throws {
        let back = Self.new + "INSERT INTO n (id) SELECT id FROM t; " + Self.swap
        let plan = try plan(Step("second", "ALTER TABLE t ADD COLUMN more TEXT", down: back), down: true)
        #expect(plan.uncopied == [UncopiedColumns(migration: Self.second, table: "t", columns: ["note", "mark"])])
        #expect(plan.losses == [Loss(table: "t", column: "more", rows: 0)])
    }

    @Test("every migration of this build keeps the values of the columns that stay, up and down")
    func ownChain() throws {
        for migrations in try MigrationSource.build.load().values {
            let schemas = try VersionSchemas(engine: SQLiteEngine())
            for (index, migration) in migrations.enumerated() {
                let before = try schemas.structure(after: Array(migrations[..<index]))
                let after = try schemas.structure(after: Array(migrations[...index]))
                #expect(try Self.lost(by: migration.up, from: before, to: after) == [], "\(migration.name)")
                guard let down = migration.down else { continue }
                #expect(try Self.lost(by: down, from: after, to: before) == [], "\(migration.name), down")
            }
        }
    }

    /// The columns of both schemas that the script does not copy, with their tables.
    private static func lost(
        by script: MigrationScript, from live: DatabaseStructure, to target: DatabaseStructure
    ) throws -> [String] {
        var copies = TableCopies(of: live, script.syntax)
        for (statement, facts) in zip(try script.statements, try script.facts) { copies.follow(statement, facts) }
        return copies.takeLost().uncopied.flatMap { table, columns in
            let kept = target.tables[table]?.columns.map(\.name) ?? []
            return columns.filter(kept.contains).map { "\(table).\($0)" }
        }
    }
}
