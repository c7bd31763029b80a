import ChatDBKit
import Foundation
import TestKit
import Testing

/// The verification of every page of an encrypted database. Rule: docs/encryption.md, "The format".
@Suite(
    "verification of all pages", .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
struct PageVerificationTests {
    private let folder: DatabaseFolder
    private var path: String { folder.file("x.db") }

    init() throws { folder = try DatabaseFolder() }

    private func damaged() throws -> DamagedPages {
        let connection = try SQLiteEngine().reading(with: Passphrase("right".utf8)).open(path, as: .untrusted)
        defer { try? connection.close() }
        let found = try connection.damagedPages()
        #expect(try connection.read { try $0.count("SELECT count(*) FROM sqlite_master") } == 2)
        return found
    }

    /// Changes pages of the file.
    private func change(_ pages: some Sequence<Int>, _ body: (inout [UInt8], Int) -> Void) throws {
        var file = try folder.read("x.db")
        for page in pages { body(&file, (page - 1) * 4_096) }
        try folder.write("x.db", file)
    }

    private func zero(_ pages: some Sequence<Int>) throws {
        try change(pages) { $0.replaceSubrange($1..<$1 + 4_096, with: [UInt8](repeating: 0, count: 4_096)) }
    }

    @Test("pages that were changed and pages of zeros are found, each by its number, in a file of many portions")
    func found() throws {
        try SQLCipher.make(path, "right", rows: 20_000)
        #expect(try damaged() == DamagedPages())
        let before = try folder.read("x.db")
        let pages = before.count / 4_096
        try #require(pages > 300)
        try change([7, 200, pages]) { $0[$1 + 100] ^= 1 }
        // The vector, and the code.
        try change([64, 65]) { $0[$1 + 4_096 - 80] ^= 1 }
        try change([128]) { $0[$1 + 4_096 - 1] ^= 1 }
        try zero([9, 129])
        let found = try damaged()
        #expect(found.count == 8)
        #expect(found.first.map(\.number) == [7, 9, 64, 65, 128, 129, 200, Int64(pages)])
        #expect(found.first.filter(\.isZeroed).map(\.number) == [9, 129])
        #expect(try folder.names() == ["x.db"])
    }

    @Test("of more damaged pages than are named, the first are named and all are counted")
    func many() throws {
        try SQLCipher.make(path, "right", rows: 20_000)
        try change(100...300) { $0[$1] ^= 1 }
        let found = try damaged()
        #expect(found.count == 201 && found.first.map(\.number) == (100..<200).map { Int64($0) })
    }

    @Test("a page that has the place of another one is found")
    func moved() throws {
        try SQLCipher.make(path, "right", rows: 20_000)
        var file = try folder.read("x.db")
        file.replaceSubrange(99 * 4_096..<100 * 4_096, with: file[100 * 4_096..<101 * 4_096])
        try folder.write("x.db", file)
        #expect(try damaged().first.map(\.number) == [100])
    }

    @Test("a free page of zeros is no damage, because SQLite never reads it; a changed one is, and so is a trunk")
    func free() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        try SQLCipher.run(
            path, "right",
            """
            c.execute("CREATE TABLE u AS SELECT zeroblob(3000) AS b FROM t LIMIT 50")
            c.execute("DROP TABLE u")
            """
        ).end()
        let good = try folder.read("x.db")
        let pages = good.count / 4_096
        // The dropped table had the last pages, of which the list of free pages has one as its trunk.
        let free = (pages - 49)...pages
        #expect(try damaged() == DamagedPages())
        var trunks: [Int] = []
        for page in free {
            try zero([page])
            let found = try damaged()
            if found.count > 0 { trunks.append(page) }
            #expect(found.count == 0 || found.first.map(\.number) == [Int64(page)])
            try folder.write("x.db", good)
        }
        try #require(trunks.count == 1, "\(trunks)")
        try zero(free.filter { !trunks.contains($0) })
        #expect(try damaged() == DamagedPages())
        try change([trunks[0] == pages ? pages - 1 : pages]) { $0[$1] ^= 1 }
        #expect(try damaged().count == 1)
    }

    @Test(
        "the pages of SQLCipher 3 and of other page sizes are verified",
        arguments: ["cipher_compatibility = 3", "cipher_page_size = 1024", "cipher_page_size = 65536"])
    func formats(_ pragma: String) throws {
        try SQLCipher.make(path, "right", rows: 5_000, pragmas: [pragma])
        #expect(try damaged() == DamagedPages())
        var file = try folder.read("x.db")
        file[file.count - 1_000] ^= 1
        try folder.write("x.db", file)
        #expect(try damaged().count == 1)
    }

    @Test("while another program writes, the last commit is verified, and its locks stay")
    func besideWriter() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let writer = try SQLCipher.run(
            path, "right",
            """
            c.execute("PRAGMA cache_size = 5"); c.execute("BEGIN IMMEDIATE")
            c.execute("INSERT INTO t VALUES (9000, 'x')")
            print('written', flush=True); sys.stdin.readline()
            c.execute("COMMIT"); print('committed', flush=True); sys.stdin.readline()
            """)
        try writer.wait(for: "written")
        #expect(try damaged() == DamagedPages())
        writer.say("go")
        try writer.wait(for: "committed")
        #expect(try damaged() == DamagedPages())
        writer.say("end")
        try writer.end()
    }

    @Test("a verification that was asked to stop ends as interrupted")
    func interrupted() throws {
        try SQLCipher.make(path, "right", rows: 3_000)
        let engine = SQLiteEngine().reading(with: Passphrase("right".utf8))
        try engine.open(path, as: .untrusted).close()
        let cancellation = Cancellation()
        #expect(try engine.damagedPages(ofUnreadable: path, cancellation: cancellation) == DamagedPages())
        cancellation.request()
        let error = #expect(throws: StoreError.self) {
            try engine.damagedPages(ofUnreadable: path, cancellation: cancellation)
        }
        #expect(error?.kind == .interrupted)
    }

    @Test("a plain database has no damaged pages")
    func plain() throws {
        let plain = try SQLiteEngine().open(folder.file("p.db"), as: .create)
        #expect(try plain.damagedPages() == DamagedPages())
        try plain.close()
    }
}

/// A database of more than 1 GiB, where SQLite has its locks.
@Suite(
    "verification torture",
    .enabled(if: FaultSample.isTortured && SQLCipher.python != nil, "make torture runs it"))
struct PageVerificationTortureTests {
    @Test("the page with SQLite's locks is no damage, and those around it are")
    func lockPage() throws {
        let folder = try DatabaseFolder()
        let path = folder.file("x.db")
        try SQLCipher.run(
            path, "right",
            """
            c.execute("PRAGMA synchronous = OFF"); c.execute("PRAGMA journal_mode = OFF")
            c.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
            c.execute('''WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1100)
                INSERT INTO t SELECT x, zeroblob(1000000) FROM n''')
            """
        ).end()
        let engine = SQLiteEngine().reading(with: Passphrase("right".utf8))
        func damaged() throws -> DamagedPages {
            let connection = try engine.open(path, as: .untrusted)
            defer { try? connection.close() }
            return try connection.damagedPages()
        }
        #expect(try damaged() == DamagedPages())
        let lockPage = 0x4000_0000 / 4_096 + 1
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in [lockPage - 1, lockPage + 1] {
            try file.seek(toOffset: UInt64((page - 1) * 4_096))
            try file.write(contentsOf: Data(count: 4_096))
        }
        try file.close()
        #expect(try damaged().first.map(\.number) == [Int64(lockPage - 1), Int64(lockPage + 1)])
    }
}
