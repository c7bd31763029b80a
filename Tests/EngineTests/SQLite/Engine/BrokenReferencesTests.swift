import ChatDBKit
import Foundation
import TestKit
import Testing

/// Foreign keys that SQLite cannot check: to a table that does not exist, and to columns that are not unique.
@Suite struct BrokenReferencesTests {
    private let scratch: DatabaseFolder
    private let connection: any MigrationConnection

    init() throws {
        scratch = try DatabaseFolder()
        connection = try SQLiteEngine().openForMigration(scratch.file("x.db"), creating: true)
        try connection.begin()
        try run("CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE, UNIQUE (name, mail))")
    }

    private func run(_ statement: String) throws { try connection.run(.unchecked(sql: statement)) }

    @Test("foreign keys to a primary key, to unique columns and to a table under another case have what they need")
    func whole() throws {
        try run("CREATE TABLE a(p INTEGER REFERENCES People, m TEXT REFERENCES people(mail))")
        try run("CREATE TABLE b(n TEXT, m TEXT, self INTEGER PRIMARY KEY REFERENCES b)")
        try run("CREATE TABLE c(n TEXT, m TEXT, FOREIGN KEY (n, m) REFERENCES people(name, mail))")
        #expect(try connection.brokenReferences().isEmpty)
    }

    @Test("a foreign key without its table is named, and so is one to columns that are not unique")
    func broken() throws {
        try run(
            "CREATE TABLE a(n TEXT REFERENCES people(name), p INTEGER REFERENCES people, o INTEGER REFERENCES x)")
        let lacking = BrokenReference(table: "a", columns: ["o"], parent: "x", lacksParent: true)
        let mismatched = BrokenReference(
            table: "a", columns: ["n"], parent: "people", parentColumns: ["name"], lacksParent: false)
        #expect(try connection.brokenReferences() == [lacking, mismatched])
        #expect(lacking.reason == "a(o) refers to the table x, which does not exist")
        #expect(mismatched.reason == "a(n) refers to people(name), which needs PRIMARY KEY or UNIQUE")
        try run("CREATE UNIQUE INDEX by_name ON people(name)")
        try run("CREATE TABLE x(id INTEGER PRIMARY KEY)")
        #expect(try connection.brokenReferences().isEmpty)
    }

    @Test("each foreign key to columns that are not unique is named, and no other one to the same table")
    func several() throws {
        try run("CREATE TABLE pairs(x TEXT, y TEXT, PRIMARY KEY (x, y))")
        try run("CREATE UNIQUE INDEX some ON people(name) WHERE name <> ''")
        try run(
            """
            CREATE TABLE a(
                m TEXT REFERENCES people(mail), n TEXT REFERENCES people(name), o TEXT REFERENCES pairs(y),
                p INTEGER REFERENCES people(id), FOREIGN KEY (n, m) REFERENCES pairs(y, x),
                FOREIGN KEY (m, n) REFERENCES people(mail, Name))
            """)
        try run("ALTER TABLE a ADD COLUMN z TEXT REFERENCES people(mail)")
        #expect(try connection.brokenReferences().map(\.columns) == [["o"], ["n"]])
    }

    @Test("a foreign key to an index with another collation, to a name with a quote, or to a view is named")
    func unusual() throws {
        try run(#"CREATE TABLE "pe""x"(id INTEGER PRIMARY KEY, k TEXT)"#)
        try run(#"CREATE UNIQUE INDEX folded ON "pe""x"(k COLLATE NOCASE)"#)
        try run(#"CREATE TABLE a(k TEXT REFERENCES "pe""x"(k), p INTEGER REFERENCES "pe""x")"#)
        try run("CREATE VIEW v AS SELECT id FROM people")
        try run("CREATE TABLE b(i INTEGER REFERENCES v(id))")
        #expect(
            try connection.brokenReferences().map(\.reason) == [
                #"a(k) refers to pe"x(k), which needs PRIMARY KEY or UNIQUE"#,
                "b(i) refers to v, which is a view and no table",
            ])
    }

    @Test("of a table with such a key, the rows of its other foreign keys are found as SQLite finds them")
    func otherKeys() throws {
        try run(
            """
            CREATE TABLE a(
                n TEXT REFERENCES people(name), p INTEGER REFERENCES people, o INTEGER REFERENCES x,
                m INTEGER REFERENCES people(mail))
            """)
        try run(
            "CREATE TABLE c(n TEXT PRIMARY KEY REFERENCES people(name), p INTEGER REFERENCES people) WITHOUT ROWID")
        try run("INSERT INTO people(id, mail) VALUES (1, '1')")
        try run("INSERT INTO a VALUES ('x', 7, 5, 1), (NULL, 1, NULL, NULL), ('y', NULL, NULL, 2)")
        try run("INSERT INTO c VALUES ('z', 9)")
        let found = [
            DanglingReference(table: "a", row: 1, parent: "people", columns: ["p"]): 1,
            DanglingReference(table: "a", row: 1, parent: "x", columns: ["o"]): 1,
            DanglingReference(table: "a", row: 3, parent: "people", columns: ["m"]): 1,
            DanglingReference(table: "c", row: nil, parent: "people", columns: ["p"]): 1,
        ]
        for tables in [nil, ["a", "c"]] as [Set<String>?] {
            #expect(try connection.danglingReferences(touching: tables) == found)
        }
        try run("CREATE UNIQUE INDEX by_name ON people(name)")
        #expect(try connection.danglingReferences(touching: nil).filter { $0.key.columns != ["n"] } == found)
    }

    @Test(
        "the rows of these keys have their numbers beside columns with names of the number, unless they have all names",
        arguments: [(["_rowid_"], 2), (["RowID", "oid"], 2), (["rowid", "_rowid_", "OID"], nil)]
            as [([String], Int64?)])
    func namesOfRowIDs(_ names: [String], _ row: Int64?) throws {
        let columns = names.map { "\($0) TEXT DEFAULT 'x', " }.joined()
        try run("CREATE TABLE a(\(columns)n TEXT REFERENCES people(name), p INTEGER REFERENCES people)")
        try run("INSERT INTO a(n, p) VALUES ('x', NULL), ('y', 7)")
        let found = [DanglingReference(table: "a", row: row, parent: "people", columns: ["p"]): 1]
        #expect(try connection.danglingReferences(touching: nil) == found)
    }

    @Test("the search for missing rows leaves out such a key, and searches the other tables")
    func missingRows() throws {
        try run("CREATE TABLE a(n TEXT REFERENCES people(name))")
        try run("CREATE TABLE b(p INTEGER REFERENCES people)")
        try run("INSERT INTO a VALUES ('x')")
        try run("INSERT INTO b VALUES (7)")
        for tables in [nil, ["a", "b"]] as [Set<String>?] {
            #expect(try connection.danglingReferences(touching: tables).keys.map(\.table) == ["b"])
        }
    }
}
