import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBEngineSQLite

/// A database that is written again in another form. Rule: docs/encryption.md, "Changing the passphrase".
@Suite(.enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct DatabaseRewritingTests {
    private static let keys = (
        old: "x'\(String(repeating: "2f", count: 32))'", new: "x'\(String(repeating: "3e", count: 32))'"
    )

    private func engine(_ key: String) -> SQLiteEngine { SQLiteEngine().reading(with: Passphrase(key.utf8)) }

    private func rewrite(_ path: String, to new: String, _ old: SQLiteEngine, _ other: SQLiteEngine) throws {
        try old.rewrite(path, to: new, for: other, cancellation: Cancellation())
    }

    private static let count = "SELECT count(*) || '|' || sum(a) || '|' || count(DISTINCT b) FROM t"

    @Test(
        "each page gets the other key, in the format that the file has, and SQLCipher finds no problem",
        arguments: [[], ["cipher_compatibility = 3"], ["cipher_page_size = 1024"]])
    func pages(_ pragmas: [String]) throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("a.db"), folder.file("b.db"))
        try SQLCipher.make(path, Self.keys.old, pragmas: pragmas)
        let before = FileManager.default.contents(atPath: path)
        try rewrite(path, to: new, engine(Self.keys.old), engine(Self.keys.new))
        #expect(try SQLCipher.ask(new, Self.keys.new, Self.count, pragmas: pragmas, checked: true) == "500|125250|500")
        #expect(try SQLCipher.ask(new, Self.keys.old, Self.count, pragmas: pragmas) != "500|125250|500")
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(FileManager.default.contents(atPath: new)?.prefix(16) != before?.prefix(16))
    }

    @Test("a plain database becomes an encrypted one of SQLCipher, and a plain one again, with all rowids")
    func forms() throws {
        let folder = try TemporaryFolder()
        let (path, new, plain) = (folder.file("a.db"), folder.file("b.db"), folder.file("c.db"))
        let connection = try SQLiteEngine().openForMigration(path, creating: true)
        for sql in [
            "CREATE TABLE t (a INTEGER, b TEXT, CHECK (a IN (1, 2, 3, 4, 5, 6, 7, 8, 9)))",
            "CREATE VIRTUAL TABLE f USING fts5(z)",
            "INSERT INTO t SELECT value, printf('%.4000c%d', 'x', value) FROM json_each('[1,2,3,4,5,6,7,8,9]')",
            "DELETE FROM t WHERE a IN (1, 4, 5)", "INSERT INTO f(rowid, z) VALUES (77, 'word')",
            "CREATE TABLE k (a TEXT PRIMARY KEY, b GENERATED ALWAYS AS (a || '!')) WITHOUT ROWID",
            "INSERT INTO k (a) VALUES ('one')", "CREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "INSERT INTO n DEFAULT VALUES", "DELETE FROM n", "PRAGMA user_version = 7",
        ] { try connection.run(.unchecked(sql: sql)) }
        try connection.setApplicationMark(99)
        connection.close()
        try rewrite(path, to: new, SQLiteEngine(), engine(Self.keys.new))
        let rowids = "SELECT group_concat(rowid) FROM t"
        #expect(try SQLCipher.ask(new, Self.keys.new, rowids, checked: true) == "2,3,6,7,8,9")
        #expect(try SQLCipher.ask(new, Self.keys.new, "SELECT rowid FROM f WHERE f MATCH 'word'") == "77")
        #expect(try SQLCipher.ask(new, Self.keys.new, "SELECT seq FROM sqlite_sequence") == "1")
        #expect(try SQLCipher.ask(new, Self.keys.new, "PRAGMA application_id") == "99")
        let bytes = try #require(FileManager.default.contents(atPath: new))
        #expect(bytes.firstRange(of: Data("xxxxxxxx".utf8)) == nil)

        try engine(Self.keys.new).rewrite(
            new, to: plain, for: SQLiteEngine(), usesLog: true, cancellation: Cancellation())
        let again = try SQLiteEngine().open(plain, as: .readOnly)
        defer { try? again.close() }
        let found: String? = try again.read {
            try $0.first(.unchecked(sql: "SELECT group_concat(rowid) AS r FROM t"))?.get("r")
        }
        #expect(found == "2,3,6,7,8,9")
        // WAL mode, in the header.
        #expect(FileManager.default.contents(atPath: plain)?[18..<20] == Data([2, 2]))
    }

    @Test("a page that was overwritten with zeros, or changed, is not copied as if it were whole", arguments: [0, 1])
    func damaged(_ byte: UInt8) throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("a.db"), folder.file("b.db"))
        try SQLCipher.make(path, Self.keys.old)
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes.replaceSubrange(8_192..<12_288, with: Data(repeating: byte, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) {
            try rewrite(path, to: new, engine(Self.keys.old), engine(Self.keys.new))
        }
        #expect(error?.kind == .damaged && error?.message.contains("page 3") == true)
        #expect(FileState(at: new) == .missing)
    }

    @Test("a plain database with pages of another size is refused, and leaves no file")
    func otherPages() throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("a.db"), folder.file("b.db"))
        let connection = try SQLiteEngine().openForMigration(folder.file("first.db"), creating: true)
        for sql in ["CREATE TABLE t (a)", "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 1024"] {
            _ = try connection.rows(.unchecked(sql: sql))
        }
        _ = try connection.rows(.unchecked(sql: "VACUUM"))
        connection.close()
        try FileManager.default.moveItem(atPath: folder.file("first.db"), toPath: path)
        let error = #expect(throws: StoreError.self) {
            try rewrite(path, to: new, SQLiteEngine(), engine(Self.keys.new))
        }
        #expect(error?.kind == .encryptedUnsupported)
        #expect(FileState(at: new) == .missing)
    }
}
