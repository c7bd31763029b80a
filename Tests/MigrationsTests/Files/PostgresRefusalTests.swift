import ChatDBKit
import Testing

/// The rules for statements of migrations for PostgreSQL.
@Suite struct PostgresRefusalTests {
    typealias Example = MigrationRefusalTests.Example

    static let transactions = [
        "BEGIN", "begin isolation level serializable", "START TRANSACTION", "COMMIT", "COMMIT PREPARED 'a'", "END",
        "ROLLBACK", "ROLLBACK TO a", "ABORT", "SAVEPOINT a", "RELEASE a", "PREPARE TRANSACTION 'a'",
    ]
    .map { Example("SELECT 1;\n-- c\n \($0);", line: 3, "does not control it") }

    static let firstWords = [
        Example(
            "PREPARE a AS SELECT 1", "PREPARE: a prepared statement is not seen where it runs; write the statement"),
        Example("EXECUTE a", "EXECUTE: a prepared statement"),
        Example("DEALLOCATE ALL", "DEALLOCATE: a prepared statement"),
        Example("SELECT 1;\nSET search_path = other", line: 2, "SET: the run decides the settings of its session"),
        Example("set local lock_timeout = 0", "SET: the run decides"), Example("SET ROLE a", "SET: the run decides"),
        Example("RESET ALL", "RESET: the run decides"), Example("DISCARD ALL", "DISCARD: the run decides"),
        Example("SHOW search_path", "SHOW: nothing reads its answer"),
        Example("EXPLAIN ANALYZE SELECT 1", "EXPLAIN: nothing reads its answer"),
        Example("TRUNCATE a", "TRUNCATE: rows are lost without being counted; DELETE names them"),
        Example("COPY a FROM STDIN", "COPY: a migration has no input besides its file"),
        Example("COPY a TO PROGRAM 'b'", "write INSERT"),
        Example("LISTEN a", "LISTEN: messages to other programs"), Example("NOTIFY a, 'b'", "NOTIFY: messages"),
        Example("UNLISTEN *", "UNLISTEN: messages"), Example("LOCK TABLE a", "LOCK: the run has the lock of the store"),
        Example("VACUUM a", "VACUUM cannot run"), Example("CLUSTER a USING b", "CLUSTER: only the order of the rows"),
        Example("REINDEX DATABASE a", "REINDEX DATABASE cannot run"),
        Example("REINDEX SCHEMA a", "REINDEX SCHEMA cannot run"),
        Example("DO $$ BEGIN DELETE FROM a; END $$", "DO can do anything without being seen; write the statements"),
        Example("CALL f()", "CALL can do anything without being seen"),
        Example("DECLARE a CURSOR FOR SELECT 1", "DECLARE: nothing reads a cursor"),
        Example("FETCH a", "FETCH: nothing reads a cursor"), Example("MOVE a", "MOVE: nothing reads a cursor"),
        Example("CLOSE a", "CLOSE: nothing reads a cursor"), Example("LOAD 'a'", "LOAD loads a library"),
        Example("CHECKPOINT", "CHECKPOINT: a migration changes its own schema only"),
        Example("SECURITY LABEL ON TABLE a IS 'b'", "SECURITY LABEL: a migration changes its own schema only"),
        Example("IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c", "IMPORT FOREIGN: a migration changes its own schema"),
        Example("GRANT SELECT ON a TO b", "GRANT: rights and owners are not part of a migration"),
        Example("REVOKE ALL ON a FROM b", "REVOKE: rights and owners"),
        Example("REASSIGN OWNED BY a TO b", "REASSIGN: rights and owners"),
        Example("\\i a.sql\nSELECT 1", "\\ begins a command of psql"), Example("\\c", "\\ begins a command of psql"),
    ]

