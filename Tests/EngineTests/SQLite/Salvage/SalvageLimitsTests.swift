import ChatDBKit
import Foundation
import GRDB
import GRDBSQLite
import TestKit
import Testing

/// Time, memory and definitions of hostile files. Rule: docs/support.md, "Salvage a damaged store".
@Suite("limits of a salvage") struct SalvageLimitsTests {
    /// A table whose leaves are lost, and an index that has all of its rows.
    private func indexed(_ rows: Int) throws -> DamagedDatabase {
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b INTEGER); CREATE INDEX ta ON t(a);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
            INSERT INTO t SELECT x, 'k' || x, x FROM n;
            """)
        for pointer in try base.pointers(of: base.root(of: "t")) { try base.overwrite(pointer.page) }
        return base
    }

    @Test("many rows that only an index has are written, and a request to stop ends that")
    func rowsOfIndexes() throws {
        let base = try indexed(60_000)
        let table = try base.salvage().table("t")
        #expect(table.incomplete == 60_000 && table.fromIndexes == 60_000 && table.lost == 0, "\(table)")
        #expect(try base.number("SELECT count(*) FROM t WHERE a = 'k' || id") == 60_000)
        try FileManager.default.removeItem(atPath: base.target)
        let cancellation = Cancellation()
        // Far fewer steps read pages.
        var steps: Int64 = 0
        try storeError(.interrupted) {
            _ = try base.salvage(cancellation: cancellation) { done, _ in
                steps += 64
                if steps > 20_000 { cancellation.request() }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: base.target))
        #expect(!FileManager.default.fileExists(atPath: base.lost))
    }

    @Test("rows at the ends of pages are saved if the header says that SQLite does not use these bytes")
    func reservedBytes() throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        try base.write([85], at: 20)
        let saved = try base.salvage()
        for (name, rows) in [("messages", 2000), ("users", 500)] {
            let table = saved.table(name)
            #expect(table.saved == rows && table.lost == 0 && table.setAside == 0, "\(table)")
        }
        #expect(saved.notes.contains { $0.hasPrefix("the header is damaged") })
    }

    @Test("a file whose pages have reserved bytes is read as its header says", arguments: [512, 4096])
    func rightReservedBytes(size: Int) throws {
        let base = try DamagedDatabase(DamagedDatabase.twins, page: size)
        let queue = try base.queue(base.path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE messages SET body = printf('%.*c', 3 * \(size), 'y') WHERE id % 100 = 0")
            var reserved: CInt = 24
            #expect(
                sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
                    == SQLITE_OK)
            try database.execute(sql: "VACUUM")
        }
        try queue.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: base.path))[20] == 24)
        let saved = try base.salvage()
        #expect(saved.table("messages").saved == 2000 && saved.table("users").saved == 500, "\(saved.tables)")
        #expect(saved.notes.isEmpty)
        #expect(try base.number("SELECT count(*) FROM messages WHERE length(body) = \(3 * size)") == 20)
    }

    @Test("ranges of row IDs are merged, and a search finds the range of a row ID")
    func ranges() {
        var random = SplitMix64(seed: 8)
        for _ in 0..<200 {
            let all = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                let start = Int64.random(in: -30...30, using: &random)
                let isOpen = Int.random(in: 0..<12, using: &random) == 0
                return KeyRange(after: isOpen ? nil : start, upTo: start + .random(in: 0...6, using: &random))
            }
            let merged = KeyRanges(all)
            #expect(merged.isEmpty == all.isEmpty)
            for key in Int64(-40)...40 {
                #expect((merged.range(of: key) != nil) == all.contains { $0.contains(key) }, "\(key) \(all)")
            }
        }
        #expect(KeyRanges([.all]).range(of: .min) == .all && KeyRanges([.all]).range(of: .max) == .all)
    }

    @Test("a pointer to a page that the file does not have is no orphan page")
    func pagesOutside() throws {
        let base = try DamagedDatabase("CREATE TABLE t(a)")
        let file = try PageFile(base.path)
        let usage = PageUsage(file)
        #expect(!usage.isOrphan(file.pageCount + 1) && !usage.isOrphan(0) && usage.isOrphan(2))
    }

    @Test("a sparse file is read without its holes", arguments: [Int64(1) << 40, .max])
    func sparse(_ size: Int64) throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        try base.overwrite(try base.root(of: "messages"))
        // Not every file system permits such a file.
        guard truncate(base.path, off_t(size)) == 0 else { return }
        let saved = try base.salvage()
        #expect(saved.table("messages").written == 2000 && saved.table("users").saved == 500, "\(saved.tables)")
    }

    @Test("a file that exists at a path of the new database stays as it is")
    func existing() throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        for path in [base.target, base.target + "-wal"] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(throws: (any Error).self) { _ = try base.salvage() }
        for path in [base.target, base.target + "-wal"] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("x".utf8))
        }
    }

    @Test("an index of a column beyond those that the database of lost rows has")
    func wideTable() throws {
        let columns = (0..<500).map { "c\($0)" }.joined(separator: ", ")
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(\(columns)); CREATE INDEX late ON t(c3, c450);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 40)
            INSERT INTO t(c3, c450) SELECT x, x FROM n;
            """)
        try base.overwrite(try base.pointers(of: base.root(of: "t"))[1].page)
        let table = try base.salvage().table("t")
        #expect(table.saved + table.incomplete == 40 && table.incomplete > 0, "\(table)")
    }

    @Test("a constraint with a slow function is not evaluated; rows that need such a function are set aside")
    func slowFunctions() throws {
        let slow = "length(replace(hex(zeroblob(200000000)), '00', '1')) > 0"
        let base = try DamagedDatabase(
            """
            PRAGMA ignore_check_constraints = ON;
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, CHECK (\(slow)));
            CREATE TABLE m(id INTEGER PRIMARY KEY, a TEXT, b TEXT DEFAULT (\(slow)));
            CREATE TABLE g(a TEXT, h AS (length(replace(a, 'x', 'y'))) STORED);
            CREATE TABLE d(a TEXT, at TEXT DEFAULT (strftime('%Y', 'now')), b TEXT CHECK (length(b) < 4));
            INSERT INTO t VALUES (5, 'a'); INSERT INTO m VALUES (1, 'b', 'c'); INSERT INTO g(a) VALUES ('axx');
            INSERT INTO d(a, b) VALUES ('one', 'abc');
            CREATE INDEX e ON d(replace(a, 'o', 'p'));
            """)
        let saved = try base.salvage()
        #expect(saved.table("t").saved == 1 && saved.table("d").saved == 1 && saved.table("m").saved == 1, "\(saved)")
        #expect(saved.table("g").setAside == 1 && saved.table("g").saved == 0, "\(saved)")
        #expect(saved.leftOut.count == 1 && saved.notes.contains { $0.contains("CHECK constraints") }, "\(saved)")
    }

    @Test("a full-text index of a view is built again; that of a table without content is reported as empty")
    func fullText() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE m(id INTEGER PRIMARY KEY, a TEXT); CREATE VIEW mv AS SELECT id, a FROM m;
            CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS a FROM n;
            CREATE VIRTUAL TABLE fv USING fts5(a, content='mv', content_rowid='id');
            CREATE VIRTUAL TABLE cl USING fts5(a, content='');
            CREATE VIRTUAL TABLE fe USING fts5(a, content='endless', content_rowid='id');
            INSERT INTO m VALUES (1, 'hello'), (2, 'world'); INSERT INTO cl(rowid, a) VALUES (1, 'gone');
            INSERT INTO fv(fv) VALUES ('rebuild');
            """)
        let saved = try base.salvage()
        #expect(try base.rows("SELECT rowid FROM fv WHERE fv MATCH 'world'") == ["[rowid:2]"])
        #expect(saved.leftOut.count == 2 && !saved.isWhole, "\(saved.leftOut)")
        #expect(saved.leftOut.allSatisfy { $0.contains("its index cannot be built again") }, "\(saved.leftOut)")
    }

    @Test("a request to stop ends a salvage wherever it is, also while a full-text index is filled")
    func stop() throws {
        let base = try DamagedDatabase(
            """
            CREATE VIRTUAL TABLE f USING fts5(a, b);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4000)
            INSERT INTO f SELECT 'word ' || x, printf('%.200c', 'y') FROM n;
            """)
        var stops = 0
        for stop in 1...200 {
            let cancellation = Cancellation()
            var calls = 0
            func progress(_ done: Int64, _ total: Int64) {
                calls += 1
                if calls == stop { cancellation.request() }
            }
            do {
                let saved = try base.salvage(cancellation: cancellation, progress: progress)
                #expect(calls < stop && saved.table("f").saved == 4000, "a request was ignored: \(stop), \(saved)")
                break
            } catch let error as StoreError {
                #expect(error.kind == .interrupted, "\(stop): \(error)")
                #expect(!FileManager.default.fileExists(atPath: base.target), "\(stop)")
                stops += 1
            }
        }
        #expect(stops >= 3, "\(stops)")
    }

    @Test("a time of a file that no calendar has is written out")
    func time() {
        #expect(LogFile.time(0) == "1970-01-01 00:00:00Z")
        #expect(LogFile.time(67_768_036_191_676_700).hasPrefix("21474") || LogFile.time(.max) == "an unknown time")
        #expect(LogFile.time(.max) == "an unknown time" && LogFile.time(.min) == "an unknown time")
    }
}
