import ChatDBKit
import Foundation
import TestKit
import Testing

/// A connection that changes a schema: the effects it reports of a statement, its transaction, refusals and facts.
@Suite struct MigrationConnectionTests {
    private struct Stop: Error {}

    let scratch: DatabaseFolder
    let connection: any MigrationConnection

    init() throws {
        scratch = try DatabaseFolder()
        connection = try SQLiteEngine().openForMigration(scratch.file("x.db"), creating: true)
        try connection.begin()
        for statement in [
            "CREATE TABLE parents(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
            "CREATE TABLE children(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(id) ON DELETE CASCADE)",
            "CREATE TABLE log(what TEXT)", "CREATE TABLE migrations(name TEXT PRIMARY KEY)",
            "CREATE TABLE store(store_id TEXT, generation INTEGER)", "CREATE VIEW names AS SELECT name FROM parents",
            "CREATE TRIGGER noted AFTER DELETE ON parents BEGIN INSERT INTO log VALUES ('gone'); END",
            "CREATE VIRTUAL TABLE words USING fts5(word)",
            "INSERT INTO parents VALUES (1, 'a'), (2, 'b')", "INSERT INTO children VALUES (1, 1), (2, 2)",
            "INSERT INTO migrations VALUES ('20250101_first')", "INSERT INTO store VALUES ('id', 1)",
        ] {
            try connection.run(.unchecked(sql: statement))
        }
        try connection.commit()
        try connection.begin()
    }

    private static let protected: Set<String> = ["migrations", "store"]

    @discardableResult
    func execute(_ statement: String, rebuild: Bool = false) throws -> StatementEffect {
        var noted = StatementEffect()
        try connection.execute(statement: statement, rebuild: rebuild, protected: Self.protected) { noted = $0 }
        return noted
    }

    private func effect(written: Set<String> = [], altered: Set<String> = []) -> StatementEffect {
        var effect = StatementEffect()
        (effect.written, effect.altered) = (written, altered)
        return effect
    }

    // MARK: Definitions

