import ChatDBKit
import Foundation
import Testing

/// A connection that changes a schema: what it tells of a statement, and that its transaction is in nobody's hands.
@Suite struct MigrationConnectionTests {
    private struct Stop: Error {}

    let scratch: DiagnosisFolder
    let connection: any MigrationConnection

    init() throws {
        scratch = try DiagnosisFolder()
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
        effect.written = written
        effect.altered = altered
        return effect
    }

    // MARK: Effects

    @Test("what a statement is going to touch is told before it runs, triggers included")
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

    @Test("an error of whoever is asked before a statement keeps it from running, and arrives as it is")
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
        // Whatever runs next, through whichever door, runs in the new way.
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
}
