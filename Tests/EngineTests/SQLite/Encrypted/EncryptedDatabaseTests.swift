import ChatDBKit
import Foundation
import Testing

@Suite("encrypted databases", .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedDatabaseTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static let key = "x'\(String(repeating: "2f", count: 32))'"

    init() throws { folder = try DatabaseFolder() }

    private func engine(_ passphrase: String) -> SQLiteEngine {
        SQLiteEngine().reading(with: Passphrase(passphrase.utf8))
    }

    private func count(_ passphrase: String, _ path: String? = nil) throws -> Int {
        let connection = try engine(passphrase).open(path ?? self.path, as: .untrusted)
        defer { try? connection.close() }
        return try connection.read { try $0.count("SELECT count(*) FROM t NOT INDEXED") }
    }

    private func problem(_ passphrase: String) -> StoreError.Kind? {
        do throws(StoreError) {
            try engine(passphrase).open(path, as: .untrusted).close()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("the rows of a database of SQLCipher are read, and no byte in its folder changes")
    func rows() throws {
        try SQLCipher.make(path, "it's a secret", rows: 5_000)
        let before = try folder.read("x.db")
        #expect(try count("it's a secret") == 5_000)
        #expect(try folder.read("x.db") == before && folder.names() == ["x.db"])
        let connection = try engine("it's a secret").open(path, as: .untrusted)
        #expect(try connection.integrityProblems().isEmpty)
        try connection.close()
    }

    @Test("without a passphrase the database is encrypted, with another one it is not opened")
    func passphrases() throws {
        try SQLCipher.make(path, "right")
        #expect(throws: StoreError.self) { try SQLiteEngine().open(path, as: .untrusted) }
        #expect(SQLiteEngine().examine(path).problem?.kind == .encrypted)
        #expect(problem("wrong") == .wrongPassphrase && problem("") == .wrongPassphrase && problem("right") == nil)
        #expect(engine("wrong").examine(path).problem?.kind == .wrongPassphrase)
        #expect(engine("right").examine(path).problem == nil)
    }

    @Test(
        "the format of SQLCipher 3, other page sizes and a raw key are read",
        arguments: [
            ("right", ["cipher_compatibility = 3"]), ("right", ["cipher_page_size = 1024"]),
            ("right", ["cipher_page_size = 16384"]), ("x'\(String(repeating: "2f", count: 32))'", []),
            ("x'\(String(repeating: "a1", count: 48))'", []), ("ÄöU ß 🙂", []),
        ])
    func formats(passphrase: String, pragmas: [String]) throws {
        try SQLCipher.make(path, passphrase, pragmas: pragmas)
        #expect(try count(passphrase) == 500)
    }

    @Test("a passphrase in another normal form of Unicode fits, with a note")
    func normalForms() throws {
        try SQLCipher.make(path, "caf\u{E9}")
        #expect(try count("cafe\u{301}") == 500)
        #expect(
            engine("cafe\u{301}").examine(path).notes == [
                "the passphrase fits in another normal form of Unicode than the given one"
            ])
    }

    @Test("a database is not written, however it is opened")
    func writing() throws {
        try SQLCipher.make(path, "right")
        let before = try folder.read("x.db")
        for open in [
            { _ = try self.engine("right").open(self.path, as: .existing) },
            { _ = try self.engine("right").openForMigration(self.path, creating: false) },
        ] as [() throws -> Void] {
            #expect { try open() } throws: { ($0 as? StoreError)?.kind == .encryptedUnsupported }
        }
        #expect(try folder.read("x.db") == before && folder.names() == ["x.db"])
    }

    @Test("each page that was changed is damage, and the rows of other pages are read")
    func damage() throws {
        try SQLCipher.make(path, Self.key, rows: 300)
        let good = try folder.read("x.db")
        for page in 0..<good.count / 4_096 {
            var bad = good
            bad[page * 4_096 + 2_000] ^= 1
            try folder.write("x.db", bad)
            if page == 0 {
                #expect(problem(Self.key) == .damaged)
                continue
            }
            let connection = try engine(Self.key).open(path, as: .untrusted)
            defer { try? connection.close() }
            #expect {
                _ = try connection.read { try $0.count("SELECT sum(length(b)) FROM t NOT INDEXED") }
                _ = try connection.read { try $0.count("SELECT count(DISTINCT b) FROM t INDEXED BY i") }
            } throws: {
                ($0 as? StoreError)?.kind == .damaged
            }
        }
    }

    @Test("a file that was cut is truncated, in the middle of a page and between pages")
    func truncation() throws {
        try SQLCipher.make(path, Self.key, rows: 3_000)
        let good = try folder.read("x.db")
        for length in [4_096, 4_096 * 3, 4_096 * 3 + 512, good.count - 1_024] {
            try folder.write("x.db", good.prefix(length))
            #expect(problem(Self.key) == .truncated, "\(length)")
        }
    }

    @Test("a journal that SQLCipher left when it was killed is rolled back in a copy, which stays encrypted")
    func journal() throws {
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
        #expect(!journal.isEmpty)
        let connection = try engine("right").open(path, as: .untrusted)
        #expect(
            try connection.read { try $0.count("SELECT count(*) FROM t WHERE b LIKE 'x%'") }
                == 3_000)
        #expect(connection.notes.contains { $0.contains("journal was rolled back in a copy") })
        try connection.close()
        #expect(try folder.read("x.db") == before && folder.read("x.db-journal") == journal)
    }

    @Test("a database that SQLCipher has open and writes is read as it was last committed")
    func besideWriter() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let writer = try SQLCipher.run(
            path, "right",
            """
            c.execute("BEGIN IMMEDIATE"); c.execute("INSERT INTO t SELECT a + 10000, b FROM t")
            print('written', flush=True); sys.stdin.readline()
            c.execute("COMMIT"); print('committed', flush=True); sys.stdin.readline()
            """)
        try writer.wait(for: "written")
        #expect(try count("right") == 3_000)
        writer.say("go")
        try writer.wait(for: "committed")
        #expect(try count("right") == 6_000)
        writer.say("end")
        try writer.end()
    }

    @Test("beside a SQLCipher that commits all the time, each answer is one committed state, or busy")
    func besideCommits() throws {
        try SQLCipher.make(path, Self.key)
        let writer = try SQLCipher.run(
            path, Self.key,
            """
            import select
            n = 0
            while not select.select([sys.stdin], [], [], 0)[0]:
                n += 1
                c.execute("BEGIN IMMEDIATE"); c.execute("UPDATE t SET b = printf('%.50c%d', 'y', ?)", [n])
                c.execute("INSERT INTO t (b) SELECT b FROM t LIMIT 1"); c.execute("COMMIT")
                if n == 1: print('begun', flush=True)
            """)
        try writer.wait(for: "begun")
        var (answers, last) = (0, 0)
        for _ in 0..<60 {
            do {
                let connection = try engine(Self.key).open(path, as: .untrusted)
                defer { try? connection.close() }
                try connection.read { transaction in
                    let rows = try transaction.count("SELECT count(*) FROM t NOT INDEXED")
                    // Each commit gives all rows one text, and adds one row.
                    #expect(try transaction.count("SELECT count(DISTINCT b) FROM t INDEXED BY i") == 1)
                    let number = "SELECT max(CAST(ltrim(b, 'y') AS INTEGER)) FROM t NOT INDEXED"
                    #expect(try transaction.count(.unchecked(sql: number)) == rows - 500)
                    #expect(rows >= last)
                    last = rows
                }
                answers += 1
            } catch let error as StoreError {
                #expect(error.kind == .busy, "\(error)")
            }
        }
        writer.say("end")
        try writer.end()
        #expect(answers > 10 && last > 501, "\(answers) answers, \(last) rows")
    }

    @Test("a database that SQLCipher has locked for itself alone is busy")
    func locked() throws {
        try SQLCipher.make(path, Self.key)
        let writer = try SQLCipher.run(
            path, Self.key,
            "c.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); sys.stdin.readline(); c.execute('COMMIT')")
        try writer.wait(for: "locked")
        #expect { _ = try count(Self.key) } throws: { ($0 as? StoreError)?.kind == .busy }
        writer.say("go")
        try writer.end()
        #expect(try count(Self.key) == 500)
    }

    @Test("the error of a changed page names the page")
    func pageNumbers() throws {
        try SQLCipher.make(path, Self.key, rows: 300)
        let good = try folder.read("x.db")
        for page in 2...good.count / 4_096 {
            var bad = good
            bad[(page - 1) * 4_096 + 700] ^= 0x40
            try folder.write("x.db", bad)
            let connection = try engine(Self.key).open(path, as: .untrusted)
            defer { try? connection.close() }
            #expect {
                _ = try connection.read { try $0.count("SELECT sum(length(b)) FROM t NOT INDEXED") }
                _ = try connection.read { try $0.count("SELECT count(DISTINCT b) FROM t INDEXED BY i") }
            } throws: {
                ($0 as? StoreError)?.message == "it is damaged (the authentication code of page \(page) does not fit)"
            }
        }
    }
}
