import ChatDBKit
import Testing

@Suite struct MigrationRefusalTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let sql: String
        let line: Int?
        /// A part of the reason.
        let reason: String
        var testDescription: String { sql.debugDescription }

        init(_ sql: String, line: Int? = 1, _ reason: String) {
            self.sql = sql
            self.line = line
            self.reason = reason
        }
    }

    static let transactions = [
        "BEGIN", "begin immediate", "COMMIT", "END", "ROLLBACK", "ROLLBACK TO a", "SAVEPOINT a", "RELEASE a",
    ]
    .map { Example("SELECT 1;\n-- c\n \($0);", line: 3, "does not control it") }

    static let firstWords = [
        Example("attach 'x' AS y", "ATTACH: a migration works on its own database only"),
        Example("SELECT 1;;\n/*\n*/ DETACH y", line: 3, "DETACH: a migration works on its own database only"),
        Example("VACUUM INTO 'x'", "VACUUM cannot run"),
        Example("pragma user_version = 1", "PRAGMA is not allowed"),
        Example("/**/PRAGMA foreign_keys", "PRAGMA is not allowed"),
        Example("EXPLAIN QUERY PLAN SELECT 1", "EXPLAIN changes nothing"),
        Example("CREATE TEMP TABLE a (b)", "CREATE TEMP creates"),
        Example("create\ntemporary view a as select 1", line: 2, "CREATE TEMPORARY creates"),
        Example("CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", "CREATE TEMP creates"),
        Example("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;\nEND;", line: 2, "does not control it"),
        Example("CREATE TRIGGER t;\nCOMMIT;", line: 2, "does not control it"),
        Example("SELECT 1;\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n SELECT 1;\nCOMMIT;", line: 2, "has no END;"),
    ]

    static let texts = [
        Example("SELECT 1;\n'a", line: 2, "the string that begins here is not closed"),
        Example("\n\"a", line: 2, "the quoted name that begins here is not closed"),
        Example("a;\n/* b\n", line: 2, "the comment that begins here is not closed"),
        Example("a;\n\u{0}", line: 2, "control character U+0000"),
        Example("a;\n-- \u{1B}[2J", line: 2, "control character U+001B"),
        Example("SELECT 'a\n\u{0}'", line: 2, "control character U+0000"),
        Example("", line: nil, "no statements"),
        Example(" ;; -- why\n/* later */;", line: nil, "no statements"),
        Example("SELECT 1,\n ?", line: 2, "parameter ?: nothing is bound"),
        Example("SELECT ?1, ?2", "parameter ?1"),
        Example("SELECT :a", "parameter :a"), Example("SELECT @a", "parameter @a"),
        Example("SELECT $1", "parameter $1"),
        Example("SELECT\n load_extension ('x')", line: 2, "load_extension is not allowed"),
        Example("SELECT \"LOAD_EXTENSION\"/**/('x')", "load_extension is not allowed"),
        Example(
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n SELECT load_extension('x');\nEND", line: 2, "load_extension"),
    ]

    static let directives = [
        Example("-- chatdb: rebuid\nSELECT 1", "unknown directive"),
        Example("-- chatdb:\nSELECT 1", "unknown directive"),
        Example("-- chatdb: rebuild data-loss\nSELECT 1", "unknown directive"),
        Example("-- ChatDB: rebuild\nSELECT 1", "unknown directive"),
        Example("-- chatdb : rebuild\nSELECT 1", "unknown directive"),
        Example("---- chatdb: rebuild\nSELECT 1", "unknown directive"),
        Example("/* chatdb: rebuild */ SELECT 1", "unknown directive"),
        Example("/* why\r\n * chatdb: rebuild\r\n */ SELECT 1", line: 2, "unknown directive"),
        Example("SELECT 1;\n-- chatdb: later", line: 2, "unknown directive"),
        Example("-- chatdb data-loss\nSELECT 1", "unknown directive"),
        Example("-- chatdb rebuild\nSELECT 1", "unknown directive"),
        Example("-- chatdb=data loss\nSELECT 1", "unknown directive"),
        Example("-- ChatDB; Data_Loss\nSELECT 1", "unknown directive"),
        Example("SELECT 1;\n-- chatdb: rebuild", line: 2, "must stand before the first statement"),
        Example("SELECT\n-- chatdb: data-loss\n1", line: 2, "must stand before the first statement"),
    ]

    static let ownTables = [
        "ALTER TABLE migrations ADD COLUMN a", "DROP TABLE store", "drop table if exists \"Store\"",
        "CREATE TABLE migrations (a)", "CREATE TABLE IF NOT EXISTS [store] (a)", "CREATE VIEW store AS SELECT 1",
        "CREATE VIRTUAL TABLE store USING fts5(a)", "INSERT INTO migrations VALUES (1)",
        "INSERT OR REPLACE INTO `store` (a) SELECT 1", "REPLACE INTO store VALUES (1)", "UPDATE store SET a = 1",
        "UPDATE OR REPLACE main.store SET a = 1", "DELETE FROM migrations", "DELETE FROM 'store'",
        "DELETE FROM \"main\" . /* c */ 'migrations'", "WITH a AS (SELECT 1) INSERT INTO store SELECT * FROM a",
        "WITH a AS (SELECT 1) DELETE FROM store", "ALTER TABLE a RENAME TO store",
        "ALTER TABLE main.store RENAME TO a", "CREATE INDEX i ON store (a)", "CREATE UNIQUE INDEX i ON migrations (a)",
        "CREATE TRIGGER t AFTER UPDATE OF a ON store BEGIN SELECT 1; END",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; UPDATE store SET b = 1; END",
        "DROP TABLE store;", "UPDATE\nstore SET a = 1", "CREATE TABLE store",
    ].map { Example($0, line: nil, "is the name of a table of chatdb's own") }

    static let sqliteTables = [
        "INSERT INTO sqlite_master VALUES (1)", "UPDATE sqlite_schema SET sql = ''", "DELETE FROM SQLITE_MASTER",
        "UPDATE main.sqlite_master SET a = 1", "DELETE FROM \"sqlite_temp_master\"", "DELETE FROM sqlite_temp_schema",
    ].map { Example($0, "is SQLite's own") }

    static let otherDatabases = [
        "CREATE TABLE temp.a (b)", "INSERT INTO aux.a VALUES (1)", "DROP TABLE \"other\".a",
        "UPDATE x.migrations SET a = 1",
        "SELECT * FROM temp.a", "SELECT * FROM a, 'temp'.b", "SELECT * FROM a JOIN aux . b",
        "CREATE INDEX temp.i ON a (b)",
        "CREATE TRIGGER temp.t AFTER INSERT ON a BEGIN SELECT 1; END", "SELECT temp.a FROM temp",
    ].map { Example($0, "a migration works on its own database only") }

    @Test(
        "forbidden statements are refused with file, line and reason",
        arguments: transactions + firstWords + texts + directives + ownTables + sqliteTables + otherDatabases)
    func refused(_ example: Example) throws {
        let invalid = try #require(refusals(up: example.sql))
        let problem = try #require(invalid.problems.first)
        #expect(problem.file == "sqlite/chat/20260901_a.up.sql")
        #expect(problem.reason.contains(example.reason))
        if let line = example.line { #expect(problem.line == line) }
        #expect(invalid.count == 1)
    }

    @Test("the line of a statement on an internal table is that of the table's name")
    func lineOfName() throws {
        #expect(try #require(refusals(up: "SELECT 1;\nDELETE\nFROM\nstore\n;")).problems.map(\.line) == [4])
    }

    @Test("the down file is validated like the up file")
    func down() throws {
        let invalid = try #require(refusals(up: "SELECT 1", down: "SELECT 1;\nVACUUM"))
        #expect(invalid.problems.map(\.description).count == 1)
        #expect(invalid.problems[0].file == "sqlite/chat/20260901_a.down.sql")
        #expect(invalid.problems[0].line == 2)
        #expect(
            try #require(refusals(up: "SELECT 1", down: "-- only words")).problems[0].reason.contains(
                "no statements"))
    }

    static let allowed = [
        "CREATE TABLE a (store TEXT, migrations TEXT, \"begin\" TEXT, \"commit\" TEXT) STRICT",
        "CREATE TABLE stores (a)", "CREATE TABLE a (b REFERENCES c ON DELETE CASCADE ON UPDATE CASCADE)",
        "INSERT INTO a (store) SELECT store FROM b JOIN c ON store.id = c.id",
        "INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET store = 1",
        "CREATE TRIGGER t AFTER UPDATE OF store, migrations ON a BEGIN DELETE FROM b; END",
        "CREATE TRIGGER t AFTER DELETE ON a WHEN old.b IS DISTINCT FROM old.c BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b WHERE c = (SELECT d FROM e JOIN f ON store = g); END",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1 WHERE d = new.e; END",
        "ALTER TABLE a RENAME COLUMN b TO store", "ALTER TABLE a RENAME TO b", "CREATE INDEX i ON a (store)",
        "UPDATE sqlite_sequence SET seq = 1", "DELETE FROM sqlite_sequence WHERE name = 'a'",
        "SELECT * FROM pragma_table_info('a')", "SELECT name FROM sqlite_master", "SELECT name FROM migrations",
        "SELECT 'BEGIN; PRAGMA x; ?' -- COMMIT; ?", "SELECT '\u{1B}'", "INSERT INTO main.a VALUES (x'00', 1e5)",
        "INSERT INTO f (f) VALUES ('rebuild')", "WITH temp AS (SELECT 1) SELECT 1", "REINDEX", "ANALYZE a",
        "SELECT replace(a, 'b', 'c') FROM d", "DROP INDEX IF EXISTS i", "SELECT a.temp.b FROM a",
        "-- the chatdb: not at the start\nSELECT 1", "-- chatdb is a tool\nSELECT 1",
        "-- chatdb-data is a folder\nSELECT 1", "-- chatdbs rebuild\nSELECT 1", "SELECT ';\n-- chatdb: x\n'",
    ]

    @Test("harmless statements that resemble forbidden ones are allowed", arguments: allowed)
    func accepted(_ sql: String) {
        #expect(refusals(up: sql)?.problems.map(\.description) == nil)
    }

    @Test("all problems of all files are reported at once, in order, a hundred at most, with their number")
    func together() throws {
        let files = (10...30).reversed().flatMap { day in
            [
                (path: "sqlite/chat/202609\(day)_a.up.sql", content: "BEGIN;\nPRAGMA a;\nSELECT ?;\nDELETE FROM store"),
                (path: "sqlite/agent/202609\(day)_a.up.sql", content: "VACUUM"),
            ]
        }
        let invalid = try #require(problems(of: .embedded(files)))
        #expect(invalid.count == 21 * 5)
        #expect(invalid.problems.count == 100)
        #expect(invalid.problems.first?.description.hasPrefix("sqlite/agent/20260910_a.up.sql, line 1: VACUUM") == true)
        let chat = invalid.problems.filter { $0.file == "sqlite/chat/20260912_a.up.sql" }
        #expect(chat.map(\.line) == [1, 2, 3, 4])
        let text = MigrationFileError.invalid(invalid).description
        #expect(text.hasPrefix("105 problems in migrations:\nsqlite/agent/20260910_a.up.sql, line 1:"))
        #expect(text.hasSuffix("\nand 5 more"))
    }

    @Test("down SQL from a database is validated by the same rules, and has its directives")
    func stored() throws {
        let script = try MigrationScript(
            storedDown: "-- chatdb: data-loss\nDROP TABLE a;\n DROP TABLE b", of: "20260901_a")
        #expect(try script.statements.map(\.text) == ["DROP TABLE a", "DROP TABLE b"])
        #expect(try script.statements.map(\.line) == [2, 3])
        #expect(try script.directives == [.dataLoss])
        do throws(MigrationFileError) {
            _ = try MigrationScript(storedDown: "DELETE FROM a;\nCOMMIT; ATTACH 'b' AS c", of: "20260901_a")
            Issue.record("it was accepted")
        } catch {
            guard case .invalid(let invalid) = error else { throw error }
            #expect(invalid.problems.map(\.line) == [2, 2])
            #expect(invalid.problems[0].file == "stored down SQL of 20260901_a")
            #expect(error.code == "invalidMigration")
        }
    }

    private func refusals(up: String, down: String? = nil) -> InvalidMigrations? {
        var files = [(path: "sqlite/chat/20260901_a.up.sql", content: up)]
        if let down { files.append((path: "sqlite/chat/20260901_a.down.sql", content: down)) }
        return problems(of: .embedded(files))
    }
}

/// The problems of the migrations; nil without any. Other errors fail the test.
func problems(of source: MigrationSource, for syntax: SQLSyntax = .sqlite) -> InvalidMigrations? {
    do throws(MigrationFileError) {
        _ = try source.load(for: syntax)
        return nil
    } catch {
        guard case .invalid(let invalid) = error else {
            Issue.record(error)
            return nil
        }
        return invalid
    }
}