    static let objects = [
        "CREATE DATABASE a", "DROP DATABASE a", "alter database a set b = 1", "CREATE TABLESPACE a LOCATION 'b'",
        "CREATE ROLE a", "ALTER ROLE a SUPERUSER", "CREATE USER a", "CREATE USER MAPPING FOR a SERVER b",
        "DROP GROUP a",
        "ALTER SYSTEM SET a = 1", "CREATE EXTENSION a", "DROP EXTENSION IF EXISTS a", "CREATE SCHEMA a",
        "CREATE SCHEMA IF NOT EXISTS a", "DROP SCHEMA a CASCADE", "ALTER SCHEMA a RENAME TO b", "CREATE SERVER a",
        "CREATE PUBLICATION a FOR ALL TABLES", "CREATE SUBSCRIPTION a CONNECTION 'b' PUBLICATION c",
        "CREATE EVENT TRIGGER a ON ddl_command_end EXECUTE FUNCTION f()", "CREATE FOREIGN TABLE a (b int) SERVER c",
        "CREATE FOREIGN DATA WRAPPER a", "CREATE OR REPLACE TRUSTED LANGUAGE a",
        "CREATE CAST (a AS b) WITHOUT FUNCTION",
        "CREATE ACCESS METHOD a TYPE INDEX HANDLER b", "CREATE TRANSFORM FOR a LANGUAGE b (FROM SQL WITH FUNCTION c())",
    ].map { Example("SELECT 1;\n\($0)", line: 2, "a migration changes its own schema only; leave this to the admin") }

    static let others = [
        Example("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO a", "ALTER DEFAULT PRIVILEGES: rights and owners"),
        Example("DROP OWNED BY a", "DROP OWNED BY: rights and owners"),
        Example("ALTER TABLE a\nOWNER TO b", line: 2, "OWNER TO: rights and owners"),
        Example("ALTER FUNCTION f() OWNER TO CURRENT_USER", "OWNER TO: rights and owners"),
        Example("ALTER TABLE a SET SCHEMA b", "SET SCHEMA: a migration works in its own schema only"),
        Example("CREATE RULE a AS ON INSERT TO b DO INSTEAD NOTHING", "CREATE RULE: a rule replaces statements"),
        Example("CREATE OR REPLACE RULE a AS ON DELETE TO b DO INSTEAD DELETE FROM c", "write a trigger"),
        Example(
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql\nSECURITY DEFINER AS 'SELECT 1'", line: 2,
            "SECURITY DEFINER gives the function the rights of its owner"),
        Example("ALTER FUNCTION f() EXTERNAL SECURITY DEFINER", "SECURITY DEFINER gives"),
        Example(
            "CREATE FUNCTION f(a int) RETURNS int\nBEGIN ATOMIC\n SELECT $1; SELECT CASE 1 WHEN 1 THEN 2 END; END;\nSELECT 1",
            line: 2, "BEGIN ATOMIC: PostgreSQL 13 does not know it; write the body as a string"),
        Example("CREATE TEMP TABLE a (b int)", "CREATE TEMP creates something that a later run does not find"),
        Example("create\ntemporary view a as select 1", line: 2, "CREATE TEMPORARY creates"),
        Example("CREATE LOCAL TEMP TABLE a (b int)", "CREATE TEMP creates"),
        Example("CREATE OR REPLACE TEMP VIEW a AS SELECT 1", "CREATE TEMP creates"),
        Example("CREATE TEMP SEQUENCE a", "CREATE TEMP creates"),
        Example("SELECT 1 AS a INTO TEMP b", "INTO TEMP creates"),
        Example("SELECT a INTO TEMPORARY TABLE b FROM c", "INTO TEMPORARY creates"),
        Example("CREATE UNLOGGED TABLE a (b int)", "UNLOGGED: the table loses its rows when the server crashes"),
        Example("ALTER TABLE a SET UNLOGGED", "UNLOGGED: the table loses its rows"),
        Example("SELECT a INTO UNLOGGED b FROM c", "UNLOGGED: the table loses its rows"),
        Example("CREATE INDEX CONCURRENTLY ON a (b)", "CONCURRENTLY cannot run in a migration's transaction"),
        Example("CREATE UNIQUE INDEX\nCONCURRENTLY i ON a (b)", line: 2, "CONCURRENTLY cannot run"),
        Example("DROP INDEX CONCURRENTLY i", "CONCURRENTLY cannot run"),
        Example("REINDEX TABLE CONCURRENTLY a", "CONCURRENTLY cannot run"),
        Example("REINDEX (CONCURRENTLY) INDEX a", "CONCURRENTLY cannot run"),
        Example("REFRESH MATERIALIZED VIEW CONCURRENTLY a", "CONCURRENTLY cannot run"),
        Example("ALTER TABLE a DETACH PARTITION b CONCURRENTLY", "CONCURRENTLY cannot run"),
        Example("SELECT\nset_config('search_path', 'a', false)", line: 2, "set_config: the run decides the settings"),
        Example("SELECT * FROM pg_catalog.Set_Config('a', 'b', true)", "set_config: the run decides the settings"),
        Example("SELECT a,\n $1", line: 2, "parameter $1: nothing is bound"),
        Example("SELECT $1, $2", "parameter $1: nothing is bound"),
        Example("CREATE TABLE U&\"\\0061\" (b int)", "a name U&\"…\" hides what it names"),
        Example(
            "CREATE TABLE \(String(repeating: "a", count: 64)) (b int)",
            "a name has more than 63 bytes, and PostgreSQL cuts"),
        Example("SELECT 1 AS \"\(String(repeating: "é", count: 32))\"", "a name has more than 63 bytes"),
    ]