    @Test("the search for broken triggers and views names all of them, and does not change the schema")
    func brokenDefinitions() throws {
        #expect(try connection.brokenDefinitions().isEmpty)
        try execute("DROP TABLE log")
        try execute("CREATE VIEW missing AS SELECT surname FROM parents")
        let before = try connection.structure()
        for _ in 0..<2 { #expect(try connection.brokenDefinitions().map(\.name) == ["noted", "missing"]) }
        #expect(try connection.structure() == before && connection.isInTransaction)
    }

    // MARK: Columns

    @Test("the columns are those after each statement, and those of before after a rollback")
    func columnsFollow() throws {
        #expect(try connection.columns()["parents"] == ["id", "name"])
        try execute("ALTER TABLE parents ADD COLUMN first TEXT")
        #expect(try connection.columns()["parents"] == ["id", "name", "first"])
        connection.rollback()
        try connection.begin()
        // The schema has the number now that it had with the column first.
        try execute("ALTER TABLE parents ADD COLUMN second TEXT")
        #expect(try connection.columns()["parents"] == ["id", "name", "second"])
    }

    // MARK: Progress

    @Test("a long statement reports its steps, more each time; a short one reports none")
    func steps() throws {
        try connection.run("CREATE TABLE many(id INTEGER PRIMARY KEY, name TEXT)")
        func steps(_ statement: String) throws -> [Int64] {
            var steps: [Int64] = []
            try connection.execute(
                statement: statement, rebuild: false, protected: Self.protected, progress: { steps.append($0) },
                before: { _ in })
            return steps
        }
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
        for statement in [
            "\(numbers) INSERT INTO many(name) SELECT 'name ' || i FROM n", "CREATE INDEX by_name ON many(name, id)",
            "UPDATE many SET name = name || '!'",
        ] {
            let found = try steps(statement)
            #expect(found.count > 1, "\(statement): \(found)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "\(statement): \(found)")
        }
        #expect(try steps("DELETE FROM log").isEmpty)
        // The handler is removed: the connection's own statements report nothing.
        #expect(try connection.rows("SELECT count(*) AS c FROM many").count == 1)
    }

    // MARK: Effects

    @Test("the effects of a statement are reported before it runs, triggers included")
    func effects() throws {
        let expected: [(String, StatementEffect)] = [
            ("INSERT INTO parents VALUES (3, 'c')", effect(written: ["parents"])),
            ("REPLACE INTO parents VALUES (3, 'd')", effect(written: ["parents", "log"])),
            ("UPDATE parents SET name = name || '!'", effect(written: ["parents"])),
            ("DELETE FROM parents WHERE id = 3", effect(written: ["parents", "log"])),
            ("INSERT INTO log SELECT name FROM parents", effect(written: ["log"])),
            ("WITH x AS (SELECT 1) UPDATE children SET parent = parent", effect(written: ["children"])),
            ("ALTER TABLE log ADD COLUMN more TEXT", effect(altered: ["log"])),
            ("ALTER TABLE log DROP COLUMN more", effect(altered: ["log"])),
            ("ALTER TABLE log RENAME COLUMN what TO why", effect(altered: ["log"])),
            ("CREATE INDEX i ON children(parent)", effect()),
            ("SELECT count(*) FROM parents", effect()),
            ("DROP TABLE children", effect(written: ["children"])),
        ]
        for (statement, wanted) in expected {
            let noted = try execute(statement)
            // A trigger of REPLACE is only run with recursive triggers; to have it in the list is on the safe side.
            #expect(noted.written.subtracting(wanted.written) == [] && noted.altered == wanted.altered, "\(statement)")
            #expect(wanted.written.subtracting(noted.written).subtracting(["log"]) == [], "\(statement): \(noted)")
        }
        #expect(try execute("DELETE FROM parents").written == ["parents", "log"])
        #expect(try execute("ALTER TABLE log RENAME TO protocol").altered == ["log"])
    }

    @Test("an error of the function called before a statement prevents the statement, and is rethrown unchanged")
    func askedBefore() throws {
        #expect(throws: Stop.self) {
            try connection.execute(statement: "DELETE FROM parents", rebuild: false, protected: []) { _ in throw Stop()
            }
        }
        #expect(try connection.rowCount(of: "parents") == 2)
        #expect(connection.isInTransaction)
        // The database may be asked while the statement waits.
        try connection.execute(statement: "DELETE FROM parents", rebuild: false, protected: []) { _ throws in
            #expect(try connection.rowCount(of: "parents") == 2)
            #expect(try connection.structure().tables.keys.contains("parents"))
        }
        #expect(try connection.rowCount(of: "parents") == 0)
    }

    // MARK: Rebuilds

    @Test("renaming in the old way is for statements of a rebuild alone")
    func rebuild() throws {
        // With the old way a reference follows no renamed table; with the new one it does.
        try execute("ALTER TABLE parents RENAME TO old_parents", rebuild: true)
        #expect(try connection.structure().tables["children"]?.foreignKeys.first?.parent == "parents")
        try execute("ALTER TABLE old_parents RENAME TO parents", rebuild: true)
        let names = try connection.first("SELECT sql FROM sqlite_master WHERE name = 'names'")?.get("sql") as String?
        #expect(names?.contains("FROM parents") == true)
        // The next statement, by any function, uses the new way of renaming.
        try connection.run("ALTER TABLE parents RENAME TO guardians")
        #expect(try connection.structure().tables["children"]?.foreignKeys.first?.parent == "guardians")
        try execute("ALTER TABLE guardians RENAME TO parents")
        #expect(try connection.structure().tables["children"]?.foreignKeys.first?.parent == "parents")
        // Also after a statement of a rebuild that failed.
        try storeError { try execute("ALTER TABLE nowhere RENAME TO x", rebuild: true) }
        try connection.run("ALTER TABLE parents RENAME TO guardians")
        #expect(try connection.structure().tables["children"]?.foreignKeys.first?.parent == "guardians")
    }

