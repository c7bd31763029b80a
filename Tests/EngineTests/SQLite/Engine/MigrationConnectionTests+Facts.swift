import ChatDBKit
import Foundation
import Testing

/// What a connection that changes a schema tells of its database.
extension MigrationConnectionTests {
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

    @Test("rows are counted in the table itself, and tables that hold rows of their own are told")
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

    @Test("the mark, the size of the file and of its tables are told")
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
