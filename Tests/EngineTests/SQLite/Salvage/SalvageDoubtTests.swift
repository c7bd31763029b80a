import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rows that may be wrong or lost are not reported as saved. Rule: docs/support.md, "Salvage a damaged store".
@Suite("doubts of a salvage") struct SalvageDoubtTests {
    @Test("a row that is too long is set aside without its longest values, and not written with NULL")
    func tooLong() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB, c BLOB);
            INSERT INTO t VALUES (1, 'small', x'00', NULL), (2, 'one', zeroblob(30000), NULL),
                (3, 'sum', zeroblob(12000), zeroblob(11000));
            """)
        let saved = try base.salvage(longestValue: 20_000)
        let table = saved.table("t")
        #expect(table.saved == 1 && table.setAside == 2 && table.lost == 0 && !saved.isWhole, "\(table)")
        #expect(saved.notes.contains { $0.contains("without their longest values (rows: 2)") }, "\(saved.notes)")
        #expect(try base.number("SELECT count(*) FROM t") == 1)
        let lost = "SELECT row, c1, length(c2) AS b, length(c3) AS c FROM lost_and_found ORDER BY row"
        let rows = try base.rows(lost, in: base.lost)
        #expect(rows == ["[row:2 c1:\"one\" b:NULL c:NULL]", "[row:3 c1:\"sum\" b:NULL c:11000]"])
    }

    @Test("two tables with one first page: the rows of both are doubtful, and those of other pages too")
    func oneRoot() throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        let root = try base.root(of: "messages")
        try base.sql("PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = \(root) WHERE name = 'users'")
        let saved = try base.salvage()
        let (messages, users) = (saved.table("messages"), saved.table("users"))
        #expect(messages.guessed == 2000 && messages.saved == 0 && !messages.isWhole, "\(messages)")
        #expect(users.saved == 0 && users.guessed == 500 && users.setAside >= 2000, "\(users)")
        #expect(try base.number("SELECT count(*) FROM users WHERE name LIKE 'user%'") == 500)
    }

    @Test("a pointer to a page of another table: the rows stay with the table whose pointer has their numbers")
    func foreignPage() throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        let pointer = try base.pointers(of: base.root(of: "messages"))[1]
        let leaf = try base.pointers(of: base.root(of: "users"))[0].page
        try base.write(DamagedDatabase.word(leaf), at: pointer.place)
        let saved = try base.salvage()
        #expect(saved.table("users").saved == 500 && saved.table("users").isWhole, "\(saved.table("users"))")
        // The leaf that lost its pointer belongs to the only table with lost pages.
        #expect(saved.table("messages").saved == 2000 && saved.table("messages").fromPages > 0)
        #expect(saved.table("messages").setAside > 0 && !saved.isWhole, "\(saved.table("messages"))")
        #expect(try base.number("SELECT count(*) FROM messages WHERE body NOT LIKE 'message%'") == 0)
    }

    @Test("an index whose row names another table is created; an index without a table is reported")
    func indexOfUnknownTable() throws {
        let base = try DamagedDatabase(
            DamagedDatabase.twins
                + """
                CREATE TRIGGER t AFTER UPDATE OF name, num ON users BEGIN SELECT 1; END;
                PRAGMA writable_schema = ON; UPDATE sqlite_master SET tbl_name = 'userz' WHERE name IN ('users_name', 't');
                UPDATE sqlite_master SET tbl_name = 'messagez', sql = 'CREATE INDEX messages_chat ON messagez(chat)'
                    WHERE name = 'messages_chat';
                """)
        let saved = try base.salvage()
        #expect(
            try base.rows("SELECT name, tbl_name FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name")
                == ["[name:\"t\" tbl_name:\"users\"]", "[name:\"users_name\" tbl_name:\"users\"]"])
        #expect(saved.leftOut.count == 1 && !saved.isWhole, "\(saved.leftOut)")
        #expect(saved.leftOut.first?.contains("the schema has no table messagez") == true, "\(saved.leftOut)")
    }

    @Test("rows of pages are doubtful when the freelist is damaged, because they may be deleted ones")
    func freeList() throws {
        for change in ["trunk", "first", "count"] {
            let base = try DamagedDatabase(DamagedDatabase.twins + "DELETE FROM messages WHERE id > 200;")
            try base.overwrite(try base.root(of: "messages"))
            try base.edit { bytes in
                let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
                switch change {
                case "trunk": bytes[(trunk - 1) * base.pageSize + 4] = 0xFF
                case "first": bytes.replaceSubrange(32..<36, with: [0, 0, 0, 0])
                default: bytes[39] &+= 1
                }
            }
            let saved = try base.salvage()
            let table = saved.table("messages")
            #expect(table.saved == 0 && table.guessed >= 200, "\(change): \(table)")
            #expect(saved.notes.contains { $0.contains("free pages is damaged") }, "\(change): \(saved.notes)")
        }
    }

    @Test("a wrong page size or text encoding in the header is found")
    func header() throws {
        for (place, bytes) in [(16, [0x20, 0x00]), (16, [0x08, 0x00]), (56, [0, 0, 0, 3])] as [(Int, [UInt8])] {
            let base = try DamagedDatabase(DamagedDatabase.twins)
            try base.write(bytes, at: place)
            let saved = try base.salvage()
            #expect(saved.table("messages").saved == 2000 && saved.table("users").saved == 500, "\(place) \(bytes)")
            #expect(saved.notes.contains { $0.contains("header is damaged") }, "\(saved.notes)")
        }
        for encoding in ["UTF-16le", "UTF-16be"] {
            let base = try DamagedDatabase("PRAGMA encoding = '\(encoding)';" + DamagedDatabase.twins)
            try base.write([UInt8](repeating: 0, count: 100), at: 0)
            #expect(try base.salvage().table("users").saved == 500, "\(encoding)")
            #expect(try base.number("SELECT count(*) FROM users WHERE name = 'user8'") == 1, "\(encoding)")
        }
    }

    @Test("a lost header: the mark comes back for a database of this build, and is missing for another one")
    func mark() throws {
        let marks = "PRAGMA application_id = 77; PRAGMA journal_mode = WAL;"
        for table in ["users", "others"] {
            let base = try DamagedDatabase(marks + DamagedDatabase.twins + "PRAGMA journal_mode = DELETE;")
            try base.write([UInt8](repeating: 0, count: 100), at: 0)
            let saved = try base.salvage(mark: SalvageRequest.Mark(applicationID: 77, tables: ["messages", table]))
            let isOurs = table == "users"
            #expect(saved.isWhole == isOurs && saved.isHeaderWhole == isOurs, "\(saved)")
            #expect(try base.number("PRAGMA application_id") == (isOurs ? 77 : 0))
            #expect(try base.rows("PRAGMA journal_mode").first?.contains(isOurs ? "wal" : "delete") == true)
        }
    }

    @Test("a row that was refused and is in an index counts once, also without row IDs")
    func countsOnce() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE kv(k TEXT PRIMARY KEY, v TEXT NOT NULL, a INTEGER, b INTEGER) WITHOUT ROWID;
            CREATE INDEX kva ON kv(a); CREATE INDEX kvb ON kv(b);
            CREATE TABLE w(id INTEGER PRIMARY KEY, n TEXT UNIQUE, z TEXT); CREATE INDEX wz ON w(z);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
            INSERT INTO kv SELECT printf('k%05d', x), 'value ' || x, x % 9, x FROM n;
            INSERT INTO w SELECT b, k, v FROM kv;
            """)
        let leaf = try base.number(
            "SELECT pageno FROM dbstat WHERE name = 'kv' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2",
            in: base.path)
        try base.overwrite(leaf)
        // The serial type 10 of the name of row 7 does not exist.
        try base.edit { bytes in
            let text = Array("k00007value 7".utf8)
            let place = try #require(bytes.indices.last { bytes[$0...].starts(with: text) })
            bytes[place - 2] = 10
        }
        let saved = try base.salvage()
        let (pairs, rows) = (saved.table("kv"), saved.table("w"))
        #expect(pairs.saved + pairs.traces == 1500 && pairs.lost == pairs.traces, "\(pairs)")
        #expect(pairs.setAside == 0 && pairs.doubtful == 0 && pairs.traces > 0, "\(pairs)")
        #expect(rows.saved == 1499 && rows.doubtful == 1 && rows.lost == 0 && rows.setAside == 0, "\(rows)")
        #expect(try base.rows("SELECT n, z FROM w WHERE id = 7") == ["[n:\"k00007\" z:\"value 7\"]"])
    }

    @Test("a complete row that the table refuses is set aside, and its place is not taken by what an index has of it")
    func forbidden() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE c(id INTEGER PRIMARY KEY, name TEXT, is_user INTEGER DEFAULT 0); CREATE INDEX cn ON c(name);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300)
            INSERT INTO c SELECT x, 'name ' || x, nullif(x, 103) FROM n;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'INTEGER DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0') WHERE name = 'c';
            """)
        let saved = try base.salvage()
        let table = saved.table("c")
        #expect(table.saved == 299 && table.setAside == 1 && table.doubtful == 0 && table.lost == 0, "\(table)")
        #expect(!saved.isWhole && table.fromIndexes == 0 && table.traces == 0, "\(table)")
        let rows = try base.rows("SELECT source, row, c1, c2 FROM lost_and_found", in: base.lost)
        #expect(rows == ["[source:\"table\" row:103 c1:\"name 103\" c2:NULL]"])
    }

    @Test("a text whose last overflow page is zeroed or of something else is incomplete; a blob of zeros is not")
    func lastOverflowPage() throws {
        for noise in [false, true] {
            let base = try DamagedDatabase(
                """
                CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT, more INTEGER);
                CREATE TABLE b(id INTEGER PRIMARY KEY, body BLOB);
                INSERT INTO t VALUES (1, printf('%.9000c', 'x'), 7), (2, 'short', 8); INSERT INTO b VALUES (1, zeroblob(9000));
                """)
            #expect(try base.salvage().isWhole)
            for file in [base.target, base.lost] { try? FileManager.default.removeItem(atPath: file) }
            let last = try base.number(
                "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype = 'overflow' ORDER BY path DESC LIMIT 1",
                in: base.path)
            let bytes = [UInt8](repeating: noise ? 0xA7 : 0, count: base.pageSize)
            try base.write(bytes, at: (last - 1) * base.pageSize)
            let saved = try base.salvage()
            let table = saved.table("t")
            #expect(table.saved == 1 && table.incomplete == 1 && !saved.isWhole, "\(noise): \(table)")
            #expect(saved.table("b").isWhole, "\(noise): \(saved)")
        }
    }

    @Test("the sample of a tree marks no page as used, so a wrong overflow pointer costs no other row")
    func sample() throws {
        let base = try DamagedDatabase(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);
            INSERT INTO t VALUES (1, printf('%.9000c', 'x'));
            WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < 1000)
            INSERT INTO t SELECT x, 'text ' || x FROM n;
            """)
        let root = try base.root(of: "t")
        let leaves = try base.pointers(of: root).map(\.page)
        let overflow = try base.number(
            "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype = 'overflow' ORDER BY path LIMIT 1", in: base.path)
        try base.edit { bytes in
            let first = (leaves[0] - 1) * base.pageSize
            let pointer = try #require(
                bytes[first..<first + base.pageSize].firstRange(of: DamagedDatabase.word(overflow)))
            bytes.replaceSubrange(pointer, with: DamagedDatabase.word(leaves[2]))
        }
        try base.overwrite(root)
        let table = try base.salvage().table("t")
        #expect(table.saved == 999 && table.incomplete == 1, "\(table)")
    }
}