    @Test("M11: a table that others refer to is rebuilt without the loss of their rows")
    func rebuildOfParent() throws {
        try execute("CREATE TABLE new_parents(id INTEGER PRIMARY KEY, name TEXT UNIQUE, more TEXT)", rebuild: true)
        try execute("INSERT INTO new_parents(id, name) SELECT id, name FROM parents", rebuild: true)
        try execute("DROP TABLE parents", rebuild: true)
        try execute("ALTER TABLE new_parents RENAME TO parents", rebuild: true)
        #expect(try connection.rowCount(of: "children") == 2)
        #expect(try connection.danglingReferences(touching: nil) == [:])
        #expect(try connection.structure().tables["children"]?.foreignKeys.first?.parent == "parents")
    }

    // MARK: Transaction

    @Test("only commit keeps a transaction; every other end rolls it back")
    func keptByCommit() throws {
        try execute("DELETE FROM children")
        connection.rollback()
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.rowCount(of: "children") == 2)
        try connection.begin()
        try storeError { try connection.begin() }
        try execute("DELETE FROM children")
        connection.close()
        connection.close()
        let reader = try SQLiteEngine().open(scratch.file("x.db"), as: .readOnly)
        #expect(try reader.rowCount(of: "children") == 2)
        try reader.close()
    }

    @Test("a closed connection refuses every call")
    func closed() throws {
        connection.close()
        #expect(!connection.isInTransaction)
        try storeError { try connection.begin() }
        try storeError { try connection.commit() }
        try storeError { _ = try connection.structure() }
        try storeError { _ = try connection.rows("SELECT 1") }
        try storeError { try connection.forEach("SELECT 1") { _ in } }
        try storeError { try execute("DELETE FROM parents") }
        try storeError { _ = try connection.applicationMark() }
        connection.interrupt()
        connection.rollback()
    }

    @Test("a database that another connection writes is busy after a short wait", .timeLimit(.minutes(60)))
    func busy() throws {
        let other = try SQLiteEngine().openForMigration(scratch.file("x.db"), creating: false)
        try storeError(.busy) { try other.begin() }
        connection.rollback()
        try other.begin()
        other.close()
    }

    @Test("interrupt stops a running statement", .timeLimit(.minutes(60)))
    func interrupt() throws {
        let interrupt = connection.interrupt
        let cancellation = Cancellation()
        let asking = ThreadResult {
            while !cancellation.isRequested {
                interrupt()
                sched_yield()
            }
        }
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) INSERT INTO log SELECT x FROM n"
        let error = try #require(throws: StoreError.self) { try execute(endless) }
        cancellation.request()
        try asking.value()
        #expect(error.kind == .interrupted)
        #expect(try connection.rowCount(of: "log") == 0)
    }

    // MARK: Refusals

    @Test(
        "a forbidden statement of a migration is refused with the reason, and has no effect",
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
            ("CREATE VIRTUAL TABLE x USING RTree(id, a, b)", "the module rtree, which SQLite opens only with"),
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

    @Test("when a failed statement ends the transaction, later statements cannot be committed")
    func transactionEnds() throws {
        try execute("DELETE FROM children")
        try storeError { try execute("INSERT OR ROLLBACK INTO parents VALUES (1, 'x')") }
        #expect(!connection.isInTransaction)
        #expect(try connection.rowCount(of: "children") == 2)
        try storeError { try connection.commit() }
        connection.rollback()
    }

    @Test("pragmas that SQLite uses itself are allowed: data_version for FTS5, quick_check for a new CHECK")
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

    // MARK: Facts

    @Test("references to nothing are found, all of them or those near the tables that were touched")
    func danglingReferences() throws {
        try execute("CREATE TABLE pets(owner INTEGER, place TEXT, FOREIGN KEY (owner) REFERENCES PARENTS(id))")
        try execute("CREATE TABLE toys(id TEXT PRIMARY KEY, pet INTEGER REFERENCES nowhere(id)) WITHOUT ROWID")
        try execute("INSERT INTO pets VALUES (7, 'x'), (1, 'y'), (NULL, 'z')")
        try execute("INSERT INTO toys VALUES ('ball', 3)")
        let pet = DanglingReference(table: "pets", row: 1, parent: "PARENTS", columns: ["owner"])
        let toy = DanglingReference(table: "toys", row: nil, parent: "nowhere", columns: ["pet"])
        #expect(try connection.danglingReferences(touching: nil) == [pet: 1, toy: 1])
        #expect(try connection.danglingReferences(touching: ["pets"]) == [pet: 1])
        #expect(try connection.danglingReferences(touching: ["parents"]) == [pet: 1])
        #expect(try connection.danglingReferences(touching: ["nowhere"]) == [toy: 1])
        #expect(try connection.danglingReferences(touching: ["log", "gone"]) == [:])
        #expect(try connection.danglingReferences(touching: []) == [:])
        try execute("DELETE FROM parents WHERE id = 1")
        #expect(try connection.danglingReferences(touching: ["parents"]).count == 3)
    }

    @Test("rows are counted in the table itself, and tables that hold rows of their own are listed")
    func counts() throws {
        #expect(try connection.ordinaryTables() == ["parents", "children", "log", "migrations", "store"])
        #expect(try connection.rowCount(of: "parents") == 2)
        try storeError { _ = try connection.rowCount(of: "nowhere") }
        try execute("CREATE TABLE \"odd\"\"name; --\"(a)")
        #expect(try connection.rowCount(of: "odd\"name; --") == 0)
    }

    @Test("a broken index does not answer for the table")
    func notIndexed() throws {
        try #require(HelperProcess.hasSQLiteShell)
        // An index that says it is one of all rows, and is not.
        let path = try scratch.database(
            "broken.db",
            """
            CREATE TABLE t(a INTEGER, b TEXT, c TEXT, d TEXT); CREATE INDEX i ON t(a); INSERT INTO t(a) VALUES (1), (2), (3);
            PRAGMA writable_schema = ON; CREATE TABLE other(a); CREATE INDEX j ON other(a);
            UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'j') WHERE name = 'i';
            """)
        let migrating = try SQLiteEngine().openForMigration(path, creating: false)
        #expect(try migrating.rowCount(of: "t") == 3)
        #expect(try !migrating.integrityProblems().isEmpty)
        migrating.close()
    }

    @Test("the mark, the size of the file and of its tables are read")
    func facts() throws {
        #expect(try connection.applicationMark() == nil)
        try connection.setApplicationMark(0x6368_7443)
        #expect(try connection.applicationMark() == 0x6368_7443)
        try execute("INSERT INTO log SELECT zeroblob(100000)")
        let bytes = try connection.bytes(of: ["log"])
        #expect(bytes >= 100_000 && bytes < 200_000)
        #expect(try connection.bytes(of: ["log", "nowhere"]) == bytes)
        let size = try connection.size()
        #expect(size.total > bytes && size.free == 0)
        try execute("DELETE FROM log")
        #expect(try connection.size().free > 90_000)
        try connection.commit()
        try connection.refreshStatistics(of: ["parents"])
        #expect(try connection.count("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'parents'") > 0)
        #expect(try connection.count("SELECT count(*) FROM sqlite_stat1 WHERE tbl <> 'parents'") == 0)
    }

    @Test("an empty database in memory takes the same statements, and has no file to copy")
    func scratchDatabase() throws {
        let memory = try SQLiteEngine().scratch()
        try memory.begin()
        try memory.execute(statement: "CREATE TABLE t(a)", rebuild: false, protected: []) { _ in }
        try storeError(.denied) { try memory.execute(statement: "COMMIT", rebuild: false, protected: []) { _ in } }
        #expect(try memory.structure().tables.keys.sorted() == ["t"])
        try storeError { try memory.backUp(to: scratch.file("copy.db")) { _ in } }
        memory.close()
        #expect(try scratch.names().allSatisfy { $0.hasPrefix("x.db") })
    }
}
