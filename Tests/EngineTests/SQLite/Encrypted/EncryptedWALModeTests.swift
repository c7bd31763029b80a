import ChatDBKit
import Foundation
import TestKit
import Testing
@testable import ChatDBEngineSQLite

/// Encrypted databases that another program has put into WAL mode. Rule: docs/encryption.md, "Writing".
@Suite(
    "encrypted databases in WAL mode",
    .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedWALModeTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static let key = "x'\(String(repeating: "2f", count: 32))'"

    init() throws { folder = try DatabaseFolder() }

    private func engine(_ passphrase: String = key) -> SQLiteEngine {
        SQLiteEngine().writing(with: Passphrase(passphrase.utf8))
    }

    /// Makes a database in WAL mode. SQLCipher closes it, and so removes the log.
    private func make(_ pragmas: [String] = [], with passphrase: String = key) throws {
        try SQLCipher.make(path, passphrase, rows: 300, pragmas: pragmas)
        let statements = ["PRAGMA journal_mode = WAL", "PRAGMA user_version = -7"]
        let lines = statements.map { "c.execute('\($0)').fetchall()" }.joined(separator: "\n")
        try SQLCipher.run(path, passphrase, lines, pragmas: pragmas).end()
        #expect(try folder.names() == ["x.db"])
    }

    private func count(_ connection: any MigrationConnection) throws -> Int {
        try connection.rows("SELECT count(*) AS n FROM t NOT INDEXED").first?.get("n") ?? -1
    }

    @Test(
        "one without a log, or with an empty one, is read as it is, and written in rollback mode",
        arguments: [[], ["cipher_page_size = 1024"], ["cipher_compatibility = 3"]], [false, true])
    func written(pragmas: [String], hasEmptyLog: Bool) throws {
        // The key of a passphrase needs the salt of the file.
        let passphrase = hasEmptyLog ? Self.key : "right"
        try make(pragmas, with: passphrase)
        if hasEmptyLog { for suffix in ["-wal", "-shm"] { try folder.write("x.db" + suffix, [UInt8]()) } }
        let (before, writing) = (try folder.read("x.db"), engine(passphrase))
        let reader = try writing.open(path, as: .untrusted)
        #expect(writing.journalMode(ofEncrypted: path) == .wal)
        #expect(try reader.rowCount(of: "t") == 300)
        try reader.close()
        #expect(try folder.read("x.db") == before)

        let connection = try writing.openForMigration(path, creating: false)
        #expect(writing.journalMode(ofEncrypted: path) == .rollback)
        try connection.run("INSERT INTO t(b) VALUES ('new')")
        #expect(try count(connection) == 301)
        let version: Int? = try connection.rows("PRAGMA user_version").first?.get("user_version")
        #expect(version == -7)
        // A second connection reads beside the first one.
        let second = try writing.open(path, as: .untrusted)
        #expect(try second.rowCount(of: "t") == 301)
        try second.close()
        connection.close()
        #expect(try !folder.names().contains("x.db-journal"))
        #expect(try SQLCipher.ask(path, passphrase, "PRAGMA journal_mode", pragmas: pragmas) == "delete")
        #expect(try SQLCipher.problems(path, passphrase, pragmas: pragmas) == "")
    }

    @Test("while another program has it open, it is locked and keeps its mode")
    func held() throws {
        try make()
        let lines = "c.execute('SELECT count(*) FROM t').fetchall(); print('open', flush=True); sys.stdin.read()"
        let holder = try SQLCipher.run(path, Self.key, lines)
        try holder.wait(for: "open")
        let before = try folder.read("x.db")
        #expect { try engine().openForMigration(path, creating: false) } throws: {
            ($0 as? StoreError)?.kind == .busy
        }
        #expect(try folder.read("x.db") == before && !folder.names().contains("x.db-journal"))
        holder.crash()
        let connection = try engine().openForMigration(path, creating: false)
        #expect(try count(connection) == 300)
        connection.close()
    }

    @Test("while another connection of chatdb reads it in a transaction, it is locked and keeps its mode")
    func read() throws {
        try make()
        let (reading, writing) = (engine(), engine())
        try writing.open(path, as: .untrusted).close()
        let before = try folder.read("x.db")
        let snapshot = try reading.openSnapshot(path)
        _ = try snapshot.renew()
        for open in [
            { _ = try writing.waiting(0).openForMigration(path, creating: false) },
            { _ = try writing.waiting(0).open(path, as: .existing) },
        ] as [() throws -> Void] {
            #expect { try open() } throws: { ($0 as? StoreError)?.kind == .busy }
        }
        #expect(try snapshot.rowCount(of: "t") == 300)
        snapshot.close()
        #expect(try folder.read("x.db") == before && folder.names() == ["x.db"])
        let reader = try reading.open(path, as: .untrusted)
        // A connection that reads has no lock between its transactions.
        let connection = try writing.openForMigration(path, creating: false)
        try connection.run("INSERT INTO t(b) VALUES ('new')")
        #expect(try reader.rowCount(of: "t") == 301)
        connection.close()
        try reader.close()
        #expect(try SQLCipher.problems(path, Self.key) == "")
    }

    @Test("a connection that stays open reads what a program wrote between two transactions in WAL mode")
    func writtenBetween() throws {
        try make()
        let reader = try engine().open(path, as: .untrusted)
        func count() throws -> Int {
            try reader.read { try $0.count(.unchecked(sql: "SELECT count(*) FROM t NOT INDEXED WHERE b = 'new'")) }
        }
        #expect(try count() == 0)
        let stamp = try reader.sourceStamp()
        #expect(try reader.sourceStamp() == stamp)
        // Such a commit leaves the first page as it is.
        let lines = "c.execute(\"UPDATE t SET b = 'new' WHERE a = 7\").fetchall()\nc.close()"
        try SQLCipher.run(path, Self.key, lines).end()
        #expect(try folder.names() == ["x.db"])
        #expect(try count() == 1)
        #expect(try reader.sourceStamp() != stamp)
        #expect(try reader.integrityProblems().isEmpty)
        try reader.close()
    }

    @Test("a transaction whose pages another program writes in WAL mode ends with an error, and so does a check")
    func writtenMeanwhile() throws {
        try make()
        let reader = try #require(try engine().openSnapshot(path) as? SQLiteSnapshot)
        _ = try reader.renew()
        let one: Query = "SELECT b FROM t WHERE a = 1"
        let before: String = try #require(try reader.rows(one).first).get("b")
        let lines = """
            c.execute("UPDATE t SET b = 'new' || b").fetchall()
            c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            print('written', flush=True)
            sys.stdin.read()
            """
        let writer = try SQLCipher.run(path, Self.key, lines)
        try writer.wait(for: "written")
        #expect(FileState(at: path + "-wal").bytes ?? 0 == 0)
        // These pages are in SQLite's cache.
        let again: String = try #require(try reader.rows(one).first).get("b")
        #expect(again == before)
        for read in [
            { _ = try reader.rowCount(of: "t") },
            { _ = try reader.access { try SQLiteFacts.integrityProblems($0) } },
            { _ = try reader.access { try DamageReader(database: $0, timeLimit: nil).read() } },
        ] as [() throws -> Void] {
            #expect { try read() } throws: { error in
                guard let error = error as? StoreError else { return false }
                return error.kind == .inUse && error.message.contains("wrote the database while chatdb read it")
                    && error.message.contains("; the database is open in python")
            }
        }
        reader.close()
        // With an empty log, the next transaction reads the new state.
        let next = try engine().open(path, as: .untrusted)
        #expect(try next.integrityProblems().isEmpty)
        #expect(try next.read { try $0.count("SELECT count(*) FROM t WHERE b LIKE 'new%'") } == 300)
        try next.close()
        writer.crash()
    }

    @Test("a connection that knows WAL mode reads nothing of another one's transaction")
    func uncommitted() throws {
        try make()
        let (reading, writing) = (engine(), engine())
        try reading.open(path, as: .untrusted).close()
        let connection = try writing.openForMigration(path, creating: false)
        for statement in ["PRAGMA cache_size = 5", "BEGIN EXCLUSIVE", "UPDATE t SET b = 'changed' || b"] {
            try connection.run(.unchecked(sql: statement))
        }
        #expect(reading.journalMode(ofEncrypted: path) == .wal)
        #expect { try reading.waiting(0).open(path, as: .untrusted) } throws: {
            ($0 as? StoreError)?.kind == .busy
        }
        try connection.run(.unchecked(sql: "ROLLBACK"))
        let reader = try reading.open(path, as: .untrusted)
        #expect(try reader.rowCount(of: "t") == 300)
        try reader.close()
        connection.close()
    }

    @Test("one in a folder that nobody may write is read, and a log that begins later is refused")
    func folderWithoutPermission() throws {
        try make()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        let connection = try engine().open(path, as: .untrusted)
        #expect(try connection.rowCount(of: "t") == 300)
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        #expect(try folder.names() == ["x.db"])

        try folder.write("x.db-wal", [1])
        #expect { try connection.rowCount(of: "t") } throws: { ($0 as? StoreError)?.isOfEncryptedLog == true }
        try connection.close()
    }

    @Test("a log with content is refused, and stays, also if it begins just before the lock")
    func log() throws {
        try make()
        let writer = try SQLCipher.run(
            path, Self.key, "c.execute('DELETE FROM t').fetchall(); print('written', flush=True); sys.stdin.read()")
        try writer.wait(for: "written")
        writer.crash()
        let before = (try folder.read("x.db"), try folder.read("x.db-wal"))
        #expect(!before.1.isEmpty)
        #expect { try engine().openForMigration(path, creating: false) } throws: {
            ($0 as? StoreError)?.kind == .encryptedUnsupported
        }
        let codec = try #require(
            PageCodec(Passphrase(Self.key.utf8), salt: Array(before.0.prefix(16)), .version4, pageSize: 4_096))
        #expect(try !EncryptedWALMode.end(at: path, codec, patience: 0))
        #expect(try folder.read("x.db") == before.0 && folder.read("x.db-wal") == before.1)
        #expect(try SQLCipher.ask(path, Self.key, "SELECT count(*) FROM t") == "0")
    }
}
