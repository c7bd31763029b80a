import ChatDBKit
import Foundation
import TestKit
import Testing

/// Encrypted databases that are written in place. Rule: docs/encryption.md, "Writing".
@Suite(
    "writing of encrypted databases",
    .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedWritingTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }
    private static let key = "x'\(String(repeating: "2f", count: 32))'"

    init() throws { folder = try DatabaseFolder() }

    private func open(_ passphrase: String = key, creating: Bool = false) throws -> any MigrationConnection {
        try SQLiteEngine().openEncrypted(path, with: Passphrase(passphrase.utf8), creating: creating)
    }

    private func run(_ statements: [String], on connection: any MigrationConnection) throws {
        for statement in statements { try connection.run(.unchecked(sql: statement)) }
    }

    private func count(_ connection: any MigrationConnection, _ what: String) throws -> Int {
        try connection.rows(.unchecked(sql: "SELECT \(what) AS n FROM t NOT INDEXED")).first?.get("n") ?? -1
    }

    private static let rows = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) \
        INSERT INTO t SELECT x, printf('%.50c%d', 'x', x) FROM n
        """

    @Test("SQLCipher reads what chatdb has written, and finds every page in order")
    func written() throws {
        let connection = try open("it's a secret", creating: true)
        try run(
            [
                "PRAGMA cache_size = 10", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)", "BEGIN", Self.rows,
                "CREATE INDEX i ON t(b)", "COMMIT", "UPDATE t SET b = 'y' || b WHERE a % 5 = 0",
                "DELETE FROM t WHERE a % 3 = 0", "VACUUM", "BEGIN", "DELETE FROM t", "ROLLBACK", "BEGIN",
                "SAVEPOINT one", "UPDATE t SET b = 'z' || b", "ROLLBACK TO one", "COMMIT",
            ], on: connection)
        #expect(try connection.integrityProblems().isEmpty)
        connection.close()
        #expect(try folder.names() == ["x.db"])
        #expect(try SQLCipher.problems(path, "it's a secret") == "")
        let sums = "SELECT count(*) || ' ' || sum(b LIKE 'yx%') || ' ' || sum(b LIKE 'z%') FROM t NOT INDEXED"
        #expect(try SQLCipher.ask(path, "it's a secret", sums) == "3334 667 0")
        #expect(try SQLCipher.ask(path, "it's a secret", "PRAGMA journal_mode") == "delete")
    }

    @Test("two new databases with one passphrase have salts of their own; a key with a salt has that salt")
    func salts() throws {
        func salt(_ passphrase: String) throws -> [UInt8] {
            let connection = try open(passphrase, creating: true)
            try run(["CREATE TABLE t(a)"], on: connection)
            connection.close()
            defer { try? FileManager.default.removeItem(atPath: path) }
            return Array(try folder.read("x.db").prefix(16))
        }
        #expect(try salt(Self.key) != salt(Self.key))
        #expect(try salt("x'\(String(repeating: "a1", count: 48))'") == [UInt8](repeating: 0xA1, count: 16))
    }

    @Test(
        "chatdb writes a database of SQLCipher in the form that it has",
        arguments: [
            [], ["cipher_compatibility = 3"], ["cipher_page_size = 1024"], ["cipher_page_size = 16384"],
        ])
    func foreign(pragmas: [String]) throws {
        try SQLCipher.make(path, "right", rows: 3_000, pragmas: pragmas)
        let connection = try open("right")
        #expect(try count(connection, "count(*)") == 3_000)
        try run(
            ["PRAGMA cache_size = 5", "UPDATE t SET b = 'new' || b", "DELETE FROM t WHERE a > 1000"], on: connection)
        connection.close()
        #expect(try SQLCipher.problems(path, "right", pragmas: pragmas) == "")
        let sum = "SELECT sum(b LIKE 'newx%') FROM t NOT INDEXED"
        #expect(try SQLCipher.ask(path, "right", sum, pragmas: pragmas) == "1000")
    }

    @Test("chatdb and SQLCipher write in turns, and each sees what the other has written")
    func turns() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let connection = try open()
        defer { connection.close() }
        let other = try SQLCipher.run(
            path, Self.key,
            """
            for line in sys.stdin:
                c.execute("UPDATE t SET b = 'theirs' || a WHERE a % 2 = 0")
                print('turn', c.execute("SELECT sum(b LIKE 'ours%') FROM t NOT INDEXED").fetchone()[0], flush=True)
            """)
        for _ in 0..<5 {
            try run(["UPDATE t SET b = 'ours' || a"], on: connection)
            #expect(try count(connection, "sum(b LIKE 'ours%')") == 3_000)
            other.say("go")
            try other.wait(for: "turn 1500")
            #expect(try count(connection, "sum(b LIKE 'theirs%')") == 1_500)
            #expect(try connection.integrityProblems().isEmpty)
        }
        try other.end()
        #expect(try SQLCipher.problems(path, Self.key) == "")
    }

    @Test("a journal that SQLCipher left when it was killed is rolled back in place, and with another key it stays")
    func journalOfSQLCipher() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let writer = try SQLCipher.run(
            path, "right",
            """
            c.execute("PRAGMA cache_size = 5"); c.execute("BEGIN")
            c.execute("UPDATE t SET b = 'changed' || b"); c.execute("DELETE FROM t WHERE a > 1000")
            print('written', flush=True); sys.stdin.read()
            """)
        try writer.wait(for: "written")
        writer.crash()
        let (before, journal) = (try folder.read("x.db"), try folder.read("x.db-journal"))
        #expect { try open("wrong") } throws: { ($0 as? StoreError)?.kind == .wrongPassphrase }
        #expect(try folder.read("x.db") == before && folder.read("x.db-journal") == journal)
        let connection = try open("right")
        #expect(try count(connection, "sum(b LIKE 'x%')") == 3_000)
        connection.close()
        #expect(try folder.names() == ["x.db"])
        #expect(try SQLCipher.problems(path, "right") == "")
    }

    @Test("a journal is rolled back although the first page is torn; without a journal, that page is damage")
    func tornFirstPage() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let writer = try SQLCipher.run(
            path, Self.key,
            """
            c.execute("PRAGMA cache_size = 5"); c.execute("BEGIN"); c.execute("PRAGMA user_version = 7")
            c.execute("UPDATE t SET b = 'changed' || b"); print('written', flush=True); sys.stdin.read()
            """)
        try writer.wait(for: "written")
        writer.crash()
        var torn = try folder.read("x.db")
        for place in 600..<2_000 { torn[place] ^= 0x55 }
        try folder.write("x.db", torn)
        let connection = try open()
        #expect(try count(connection, "sum(b LIKE 'x%')") == 3_000)
        connection.close()
        #expect(try SQLCipher.problems(path, Self.key) == "")
        torn = try folder.read("x.db")
        torn[600] ^= 1
        try folder.write("x.db", torn)
        #expect { try open() } throws: { ($0 as? StoreError)?.kind == .damaged }
    }

    @Test("a journal is rolled back although every page of the file is torn, and with another key it stays")
    func everyPageTorn() throws {
        try SQLCipher.make(path, "right", rows: 300)
        let writer = try SQLCipher.run(
            path, "right",
            """
            c.execute("PRAGMA cache_size = 2"); c.execute("BEGIN"); c.execute("PRAGMA user_version = 7")
            c.execute("UPDATE t SET b = 'changed' || b"); c.execute("DELETE FROM t")
            print('written', flush=True); sys.stdin.read()
            """)
        try writer.wait(for: "written")
        writer.crash()
        var torn = try folder.read("x.db")
        let journal = try folder.read("x.db-journal")
        for page in 0..<torn.count / 4_096 { torn[page * 4_096 + 600] ^= 0x55 }
        try folder.write("x.db", torn)
        #expect { try open("wrong") } throws: { ($0 as? StoreError)?.kind == .wrongPassphrase }
        #expect(try folder.read("x.db") == torn && folder.read("x.db-journal") == journal)
        let connection = try open("right")
        #expect(try count(connection, "sum(b LIKE 'x%')") == 300)
        connection.close()
        #expect(try SQLCipher.problems(path, "right") == "")
    }

    @Test("with a key that has the salt, a journal is rolled back although the salt of the file is torn")
    func tornSalt() throws {
        let key = "x'\(String(repeating: "a1", count: 48))'"
        try SQLCipher.make(path, key, rows: 3_000)
        let writer = try SQLCipher.run(
            path, key,
            """
            c.execute("PRAGMA cache_size = 5"); c.execute("BEGIN"); c.execute("PRAGMA user_version = 7")
            c.execute("UPDATE t SET b = 'changed' || b"); print('written', flush=True); sys.stdin.read()
            """)
        try writer.wait(for: "written")
        writer.crash()
        var torn = try folder.read("x.db")
        for place in 0..<512 { torn[place] ^= 0x55 }
        try folder.write("x.db", torn)
        let connection = try open(key)
        #expect(try count(connection, "sum(b LIKE 'x%')") == 3_000)
        connection.close()
        #expect(try SQLCipher.problems(path, key) == "")
    }

    @Test("SQLite gets no log and no temporary file, so that no plain text gets into one")
    func otherFiles() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let connection = try open()
        defer { connection.close() }
        #expect(throws: StoreError.self) {
            try run(["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", "DELETE FROM t"], on: connection)
        }
        #expect(throws: StoreError.self) {
            try run(
                ["PRAGMA temp_store = FILE", "PRAGMA temp.cache_size = 2", "CREATE TEMP TABLE x AS SELECT * FROM t"],
                on: connection)
        }
        #expect(try folder.names().allSatisfy { ["x.db", "x.db-journal"].contains($0) })
    }

    @Test("a database without bytes for the code at the end of its pages is not written")
    func reservedBytes() throws {
        let connection = try open(creating: true)
        defer { connection.close() }
        #expect(throws: StoreError.self) { try run(["PRAGMA page_size = 8192", "CREATE TABLE t(a)"], on: connection) }
        #expect(try folder.read("x.db").isEmpty)
    }

    @Test("a backup of an encrypted database would be plain, and is not made")
    func backup() throws {
        let connection = try open(creating: true)
        defer { connection.close() }
        try run(["CREATE TABLE t(a)"], on: connection)
        #expect {
            try connection.backUp(to: folder.file("backup.db")) { _ in }
        } throws: {
            ($0 as? StoreError)?.kind == .encryptedUnsupported
        }
        #expect(try folder.names() == ["x.db"])
    }

    @Test(
        "no write of a run has a text of a row, in the database, the journal or any other file",
        .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
    func marker() throws {
        let store = URL(fileURLWithPath: try folder.folder("store"))
        let log = URL(fileURLWithPath: folder.file("log"))
        _ = try EncryptedWriting.Writer.chatdb.run(EncryptedWriting.everything, in: store, plan: .log(to: log))
        let operations = try OperationLog(contentsOf: log).operations
        let marker = Data(EncryptedWriting.marker.utf8)
        for operation in operations { #expect(Data(operation.bytes).range(of: marker) == nil, "\(operation.name)") }
        #expect(Set(operations.map(\.path)).subtracting([""]) == ["store.db", "store.db-journal"])
        // The pages of the journal were among them.
        #expect(operations.count { $0.path == "store.db-journal" && $0.bytes.count == 4_096 } > 30)
    }
}