    static let texts = [
        Example("SELECT 1;\n$a$ b $b$", line: 2, "the string that begins here is not closed"),
        Example("SELECT E'a\\';", "the string that begins here is not closed"),
        Example("a;\n/* b /* */\n", line: 2, "the comment that begins here is not closed"),
        Example("SELECT $$\n\u{1B}[2J$$", line: 2, "control character U+001B"),
        Example("", line: nil, "no statements"), Example("/* a /* ; */ */;;", line: nil, "no statements"),
    ]

    static let directives = [
        Example("-- chatdb: rebuild\nSELECT 1", "-- chatdb: rebuild is for SQLite"),
        Example("SELECT 1;\n-- chatdb: rebuild", line: 2, "-- chatdb: rebuild is for SQLite"),
        Example("-- chatdb: rebuid\nSELECT 1", "unknown directive; the directive is -- chatdb: data-loss, on its own"),
        Example("/* a\n/* chatdb: data-loss */ */ SELECT 1", line: 2, "unknown directive"),
        Example("SELECT 1;\n-- chatdb: data-loss", line: 2, "must stand before the first statement"),
    ]

    static let ownTables = [
        "ALTER TABLE migrations ADD COLUMN a int", "ALTER TABLE IF EXISTS ONLY store ADD a int", "DROP TABLE store",
        "drop table if exists \"store\"", "DROP TABLE a,\nb, Store CASCADE", "CREATE TABLE migrations (a int)",
        "CREATE TABLE IF NOT EXISTS store (a int)", "CREATE VIEW store AS SELECT 1", "CREATE SEQUENCE store",
        "CREATE MATERIALIZED VIEW store AS SELECT 1", "CREATE TABLE store AS SELECT 1", "SELECT 1 AS a INTO store",
        "SELECT 1 AS a INTO TABLE store", "INSERT INTO migrations VALUES ('a')", "INSERT INTO \"migrations\" SELECT 1",
        "UPDATE store SET a = 1", "UPDATE ONLY store SET a = 1", "DELETE FROM migrations", "DELETE FROM ONLY STORE",
        "WITH a AS (DELETE FROM store RETURNING *) SELECT 1", "WITH a AS (SELECT 1) INSERT INTO store SELECT * FROM a",
        "WITH a AS (UPDATE store SET b = 1 RETURNING *) SELECT 1",
        "MERGE INTO store USING a ON b WHEN MATCHED THEN DELETE",
        "ALTER TABLE a RENAME TO store", "ALTER TABLE store RENAME TO a", "ALTER VIEW a RENAME TO migrations",
        "CREATE INDEX i ON store (a)", "CREATE INDEX ON ONLY store (a)",
        "CREATE UNIQUE INDEX IF NOT EXISTS i ON store (a)",
        "CREATE TRIGGER t AFTER UPDATE ON store FOR EACH ROW EXECUTE FUNCTION f()",
        "CREATE TRIGGER t BEFORE INSERT OR UPDATE OF a OR DELETE ON migrations EXECUTE FUNCTION f()",
        "DROP TRIGGER IF EXISTS t ON store", "ALTER TRIGGER t ON store RENAME TO u",
        "CREATE POLICY p ON store USING (true)",
        "COMMENT ON TABLE store IS 'a'", "COMMENT ON TRIGGER t ON store IS 'a'",
        "ALTER TABLE a ATTACH PARTITION store DEFAULT", "ALTER INDEX store RENAME TO a",
    ].map { Example($0, line: nil, "is the name of a table of chatdb's own") }

