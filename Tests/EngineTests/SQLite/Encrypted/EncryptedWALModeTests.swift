import ChatDBKit
import Foundation
import TestKit
import Testing

/// Encrypted databases that another program has put into WAL mode. Rule: docs/encryption.md, "Writing".
@Suite(
    "encrypted databases in WAL mode",
    .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedWALModeTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }

    init() throws { folder = try DatabaseFolder() }

    private func engine() -> SQLiteEngine { SQLiteEngine().writing(with: Passphrase("right".utf8)) }

    /// Makes a database in WAL mode. SQLCipher closes it, and so removes the log.
    private func make(_ pragmas: [String] = []) throws {
        try SQLCipher.make(path, "right", rows: 300, pragmas: pragmas)
        let statements = ["PRAGMA journal_mode = WAL", "PRAGMA user_version = -7"]
        let lines = statements.map { "c.execute('\($0)').fetchall()" }.joined(separator: "\n")
        try SQLCipher.run(path, "right", lines, pragmas: pragmas).end()
        #expect(try folder.names() == ["x.db"])
    }

    private func count(_ connection: any MigrationConnection) throws -> Int {
        try connection.rows("SELECT count(*) AS n FROM t NOT INDEXED").first?.get("n") ?? -1
    }

    @Test(
        "one without a log, or with an empty one, is read as it is, and written in rollback mode",
        arguments: [[], ["cipher_page_size = 1024"], ["cipher_compatibility = 3"]], [false, true])
    func written(pragmas: [String], hasEmptyLog: Bool) throws {
        try make(pragmas)
        if hasEmptyLog { for suffix in ["-wal", "-shm"] { try folder.write("x.db" + suffix, [UInt8]()) } }
        let (before, writing) = (try folder.read("x.db"), engine())
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
        #expect(try SQLCipher.ask(path, "right", "PRAGMA journal_mode", pragmas: pragmas) == "delete")
        #expect(try SQLCipher.problems(path, "right", pragmas: pragmas) == "")
    }

    @Test("while another program has it open, it is locked and keeps its mode")
    func held() throws {
        try make()
        let lines = "c.execute('SELECT count(*) FROM t').fetchall(); print('open', flush=True); sys.stdin.read()"
        let holder = try SQLCipher.run(path, "right", lines)
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

    @Test("a log with content is refused, and stays")
    func log() throws {
        try make()
        let writer = try SQLCipher.run(
            path, "right", "c.execute('DELETE FROM t').fetchall(); print('written', flush=True); sys.stdin.read()")
        try writer.wait(for: "written")
        writer.crash()
        let before = (try folder.read("x.db"), try folder.read("x.db-wal"))
        #expect(!before.1.isEmpty)
        #expect { try engine().openForMigration(path, creating: false) } throws: {
            ($0 as? StoreError)?.kind == .encryptedUnsupported
        }
        #expect(try folder.read("x.db") == before.0 && folder.read("x.db-wal") == before.1)
        #expect(try SQLCipher.ask(path, "right", "SELECT count(*) FROM t") == "0")
    }
}
