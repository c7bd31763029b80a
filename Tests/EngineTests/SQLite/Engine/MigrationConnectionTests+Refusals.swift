import ChatDBKit
import Foundation
import Testing

/// What a connection that changes a schema refuses, and what it lets pass.
extension MigrationConnectionTests {
    @Test(
        "what a migration must never do is refused with its reason, and nothing of it happens",
        arguments: [
            ("COMMIT", "transaction"), ("END", "transaction"), ("ROLLBACK", "transaction"), ("BEGIN", "transaction"),
            ("SAVEPOINT s", "transaction"), ("RELEASE s", "transaction"), ("ROLLBACK TO s", "transaction"),
            ("ATTACH 'pwn.db' AS p", "attaches"), ("DETACH main", "detaches"),
            ("PRAGMA foreign_keys = ON", "PRAGMA"), ("PRAGMA writable_schema = ON", "PRAGMA"),
            ("PRAGMA journal_mode = OFF", "PRAGMA"), ("PRAGMA table_info(parents)", "PRAGMA"),
            ("SELECT * FROM pragma_table_info('parents')", "PRAGMA"),
            ("SELECT load_extension('x')", "load_extension"), ("SELECT LOAD_EXTENSION('x')", "load_extension"),
            ("SELECT fts3_tokenizer('x')", "fts3_tokenizer"),
            ("CREATE TEMP TABLE x(a)", "temporary"), ("CREATE TEMPORARY VIEW x AS SELECT 1", "temporary"),
            ("CREATE TABLE temp.x(a)", "temporary"), ("CREATE VIEW temp.x AS SELECT 1", "temporary"),
            ("CREATE TABLE \"TEMP\".x AS SELECT 1", "temporary"),
            ("CREATE VIRTUAL TABLE temp.x USING fts5(a)", "temporary"),
            ("CREATE TEMP TRIGGER x AFTER INSERT ON log BEGIN SELECT 1; END", "temporary"),
            ("INSERT INTO migrations VALUES ('x')", "migrations"), ("DELETE FROM MIGRATIONS", "migrations"),
            ("UPDATE \"Store\" SET store_id = 'x'", "store"), ("DROP TABLE store", "store"),
            ("DROP TABLE main.migrations", "migrations"), ("ALTER TABLE migrations RENAME TO old", "migrations"),
            ("ALTER TABLE Store ADD COLUMN x", "store"), ("ALTER TABLE store DROP COLUMN store_id", "store"),
            ("CREATE INDEX x ON migrations(name)", "migrations"),
            ("CREATE TRIGGER x AFTER INSERT ON migrations BEGIN SELECT 1; END", "migrations"),
            ("CREATE TRIGGER x AFTER INSERT ON log BEGIN DELETE FROM store; END; ", ""),
        ])
    func refusals(_ statement: String, _ reason: String) throws {
        let before = try connection.structure()
        if reason.isEmpty {
            // A trigger may be made, and is refused where it would write.
            try execute(statement)
            let error = try storeError(.denied) { try execute("INSERT INTO log VALUES ('x')") }
            #expect(error.message.contains("store"))
        } else {
            let error = try storeError(.denied) { try execute(statement) }
            #expect(error.message.contains(reason), "\(error)")
            #expect(try connection.structure() == before)
        }
        #expect(connection.isInTransaction)
        #expect(try connection.rowCount(of: "migrations") == 1)
        #expect(try connection.rowCount(of: "store") == 1)
        #expect(try scratch.names().allSatisfy { $0.hasPrefix("x.db") })
    }

    @Test(
        "statements that fail in other ways leave the transaction as it was",
        arguments: [
            "VACUUM", "VACUUM INTO 'x'", "SELEKT", "DROP TABLE nowhere", "INSERT INTO parents VALUES (1, 'x')",
            "UPDATE sqlite_master SET sql = 'x'", "DELETE FROM parents; DELETE FROM children", "-- nothing", "",
            "CREATE TABLE sqlite_x(a)",
        ])
    func failures(_ statement: String) throws {
        try storeError { try execute(statement) }
        #expect(connection.isInTransaction)
        #expect(try connection.rowCount(of: "parents") == 2)
        #expect(try connection.rowCount(of: "children") == 2)
    }

    @Test("a statement whose failure ends the transaction is a failure, and what follows cannot be committed")
    func transactionEnds() throws {
        try execute("DELETE FROM children")
        try storeError { try execute("INSERT OR ROLLBACK INTO parents VALUES (1, 'x')") }
        #expect(!connection.isInTransaction)
        #expect(try connection.rowCount(of: "children") == 2)
        try storeError { try connection.commit() }
        connection.rollback()
    }

    @Test("what SQLite asks itself for a statement is allowed: data_version for FTS5, quick_check for a new CHECK")
    func ownQuestions() throws {
        try execute("INSERT INTO words VALUES ('one'), ('two')")
        try execute("DELETE FROM words WHERE words MATCH 'one'")
        try execute("INSERT INTO words(words) VALUES ('rebuild')")
        try execute("CREATE VIRTUAL TABLE more USING fts5(a, content='parents')")
        try execute("DROP TABLE more")
        try execute("ALTER TABLE parents ADD COLUMN age INTEGER NOT NULL DEFAULT 0 CHECK (age >= 0)")
        try execute("ALTER TABLE parents ADD COLUMN half INTEGER AS (age / 2) CHECK (half < 100)")
        #expect(try connection.count("SELECT count(*) FROM words") == 1)
    }

    @Test("ALTER TABLE with a CHECK that the rows do not keep is refused by SQLite's own check")
    func newCheck() throws {
        try storeError { try execute("ALTER TABLE parents ADD COLUMN age INTEGER DEFAULT 0 CHECK (age > 0)") }
        #expect(connection.isInTransaction)
    }
}
