import ChatDBKit
import GRDBSQLite
import Testing

@testable import ChatDBEngine

/// Values only SQLite can hold, and its own errors.
@Suite struct SQLiteValueTests {
    private let database: ContractDatabase

    init() throws {
        database = try EngineContract.sqlite.database()
    }

    @Test("text with NUL bytes is bound and read whole", arguments: ["\0", "a\0", "ab\0cd", "\0\0x"])
    func textWithNUL(_ text: String) throws {
        let (bytes, read) = try database.connection.write { transaction in
            try transaction.run("INSERT INTO kept(words) VALUES (\(text))")
            let row = try #require(try transaction.first("SELECT words, CAST(words AS BLOB) AS bytes FROM kept"))
            return (try row.get("bytes") as [UInt8], try row.get("words") as String)
        }
        #expect(bytes == Array(text.utf8) && read == text)
        let found = try database.connection.read { try $0.count("SELECT count(*) FROM kept WHERE words = \(text)") }
        #expect(found == 1)
        let returned: String = try database.connection.write {
            try #require(try $0.first("UPDATE kept SET words = \(text + "!") RETURNING words")).get("words")
        }
        #expect(returned == text + "!")
    }

    @Test("text that is no UTF-8 is read with its wrong bytes replaced, and left alone in the database")
    func invalidText() throws {
        let row = try database.connection.write { transaction in
            try transaction.run("INSERT INTO kept(words) VALUES (CAST(x'61FF620063' AS TEXT))")
            return try #require(try transaction.first("SELECT words, CAST(words AS BLOB) AS bytes FROM kept"))
        }
        #expect(try row.get("words") == "a\u{FFFD}b\0c")
        #expect(try row.get("bytes") == [0x61, 0xFF, 0x62, 0, 0x63] as [UInt8])
    }

    @Test("NaN is stored as NULL, infinity as itself")
    func strangeNumbers() throws {
        let row = try database.connection.write { transaction in
            try transaction.run("INSERT INTO kept(number, words) VALUES (\(Double.nan), \(Double.infinity))")
            return try #require(try transaction.first("SELECT number, 9e999 AS much FROM kept"))
        }
        #expect(try row.stored("number") == .null)
        #expect(try row.get("much") == Double.infinity)
    }

    @Test("violations SQLite has further codes for are of the kind they are")
    func furtherConstraints() throws {
        _ = try database.connection.write { transaction in
            try transaction.run("CREATE TABLE plain(a TEXT)")
            try transaction.run("CREATE TABLE strict_one(a INTEGER) STRICT")
            try transaction.run("CREATE TABLE kids(p INTEGER REFERENCES parents(id) ON DELETE RESTRICT)")
            try transaction.run("INSERT INTO parents(id, name) VALUES (1, 'a')")
            try transaction.run("INSERT INTO kids VALUES (1)")
            try transaction.run("INSERT INTO plain(rowid, a) VALUES (1, 'a')")
            try transaction.run(
                "CREATE TRIGGER no BEFORE DELETE ON plain BEGIN SELECT RAISE(ABORT, 'not that one'); END")
        }
        let refused: [(Query, StoreError.Kind)] = [
            ("INSERT INTO plain(rowid, a) VALUES (1, 'b')", .uniqueViolation),
            ("DELETE FROM parents", .foreignKeyViolation),
            ("INSERT INTO strict_one VALUES (\("s3cret"))", .constraintViolation),
            ("INSERT INTO kept(id) VALUES (\("s3cret"))", .constraintViolation),
            ("DELETE FROM plain", .constraintViolation),
        ]
        for (query, kind) in refused {
            let error = try storeError(kind) { _ = try database.connection.write { try $0.run(query) } }
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test("SQLite's own message for each result code is shown whole", arguments: 0...Int32(101))
    func messages(of code: Int32) {
        let message = String(cString: sqlite3_errstr(code))
        #expect(EngineMessage.shown(message) == message)
    }

    @Test("a statement that failed, or was left before its end, runs again with other values")
    func usedAgain() throws {
        func insert(_ id: Int, _ name: String?) throws -> Int {
            try database.connection.write { try $0.run("INSERT INTO parents(id, name) VALUES (\(id), \(name))") }
        }
        #expect(try insert(1, "a") == 1)
        try storeError(.uniqueViolation) { _ = try insert(2, "a") }
        try storeError(.constraintViolation) { _ = try insert(2, nil) }
        #expect(try insert(2, "b") == 1)
        try database.connection.write { transaction in
            // Both within one transaction, so that nothing in between puts the statement in order.
            try storeError(.uniqueViolation) {
                _ = try transaction.run("INSERT INTO parents(id, name) VALUES (\(3), \("a"))")
            }
            try transaction.run("INSERT INTO parents(id, name) VALUES (\(3), \("c"))")
            for most in [1, 3] {
                struct Enough: Error {}
                var names: [String] = []
                #expect(throws: Enough.self) {
                    try transaction.forEach("SELECT name FROM parents WHERE id <= \(most) ORDER BY id DESC") {
                        names.append(try $0.get("name"))
                        throw Enough()
                    }
                }
                #expect(names == [most == 1 ? "a" : "c"])
            }
        }
    }

    @Test("a text or BLOB larger than the connection's limit is an error")
    func tooLarge() throws {
        let reading = try SQLiteEngine().open(database.path, as: .untrusted)
        defer { try? reading.close() }
        let size = (64 << 20) + 1
        for query in [
            "SELECT length(\(String(repeating: "x", count: size)))",
            "SELECT length(\([UInt8](repeating: 0, count: size)))",
        ] as [Query] {
            try storeError(.beyondLimits) { _ = try reading.read { try $0.rows(query) } }
        }
        #expect(try reading.read { try $0.count("SELECT length(\("abc"))") } == 3)
    }

    @Test("a value without a place and a place without a value are errors, and nothing runs")
    func wrongNumberOfValues() throws {
        for query in ["INSERT INTO kept(words) VALUES (?)", "INSERT INTO kept(words) VALUES ('\(1)')"] as [Query] {
            try storeError { _ = try database.connection.write { try $0.run(query) } }
        }
        #expect(try database.count("kept") == 0)
    }

    @Test("two statements in one query are refused, and neither runs")
    func twoStatements() throws {
        for query in ["DELETE FROM kept; DROP TABLE kept", "SELECT 1; DROP TABLE kept"] as [Query] {
            try storeError { _ = try database.connection.write { try $0.run(query) } }
            try storeError { _ = try database.connection.write { try $0.rows(query) } }
        }
        #expect(try database.count("kept") == 0)
    }
}
