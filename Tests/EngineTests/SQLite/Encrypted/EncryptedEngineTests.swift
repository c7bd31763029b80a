import ChatDBKit
import Foundation
import TestKit
import Testing

/// An engine that reads and writes encrypted databases. Rule: docs/encryption.md, "Writing".
@Suite(
    "the engine on encrypted databases",
    .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedEngineTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }
    private static let key = "x'\(String(repeating: "2f", count: 32))'"

    init() throws { folder = try DatabaseFolder() }

    private func engine(_ passphrase: String = key) -> SQLiteEngine {
        SQLiteEngine().writing(with: Passphrase(passphrase.utf8))
    }

    private func count(_ connection: any StorageConnection, _ what: String = "count(*)") throws -> Int {
        try connection.read { try $0.count(.unchecked(sql: "SELECT \(what) FROM t NOT INDEXED")) }
    }

    @Test("a connection writes an encrypted database in place, and SQLCipher finds every page in order")
    func existing() throws {
        try SQLCipher.make(path, Self.key)
        let connection = try engine().open(path, as: .existing)
        try connection.write { _ = try $0.run(.unchecked(sql: "UPDATE t SET b = 'ours' || a WHERE a <= 200")) }
        #expect(try count(connection, "sum(b LIKE 'ours%')") == 200)
        #expect(throws: (any Error).self) {
            try connection.write { transaction in
                _ = try transaction.run(.unchecked(sql: "DELETE FROM t"))
                throw CocoaError(.userCancelled)
            }
        }
        #expect(try connection.damagedPages().count == 0)
        try connection.close()
        let other = try engine().open(path, as: .existing)
        let attach = "ATTACH 'file:\(folder.file("y.db"))?vfs=unix&mode=rwc' AS y"
        #expect(throws: StoreError.self, "a plain file") {
            try other.write { _ = try $0.run(.unchecked(sql: attach)) }
        }
        try other.close()
        #expect(try folder.names() == ["x.db"])
        #expect(try SQLCipher.problems(path, Self.key) == "")
        #expect(try SQLCipher.ask(path, Self.key, "SELECT sum(b LIKE 'ours%') || ' ' || count(*) FROM t") == "200 500")
    }

    @Test("an engine that was made for reading, and one with another passphrase, write no byte")
    func refused() throws {
        try SQLCipher.make(path, Self.key)
        let before = try folder.read("x.db")
        let reading = SQLiteEngine().reading(with: Passphrase(Self.key.utf8))
        #expect { try reading.open(path, as: .existing) } throws: {
            ($0 as? StoreError)?.kind == .encryptedUnsupported
        }
        #expect { try reading.openForMigration(path, creating: false) } throws: {
            ($0 as? StoreError)?.kind == .encryptedUnsupported
        }
        for connect in [
            { _ = try engine("wrong").open(path, as: .existing) },
            { _ = try engine("wrong").openForMigration(path, creating: false) },
        ] as [() throws -> Void] {
            #expect { try connect() } throws: { ($0 as? StoreError)?.kind == .wrongPassphrase }
        }
        #expect { try SQLiteEngine().open(path, as: .existing) } throws: { ($0 as? StoreError)?.kind == .encrypted }
        #expect(try folder.read("x.db") == before && folder.names() == ["x.db"])
    }

    @Test("only an engine that encrypts new databases makes an encrypted one")
    func new() throws {
        let (plain, encrypted) = (folder.file("plain.db"), folder.file("encrypted.db"))
        let passphrase = Passphrase(Self.key.utf8)
        for (engine, path) in [
            (SQLiteEngine().writing(with: passphrase), plain),
            (SQLiteEngine().encryptingNewDatabases(with: passphrase), encrypted),
        ] {
            let connection = try engine.openForMigration(path, creating: true)
            try connection.begin()
            try connection.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
            try connection.commit()
            connection.close()
            let again = try engine.open(path, as: .existing)
            try again.write { _ = try $0.run("INSERT INTO t VALUES (1, 'a marker')") }
            #expect(try count(again) == 1)
            try again.close()
        }
        #expect(try folder.read("plain.db").starts(with: Array("SQLite format 3".utf8)))
        #expect(try SQLCipher.problems(encrypted, Self.key) == "")
        #expect(try Data(folder.read("encrypted.db")).range(of: Data("a marker".utf8)) == nil)
    }

    @Test(
        "an encrypted database whose salt begins as another kind of file does is one",
        arguments: ["fffe", "feff", "1f8b", "4d5a", "ffd8ff", "425a68"])
    func salt(_ beginning: String) throws {
        let salt = beginning + String(repeating: "a", count: 32 - beginning.count)
        let key = String(Self.key.dropLast()) + salt + "'"
        try SQLCipher.make(path, key)
        #expect(SQLiteEngine().looksEncrypted(path))
        #expect { try SQLiteEngine().open(path, as: .untrusted) } throws: {
            ($0 as? StoreError)?.kind == .encrypted
        }
        let connection = try engine(key).open(path, as: .existing)
        try connection.write { _ = try $0.run("DELETE FROM t WHERE a > 10") }
        try connection.close()
        #expect(try SQLCipher.problems(path, key) == "")
        // Bytes without a pattern, and not in whole pages, are what their first bytes say.
        let bytes = try folder.read("x.db")
        try folder.write("other.db", Array(bytes.dropLast()))
        #expect(!SQLiteEngine().looksEncrypted(folder.file("other.db")))
    }

    @Test("a copy of an encrypted database has its pages as they are, and so the same key")
    func copy() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let target = folder.file("copy.db")
        var parts: [Double] = []
        let snapshot = try engine().openSnapshot(path)
        _ = try snapshot.renew()
        #expect(try snapshot.rowCount(of: "t") == 3_000)
        try snapshot.copy(to: target) { parts.append($0) }
        snapshot.close()
        #expect(try folder.read("copy.db") == folder.read("x.db"))
        #expect(parts.first == 0 && parts.last == 1)
        #expect(try SQLCipher.problems(target, Self.key) == "")
        #expect(throws: StoreError.self) { try engine("wrong").openSnapshot(path) }
        #expect { try SQLiteEngine().openSnapshot(path) } throws: { ($0 as? StoreError)?.kind == .encrypted }
        // A stop leaves no part of a copy.
        let stopped = try engine().openSnapshot(path)
        defer { stopped.close() }
        _ = try stopped.renew()
        #expect(throws: CocoaError.self) {
            try stopped.copy(to: folder.file("part.db")) { _ in throw CocoaError(.userCancelled) }
        }
        #expect(try folder.names() == ["copy.db", "x.db"])
    }

    @Test("the backup of a migration is encrypted, and has the state before the transaction")
    func backUp() throws {
        try SQLCipher.make(path, Self.key)
        let connection = try engine().openForMigration(path, creating: false)
        defer { connection.close() }
        try connection.begin()
        try connection.backUp(to: folder.file("first.db")) { _ in }
        try connection.run("DELETE FROM t WHERE a > 100")
        try connection.backUp(to: folder.file("second.db")) { _ in }
        try connection.commit()
        for name in ["first.db", "second.db"] {
            #expect(try SQLCipher.problems(folder.file(name), Self.key) == "")
            #expect(try SQLCipher.ask(folder.file(name), Self.key, "SELECT count(*) FROM t") == "500")
        }
        #expect(try SQLCipher.ask(path, Self.key, "SELECT count(*) FROM t") == "100")
    }

    @Test("a database whose first page is torn is read from a copy in which its journal is rolled back, and is written")
    func tornFirstPage() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        try leaveJournal("PRAGMA cache_size = 5", "BEGIN", "PRAGMA user_version = 7", "UPDATE t SET b = 'new' || b")
        var torn = try folder.read("x.db")
        for place in 600..<700 { torn[place] ^= 0x55 }
        try folder.write("x.db", torn)
        let reader = try engine().open(path, as: .untrusted)
        #expect(try count(reader, "sum(b LIKE 'x%')") == 3_000)
        #expect(reader.notes.contains { $0.contains("its journal was rolled back in a copy") })
        try reader.close()
        #expect(try folder.read("x.db") == torn)
        #expect { try engine("wrong").open(path, as: .untrusted) } throws: {
            ($0 as? StoreError)?.kind == .wrongPassphrase
        }
        let writer = try engine().open(path, as: .existing)
        try writer.write { _ = try $0.run("DELETE FROM t WHERE a > 10") }
        try writer.close()
        #expect(try folder.names() == ["x.db"] && SQLCipher.problems(path, Self.key) == "")
    }

    @Test(
        "a database with a torn page is in use, if a program that has it open has to roll its journal back",
        arguments: ["first", "last", "salt"])
    func tornPageInUse(_ page: String) throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        try leaveJournal("PRAGMA cache_size = 5", "BEGIN", "PRAGMA user_version = 7", "UPDATE t SET b = 'new' || b")
        var torn = try folder.read("x.db")
        switch page {
        case "first": for place in 600..<700 { torn[place] ^= 0x55 }
        case "salt": for place in 0..<512 { torn[place] ^= 0x55 }
        default: torn += torn[4_096..<6_144]
        }
        try folder.write("x.db", torn)
        let holder = try HelperProcess("sh", ["-c", "exec 3<\"$0\"; echo ready; read line; true", path])
        try holder.wait(for: "ready")
        #expect { try engine().open(path, as: .untrusted) } throws: { ($0 as? StoreError)?.kind == .inUse }
        try holder.end()
        let reader = try engine().open(path, as: .untrusted)
        #expect(try count(reader, "sum(b LIKE 'x%')") == 3_000)
        try reader.close()
    }

    @Test("a new database whose first transaction was interrupted is an empty one")
    func interruptedCreation() throws {
        try leaveJournal(
            "PRAGMA cache_size = 5", "BEGIN", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000) "
                + "INSERT INTO t SELECT x, printf('%.50c%d', 'x', x) FROM n")
        let before = try folder.read("x.db")
        try #require(before.count > 4_096)
        let reader = try engine().open(path, as: .untrusted)
        #expect(try reader.structure().tables.isEmpty)
        try reader.close()
        #expect(try folder.read("x.db") == before)
    }

    @Test("a truncated database is not written")
    func truncated() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let cut = Array(try folder.read("x.db").dropLast(8_192))
        try folder.write("x.db", cut)
        #expect { try engine().open(path, as: .existing) } throws: { ($0 as? StoreError)?.kind == .truncated }
        #expect(try folder.read("x.db") == cut)
    }

    /// Lets SQLCipher run statements, and kills it.
    private func leaveJournal(_ statements: String...) throws {
        let lines = statements.map { "c.execute(\"\($0)\").fetchall()" }.joined(separator: "\n")
        let writer = try SQLCipher.run(path, Self.key, lines + "\nprint('written', flush=True); sys.stdin.read()")
        try writer.wait(for: "written")
        writer.crash()
        try #require(try folder.names().contains("x.db-journal"))
    }
}