    static let postgresTables = [
        "INSERT INTO pg_catalog.pg_class VALUES (1)", "UPDATE pg_class SET relname = 'a'", "DELETE FROM pg_depend",
        "DELETE FROM information_schema.sql_features", "CREATE TABLE pg_catalog.a (b int)",
        "ALTER TABLE pg_class ADD a int",
    ].map { Example($0, "is PostgreSQL's own") }

    static let otherSchemas = [
        "CREATE TABLE public.a (b int)", "CREATE TABLE IF NOT EXISTS \"Other\".a (b int)", "DROP TABLE a, other.b",
        "CREATE TABLE a AS TABLE other.b", "CREATE TABLE a (LIKE other.b)", "CREATE TABLE a (b int, LIKE other.c)",
        "CREATE TABLE a PARTITION OF other.b DEFAULT", "CREATE TABLE pg_temp.a (b int)",
        "ALTER TABLE db.other.a ADD b int",
        "CREATE VIEW other.a AS SELECT 1", "DROP INDEX other.i", "CREATE SEQUENCE other.a",
        "CREATE TYPE other.a AS ENUM ()",
        "CREATE FUNCTION other.f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "DROP FUNCTION other.f",
        "DROP DOMAIN other.a",
        "INSERT INTO other . a VALUES (1)", "UPDATE /* c */ other.a SET b = 1", "DELETE FROM \"other\".\"a\"",
        "SELECT * FROM other.a", "SELECT * FROM a, other.b", "SELECT * FROM a AS x (c, d), other.b",
        "SELECT * FROM a JOIN other.b ON a.c = b.c", "SELECT * FROM a JOIN b USING (c), other.d",
        "SELECT * FROM a JOIN b ON a.c = b.c, LATERAL other.f(a.c)", "SELECT * FROM ONLY other.a",
        "SELECT (SELECT b FROM other.a)", "SELECT 1 WHERE EXISTS (SELECT FROM other.a)", "TABLE other.a",
        "SELECT 1 UNION SELECT a FROM other.b", "WITH x AS (SELECT * FROM other.a) SELECT * FROM x",
        "INSERT INTO a SELECT * FROM other.b", "UPDATE a SET b = 1 FROM other.c",
        "DELETE FROM a USING other.b WHERE true",
        "DELETE FROM a USING b, other.c", "MERGE INTO a USING other.b ON true WHEN MATCHED THEN DO NOTHING",
        "CREATE TABLE a (b int REFERENCES other.c (d))", "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES other.c",
        "ALTER TABLE a ATTACH PARTITION other.b DEFAULT", "CREATE INDEX i ON other.a (b)",
        "CREATE TRIGGER t AFTER INSERT ON other.a EXECUTE FUNCTION f()",
        "CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION other.f()", "SELECT other.f(1)", "SELECT other.a.b FROM a",
        "SELECT other.a.* FROM a", "SELECT 'x'::other.t", "SELECT CAST('x' AS other.t)",
        "ALTER TABLE a ALTER COLUMN b TYPE other.t", "SELECT a COLLATE other.c FROM b",
        "CREATE FUNCTION f() RETURNS SETOF other.t LANGUAGE sql AS 'SELECT 1'", "COMMENT ON TABLE other.a IS 'b'",
        "DROP TRIGGER t ON other.a",
    ].map { Example($0, "a migration works in its own schema only; leave out") }

    @Test(
        "forbidden statements are refused with file, line and reason",
        arguments: transactions + firstWords + objects + others + texts + directives + ownTables + postgresTables
            + otherSchemas)
    func refused(_ example: Example) throws {
        let invalid = try #require(refusals(up: example.sql))
        let problem = try #require(invalid.problems.first)
        #expect(problem.file == "postgres/chat/20271101_a.up.sql")
        #expect(problem.reason.contains(example.reason), "\(problem.reason)")
        if let line = example.line { #expect(problem.line == line) }
        #expect(invalid.count == 1, "\(invalid.problems)")
    }

    @Test("the reason for a name of another schema has the name and the schema, in the line of the name")
    func otherSchema() throws {
        let problem = try #require(refusals(up: "SELECT 1;\nSELECT *\nFROM \"Other\" .\n a;")?.problems.first)
        #expect(
            problem.description
                == "postgres/chat/20271101_a.up.sql, line 3: Other.a: a migration works in its own schema only; leave out Other"
        )
    }

