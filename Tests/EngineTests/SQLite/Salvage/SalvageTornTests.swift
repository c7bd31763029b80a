import ChatDBKit
import Foundation
import GRDB
import TestKit
import Testing

/// A file whose parts are of different times, or whose end is missing. Rule: docs/support.md, "Salvage a damaged store".
@Suite("salvage of torn and truncated files") struct SalvageTornTests {
    /// Two tables with 2000 rows each, of which only the first has an index, and a child of the second.
    private static let before = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT NOT NULL, chat INTEGER);
        CREATE TABLE u(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, c REAL NOT NULL);
        CREATE INDEX ti ON t(body);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
        INSERT INTO t SELECT x, 'message ' || x || printf('%.*c', 40 + x % 50, 'x'), x % 7 FROM n;
        INSERT INTO u SELECT id, body, 'b', id / 2.0 + 0.25 FROM t;
        """
    private static let after = """
        WITH RECURSIVE n(x) AS (SELECT 2001 UNION ALL SELECT x + 1 FROM n WHERE x < 4000)
        INSERT INTO t SELECT x, 'message ' || x || printf('%.*c', 40 + x % 50, 'x'), x % 7 FROM n;
        INSERT INTO u SELECT id, body, 'b', id / 2.0 + 0.25 FROM t WHERE id > 2000;
        """

    /// A file with the header and the first pages of the tables from an earlier time, and all other pages of a later one.
    private func torn(_ before: String = before, _ after: String = after, rootsOf names: [String] = ["t", "u"]) throws
        -> DamagedDatabase
    {
        let base = try DamagedDatabase(before)
        let early = Array(try Data(contentsOf: URL(fileURLWithPath: base.path)))
        try base.sql(after)
        let pages = try [1] + names.map(base.root(of:))
        try base.edit { bytes in
            #expect(bytes.count > early.count)
            for page in pages {
                let range = (page - 1) * base.pageSize..<page * base.pageSize
                bytes.replaceSubrange(range, with: early[range])
            }
        }
        return base
    }

    @Test("rows behind the pages of the header: saved if an index has them, and doubtful if only the columns fit")
    func pagesOfLaterTime() throws {
        let base = try torn()
        let saved = try base.salvage()
        let (t, u) = (saved.table("t"), saved.table("u"))
        #expect(t.saved == 4000 && t.isWhole && t.fromPages > 1000, "\(t)")
        #expect(u.written == 4000 && u.guessed == u.fromPages && u.guessed > 1000 && u.setAside == 0, "\(u)")
        // No index counts the rows of this table, and its tree is of the earlier time.
        #expect(u.lost == nil && saved.unassigned == 0 && !saved.isWhole, "\(saved)")
        #expect(saved.notes.contains { $0.contains("different times") }, "\(saved.notes)")
        #expect(try base.number("SELECT count(*) FROM u WHERE c = id / 2.0 + 0.25") == 4000)
        #expect(try base.rows("PRAGMA integrity_check") == ["[integrity_check:\"ok\"]"])
    }

    @Test("a damaged freelist: rows that an index has are doubtful, and pages behind the last row belong to no table")
    func damagedFreeList() throws {
        let base = try torn()
        try base.write(DamagedDatabase.word(5), at: 36)
        let saved = try base.salvage()
        let (t, u) = (saved.table("t"), saved.table("u"))
        #expect(t.written == 4000 && t.guessed == t.fromPages && t.guessed > 1000 && t.lost == 0, "\(t)")
        #expect(u.guessed == 0 && u.saved < 4000 && saved.unassigned == 4000 - u.saved, "\(u) \(saved.unassigned)")
    }

    @Test("pages that fit two tables equally well belong to neither")
    func twins() throws {
        let base = try torn(
            Self.before + "CREATE TABLE v(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, c REAL NOT NULL);"
                + "INSERT INTO v SELECT * FROM u WHERE id < 9;")
        let saved = try base.salvage()
        #expect(saved.table("u").guessed == 0 && saved.table("v").written == 8 && saved.unassigned > 1000, "\(saved)")
    }

    @Test("the number of lost rows is never smaller than that of the rows that a damaged index has and the table lacks")
    func laterIndex() throws {
        let number = "id * 7919 % 100003"
        let base = try DamagedDatabase(
            Self.before + "ALTER TABLE t ADD COLUMN n INTEGER; UPDATE t SET n = \(number); CREATE INDEX tn ON t(n);")
        let early = Array(try Data(contentsOf: URL(fileURLWithPath: base.path)))
        try base.sql(Self.after.replacing("x % 7 FROM n", with: "x % 7, x * 7919 % 100003 FROM n"))
        // The root of the table and the index are of the later time, and the other index of the earlier one.
        let pages = try base.rows("SELECT pageno FROM dbstat WHERE name = 'tn'", in: base.path)
        let later = try [base.root(of: "t")] + pages.compactMap { Int($0.filter(\.isNumber)) }
        try base.edit { bytes in
            var file = early
            for page in later where page * base.pageSize <= early.count {
                let range = (page - 1) * base.pageSize..<page * base.pageSize
                file.replaceSubrange(range, with: bytes[range])
            }
            bytes = file
        }
        let table = try base.salvage().table("t")
        #expect(table.saved == 2000 && table.traces > 100 && table.lost == table.traces, "\(table)")
    }

    @Test("lost rows to which other rows refer are counted, where no index counts the rows")
    func referred() throws {
        let base = try DamagedDatabase(
            Self.before
                + """
                CREATE TABLE child(id INTEGER PRIMARY KEY, u INTEGER REFERENCES u(id), other INTEGER REFERENCES u);
                INSERT INTO child(u, other) SELECT id / 2 + 1, id FROM u WHERE id <= 100;
                """)
        // The first leaf has the rows 1 to 30 or so.
        try base.overwrite(try base.pointers(of: base.root(of: "u"))[0].page)
        let saved = try base.salvage()
        let u = saved.table("u")
        let first = try base.number("SELECT min(id) FROM u")
        #expect(u.lost == nil && u.referred == first - 1 && u.lostAtLeast == u.referred && first > 10, "\(u) \(first)")
    }

    @Test("a row that the end of a truncated file cuts is doubtful, and has no zeros in the place of its values")
    func cutRow() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL DEFAULT 'none', n INTEGER);
            INSERT INTO t VALUES (1, 'first', 'whole', 7), (2, 'second', 'is cut in the middle', 300), (3, 'third', 'c', 9);
            """)
        try base.edit { bytes in
            let place = try #require(bytes.firstRange(of: Array("is cut in".utf8)))
            bytes.removeSubrange((place.lowerBound + 6)...)
        }
        let saved = try base.salvage()
        let table = saved.table("t")
        // The cells of a page begin at its end: the first row is behind the cut.
        #expect(table.saved == 1 && table.incomplete == 1 && table.lost == 1 && !saved.isWhole, "\(table)")
        #expect(
            try base.rows("SELECT * FROM t") == [
                "[id:2 a:\"second\" b:\"is cut\" n:NULL]", "[id:3 a:\"third\" b:\"c\" n:9]",
            ])
        #expect(saved.notes.contains { $0.contains("truncated: it has 1 whole pages of 2") }, "\(saved.notes)")
    }

    @Test("values behind the cut get the defaults of the table, if it does not permit NULL")
    func cutBeforeDefault() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL DEFAULT 'none');
            INSERT INTO t VALUES (1, 'name', 'other');
            """)
        try base.edit { bytes in
            let place = try #require(bytes.firstRange(of: Array("nameother".utf8)))
            bytes.removeSubrange((place.lowerBound + 2)...)
        }
        let saved = try base.salvage()
        #expect(saved.table("t").incomplete == 1 && saved.table("t").lost == 0, "\(saved)")
        #expect(try base.rows("SELECT * FROM t") == ["[id:1 a:\"na\" b:\"none\"]"])
    }

    @Test("a text whose last overflow page is cut is doubtful, and ends before the cut")
    func cutOverflow() throws {
        let base = try DamagedDatabase(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT); INSERT INTO t VALUES (1, printf('%.9000c', 'x'));")
        try base.edit { $0.removeLast(base.pageSize - 100) }
        let table = try base.salvage().table("t")
        #expect(table.incomplete == 1 && table.saved == 0, "\(table)")
        #expect(try base.number("SELECT length(CAST(body AS BLOB)) FROM t") < 9000)
        #expect(try base.number("SELECT instr(CAST(body AS BLOB), x'00') FROM t") == 0)
    }

    @Test("tables whose definitions are lost and that had no rows are created, if the file shows the program")
    func emptyTables() throws {
        let sample = try DamagedDatabase(
            Self.before + (0..<60).map { "CREATE TABLE more\($0)(id INTEGER PRIMARY KEY, number INTEGER);" }.joined())
        let queue = try sample.queue(sample.path)
        let known = try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master").compactMap { row in
                SchemaObject.Kind(rawValue: row["type"]).map {
                    SchemaObject(kind: $0, name: row["name"], table: row["tbl_name"], root: 0, sql: row["sql"])
                }
            }
        }
        try queue.close()
        try sample.overwrite(
            try sample.number(
                "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pagetype = 'leaf' ORDER BY path LIMIT 1",
                in: sample.path))
        let lost = known.filter { $0.name.hasPrefix("more") }.count
        let saved = try sample.salvage(known: known)
        #expect(try sample.number("SELECT count(*) FROM sqlite_master WHERE name LIKE 'more%'") == lost)
        #expect(saved.tables.contains { $0.isKnownDefinition && $0.written == 0 && $0.lost == nil }, "\(saved)")
        for path in [sample.target, sample.lost] { try? FileManager.default.removeItem(atPath: path) }
        // A program with many other tables did not make the file.
        let others = (0..<200).map { number in
            let name = "o\(number)"
            return SchemaObject(kind: .table, name: name, table: name, root: 0, sql: "CREATE TABLE \(name)(a)")
        }
        _ = try sample.salvage(known: others)
        #expect(try sample.number("SELECT count(*) FROM sqlite_master WHERE name GLOB 'o[0-9]*'") == 0)
    }
}
