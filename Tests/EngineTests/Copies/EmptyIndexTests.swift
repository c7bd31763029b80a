import ChatDBKit
import Testing

/// Which indexes of a copy will have no rows: a copy to a server makes them before the rows come.
@Suite struct EmptyIndexTests {
    private let folder: DatabaseFolder
    private let path: String

    init() throws {
        folder = try DatabaseFolder()
        path = folder.file("x.db")
        let connection = try SQLiteEngine().openForMigration(path, creating: true)
        try connection.run(
            """
            CREATE TABLE items(id INTEGER PRIMARY KEY, "group" INTEGER, note INTEGER, kind TEXT, file INTEGER) STRICT
            """)
        for index in [
            "INDEX groups ON items(\"group\") WHERE \"group\" IS NOT NULL",
            "INDEX notes ON items(note, kind)", "INDEX kinds ON items(kind, file)",
            "INDEX odd ON items(id) WHERE kind = 'It''s odd' AND note > 1",
        ] {
            try connection.run(.unchecked(sql: "CREATE \(index)"))
        }
        try connection.run("INSERT INTO items VALUES (1, 7, NULL, 'plain', NULL)")
        connection.close()
    }

    /// As a server describes it.
    private func index(_ columns: String..., where condition: String?, unique: Bool = false) -> IndexStructure {
        IndexStructure(
            table: "items", columns: columns, unique: unique,
            condition: condition.map { SQLText(folded: $0, shown: $0) })
    }

    private func empty() throws -> Set<String> {
        let snapshot = try SQLiteEngine().openSnapshot(path)
        defer { snapshot.close() }
        let source = try #require(snapshot as? any TableSource)
        return try source.emptyIndexes(of: [
            "groups": index("\"group\"", where: "\"group\" IS NOT NULL"),
            "odd": index("id", where: "kind = 'It''s odd'::text AND note > 1"),
            "notes": index("note", "kind", where: "note IS NOT NULL"),
            "other": index("id", "note", where: "note IS NOT NULL"),
            "kinds": index("kind", where: "kind IS NOT NULL"), "files": index("file", where: "file IS NOT NULL"),
            "keys": index("note", where: "note IS NOT NULL", unique: true), "whole": index("note", where: nil),
        ])
    }

    @Test("a partial index is named if no row meets its condition, and an index of the source shows that")
    func named() throws {
        #expect(try empty() == ["notes", "odd", "other"])
        let connection = try SQLiteEngine().openForMigration(path, creating: false)
        try connection.run("INSERT INTO items VALUES (2, NULL, 2, 'It''s odd', NULL)")
        connection.close()
        #expect(try empty() == [])
    }
}
