import ChatDBKit
import Foundation
import TestKit
import Testing

/// Encrypted databases with the journal of a program that was killed. Rule: docs/encryption.md, "Writing".
@Suite(
    "journals of encrypted databases",
    .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedRollbackTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }
    private static let rawKey = "x'\(String(repeating: "a1", count: 48))'"

    init() throws { folder = try DatabaseFolder() }

    private func open(_ passphrase: String = "right") throws -> any MigrationConnection {
        try SQLiteEngine().openEncrypted(path, with: Passphrase(passphrase.utf8), creating: false)
    }

    private func number(_ connection: any MigrationConnection, _ what: String) throws -> Int {
        try connection.rows(.unchecked(sql: "SELECT \(what) AS n FROM t NOT INDEXED")).first?.get("n") ?? -1
    }

    /// Lets SQLCipher run statements, and kills it.
    private func leaveJournal(
        _ passphrase: String = "right", pragmas: [String] = [], after statements: [String]
    ) throws {
        let lines = statements.map { "c.execute(\"\($0)\").fetchall()" }.joined(separator: "\n")
        let writer = try SQLCipher.run(
            path, passphrase, lines + "\nprint('written', flush=True); sys.stdin.read()", pragmas: pragmas)
        try writer.wait(for: "written")
        writer.crash()
        #expect(try folder.names().contains("x.db-journal"))
    }

    private static let update = [
        "PRAGMA cache_size = 5", "BEGIN", "PRAGMA user_version = 7", "UPDATE t SET b = 'changed' || b",
    ]

    /// Lets SQLCipher change the passphrase from `old` to `new`. The system kills it when the journal gets longer than
    /// some pages.
    private func killInRekey(pages: Int) throws {
        let writer = try SQLCipher.run(
            path, "old",
            """
            import resource, signal
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGXFSZ])
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            c.execute("PRAGMA cache_size = 2").fetchall()
            resource.setrlimit(resource.RLIMIT_FSIZE, (\(pages) * 4104, \(pages) * 4104))
            c.execute("PRAGMA rekey = 'new'").fetchall()
            """)
        #expect(throws: HelperProcess.Failure.self) { try writer.end() }
        #expect(try folder.read("x.db-journal").first == 0xD9)
    }

    /// Changes bytes of the file.
    private func tear(_ places: Range<Int>) throws {
        var torn = try folder.read("x.db")
        for place in places { torn[place] ^= 0x55 }
        try folder.write("x.db", torn)
    }

    private func expectState(_ passphrase: String = "right", rows: Int, pragmas: [String] = []) throws {
        let connection = try open(passphrase)
        #expect(try number(connection, "sum(b LIKE 'x%')") == rows)
        connection.close()
        #expect(try folder.names() == ["x.db"])
        #expect(try SQLCipher.problems(path, passphrase, pragmas: pragmas) == "")
    }

    @Test("a journal is rolled back in place before the passphrase is tried, so a wrong one loses nothing")
    func wrongPassphrase() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let size = try folder.read("x.db").count
        try leaveJournal(after: Self.update)
        #expect(try folder.read("x.db").count > size)
        #expect { try open("wrong") } throws: { ($0 as? StoreError)?.kind == .wrongPassphrase }
        #expect(try folder.read("x.db").count == size && folder.names() == ["x.db"])
        try expectState(rows: 3_000)
    }

    @Test(
        "a change of the passphrase that was killed at any page is undone, whichever passphrase opens it first",
        arguments: ["old", "new"])
    func changeOfPassphrase(first: String) throws {
        try SQLCipher.make(path, "old", rows: 3_000)
        let before = try folder.read("x.db")
        for pages in [20, 40, 60] {
            try folder.write("x.db", before)
            try killInRekey(pages: pages)
            #expect(try folder.read("x.db") != before)
            if first == "new" {
                #expect { try open("new") } throws: { ($0 as? StoreError)?.kind == .wrongPassphrase }
            }
            try expectState("old", rows: 3_000)
        }
    }

    @Test("a connection that is open since before a change of the passphrase keeps the journal of another program")
    func staleKey() throws {
        try SQLCipher.make(path, "old", rows: 3_000)
        let connection = try open("old")
        defer { connection.close() }
        #expect(try number(connection, "count(*)") == 3_000)
        try SQLCipher.run(path, "old", "c.execute(\"PRAGMA rekey = 'right'\").fetchall()").end()
        try leaveJournal(after: Self.update)
        let journal = try folder.read("x.db-journal")
        #expect {
            try number(connection, "count(*)")
        } throws: { error in
            let error = error as? StoreError
            return error?.kind == .inputOutput && error?.message.contains("encrypted with another key") == true
        }
        #expect(try folder.read("x.db-journal") == journal)
        connection.close()
        try expectState(rows: 3_000)
    }

    @Test("a connection that is open while SQLCipher is killed in a change of the passphrase rolls the journal back")
    func killedChangeBesideConnection() throws {
        try SQLCipher.make(path, "old", rows: 3_000)
        let connection = try open("old")
        try killInRekey(pages: 20)
        #expect(try number(connection, "sum(b LIKE 'x%')") == 3_000)
        connection.close()
        try expectState("old", rows: 3_000)
    }

    @Test(
        "a journal is rolled back although the first page is torn, in every page size and with the salt in it",
        arguments: [[], ["cipher_page_size = 1024"], ["cipher_page_size = 16384"]], [0..<512, 600..<700])
    func tornFirstPage(pragmas: [String], places: Range<Int>) throws {
        try SQLCipher.make(path, "right", rows: 3_000, pragmas: pragmas)
        try leaveJournal(pragmas: pragmas, after: Self.update)
        try tear(places)
        try expectState(rows: 3_000, pragmas: pragmas)
    }

    @Test("a key with a salt rolls back too, although the salt of the file is torn")
    func tornSaltOfRawKey() throws {
        try SQLCipher.make(path, Self.rawKey, rows: 3_000)
        try leaveJournal(Self.rawKey, after: Self.update)
        try tear(0..<512)
        try expectState(Self.rawKey, rows: 3_000)
    }

    @Test("a journal is rolled back although every page of the file is torn")
    func everyPageTorn() throws {
        try SQLCipher.make(path, "right", rows: 300)
        try leaveJournal(after: ["PRAGMA cache_size = 2"] + Self.update.dropFirst() + ["DELETE FROM t"])
        let size = try folder.read("x.db").count
        for page in 0..<size / 4_096 { try tear(page * 4_096 + 600..<page * 4_096 + 601) }
        try expectState(rows: 300)
    }

    @Test("without a journal, a changed first page is damage, in every page size", arguments: [1_024, 4_096, 16_384])
    func damagedFirstPage(pageSize: Int) throws {
        try SQLCipher.make(path, "right", rows: 3_000, pragmas: ["cipher_page_size = \(pageSize)"])
        try tear(600..<601)
        #expect { try open() } throws: { ($0 as? StoreError)?.kind == .damaged }
    }

    @Test("a killed change from WAL mode is rolled back, and the database is then written in rollback mode")
    func killedChangeOfMode() throws {
        try SQLCipher.make(path, "right", rows: 300)
        try SQLCipher.run(path, "right", "c.execute('PRAGMA journal_mode = WAL').fetchall()").end()
        let pages = try UInt32(folder.read("x.db").count / 4_096)
        try SQLCipher.run(path, "right", "c.execute('PRAGMA journal_mode = PERSIST').fetchall()").end()
        try restoreHeader(pages: pages)
        try tear(0..<512)
        try expectState(rows: 300)
        #expect(try SQLCipher.ask(path, "right", "PRAGMA journal_mode") == "delete")
    }

    /// Gives a kept journal, whose first frame is the only one, the header that it had before the commit.
    private func restoreHeader(pages: UInt32) throws {
        let journal = try folder.read("x.db-journal")
        try #require(journal.count == 512 + 4 + 4_096 + 4)
        let sum = stride(from: 4_096 - 200, to: 0, by: -200).reduce(UInt32(0)) { $0 &+ UInt32(journal[516 + $1]) }
        let stored = journal.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let fields = [1, stored &- sum, pages, 512, 4_096].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
        try folder.write(
            "x.db-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + fields + journal.dropFirst(28))
    }

    /// Cuts the file in the middle of its last page.
    private func cut() throws {
        let file = try folder.read("x.db")
        try folder.write("x.db", file.dropLast(2_000))
    }

    @Test("a file that ends within a page is whole after a rollback, and truncated without a journal to roll back")
    func partialPage() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        try leaveJournal(after: Self.update)
        try cut()
        try expectState(rows: 3_000)
        try cut()
        #expect { try open() } throws: { ($0 as? StoreError)?.kind == .truncated }
        try folder.write("x.db-journal", Array(repeating: 0x78, count: 600))
        #expect { try open() } throws: { ($0 as? StoreError)?.kind == .truncated }
    }

    @Test("a part of a page is damage, and never content")
    func cutBesideConnection() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let connection = try open()
        defer { connection.close() }
        try cut()
        #expect { try connection.run("UPDATE t SET b = 'y' || b") } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(try folder.read("x.db").count % 4_096 == 2_096)
    }

    @Test("a database of one page is rolled back, and an empty file is a new database")
    func smallest() throws {
        try SQLCipher.run(path, "right", "c.execute('PRAGMA user_version = 1')").end()
        let before = try folder.read("x.db")
        #expect(before.count == 4_096)
        // A transaction of one page is in the file only while it commits. The kept journal gets its header back.
        try SQLCipher.run(
            path, "right",
            """
            c.execute("PRAGMA journal_mode = PERSIST").fetchall(); c.execute("PRAGMA user_version = 2")
            """
        ).end()
        try restoreHeader(pages: 1)
        try tear(0..<4_096)
        let connection = try open()
        let version: Int? = try connection.rows("PRAGMA user_version").first?.get("user_version")
        #expect(version == 1)
        connection.close()
        try folder.write("x.db", Data())
        let new = try open()
        try new.run("CREATE TABLE t(a)")
        new.close()
        #expect(try SQLCipher.problems(path, "right") == "")
    }
}
