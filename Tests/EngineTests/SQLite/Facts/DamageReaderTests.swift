import ChatDBKit
import Foundation
import TestKit
import Testing

/// Damage is named: which table or index, which rows, the schema, or the free pages.
@Suite("named damage") struct DamageReaderTests {
    private static let tables = """
        PRAGMA page_size = 1024;
        CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER);
        CREATE INDEX ia ON t(a); CREATE INDEX ib ON t(b) WHERE c > 5; CREATE INDEX ic ON t(lower(b), c);
        CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID; CREATE INDEX iw ON w(v);
        CREATE TABLE alone(id INTEGER PRIMARY KEY, x BLOB);
        CREATE TABLE u(k TEXT UNIQUE, n INTEGER);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 700)
        INSERT INTO t SELECT x * 3, 'a' || (x * 7919 % 1000) || x, 'b' || (x * 104729 % 1000), x % 11 FROM n;
        INSERT INTO w SELECT 'key' || (id * 31 % 5000) || id, 'v' || a FROM t;
        INSERT INTO u SELECT a, c FROM t;
        INSERT INTO alone SELECT id, zeroblob(c * 500) FROM t WHERE id < 600;
        CREATE TABLE gone(x); INSERT INTO gone SELECT a || b FROM t; DROP TABLE gone;
        """
    /// Tables by the number of their columns, so that the schema has several pages.
    private static let more = (0..<40).map { "CREATE TABLE more\($0)(" + Self.columns + ");" }.joined()
    private static let columns = (0..<12).map { "column_\($0) TEXT" }.joined(separator: ", ")

    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
    }

    /// A page and the tree that it belongs to.
    private struct Page {
        let tree: String
        let kind: String
        let number: Int
    }

    private func pages(_ path: String) throws -> [Page] {
        let connection = try SQLiteEngine().open(path, as: .readOnly)
        defer { try? connection.close() }
        return try connection.read { transaction in
            try transaction.rows("SELECT name, pagetype, pageno FROM dbstat ORDER BY pageno").map {
                Page(tree: try $0.get("name"), kind: try $0.get("pagetype"), number: try $0.get("pageno"))
            }
        }
    }

    private func damage(_ path: String) throws -> [DatabaseDamage] {
        let connection = try SQLiteEngine().open(path, as: .untrusted)
        defer { try? connection.close() }
        return try connection.damage()
    }

    private static let size = 1024

    /// Overwrites a page of a database with other bytes.
    private func overwrite(_ number: Int, with bytes: [UInt8], of good: [UInt8], _ name: String) throws -> String {
        var all = good
        all.replaceSubrange((number - 1) * Self.size..<number * Self.size, with: bytes)
        return try scratch.write(name, all)
    }

    @Test("a sound database has no damage")
    func sound() throws {
        let path = try scratch.database("x.db", Self.tables + Self.more)
        #expect(try damage(path).isEmpty)
    }

    /// Pages of every tree are overwritten: with zeros, with noise, and with another page of the file.
    @Test("one damaged page: its table or index is named, and no other", arguments: [1, 2, 3])
    func onePage(_ seed: Int) throws {
        let path = try scratch.database("x.db", Self.tables)
        let good = try scratch.read("x.db")
        let all = try pages(path)
        let counts: [String: Int64] = ["t": 700, "w": 700, "u": 700, "alone": 199]
        let tableOf = ["ia": "t", "ib": "t", "ic": "t", "iw": "w", "sqlite_autoindex_u_1": "u"]
        var random = SplitMix64(seed: UInt64(seed))
        var named = 0
        for tree in ["t", "ia", "ib", "ic", "w", "iw", "alone", "u", "sqlite_autoindex_u_1"] {
            for kind in ["internal", "leaf", "overflow"] {
                guard let page = all.filter({ $0.tree == tree && $0.kind == kind }).randomElement(using: &random),
                    let other = all.filter({ $0.number != page.number && $0.number > 1 }).randomElement(using: &random)
                else { continue }
                let noise = (0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &random) }
                let copy = Array(good[(other.number - 1) * Self.size..<other.number * Self.size])
                for (how, bytes) in [
                    ("zeros", [UInt8](repeating: 0, count: Self.size)), ("noise", noise), ("copy", copy),
                ] {
                    let broken = try overwrite(page.number, with: bytes, of: good, "broken.db")
                    let found = try damage(broken)
                    let what: Comment = "\(tree) \(kind) \(page.number) \(how) \(other): \(found)"
                    named += found.isEmpty ? 0 : 1
                    // A copy may have pages of another tree, which then has two owners.
                    if how == "copy" {
                        #expect(found.allSatisfy { $0.kind != .freePages || !$0.isReadable }, what)
                        continue
                    }
                    // The last page of a long value says nothing about itself.
                    if found.isEmpty {
                        #expect(kind == "overflow", what)
                        continue
                    }
                    #expect(found.count == 1 && found[0].name == tree, what)
                    #expect(found[0].table == tableOf[tree] ?? tree, what)
                    #expect(found[0].kind == (tableOf[tree] == nil ? .table : .index), what)
                    if found[0].kind == .index {
                        #expect(found[0].readableRows == counts[tableOf[tree] ?? ""], what)
                    } else if !found[0].isReadable {
                        #expect(try #require(found[0].readableRows) < counts[tree] ?? 0, what)
                    }
                }
            }
        }
        #expect(named > 30)
    }

    @Test("rows of a table without row IDs to which a wrong pointer leads back count once")
    func countedTwice() throws {
        let path = try scratch.database("x.db", Self.tables)
        var good = try scratch.read("x.db")
        let root = try #require(try pages(path).first { $0.tree == "w" && $0.kind == "internal" }).number
        func number(_ place: Int, _ count: Int) -> Int { good[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        let start = (root - 1) * Self.size
        let cells = (0..<number(start + 3, 2)).map { start + number(start + 12 + $0 * 2, 2) }
        let children = cells.map { number($0, 4) }
        try #require(children.count > 4)
        // The last pointer leads to the second leaf again.
        good.replaceSubrange(start + 8..<start + 12, with: good[cells[1]..<cells[1] + 4])
        let zeros = [UInt8](repeating: 0, count: Self.size)
        let found = try damage(try overwrite(children[3], with: zeros, of: good, "twice.db"))
        let before = try #require(found.first { $0.name == "w" }?.readableRows)
        // The rows before the damaged leaf: its number of rows is at most that of three leaves and their separators.
        let rows = children[0...2].reduce(0) { $0 + number(($1 - 1) * Self.size + 3, 2) + 1 }
        #expect(before <= Int64(rows), "\(before) \(rows)")
    }

    @Test("the rows of a damaged page are named, and those beside it can be read")
    func rows() throws {
        let path = try scratch.database("x.db", Self.tables)
        let good = try scratch.read("x.db")
        let leaves = try pages(path).filter { $0.tree == "t" && $0.kind == "leaf" }
        let zeros = [UInt8](repeating: 0, count: Self.size)
        let middle = leaves[leaves.count / 2]
        let connection = try SQLiteEngine().open(path, as: .readOnly)
        let all = try connection.read { try $0.rows("SELECT id FROM t ORDER BY id").map { try $0.get("id") as Int64 } }
        try connection.close()
        let one = try damage(try overwrite(middle.number, with: zeros, of: good, "one.db"))
        let gap = try #require(one.first?.unreadable.first)
        #expect(one.count == 1 && one[0].unreadable.count == 1)
        let (first, last) = (try #require(gap.first), try #require(gap.last))
        let lost = all.filter { (first...last).contains($0) }
        #expect(!lost.isEmpty && lost.count < 100)
        #expect(one[0].readableRows == Int64(all.count - lost.count))
        #expect(one[0].sentence.contains("has rows that cannot be read (\(first) to \(last)); "))
        // Two pages, and the first and the last one.
        var two = good
        for leaf in [leaves[3], leaves[leaves.count - 3]] {
            two.replaceSubrange((leaf.number - 1) * Self.size..<leaf.number * Self.size, with: zeros)
        }
        let both = try damage(try scratch.write("two.db", two))
        #expect(both.count == 1 && both[0].unreadable.count == 2, "\(both)")
        let edges = [try #require(leaves.first), try #require(leaves.last)]
        for (leaf, isFirst) in zip(edges, [true, false]) {
            let edge = try damage(try overwrite(leaf.number, with: zeros, of: good, "edge.db"))
            let gap = try #require(edge.first?.unreadable.first)
            #expect(isFirst ? gap.first == nil : gap.last == nil, "\(edge)")
        }
    }

    @Test("an index with wrong entries is told from one that cannot be read, with the rows in which it differs")
    func differing() throws {
        let path = try scratch.database("x.db", Self.tables)
        var bytes = try scratch.read("x.db")
        // The key a3, a5 …: an "a" and a digit.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var place = 0
        for page in try pages(path) where page.tree == "ia" && page.kind == "leaf" {
            for byte in (page.number - 1) * Self.size + 100..<page.number * Self.size - 1
            where bytes[byte] == UInt8(ascii: "a") && digits.contains(bytes[byte + 1]) {
                place = byte
            }
        }
        bytes[place] = 0x7A
        let found = try damage(try scratch.write("broken.db", bytes))
        #expect(found.count == 1 && found[0].kind == .index && found[0].name == "ia", "\(found)")
        #expect(found[0].isReadable && !found[0].differing.isEmpty && found[0].readableRows == 700)
        #expect(!found[0].lacksEntries)
        #expect(found[0].sentence.hasPrefix("the index ia of t does not fit the table in row"))
    }

    @Test("an index that only lacks entries is told from one with other entries", arguments: ["id <= 17", "a <> 'v3'"])
    func lackingEntries(_ rule: String) throws {
        let path = try scratch.database(
            "x.db",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20)
            INSERT INTO t SELECT x, 'v' || x FROM n;
            CREATE INDEX ia ON t(a) WHERE \(rule);
            PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX ia ON t(a)' WHERE name = 'ia';
            """)
        let found = try damage(path)
        let rows = rule.hasPrefix("id") ? "rows 18, 19, 20" : "row 3"
        #expect(found.count == 1 && found.first?.lacksEntries == true, "\(found)")
        #expect(
            found.first?.sentence
                == "the index ia of t lacks the entries of \(rows); all 20 rows of the table can be read")
    }

    @Test("the definition that SQLite cannot read is named")
    func definition() throws {
        let path = try scratch.database(
            "x.db",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX ia ON t(a);
            PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX ia ON t(b)' WHERE name = 'ia';
            """)
        let error = try storeError(.damaged) { _ = try damage(path) }
        #expect(error.schemaReason == "ia (no such column: b)" && !error.message.contains("ia"))
    }

    @Test("damage of the schema: opening says so, and check can name it")
    func schema() throws {
        let path = try scratch.database("x.db", Self.tables + Self.more)
        let good = try scratch.read("x.db")
        let leaves = try pages(path).filter { $0.tree == "sqlite_schema" && $0.kind == "leaf" && $0.number > 1 }
        let leaf = try #require(leaves.last)
        let broken = try overwrite(
            leaf.number, with: [UInt8](repeating: 0, count: Self.size), of: good, "broken.db")
        let error = try storeError(.damaged) { _ = try damage(broken) }
        #expect(error.isOfSchema && error.message.contains("schema"))
    }

    @Test("a wrong list of free pages loses nothing, and no table is named")
    func freePages() throws {
        _ = try scratch.database("x.db", Self.tables)
        let good = try scratch.read("x.db")
        let trunk = good[32..<36].reduce(0) { $0 << 8 | Int($1) }
        try #require(trunk > 0)
        var random = SplitMix64(seed: 5)
        let noise = (0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &random) }
        for bytes in [[UInt8](repeating: 0, count: Self.size), noise] {
            let found = try damage(try overwrite(trunk, with: bytes, of: good, "broken.db"))
            #expect(found.map(\.kind) == [.freePages] && found[0].isReadable, "\(found)")
        }
    }

    @Test("a table whose root is another page of it has lost rows, and its index does not hide that")
    func lostRows() throws {
        let path = try scratch.database("x.db", Self.tables)
        let good = try scratch.read("x.db")
        for (tree, count) in [("u", 700), ("alone", 199)] {
            let all = try pages(path).filter { $0.tree == tree }
            let root = try #require(all.first { $0.kind == "internal" })
            let leaf = try #require(all.first { $0.kind == "leaf" })
            let copy = Array(good[(leaf.number - 1) * Self.size..<leaf.number * Self.size])
            let found = try damage(try overwrite(root.number, with: copy, of: good, "broken.db"))
            #expect(!found.isEmpty && found.allSatisfy { !$0.isReadable }, "\(tree): \(found)")
            if tree == "u" { #expect(found.first?.kind == .table && found.first?.indexedRows == Int64(count)) }
        }
    }

    @Test("a page that the freelist has too is damage of its table, although an index differs as well")
    func freeListInTable() throws {
        let path = try scratch.database("x.db", Self.tables)
        var bytes = try scratch.read("x.db")
        let leaf = try #require(try pages(path).last { $0.tree == "t" && $0.kind == "leaf" }).number
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        let entry = (trunk - 1) * Self.size + 8
        bytes.replaceSubrange(entry..<entry + 4, with: [0, 0, UInt8(leaf >> 8), UInt8(leaf & 0xFF)])
        let value = try #require(bytes.firstRange(of: Array("a900100".utf8)))
        bytes[value.lowerBound] = UInt8(ascii: "z")
        let found = try damage(try scratch.write("broken.db", bytes))
        #expect(found.contains { $0.kind == .index && $0.name == "ia" }, "\(found)")
        #expect(found.contains { $0.kind == .table && $0.name == "t" && $0.readableRows == 700 }, "\(found)")
        let first = try #require(found.first)
        #expect(first.kind != .index && found.last?.kind == .index, "what loses rows is named first: \(found)")
    }

    @Test("rows in which an index differs are named by their numbers, and not by their places in the table")
    func numbersOfRows() throws {
        let path = try scratch.database("x.db", Self.tables)
        let good = try scratch.read("x.db")
        for tree in ["t", "ia"] {
            var bytes = good
            let place = try #require(
                try pages(path).filter { $0.tree == tree && $0.kind == "leaf" }.compactMap { page in
                    let range = (page.number - 1) * Self.size..<page.number * Self.size
                    return bytes[range].firstRange(of: Array("a900100".utf8))?.lowerBound
                }.first)
            bytes[place] = UInt8(ascii: "b")
            let found = try damage(try scratch.write("broken.db", bytes))
            #expect(found.count == 1 && found[0].differing.contains(300), "\(tree): \(found)")
            // An index that is not in order has more differences. All row IDs are multiples of three.
            if tree == "t" { #expect(found[0].sentence.contains("in row 300;"), "\(found)") }
            #expect(found[0].differing.allSatisfy { $0 % 3 == 0 }, "\(found)")
        }
    }

    @Test("a damaged definition of a partial index with two statements ends no check")
    func partialIndex() throws {
        let path = try scratch.database(
            "x.db",
            Self.tables
                + "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql || ' ; x' WHERE name = 'ib';")
        var bytes = try scratch.read("x.db")
        let leaf = try #require(try pages(path).last { $0.tree == "ib" && $0.kind == "leaf" }).number
        bytes.replaceSubrange((leaf - 1) * Self.size..<leaf * Self.size, with: [UInt8](repeating: 0, count: Self.size))
        let found = try damage(try scratch.write("broken.db", bytes))
        #expect(found.contains { $0.name == "ib" || $0.name == "t" }, "\(found)")
    }
}
