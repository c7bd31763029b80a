import CChatDBSQLite
import ChatDBKit
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import ChatDBEngineSQLite

/// S16: every setting read back on a real connection, not in the list it was set from.
@Suite struct HardenedProfileTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
        let engine = SQLiteEngine()
        let connection = try engine.open(scratch.file("x.db"), as: .create)
        try connection.write { transaction in
            try transaction.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
            try transaction.run("CREATE VIEW v AS SELECT * FROM t")
            try transaction.run("CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END")
            try transaction.run("CREATE VIRTUAL TABLE f USING fts5(words)")
            try transaction.run("INSERT INTO f VALUES ('some words'), ('other words')")
        }
        try connection.close()
    }

    private func hardened<T>(_ body: (Database) throws -> T) throws -> T {
        let queue = try ReadingProfile.hardened(QueryTimeLimit(.seconds(10))).open(scratch.file("x.db"))
        defer { try? queue.close() }
        return try queue.unsafeRead(body)
    }

    private func flag(_ option: CInt, _ database: Database) -> CInt {
        var now: CInt = -1
        _ = chatdb_db_config_bool(database.sqliteConnection, option, -1, &now)
        return now
    }

    @Test("S16: every flag has the wanted value")
    func flags() throws {
        let wanted: [(CInt, CInt)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
        ]
        try hardened { database in
            for (option, value) in wanted { #expect(flag(option, database) == value, "option \(option)") }
        }
    }

    @Test("S16: every limit has the wanted value, and a later one cannot be higher")
    func limits() throws {
        let wanted: [(CInt, CInt)] = [
            (SQLITE_LIMIT_LENGTH, 8_388_608), (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_COLUMN, 500),
            (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 20), (SQLITE_LIMIT_VDBE_OP, 200_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
        ]
        #expect(wanted.count == HardenedProfile.limits.count)
        try hardened { database in
            for (limit, value) in wanted {
                #expect(sqlite3_limit(database.sqliteConnection, limit, -1) == value, "limit \(limit)")
            }
        }
    }

    @Test("S16: every setting in SQL has the wanted value")
    func pragmas() throws {
        try hardened { database in
            for (name, value) in [("cell_size_check", 1), ("mmap_size", 0), ("temp_store", 2), ("query_only", 1)] {
                // No row: this SQLite has no memory mapping at all.
                let now = try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
                #expect(now == value, "\(name)")
            }
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_temp_master") == 0)
        }
    }

    @Test("flags and limits hold before the schema is read, and the authorizer is there afterwards")
    func order() throws {
        // A table beyond the limit of columns: were the limit set after the schema is read, the file would open.
        let path = scratch.file("wide.db")
        let columns = (1...600).map { "c\($0)" }.joined(separator: ", ")
        let made = try SQLiteEngine().open(path, as: .create)
        try made.write { _ = try $0.run(.unchecked(sql: "CREATE TABLE wide(\(columns))")) }
        try made.close()
        let error = try storeError(.beyondLimits) {
            let connection = try SQLiteEngine().open(path, as: .untrusted)
            _ = try connection.read { try $0.rows("SELECT * FROM wide") }
        }
        #expect(error.message.contains("too many columns"))
        // Without our authorizer the connection could make temporary things.
        #expect(throws: DatabaseError.self) { try hardened { try $0.execute(sql: "CREATE TEMP TABLE x(a)") } }
        try hardened { database in
            // Even with the one setting switched off that GRDB itself switches.
            try database.execute(sql: "PRAGMA query_only = 0")
            #expect(throws: DatabaseError.self) { try database.execute(sql: "CREATE TEMP TABLE x(a)") }
            #expect(throws: DatabaseError.self) { try database.execute(sql: "INSERT INTO t(b) VALUES ('x')") }
        }
    }

    @Test(
        "a hardened connection refuses forbidden statements",
        arguments: [
            "ATTACH ':memory:' AS m", "DETACH main", "VACUUM", "VACUUM INTO 'x'", "CREATE TEMP TABLE x(a)",
            "CREATE TEMP VIEW x AS SELECT 1", "CREATE TABLE x(a)", "INSERT INTO t(b) VALUES ('x')", "DELETE FROM t",
            "UPDATE t SET b = 'x'", "DROP TABLE t", "ALTER TABLE t ADD COLUMN c", "REINDEX", "ANALYZE",
            "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT * FROM v",
            "PRAGMA journal_mode = OFF", "PRAGMA journal_mode = MEMORY", "PRAGMA writable_schema = ON",
            "PRAGMA mmap_size = 1000000", "PRAGMA cell_size_check = OFF", "PRAGMA temp_store = FILE",
            "PRAGMA temp_store_directory = '/tmp'", "PRAGMA trusted_schema = ON", "PRAGMA user_version = 1",
            "PRAGMA application_id = 1", "PRAGMA schema_version = 1", "PRAGMA wal_checkpoint",
            "PRAGMA hard_heap_limit = 1", "PRAGMA soft_heap_limit = 1", "PRAGMA threads = 9", "PRAGMA optimize",
            "PRAGMA case_sensitive_like = ON", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA synchronous = OFF",
            "INSERT INTO f(f) VALUES ('rebuild')", "SELECT * FROM pragma_wal_checkpoint",
        ])
    func refused(_ sql: String) throws {
        let before = try scratch.image()
        let connection = try SQLiteEngine().open(scratch.file("x.db"), as: .untrusted)
        let error = try storeError { _ = try connection.read { try $0.rows(.unchecked(sql: sql)) } }
        #expect(![.other, .damaged].contains(error.kind), "\(error.kind) \(error)")
        try connection.close()
        #expect(try scratch.image() == before)
    }

    @Test("a connection that reads may use the schema, its pragmas, recursion and full-text search")
    func allowed() throws {
        let connection = try SQLiteEngine().open(scratch.file("x.db"), as: .untrusted)
        try connection.read { transaction throws in
            for query in [
                "PRAGMA table_list", "PRAGMA table_info(t)", "PRAGMA table_xinfo(f)", "PRAGMA index_list(t)",
                "PRAGMA foreign_key_list(t)", "PRAGMA foreign_key_check", "PRAGMA journal_mode",
                "PRAGMA user_version", "PRAGMA application_id", "PRAGMA page_count", "PRAGMA freelist_count",
                "SELECT * FROM pragma_table_info('t')", "SELECT sql FROM sqlite_master",
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n",
                "SELECT * FROM f ORDER BY rank", "SELECT sqlite_version()",
            ] as [Query] {
                _ = try transaction.rows(query)
            }
            #expect(try transaction.count("SELECT count(*) FROM f WHERE f MATCH \("words")") == 2)
            #expect(try transaction.count("SELECT count(*) FROM f WHERE f MATCH \("other")") == 1)
        }
        let structure = try connection.structure()
        #expect(structure.tables.keys.sorted() == ["f", "t"] && structure.views.keys.sorted() == ["v"])
        #expect(structure.triggers.keys.sorted() == ["g"])
        #expect(try connection.integrityProblems().isEmpty)
        try connection.close()
    }
}
