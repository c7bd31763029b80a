import ChatDBKit
import Testing

/// Which indexes of a source have no rows: a copy to a server makes them before the rows come.
@Suite struct EmptyIndexTests {
    private let folder: DatabaseFolder
    private let path: String

    init() throws {
        folder = try DatabaseFolder()
        path = folder.file("x.db")
        let connection = try SQLiteEngine().openForMigration(path, creating: true)
        try connection.run(
            "CREATE TABLE items(id INTEGER PRIMARY KEY, \"group\" INTEGER, note INTEGER, kind TEXT) STRICT")
        for index in [
            "INDEX groups ON items(\"group\") WHERE \"group\" IS NOT NULL",
            "INDEX notes ON items(note) WHERE note IS NOT NULL",
            "INDEX odd ON items(id) WHERE kind = 'It''s odd' AND note > 1",
            "UNIQUE INDEX keys ON items(kind) WHERE kind = 'key'", "INDEX whole ON items(kind)",
        ] {
            try connection.run(.unchecked(sql: "CREATE \(index)"))
        }
        try connection.run("INSERT INTO items VALUES (1, 7, NULL, 'plain')")
        connection.close()
    }

    private func empty() throws -> Set<String> {
        let snapshot = try SQLiteEngine().openSnapshot(path)
        defer { snapshot.close() }
        let source = try #require(snapshot as? any TableSource)
        return try source.emptyIndexes()
    }

    @Test("a partial index without rows is named, and no index that has one, is unique or has all rows")
    func named() throws {
        #expect(try empty() == ["notes", "odd"])
        let connection = try SQLiteEngine().openForMigration(path, creating: false)
        try connection.run("INSERT INTO items VALUES (2, NULL, 2, 'It''s odd')")
        connection.close()
        #expect(try empty() == [])
    }
}