    static let allowed = [
        "CREATE TABLE a (store text, migrations text, owner text, temp text, unlogged int, schema text, update int)",
        "CREATE TABLE \"Store\" (a int)", "CREATE TABLE stores (a int)", "INSERT INTO temp VALUES (1)",
        "INSERT INTO a (store) SELECT store FROM b JOIN c ON store.id = c.id", "SELECT name FROM migrations",
        "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE SET NULL, d int REFERENCES e (f))",
        "INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET store = excluded.store, b = a.b",
        "CREATE TRIGGER t AFTER UPDATE OF store ON a FOR EACH ROW WHEN (old.b IS DISTINCT FROM new.b) EXECUTE FUNCTION f()",
        "CREATE CONSTRAINT TRIGGER store AFTER DELETE ON a DEFERRABLE FOR EACH ROW EXECUTE FUNCTION f()",
        "ALTER TABLE a RENAME COLUMN b TO store", "ALTER TABLE a RENAME owner TO b", "ALTER TABLE a RENAME TO b",
        "ALTER TABLE a RENAME COLUMN owner TO b", "ALTER TABLE a RENAME CONSTRAINT owner TO b",
        "CREATE INDEX i ON a (store)", "CREATE INDEX ON a USING gin (b) WHERE c IS NOT NULL", "DROP INDEX IF EXISTS i",
        "CREATE OR REPLACE FUNCTION f() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$"
            + " BEGIN EXECUTE 'COMMIT'; DELETE FROM other.store; RETURN $1; END $$",
        "CREATE FUNCTION f(a int) RETURNS TABLE (b int) LANGUAGE sql STABLE AS 'SELECT $1'", "DROP FUNCTION f(int)",
        "SELECT a.b, x.c FROM a, b AS x WHERE a.b = x.c ORDER BY a.b, x.c", "SELECT a.* FROM a", "TABLE a",
        "SELECT extract(year FROM a.b), substring(a.c FROM 2), trim(both FROM a.d), CAST(a.e AS text), a.f::text FROM a",
        "SELECT 1 FROM a WHERE a.b IS NOT DISTINCT FROM a.c", "UPDATE a SET b = x.c, d = x.e FROM x WHERE x.f = a.f",
        "UPDATE a AS x SET b = DEFAULT WHERE x.c IN (SELECT y.d FROM e AS y)",
        "DELETE FROM a USING b AS x WHERE a.c = x.c",
        "MERGE INTO a USING b ON a.c = b.c WHEN MATCHED THEN UPDATE SET d = b.d WHEN NOT MATCHED THEN INSERT VALUES (b.c)",
        "SELECT * FROM pg_catalog.pg_class, information_schema.tables",
        "SELECT 'a'::pg_catalog.text COLLATE pg_catalog.\"C\"",
        "SELECT pg_catalog.lower('A'), pg_catalog.pg_class.relname FROM pg_catalog.pg_class",
        "SELECT relname FROM pg_class",
        "SELECT count(*) FROM a FOR UPDATE OF a", "SELECT a FROM b FOR NO KEY UPDATE", "SELECT current_setting('a')",
        "SELECT 'BEGIN; $1 \\i other.a' /* COMMIT; /* $1 */ other.a */", "SELECT E'\\x1B'", "SELECT $a$ $1; $$ $a$",
        "ALTER TABLE a ALTER COLUMN b TYPE bigint USING a.b::bigint, ALTER c SET DEFAULT 1", "ANALYZE a",
        "REINDEX TABLE a",
        "CREATE TYPE a AS ENUM ('b')", "CREATE DOMAIN a AS text CHECK (value <> '')", "REFRESH MATERIALIZED VIEW a",
        "CREATE SEQUENCE a OWNED BY b.c", "ALTER SEQUENCE a OWNED BY b.c", "COMMENT ON COLUMN a.b IS 'c'",
        "CREATE TABLE a (b bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, c text COLLATE \"C\" NOT NULL DEFAULT now())",
        "CREATE TABLE a (b int, EXCLUDE USING gist (c WITH =), CHECK (b > 0))",
        "ALTER TABLE a ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON a FOR UPDATE USING (EXISTS (SELECT 1 FROM b JOIN c ON b.d = c.d))", "VALUES (1), (2)",
        "SELECT a[1:2], b @> '{1}', c ? 'd' FROM e", "SELECT setval('a_b_seq', 1)",
        "CREATE STATISTICS s ON a, b FROM c",
        "-- chatdb: data-loss\r\nDELETE FROM a;\r\n", "-- chatdb is a tool\nSELECT 1", "-- a\rSELECT 1",
        "SELECT \(String(repeating: "a", count: 63)) FROM b", "SELECT '\(String(repeating: "a", count: 64))'",
        "CREATE VIEW a AS SELECT b.c FROM b LEFT JOIN d ON b.e = d.e, f WHERE b.g = f.g WITH CHECK OPTION",
        "SELECT a.b FROM a GROUP BY a.b, a.c HAVING max(a.d) > 1 LIMIT 1",
        "SELECT a FROM b WINDOW w AS (ORDER BY b.c, b.d)",
        "INSERT INTO a (b) VALUES (1) RETURNING a.b, a.c", "DELETE FROM a WHERE a.b = 1 RETURNING a.c, a.d",
    ]

