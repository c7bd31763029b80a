import ChatDBKit
import Testing

@testable import ChatDBMigrations

/// What plans read in the statements of a migration, for both engines.
@Suite struct PostgresFactsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let sql: String
        var alteration: StatementFacts.Alteration?
        var dropped: [String] = []
        var deleted: String?
        /// What follows `SELECT count(*) FROM`.
        var counted: String?
        var leavesRows = false
        var testDescription: String { sql.debugDescription }
    }

    static let alterations: [Example] = [
        Example(sql: "ALTER TABLE a RENAME TO b", alteration: .renamesTable("a", to: "b")),
        Example(
            sql: "alter table IF EXISTS ONLY Groups * RENAME TO \"Groups\"",
            alteration: .renamesTable("groups", to: "Groups")),
        Example(sql: "ALTER TABLE \"a\"\"b\" RENAME TO C", alteration: .renamesTable("a\"b", to: "c")),
        Example(sql: "ALTER TABLE s.a RENAME TO b", alteration: .renamesTable("a", to: "b")),
        Example(
            sql: "ALTER TABLE a RENAME COLUMN B TO c", alteration: .renamesColumn("b", of: "a", to: "c"),
            leavesRows: true),
        Example(
            sql: "ALTER TABLE a RENAME b TO \"C\"", alteration: .renamesColumn("b", of: "a", to: "C"), leavesRows: true),
        Example(
            sql: "ALTER TABLE a RENAME \"to\" TO b", alteration: .renamesColumn("to", of: "a", to: "b"),
            leavesRows: true),
        Example(sql: "ALTER TABLE a RENAME CONSTRAINT b TO c", leavesRows: true),
        Example(
            sql: "ALTER TABLE a DROP COLUMN IF EXISTS b CASCADE", alteration: .dropsColumns(["b"], of: "a"),
            leavesRows: true),
        Example(
            sql:
                "ALTER TABLE ONLY a ADD b numeric(3, 2) DEFAULT f(1, 2), DROP C, DROP CONSTRAINT d, ALTER e DROP DEFAULT,"
                + " DROP COLUMN \"F\" RESTRICT, DROP if",
            alteration: .dropsColumns(["c", "F", "if"], of: "a"), leavesRows: true),
        Example(sql: "ALTER TABLE a ALTER COLUMN b TYPE bigint USING c::bigint", leavesRows: true),
        Example(sql: "ALTER TABLE a ATTACH PARTITION b DEFAULT"), Example(sql: "ALTER TABLE a DETACH PARTITION b"),
        Example(sql: "ALTER TABLE a NO INHERIT b"), Example(sql: "ALTER TABLE a", leavesRows: true),
        Example(sql: "ALTER"),
        Example(sql: "ALTER INDEX a RENAME TO b"), Example(sql: "CREATE UNIQUE INDEX a ON b (c)", leavesRows: true),
        Example(sql: "CREATE INDEX ON a (b)", leavesRows: true), Example(sql: "CREATE TABLE a (b int)"),
    ]

    static let rows: [Example] = [
        Example(sql: "DROP TABLE a", dropped: ["a"]),
        Example(sql: "DROP TABLE IF EXISTS A, s.b, \"C\" CASCADE", dropped: ["a", "b", "C"]),
        Example(sql: "DROP TABLE a, b RESTRICT", dropped: ["a", "b"]), Example(sql: "DROP TABLE"),
        Example(sql: "DROP VIEW a, b"), Example(sql: "DROP INDEX a"),
        Example(sql: "DELETE FROM a", deleted: "a", counted: "a"),
        Example(
            sql: "DELETE FROM ONLY s.Groups AS g WHERE g.b IN (SELECT c FROM d WHERE e) RETURNING g.b, g.c",
            deleted: "groups", counted: "ONLY s.Groups AS g WHERE g.b IN (SELECT c FROM d WHERE e) "),
        Example(
            sql: "DELETE FROM \"A\" * WHERE b = 'RETURNING'", deleted: "A", counted: "\"A\" * WHERE b = 'RETURNING'"),
        Example(
            sql: "DELETE FROM a USING b JOIN c USING (d), e WHERE a.f = b.f", deleted: "a",
            counted: "a WHERE EXISTS (SELECT FROM b JOIN c USING (d), e WHERE a.f = b.f)"),
        Example(
            sql: "DELETE FROM a -- c\nusing b RETURNING 1", deleted: "a",
            counted: "a -- c\nWHERE EXISTS (SELECT FROM b )"),
        Example(sql: "DELETE FROM"), Example(sql: "WITH a AS (SELECT 1) DELETE FROM b"),
        Example(sql: "INSERT INTO a SELECT * FROM b"), Example(sql: "UPDATE ONLY a SET b = 1"),
    ]

    @Test("the facts about a statement for PostgreSQL", arguments: alterations + rows)
    func facts(_ example: Example) throws {
        let facts = try self.facts(example.sql, .postgres)
        #expect(facts.alteration == example.alteration)
        #expect(facts.dropped == example.dropped)
        #expect(facts.deletion?.table == example.deleted)
        #expect(facts.deletion?.rest == example.counted)
        #expect(facts.leavesRows == example.leavesRows)
    }

    static let sqlite: [Example] = [
        Example(sql: "ALTER TABLE main.A RENAME TO B", alteration: .renamesTable("A", to: "B")),
        Example(
            sql: "ALTER TABLE [a] RENAME COLUMN b TO 'c'", alteration: .renamesColumn("b", of: "a", to: "c"),
            leavesRows: true),
        Example(
            sql: "alter table a rename b to c", alteration: .renamesColumn("b", of: "a", to: "c"), leavesRows: true),
        Example(sql: "ALTER TABLE a DROP COLUMN b", alteration: .dropsColumns(["b"], of: "a"), leavesRows: true),
        Example(sql: "ALTER TABLE a DROP b", alteration: .dropsColumns(["b"], of: "a"), leavesRows: true),
        Example(sql: "ALTER TABLE a ADD COLUMN b INTEGER", leavesRows: true),
        Example(sql: "DROP TABLE IF EXISTS main.A", dropped: ["A"]),
        Example(sql: "DELETE FROM main.a WHERE b ORDER BY c", deleted: "a", counted: "main.a WHERE b "),
        Example(sql: "CREATE UNIQUE INDEX i ON a (b)", leavesRows: true),
        Example(sql: "CREATE TRIGGER a DELETE ON b BEGIN c; END"),
    ]

    @Test("the facts about a statement for SQLite", arguments: sqlite)
    func factsForSQLite(_ example: Example) throws {
        let facts = try self.facts(example.sql, .sqlite)
        #expect(facts.alteration == example.alteration)
        #expect(facts.dropped == example.dropped)
        #expect(facts.deletion?.table == example.deleted)
        #expect(facts.deletion?.rest == example.counted)
        #expect(facts.leavesRows == example.leavesRows)
    }

    @Test("a statement has its words and names: those of PostgreSQL as it reads them, those of SQLite in lower case")
    func names() throws {
        let sql = "INSERT INTO Groups SELECT 'text', \"Other\" FROM b"
        #expect(try facts(sql, .postgres).names == ["insert", "into", "groups", "select", "Other", "from", "b"])
        #expect(try facts(sql, .sqlite).names == ["insert", "into", "groups", "select", "text", "other", "from", "b"])
    }

    @Test("tables whose names differ in case are two tables of PostgreSQL, and one of SQLite")
    func renames() throws {
        for (syntax, name) in [(SQLSyntax.postgres, "a"), (.sqlite, "b")] {
            let facts = try facts("ALTER TABLE \"A\" RENAME TO b", syntax)
            let table = TableStructure(columns: [], primaryKey: [])
            let live = DatabaseStructure(tables: ["a": table])
            #expect(Renames(reading: [facts], syntax: syntax, of: live).name(of: "a", among: ["b"]) == name)
        }
    }

    private func facts(_ sql: String, _ syntax: SQLSyntax) throws -> StatementFacts {
        let statement = try #require(try SQLStatements.split(sql, syntax: syntax).first)
        var problems = InvalidMigrations()
        switch syntax {
        case .sqlite: return try StatementRules.check(statement, source: "a", problems: &problems)
        case .postgres: return try PostgresStatementRules.check(statement, source: "a", problems: &problems)
        }
    }
}
