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

    @Test("the search for missing rows leaves out the table with such a key, and searches the others")
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