    @Test("harmless statements that resemble forbidden ones are allowed", arguments: allowed)
    func accepted(_ sql: String) {
        #expect(refusals(up: sql)?.problems.map(\.description) == nil)
    }

    @Test("the down file is validated like the up file, and so is down SQL from a database")
    func down() throws {
        let invalid = try #require(refusals(up: "SELECT 1", down: "SELECT 1;\nTRUNCATE a"))
        #expect(invalid.problems.map(\.file) == ["postgres/chat/20271101_a.down.sql"])
        #expect(invalid.problems.map(\.line) == [2])
        let script = try MigrationScript(
            storedDown: "-- chatdb: data-loss\nDROP TABLE a;\n DROP FUNCTION f", of: "20271101_a", syntax: .postgres)
        #expect(try script.statements.map(\.line) == [2, 3])
        #expect(try script.directives == [.dataLoss])
        #expect(throws: MigrationFileError.self) {
            try MigrationScript(storedDown: "DO $$ BEGIN END $$", of: "20271101_a", syntax: .postgres)
        }
    }

    @Test("any text becomes a migration with statements, or problems with lines in the text", arguments: 1...20)
    func soup(_ seed: UInt64) throws {
        var soup = MigrationSoup(seed: seed, pieces: Self.pieces)
        var accepted = 0
        for _ in 0..<200 {
            let text = soup.text()
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            do throws(MigrationFileError) {
                let migrations = try MigrationSource.embedded([("postgres/chat/20271101_a.up.sql", text)])
                    .load(for: .postgres)
                let statements = try migrations[.chat]?.first?.up.statements ?? []
                #expect(!statements.isEmpty)
                #expect(statements.allSatisfy { (1...lines).contains($0.line) && !$0.firstLine.isEmpty })
                accepted += 1
            } catch {
                guard case .invalid(let invalid) = error else { throw error }
                #expect(!invalid.problems.isEmpty)
                #expect(invalid.problems.allSatisfy { (1...lines).contains($0.line ?? 1) })
            }
        }
        #expect(accepted > 0)
    }

    private static let pieces = [
        "CREATE", "ALTER", "DROP", "TEMP", "TRIGGER", "TABLE", "INDEX", "FUNCTION", "ON", "BEGIN", "ATOMIC", "END", ";",
        ";", "INSERT", "INTO", "UPDATE", "DELETE", "FROM", "USING", "WHERE", "SELECT", "RENAME", "COLUMN", "TO", "IF",
        "EXISTS", "ONLY", "CASCADE", "other", ".", ".", ",", "store", "\"Migrations\"", "'store'", "set_config", "(",
        ")",
        "[", "]", "$1", "$$", "$a$", "E'\\'", "'", "/*", "*/", "-- chatdb: data-loss\n", "-- c\n", "\n", "\r\n", "\r",
        "\u{FEFF}", "\u{301}", "\u{0}", "a", "b", "1", "*", "::", "\\",
    ]

    private func refusals(up: String, down: String? = nil) -> InvalidMigrations? {
        var files = [(path: "postgres/chat/20271101_a.up.sql", content: up)]
        if let down { files.append((path: "postgres/chat/20271101_a.down.sql", content: down)) }
        return problems(of: .embedded(files), for: .postgres)
    }
}
