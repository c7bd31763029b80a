import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A failing migration leaves both databases unchanged and reports the place of the failure.
@Suite struct FailingMigrationTests {
    private typealias Step = SyntheticHistory.Step

    private static let parents = """
        CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE) STRICT;
        CREATE INDEX children_parent ON children (parent);
        CREATE TRIGGER parents_gone AFTER DELETE ON parents BEGIN DELETE FROM children WHERE parent = old.id; END;
        """

    /// A store with a parent that has two children, and another that has none.
    private func family() throws -> (SyntheticStore, [Step]) {
        let store = try SyntheticStore()
        let first = [Step("first", Self.parents, down: "DROP TABLE children; DROP TABLE parents;")]
        _ = try store.migrator(SyntheticHistory.make(chat: first)).run()
        try store.execute(
            "INSERT INTO parents VALUES (1, 'one'), (2, 'two')", "INSERT INTO children VALUES (1, 1), (2, 1)")
        return (store, first)
    }

    /// Runs another migration that must fail and returns the failure; the content must not change.
    private func failure(_ up: String, after words: String = "second") throws -> MigrationFailure? {
        let (store, first) = try family()
        let before = try content(store)
        var failure: MigrationFailure?
        do {
            _ = try store.migrator(SyntheticHistory.make(chat: first + [Step(words, up)])).run()
        } catch let error as MigrationFailure {
            failure = error
        }
        #expect(try content(store) == before)
        #expect(failure?.state == .unchanged)
        return failure
    }

    private func content(_ store: SyntheticStore) throws -> [String] {
        try store.applied(.chat) + store.applied(.agent) + store.rows("SELECT * FROM store")
            + store.rows("SELECT * FROM parents") + store.rows("SELECT * FROM children")
    }

