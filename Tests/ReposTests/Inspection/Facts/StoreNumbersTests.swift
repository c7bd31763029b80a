import ChatDBKit
import TestKit
import Testing

/// Numbers of rows and states.
@Suite struct StoreNumbersTests {
    /// A database of SQLite with these statements, open for reading.
    private static func open(
        _ folder: TemporaryFolder, _ statements: [Query], limit: Duration = .seconds(10)
    ) throws -> any StorageConnection {
        let path = folder.file("numbers.db")
        let made = try SQLiteEngine().openForMigration(path, creating: true)
        for statement in statements { _ = try made.run(statement) }
        made.close()
        return try SQLiteEngine(queryTimeLimit: limit).open(path, as: .untrusted)
    }

    @Test("every column whose states are counted is public")
    func columns() {
        for (database, columns) in StoreNumbers.stateColumns {
            for entry in columns {
                let column = Catalogue.table(entry.table, of: database)?.column(entry.column)
                #expect(column?.columnClass == .public, "\(entry.table).\(entry.column)")
            }
        }
    }

    @Test("rows are counted by table, whatever its name, and states by the known word before the first space")
    func statements() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.open(
            folder,
            [
                "CREATE TABLE \"a\"\"b\"(x)", "INSERT INTO \"a\"\"b\" VALUES (1), (2), (3)",
                "CREATE TABLE files(ci_file_status)",
                """
                INSERT INTO files VALUES ('snd_error other "/home/alice"'), ('snd_error auth'), ('alice'), ('bob'),
                (NULL), (x'01'), ('snd_stored')
                """,
                "CREATE TABLE chat_relays(tested)", "INSERT INTO chat_relays VALUES (1), (0), (1), (NULL)",
            ])
        let tables = try connection.tableNames()
        #expect(tables == ["a\"b", "chat_relays", "files"])
        let numbers = StoreNumbers(of: .chat, tables: tables, reading: connection)
        #expect(numbers.rows.map(\.count) == [3, 4, 7])
        #expect(numbers.states.map(\.column) == ["tested", "ci_file_status"])
        #expect(numbers.states.first?.counts.map(\.state) == [nil, .number(0), .number(1)])
        #expect(numbers.states.first?.counts.map(\.rows) == [1, 1, 2])
        let files = Dictionary(uniqueKeysWithValues: (numbers.states.last?.counts ?? []).map { ($0.state, $0.rows) })
        #expect(files == [.text("snd_error"): 2, .text("snd_stored"): 1, .text("other"): 2, nil: 2])
    }

    @Test("a count that fails or takes too long is nil, its states are left out, and the others are counted")
    func failures() throws {
        let folder = try TemporaryFolder()
        let connection = try Self.open(
            folder,
            [
                "CREATE TABLE files(ci_file_status)", "INSERT INTO files VALUES ('new')",
                """
                CREATE VIEW group_relays AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
                SELECT x AS relay_status FROM n
                """,
            ], limit: .milliseconds(50))
        let numbers = StoreNumbers(of: .chat, tables: ["missing", "group_relays", "files"], reading: connection)
        #expect(numbers.rows.map(\.count) == [nil, nil, 1])
        #expect(numbers.states.map(\.table) == ["files"])
    }
}
