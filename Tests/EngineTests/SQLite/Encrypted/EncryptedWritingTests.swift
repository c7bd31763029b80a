import ChatDBKit
import Foundation
import GRDBSQLite
import Synchronization
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

    @Test(
        "no statement can write the content into a file of another VFS, nor do without a journal on the disk",
        arguments: [
            "VACUUM INTO 'FILE'", "VACUUM INTO 'file:FILE?vfs=unix'", "ATTACH 'file:FILE?vfs=unix&mode=rwc' AS z",
            "ATTACH 'FI' || 'LE' AS z", "ATTACH ':memory:' AS z", "PRAGMA journal_mode = OFF",
            "PRAGMA main.journal_mode = 'Memory'", "PRAGMA journal_mode(OFF)", "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = OFF", "PRAGMA synchronous = 1",
        ])
    func refusedStatements(statement: String) throws {
        try SQLCipher.make(path, Self.key, rows: 30)
        let connection = try open()
        defer { connection.close() }
        let sql = statement.replacingOccurrences(of: "FILE", with: folder.file("other.db"))
        #expect { try run([sql], on: connection) } throws: { ($0 as? StoreError)?.kind == .denied }
        try run(
            ["PRAGMA journal_mode = PERSIST", "PRAGMA synchronous = FULL", "PRAGMA journal_mode", "VACUUM"],
            on: connection)
        #expect(try folder.names() == ["x.db", "x.db-journal"])
    }

    @Test("a database without bytes for the code at the end of its pages is not written")
    func reservedBytes() throws {
        let connection = try open(creating: true)
        defer { connection.close() }
        #expect {
            try run(["PRAGMA page_size = 8192", "CREATE TABLE t(a)"], on: connection)
        } throws: { error in
            (error as? StoreError)?.message == "the page size of an encrypted database cannot be changed"
        }
        #expect(try folder.read("x.db").isEmpty)
    }

    @Test("encrypted files are opened by the system's VFS, also when a later one with larger files is the default")
    func laterDefault() throws {
        try SQLCipher.make(path, Self.key, rows: 30)
        try open().close()
        let later = try #require(LaterVFS.register())
        defer { sqlite3_vfs_unregister(later) }
        let connection = try open()
        defer { connection.close() }
        try run(["UPDATE t SET b = 'y'"], on: connection)
        #expect(try count(connection, "sum(b = 'y')") == 30)
        let opened = LaterVFS.opened.withLock { $0 }
        #expect(!opened.contains { $0.hasPrefix(path) })
    }

    @Test("the backup of a new encrypted database is encrypted")
    func backup() throws {
        let connection = try open(creating: true)
        defer { connection.close() }
        try run(["CREATE TABLE t(a)"], on: connection)
        try connection.backUp(to: folder.file("backup.db")) { _ in }
        #expect(try SQLCipher.problems(folder.file("backup.db"), Self.key) == "")
        #expect(try folder.names() == ["backup.db", "x.db"])
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

/// A VFS that does what the system's does, with larger files, and notes which it opens.
private enum LaterVFS {
    static let opened = Mutex<[String]>([])

    /// Registers it as the default. It is never freed, because connections of other tests may use it.
    static func register() -> UnsafeMutablePointer<sqlite3_vfs>? {
        guard let system = sqlite3_vfs_find(nil) else { return nil }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("later"))
        vfs.pointee.pNext = nil
        vfs.pointee.szOsFile += 256
        vfs.pointee.xOpen = { _, path, file, flags, outFlags in
            if let path { LaterVFS.opened.withLock { $0.append(String(cString: path)) } }
            guard let system = sqlite3_vfs_find("unix"), let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
            return open(system, path, file, flags, outFlags)
        }
        return sqlite3_vfs_register(vfs, 1) == SQLITE_OK ? vfs : nil
    }
}