    @Test("a run that fails again and again leaves one backup, until the store changes")
    func oneBackup() throws {
        let (store, first) = try family()
        let failing = try SyntheticHistory.make(chat: first + [Step("second", "INSERT INTO nowhere VALUES (1);")])
        func backup() throws -> String? {
            do {
                _ = try store.migrator(failing) { $0.backup = .folder(nil) }.run()
            } catch let failure as MigrationFailure {
                if case .unchangedWithBackup(let path) = failure.state { return path }
            }
            return nil
        }
        // The first run sets the journal mode of the database.
        _ = try backup()
        let paths = try (0..<3).map { _ in try backup() }
        #expect(paths[0] != nil && Set(paths).count == 1)
        let folder = store.location.backupsPath
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let before = try count()
        try store.execute("INSERT INTO parents VALUES (3, 'three')")
        #expect(try backup() != paths[0])
        #expect(try count() == before + 1)
        // A copy that was changed since is not used in place of a new one.
        for found in try FoundBackup.all(in: folder) {
            let file = found.path + "/" + (found.manifest?.parts[.chat]?.file ?? "")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: URL(fileURLWithPath: file))
        }
        #expect(try backup() != nil)
        #expect(try count() == before + 2)
    }

    @Test(
        "an SQL error in the third pending migration reports database, migration, statement, line and text")
    func thirdPending() throws {
        let (store, first) = try family()
        let more = [
            Step("second", "CREATE TABLE b (id INTEGER) STRICT;"),
            Step("third", "INSERT INTO parents VALUES (9, 'nine');"),
            Step("fourth", "CREATE TABLE d (id INTEGER) STRICT;\n\nINSERT INTO nowhere\n  VALUES (1);\nDROP TABLE d;"),
        ]
        let agent = [
            Step("agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT"),
            Step("agent_second", "CREATE TABLE b (id INTEGER) STRICT"),
        ]
        let before = try content(store)
        #expect {
            _ = try store.migrator(SyntheticHistory.make(chat: first + more, agent: agent)).run()
        } throws: { error in
            guard case .migrationFailed(let failed)? = (error as? MigrationFailure)?.error else { return false }
            return failed.database == .chat && failed.migration == "20300104_fourth" && failed.direction == .up
                && failed.statement == 2 && failed.line == 4 && failed.text == "INSERT INTO nowhere"
                && failed.cause.message.contains("no such table: nowhere")
        }
        #expect(try content(store) == before)
    }

    @Test(
        "M18: a COMMIT in a migration is refused at load",
        arguments: ["COMMIT;", "BEGIN; SELECT 1;", "PRAGMA foreign_keys = ON;", "VACUUM;"])
    func transactionControl(_ sql: String) throws {
        #expect(throws: MigrationFileError.self) { try SyntheticHistory.make(chat: [Step("first", sql)]) }
    }

    @Test(
        "rows deleted without the directive data-loss roll the run back, and the table is named",
        arguments: [
            "DELETE FROM parents WHERE id = 2",
            // Also through the trigger.
            "DELETE FROM parents WHERE id = 1",
            "DROP TABLE children",
            "REPLACE INTO parents (id, name) SELECT 1, name FROM parents; UPDATE OR REPLACE parents SET id = 1",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, name TEXT) STRICT; INSERT INTO n SELECT * FROM parents WHERE id > 1; DROP TABLE parents; ALTER TABLE n RENAME TO parents;",
            "-- chatdb: rebuild\nALTER TABLE children RENAME TO old; CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE) STRICT; INSERT INTO children SELECT * FROM old WHERE id = 1; DROP TABLE old;",
        ])
    func lostRows(_ sql: String) throws {
        let failure = try failure(sql)
        guard case .lostRows(.chat, "20300102_second", let table, let before, let after)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(["parents", "children"].contains(table) && before > after)
    }

    @Test("a renamed table loses nothing, and data-loss permits the declared losses")
    func allowed() throws {
        for sql in [
            "ALTER TABLE children RENAME TO kids; UPDATE kids SET parent = 2; DROP TRIGGER parents_gone;",
            "-- chatdb: data-loss\nDELETE FROM parents WHERE id = 2",
        ] {
            let (store, first) = try family()
            _ = try store.migrator(SyntheticHistory.make(chat: first + [Step("second", sql)])).run()
            #expect(try store.applied().count == 2)
        }
    }

    @Test("a run that would leave dangling references is rolled back")
    func danglingMade() throws {
        let failure = try failure("-- chatdb: data-loss\nDROP TRIGGER parents_gone; DELETE FROM parents WHERE id = 1;")
        guard case .madeDanglingReferences(.chat, _, let references)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(references.count == 2 && references.allSatisfy { $0.table == "children" && $0.parent == "parents" })
    }

    @Test("the error of a run that would leave dangling references names the migrations that wrote the tables")
    func danglingNamed() throws {
        let removal = "-- chatdb: data-loss\nDROP TRIGGER parents_gone; DELETE FROM parents WHERE id = 1;"
        let one = try failure(removal)?.error.info
        #expect(
            one?.message == "migration 20300102_second of the chat database would leave 2 rows that refer to missing "
                + "rows, in children (parent refers to parents)")
        let (store, first) = try family()
        for (third, names) in [
            ("CREATE TABLE extra (id INTEGER) STRICT", ["20300102_second"]),
            ("ALTER TABLE children RENAME TO kids", ["20300102_second", "20300103_third"]),
            ("UPDATE children SET id = id + 10", ["20300102_second", "20300103_third"]),
        ] {
            let build = try SyntheticHistory.make(chat: first + [Step("second", removal), Step("third", third)])
            let failure = #expect(throws: MigrationFailure.self) { _ = try store.migrator(build).run() }
            let info = try #require(failure?.error.info)
            let beginning = names.count == 1 ? "migration " : "one of the migrations "
            #expect(info.message.hasPrefix(beginning + names.joined(separator: ", ") + " of the chat "), "\(info)")
            #expect(info.details["migrations"] == JSONValue(names), "\(info)")
        }
    }

    @Test(
        "dangling references in a table that the migration creates roll the run back too",
        arguments: [
            "CREATE TABLE kids (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id)) STRICT; INSERT INTO kids VALUES (1, 9);",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id)) STRICT; INSERT INTO n SELECT id, 9 FROM children; DROP TABLE children; ALTER TABLE n RENAME TO kids;",
        ])
    func danglingInNewTable(_ sql: String) throws {
        let failure = try failure("-- chatdb: data-loss\n" + sql)
        guard case .madeDanglingReferences(.chat, _, let references)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(references.allSatisfy { ["kids"].contains($0.table) && $0.parent == "parents" })
    }

    @Test("M10: dangling references from before are reported, and stop only a strict run")
    func danglingBefore() throws {
        let (store, first) = try family()
        try store.execute("INSERT INTO children VALUES (7, 77)")
        let build = try SyntheticHistory.make(
            chat: first + [Step("second", "UPDATE parents SET name = 'x' WHERE id = 2")])
        #expect {
            _ = try store.migrator(build) { $0.isStrict = true }.run()
        } throws: { ($0 as? MigrationFailure)?.error == .danglingReferences(.chat, count: 1) }
        let report = try store.migrator(build).run()
        #expect(report.findings[.chat]?.danglingReferences == 1)
    }

    @Test(
        "dangling references from before are not the fault of a migration that renames their tables",
        arguments: ["ALTER TABLE children RENAME TO kids", "ALTER TABLE parents RENAME TO people"])
    func danglingBeforeRename(_ sql: String) throws {
        let (store, first) = try family()
        try store.execute("INSERT INTO children VALUES (7, 77)")
        let build = try SyntheticHistory.make(chat: first + [Step("second", sql), Step("third", "SELECT 1")])
        #expect(try store.migrator(build).run().findings[.chat]?.danglingReferences == 1)
    }

    @Test("M11 M12 M13: a rebuild of a parent keeps its children, triggers, views and the last assigned rowid")
    func rebuild() throws {
        let store = try SyntheticStore()
        let first = Step(
            "first",
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
            CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE) STRICT;
            CREATE INDEX children_parent ON children (parent);
            CREATE VIEW names AS SELECT name FROM parents;
            CREATE TRIGGER born AFTER INSERT ON children BEGIN UPDATE parents SET name = name || '!' WHERE id = new.parent; END;
            """)
        let second = Step(
            "second",
            """
            -- chatdb: rebuild
            CREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, note TEXT) STRICT;
            INSERT INTO n (id, name) SELECT id, name FROM parents;
            UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'parents') WHERE name = 'n';
            DROP TABLE parents;
            ALTER TABLE n RENAME TO parents;
            """)
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute(
            "INSERT INTO parents VALUES (1, 'one'), (5, 'five')", "INSERT INTO children VALUES (1, 1), (2, 1)",
            "DELETE FROM parents WHERE id = 5")
        _ = try store.migrator(SyntheticHistory.make(chat: [first, second])).run()
        #expect(try store.rows("SELECT * FROM children") == ["1|1", "2|1"])
        try store.execute("INSERT INTO parents (name) VALUES ('six')", "INSERT INTO children VALUES (3, 6)")
        #expect(try store.rows("SELECT id, name FROM parents") == ["1|one!!", "6|six!"])
        #expect(
            try store.rows("SELECT sql FROM sqlite_master WHERE name = 'names'") == [
                "CREATE VIEW names AS SELECT name FROM parents"
            ])
    }

    @Test(
        "a table that a migration makes again goes on with its numbers, unless the migration sets them",
        arguments: [
            ("INSERT INTO n (id) SELECT id FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t;", "10"),
            (
                "DROP TABLE n; ALTER TABLE t RENAME TO old; CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT); INSERT INTO t (id) SELECT id FROM old; DROP TABLE old;",
                "10"
            ),
            (
                "INSERT INTO n (id) SELECT id FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t; UPDATE sqlite_sequence SET seq = 4 WHERE name = 't';",
                "5"
            ),
        ])
    func numbers(_ statements: String, _ next: String) throws {
        let store = try SyntheticStore()
        let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT);")
        let second = Step(
            "second",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT); " + statements,
            down:
                "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO n SELECT id FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t;"
        )
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute("INSERT INTO t VALUES (1), (9)", "DELETE FROM t WHERE id = 9")
        let build = try SyntheticHistory.make(chat: [first, second])
        _ = try store.migrator(build).run()
        try store.execute("INSERT INTO t DEFAULT VALUES")
        #expect(try store.rows("SELECT max(id) FROM t") == [next])
        // The way down makes the table again too.
        try store.execute("DELETE FROM t WHERE id > 1")
        _ = try store.migrator(build) { $0.target = .downSteps(1) }.run()
        try store.execute("INSERT INTO t DEFAULT VALUES")
        #expect(try store.rows("SELECT max(id) - 1 FROM t") == [next])
    }

    @Test("a table that a migration makes again under a name of another case goes on with its numbers")
    func numbersUnderOtherCase() throws {
        let store = try SyntheticStore()
        let first = Step("first", "CREATE TABLE Notes (id INTEGER PRIMARY KEY AUTOINCREMENT);")
        let second = Step(
            "second",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT); INSERT INTO n (id) SELECT id FROM Notes; DROP TABLE Notes; ALTER TABLE n RENAME TO notes;"
        )
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute("INSERT INTO Notes VALUES (9)", "DELETE FROM Notes")
        _ = try store.migrator(SyntheticHistory.make(chat: [first, second])).run()
        try store.execute("INSERT INTO notes DEFAULT VALUES")
        #expect(try store.rows("SELECT id FROM notes") == ["10"])
    }

    @Test(
        "M14 M15: a rebuild keeps text with NUL bytes, invalid UTF-8, empty text and 10 MB byte by byte")
    func bytes() throws {
        let store = try SyntheticStore()
        let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT, n INTEGER);")
        let second = Step(
            "second",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, body TEXT, n INTEGER, x TEXT); INSERT INTO n (id, body, n) SELECT id, body, n FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t;"
        )
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute(
            "INSERT INTO t VALUES (1, 'a' || char(0) || 'b', 'abc'), (2, CAST(x'61ff62' AS TEXT), 5e9), (3, '', x'00'), (4, hex(zeroblob(5000000)), NULL)"
        )
        let sql =
            "SELECT id, length(CAST(body AS BLOB)), substr(hex(CAST(body AS BLOB)), 1, 20), typeof(n), hex(n) FROM t"
        let before = try store.rows(sql)
        _ = try store.migrator(SyntheticHistory.make(chat: [first, second])).run()
        #expect(try store.rows(sql) == before)
        #expect(before.first == "1|3|610062|text|616263")
    }
}
