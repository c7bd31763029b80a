import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// Facts about one schema of a server.
@Suite(.enabled(if: PostgresServer.isSupported))
struct PostgresFactsTests {
    private let server: SchemasOnServer

    init() throws {
        server = try SchemasOnServer()
    }

    /// Tables that refer to each other. The name of one is that of a table of the catalogue.
    private static let tables = [
        "CREATE TABLE parents (id BIGINT PRIMARY KEY, a TEXT COLLATE \"C\", b INT, UNIQUE (a, b))",
        "CREATE TABLE children (child_id INT PRIMARY KEY, parent BIGINT REFERENCES parents (id), next INT)",
        "CREATE TABLE words (a TEXT, b INT, FOREIGN KEY (a, b) REFERENCES parents (a, b))",
        "CREATE TABLE pg_class (\"Key\" SMALLINT PRIMARY KEY, twice INT GENERATED ALWAYS AS (\"Key\" * 2) STORED)",
        "CREATE VIEW shown AS SELECT 1 / 0 AS failing",
    ]

    @Test("tables, views and columns are those of the schema, in their order")
    func names() throws {
        try server.make("one", Self.tables)
        try server.make("two", ["CREATE TABLE parents (other INT)", "CREATE TABLE more (a INT)"])
        try server.read("one") { transaction throws in
            #expect(try PostgresFacts.tableNames(in: transaction) == ["children", "parents", "pg_class", "words"])
            #expect(try PostgresFacts.ordinaryTables(in: transaction) == ["children", "parents", "pg_class", "words"])
            #expect(try PostgresFacts.viewNames(in: transaction) == ["shown"])
            #expect(
                try PostgresFacts.columns(in: transaction) == [
                    "children": ["child_id", "parent", "next"], "parents": ["id", "a", "b"], "pg_class": ["Key"],
                    "words": ["a", "b"],
                ])
        }
        try server.read("nowhere") { transaction in
            #expect(try PostgresFacts.tableNames(in: transaction) == [])
            let error = try #require(throws: StoreError.self) {
                try PostgresFacts.rowCount(of: "parents", in: transaction)
            }
            #expect(error.kind == .missing)
        }
    }

    @Test("rows and bytes are those of the schema's own tables")
    func space() throws {
        try server.make("one", Self.tables + ["INSERT INTO parents SELECT generate_series(1, 2000)"])
        try server.make("two", Self.tables)
        try server.run("INSERT INTO one.pg_class VALUES (1), (2)")
        try server.read("one") { transaction in
            #expect(try PostgresFacts.rowCount(of: "parents", in: transaction) == 2_000)
            #expect(try PostgresFacts.rowCount(of: "pg_class", in: transaction) == 2)
            let space = try PostgresFacts.space(in: transaction)
            #expect(space.tables.map(\.name) == ["children", "parents", "pg_class", "words"])
            #expect(space.tables.map(\.rows) == [0, 2_000, 2, 0])
            let bytes = space.tables.compactMap(\.bytes)
            #expect(bytes[1] > 100_000)
            #expect(try PostgresFacts.bytes(of: ["parents", "none"], in: transaction) == bytes[1])
            let size = try PostgresFacts.size(in: transaction)
            #expect(size.free == 0 && size.total == bytes.reduce(0, +))
            #expect(space.pageSize == 8_192 && space.pages * space.pageSize == size.total && space.freePages == 0)
        }
        #expect(try server.read("two") { try PostgresFacts.bytes(of: ["parents"], in: $0) } < 100_000)
    }

    @Test("rows of a table that the role may not read are not counted, and all else is")
    func rights() throws {
        try server.make("one", Self.tables + ["INSERT INTO parents VALUES (1), (2)"])
        let role = "counter_\(UInt32.random(in: 0...(.max)))"
        try server.run("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA one TO \(role)")
        try server.run("GRANT SELECT ON parents TO \(role)", in: "one")
        let space = try server.read("one", as: role) { try PostgresFacts.space(in: $0) }
        #expect(space.tables.map(\.rows) == [nil, 2, nil, nil] && space.tables.allSatisfy { $0.bytes != nil })
    }

    // MARK: References

    /// Rows that refer to missing ones, written past the server's checks.
    private static let broken = """
        SET session_replication_role = replica;
        INSERT INTO parents VALUES (1, 'x', 1);
        INSERT INTO children VALUES (1, 1), (2, NULL), (3, 4711), (4, 4712);
        INSERT INTO words VALUES ('x', 1), ('x', NULL), (NULL, 7), ('y', 1), ('y', 1);
        """

    @Test("references that were broken with session_replication_role are found, and counted")
    func dangling() throws {
        try server.make("one", Self.tables)
        try server.make("two", Self.tables)
        try server.run(Self.broken, in: "one")
        let ofChildren = [3, 4].map {
            DanglingReference(table: "children", row: $0, parent: "parents", columns: ["parent"])
        }
        let ofWords = DanglingReference(table: "words", row: nil, parent: "parents", columns: ["a", "b"])
        try server.read("one") { transaction throws in
            func found(_ tables: Set<String>?, every: Bool = true) throws -> [DanglingReference: Int] {
                try PostgresFacts.danglingReferences(touching: tables, everyConstraint: every, in: transaction)
            }
            let all = [ofChildren[0]: 1, ofChildren[1]: 1, ofWords: 2]
            #expect(try found(nil) == all)
            #expect(try found(["parents"]) == all)
            #expect(try found(["words", "pg_class"]) == [ofWords: 2])
            #expect(try found([]) == [:])
            #expect(try found(nil, every: false) == [:], "the server holds them to be valid")
        }
        let others = try server.read("two") {
            try PostgresFacts.danglingReferences(touching: nil, everyConstraint: true, in: $0)
        }
        #expect(others == [:])
    }

    @Test("references that the server does not enforce are found without asking for all")
    func unenforced() throws {
        try server.make("one", Self.tables)
        try server.run(Self.broken, in: "one")
        func tables() throws -> Set<String> {
            try server.read("one") { transaction in
                var tables: Set<String> = []
                try PostgresFacts.forEachDanglingReference(everyConstraint: false, in: transaction) {
                    tables.insert($0.table)
                }
                return tables
            }
        }
        #expect(try tables() == [])
        try server.run("ALTER TABLE words DISABLE TRIGGER ALL", in: "one")
        #expect(try tables() == ["words"])
        try server.run(
            """
            ALTER TABLE words ENABLE TRIGGER ALL; ALTER TABLE children DROP CONSTRAINT children_parent_fkey;
            ALTER TABLE children ADD FOREIGN KEY (parent) REFERENCES parents (id) NOT VALID;
            """, in: "one")
        #expect(try tables() == ["children"])
    }

    @Test("MATCH FULL refuses a row with some NULLs, and such a row is found")
    func matchFull() throws {
        try server.make(
            "one",
            [
                "CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b))",
                "CREATE TABLE c (a INT, b INT, FOREIGN KEY (a, b) REFERENCES p (a, b) MATCH FULL)",
                "SET session_replication_role = replica", "INSERT INTO c VALUES (NULL, NULL), (1, NULL)",
            ])
        let found = try server.read("one") {
            try PostgresFacts.danglingReferences(touching: nil, everyConstraint: true, in: $0)
        }
        #expect(found == [DanglingReference(table: "c", row: nil, parent: "p", columns: ["a", "b"]): 1])
    }

    // MARK: Problems

    @Test("what the server holds to be incomplete is a problem, and nothing else is")
    func problems() throws {
        try server.make("one", Self.tables + ["CREATE INDEX by_parent ON children (parent)"])
        try server.make("two", Self.tables)
        func problems(_ schema: String = "one") throws -> [String] {
            try server.read(schema) { try PostgresFacts.integrityProblems(in: $0) }
        }
        #expect(try problems() == [])
        try server.run(
            """
            UPDATE pg_catalog.pg_index SET indisvalid = FALSE WHERE indexrelid = 'by_parent'::regclass;
            ALTER TABLE parents ADD CONSTRAINT positive CHECK (id > 0) NOT VALID;
            ALTER TABLE words DISABLE TRIGGER ALL;
            """, in: "one")
        #expect(
            try problems() == [
                "the index by_parent of the table children is not complete, because its creation failed",
                "the constraint positive of the table parents was never checked for all rows (NOT VALID)",
                "the triggers of the table words that check references are disabled",
            ])
        #expect(try problems("two") == [])
    }

    // MARK: Content

    /// Values of every type, NULL among them, and texts and bytes of lengths around a word of the hash.
    private static let rows: [[SQLValue]] = {
        let wholes: [SQLValue] = [.integer(.min), .integer(-1), .integer(0), .integer(.max), .null]
        let numbers: [SQLValue] = [-0.0, 0.5, -1e300, .leastNonzeroMagnitude, .infinity, .nan, 3].map { .real($0) }
        let texts = ["", "a", "1234567", "12345678", "123456789", "\u{1F469}\u{200D}\u{1F4BB}\u{E9}", "x'); --\r\n"]
        let bytes: [[UInt8]] = [[], [0], Array(1...8), Array(0...255), [0xFF, 0xFE, 0]]
        return (0..<35).map { number in
            [
                wholes[number % 5], numbers[number % 7], number % 9 == 0 ? .null : .text(texts[number % 7]),
                number % 11 == 0 ? .null : .blob(bytes[number % 5]),
            ]
        }
    }()

    private static func insert(_ rows: [[SQLValue]], _ transaction: any WriteTransaction) throws {
        for row in rows {
            let values = Query.joined(row.map { "\($0)" }, by: ", ")
            try transaction.run("INSERT INTO kept (whole, number, words, bytes) VALUES (\(values))")
        }
    }

    @Test(
        "the hash of the content is SQLite's for the same rows in another order",
        arguments: [["whole", "number", "words", "bytes"], ["bytes", "whole"], ["words"], []])
    func content(_ columns: [String]) throws {
        let database = try EngineContract.sqlite.database()
        try database.connection.write { try Self.insert(Self.rows, $0) }
        try server.make(
            "one", ["CREATE TABLE kept (whole BIGINT, number DOUBLE PRECISION, words TEXT, bytes BYTEA)"])
        try server.write("one") { try Self.insert(Self.rows.reversed(), $0) }
        let hash = { try server.read("one") { try PostgresContentHash.of("kept", columns: columns, in: $0) } }
        let expected = try database.connection.contentHash(of: "kept", columns: columns)
        #expect(try hash() == expected)
        try server.run("INSERT INTO kept SELECT * FROM kept LIMIT 1", in: "one")
        #expect(try hash() != expected)
    }

    @Test("flags and small numbers count as SQLite's numbers, and one exchanged value is noticed")
    func smallNumbers() throws {
        let database = try EngineContract.sqlite.database()
        try database.connection.write { transaction in
            _ = try transaction.run("INSERT INTO kept (id, whole, words) VALUES (1, 1, 'a'), (2, 0, 'b')")
        }
        try server.make(
            "one",
            [
                "CREATE TABLE kept (id INT, whole SMALLINT, words TEXT)",
                "INSERT INTO kept VALUES (2, 0, 'b'), (1, 1, 'a')",
            ])
        let hash = {
            try server.read("one") { try PostgresContentHash.of("kept", columns: ["id", "whole", "words"], in: $0) }
        }
        let expected = try database.connection.contentHash(of: "kept", columns: ["id", "whole", "words"])
        #expect(try hash() == expected)
        try server.run("UPDATE kept SET words = CASE id WHEN 1 THEN 'b' ELSE 'a' END", in: "one")
        #expect(try hash() != expected)
    }
}
