import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Columns whose values a migration overwrites. Rule: docs/migrations.md, "Data that will be lost".
@Suite("columns whose values a migration overwrites") struct OverwrittenColumnsTests {
    private typealias Step = SyntheticHistory.Step

    private static let first = Step(
        "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT, mark TEXT DEFAULT 'm', bare TEXT)")
    private static let new = "CREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT, mark TEXT, bare TEXT, more TEXT); "
    private static let copy = "INSERT INTO n (id, note, mark, bare) SELECT id, note, mark, bare FROM t; "
    private static let swap = "DROP TABLE t; ALTER TABLE n RENAME TO t;"

    /// The plan for a store with a row whose `mark` has its default, and whose `bare` is NULL.
    private func plan(_ sql: String) throws -> DatabasePlan {
        let store = try SyntheticStore()
        _ = try store.migrator(try SyntheticHistory.make(chat: [Self.first])).run()
        try store.execute("INSERT INTO t (id, note) VALUES (1, 'a')")
        let all = try SyntheticHistory.make(chat: [Self.first, Step("second", sql)])
        return try #require(try store.migrator(all).plan().databases[.chat])
    }

    @Test(
        "a plan names the columns with values that a statement overwrites",
        arguments: [
            ("UPDATE t SET note = 'b'", ["note"]),
            ("UPDATE OR IGNORE main.T SET \"NOTE\" = CASE WHEN id THEN 'b' END, id = id + 1", ["id", "note"]),
            ("UPDATE t SET (bare, note) = (SELECT 'b', 'c')", ["note"]),
            ("WITH c (x) AS (SELECT 'b') UPDATE t SET note = x FROM c", ["note"]),
            ("INSERT INTO t (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET note = 'b', bare = mark", ["note"]),
            ("REPLACE INTO t (id) VALUES (1)", ["id", "note"]),
            ("INSERT OR REPLACE INTO t (id) VALUES (1)", ["id", "note"]),
            ("ALTER TABLE t RENAME note TO text; UPDATE t SET text = 'b'", ["note"]),
            (new + copy + "UPDATE n SET note = 'b', more = 'c'; " + swap, ["note"]),
            (new + copy + swap + "UPDATE t SET note = NULL, more = 'c'", ["note"]),
        ])
    func overwritten(_ sql: String, _ columns: [String]) throws {
        let name = SyntheticHistory.name(1, "second")
        #expect(
            try plan(sql).overwritten == [OverwrittenColumns(migration: name, table: "t", columns: columns)], "\(sql)")
    }

    @Test(
        "a plan names no column that has no values, or that the migration adds or fills first",
        arguments: [
            "UPDATE t SET bare = 'b', mark = 'c'", "ALTER TABLE t ADD COLUMN more TEXT; UPDATE t SET more = note",
            "CREATE TABLE u (id INTEGER, note TEXT); UPDATE u SET note = 'b'", "INSERT INTO t (note) VALUES ('b')",
            new + "INSERT INTO n (id, mark) SELECT id, mark FROM t; UPDATE n SET note = (SELECT note FROM t); " + swap,
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET note = 'b'; END",
        ])
    func kept(_ sql: String) throws {
        #expect(try plan(sql).overwritten == [], "\(sql)")
    }
}
