import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Faults from before a run are reported and do not count as the migrations' faults.
@Suite struct OldFaultsTests {
    private typealias Step = SyntheticHistory.Step

    /// A store at `first`, changed by `statements`, brought to `second`.
    private func run(_ first: String, _ second: String, _ statements: [String]) throws -> MigrationReport {
        let store = try SyntheticStore()
        let step = Step("first", first)
        _ = try store.migrator(SyntheticHistory.make(chat: [step])).run()
        for statement in statements { try store.execute(statement) }
        return try store.migrator(SyntheticHistory.make(chat: [step, Step("second", second)])).run()
    }

    private static let joined = """
        CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE tagged (item INTEGER NOT NULL, tag INTEGER NOT NULL REFERENCES tags (id), PRIMARY KEY (item, tag)) STRICT;
        CREATE TABLE children (id INTEGER PRIMARY KEY, tag INTEGER REFERENCES tags (id)) STRICT;
        CREATE TABLE names (name TEXT PRIMARY KEY, tag INTEGER REFERENCES tags (id)) STRICT, WITHOUT ROWID;
        """
    private static let dangling = [
        "INSERT INTO tags VALUES (1)", "INSERT INTO tagged VALUES (1, 1), (2, 1), (3, 77)",
        "DELETE FROM tagged WHERE item = 1", "INSERT INTO children VALUES (5, 77)",
        "INSERT INTO names VALUES ('a', 77), ('b', 78)",
    ]
    private static func rebuild(_ table: String, _ columns: String, _ select: String) -> String {
        """
        -- chatdb: rebuild
        CREATE TABLE n (\(columns)) STRICT;
        INSERT INTO n \(select);
        DROP TABLE \(table);
        ALTER TABLE n RENAME TO \(table);
        """
    }

    @Test(
        "M10: a rebuild with new row numbers, and a renamed column or table, add no dangling reference",
        arguments: [
            rebuild(
                "tagged",
                "item INTEGER NOT NULL, tag INTEGER NOT NULL REFERENCES tags (id), PRIMARY KEY (item, tag)",
                "SELECT item, tag FROM tagged"),
            rebuild("children", "id INTEGER PRIMARY KEY, label INTEGER REFERENCES tags (id)", "SELECT * FROM children"),
            "ALTER TABLE tagged RENAME COLUMN tag TO label",
            "ALTER TABLE children RENAME COLUMN tag TO t1; ALTER TABLE children RENAME TO kids; ALTER TABLE kids RENAME COLUMN t1 TO label",
            "UPDATE names SET tag = tag",
        ])
    func renumbered(_ sql: String) throws {
        // A rebuild with a renamed column loses the old one, as far as chatdb can determine.
        let report = try run(
            Self.joined, sql.contains("label INTEGER") ? "-- chatdb: data-loss\n" + sql : sql, Self.dangling)
        #expect(report.findings[.chat]?.danglingReferences == 4)
    }

    @Test(
        "M10: one additional dangling reference fails the run, however rows are identified",
        arguments: [
            rebuild(
                "tagged",
                "item INTEGER NOT NULL, tag INTEGER NOT NULL REFERENCES tags (id), PRIMARY KEY (item, tag)",
                "SELECT item, 77 FROM tagged"),
            "UPDATE children SET id = 6", "INSERT INTO names VALUES ('c', 77)",
            "INSERT INTO tagged VALUES (9, 99)", "DELETE FROM children; INSERT INTO children VALUES (6, 77)",
        ])
    func oneMore(_ sql: String) throws {
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try run(Self.joined, "-- chatdb: data-loss\n" + sql, Self.dangling)
        }
        guard case .madeDanglingReferences(.chat, _, let made)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(made.count == 1)
    }

    @Test(
        "drift from before neither stops a run nor counts as its fault, whatever happens to the table",
        arguments: [
            // Another order of columns, and an additional one at the end.
            (
                ["DROP TABLE t", "CREATE TABLE t (name TEXT NOT NULL DEFAULT '', id INTEGER PRIMARY KEY) STRICT"],
                "ALTER TABLE t ADD COLUMN more TEXT", "different table t"
            ),
            // Another default, and a renamed table or column.
            (
                ["DROP TABLE t", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x') STRICT"],
                "ALTER TABLE t RENAME TO u", "different column t.name"
            ),
            (
                ["DROP TABLE t", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x') STRICT"],
                "ALTER TABLE t RENAME COLUMN name TO title", "different column t.name"
            ),
            (["ALTER TABLE t ADD COLUMN mine TEXT"], "ALTER TABLE t RENAME TO u", "extra column t.mine"),
            (["CREATE INDEX mine ON t (name)"], "ALTER TABLE t RENAME TO u", "extra index mine"),
            (["CREATE TABLE notes (id INTEGER)"], "ALTER TABLE t RENAME TO u", "extra table notes"),
        ])
    func drift(_ statements: [String], _ sql: String, _ reported: String) throws {
        let report = try run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '') STRICT", sql, statements)
        #expect(report.findings[.chat]?.drift?.map { "\($0.kind) \($0.object) \($0.name)" } == [reported])
    }

    @Test("a difference in another object than the one with drift is still the migration's fault")
    func anotherThing() throws {
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try run(
                "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT",
                "CREATE TABLE IF NOT EXISTS v (id INTEGER PRIMARY KEY) STRICT",
                ["ALTER TABLE t ADD COLUMN mine TEXT", "CREATE TABLE V (id INTEGER PRIMARY KEY, more TEXT) STRICT"])
        }
        guard case .wrongResult(.chat, _, let differences)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!differences.contains { $0.name == "t.mine" })
    }

    @Test(
        "a trigger or view with a known name and another definition is refused by name",
        arguments: [
            ("TRIGGER", "watch", "CREATE TRIGGER watch AFTER UPDATE ON t BEGIN DELETE FROM u; END"),
            ("VIEW", "seen", "CREATE VIEW seen AS SELECT 1 AS id"),
        ])
    func knownName(_ kind: String, _ name: String, _ sql: String) throws {
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try run(
                """
                CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;
                CREATE TRIGGER watch AFTER UPDATE ON t BEGIN UPDATE u SET id = id; END;
                CREATE VIEW seen AS SELECT id FROM t;
                """, "ALTER TABLE u ADD COLUMN more TEXT", ["DROP \(kind) \(name)", sql])
        }
        #expect(failure?.error == .unknownTrigger(.chat, names: [name]))
    }
}
