import ChatDBKit
import Foundation
import GRDB
import TestKit

/// A database with every form of table, to be damaged and saved. A copy of the state before the damage is beside it.
struct SalvageSample {
    let folder: TemporaryFolder
    let rows: Int
    let pageSize: Int

    var path: String { folder.file("x.db") }
    var target: String { folder.file("new.db") }
    var lost: String { folder.file("lost.db") }

    static let tables = [
        "people", "msgs", "norow", "strict1", "gen", "keyless", "rowid", "plain", "long", "odd \"name", "own",
    ]

    init(
        page: Int = 4096, encoding: String = "UTF-8", autoVacuum: Int = 0, rows: Int = 300, deleting: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        self.rows = rows
        pageSize = page
        let queue = try queue(folder.file("x.db"))
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA page_size = \(page); PRAGMA encoding = '\(encoding)'; PRAGMA auto_vacuum = \(autoVacuum);
                    PRAGMA user_version = 7; PRAGMA application_id = 99; PRAGMA secure_delete = OFF; BEGIN;
                    \(Self.schema)
                    """)
            for row in 1...rows { try Self.insert(row, into: database) }
            for row in 1...3 {
                try database.execute(
                    sql: "INSERT INTO long VALUES (?, ?)", arguments: [row, String(repeating: "text ", count: 4000)])
            }
            try database.execute(sql: "INSERT INTO fts(fts) VALUES ('rebuild')")
            try database.execute(sql: "ALTER TABLE keyless ADD COLUMN d TEXT DEFAULT 'd'; COMMIT;")
            if let deleting { try database.execute(sql: deleting) }
        }
        try queue.close()
        try FileManager.default.copyItem(atPath: path, toPath: path + ".good")
    }

    private static let schema = """
        CREATE TABLE people(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, note TEXT, key BLOB,
            created TEXT NOT NULL DEFAULT 'x', flag INTEGER NOT NULL DEFAULT 0, score REAL);
        CREATE UNIQUE INDEX people_name ON people(name);
        CREATE TABLE msgs(msg_id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id), body TEXT NOT NULL,
            extra BLOB, at TEXT);
        CREATE INDEX msgs_person ON msgs(person, at); CREATE INDEX msgs_part ON msgs(at) WHERE extra IS NOT NULL;
        CREATE TABLE norow(a TEXT NOT NULL, b INTEGER NOT NULL, c BLOB, PRIMARY KEY(b, a)) WITHOUT ROWID;
        CREATE INDEX norow_c ON norow(c);
        CREATE TABLE strict1(k INTEGER PRIMARY KEY, v TEXT NOT NULL, w ANY, r REAL) STRICT;
        CREATE TABLE gen(a INTEGER, b TEXT, v TEXT GENERATED ALWAYS AS (b || a) VIRTUAL,
            s INTEGER GENERATED ALWAYS AS (a * 2) STORED, z TEXT);
        CREATE TABLE keyless(a, b, c);
        CREATE TABLE rowid(rowid TEXT, _rowid_ TEXT, oid TEXT, x INT);
        CREATE TABLE plain(k TEXT, rest TEXT); CREATE INDEX plain_k ON plain(k);
        CREATE TABLE long(id INTEGER PRIMARY KEY, body TEXT);
        CREATE TABLE "odd ""name"("a b" TEXT, "select" INT, UNIQUE("a b"));
        CREATE VIEW named AS SELECT name FROM people;
        CREATE TABLE log(n INT);
        CREATE TRIGGER noted AFTER INSERT ON people BEGIN INSERT INTO log VALUES (new.id); END;
        CREATE VIRTUAL TABLE fts USING fts5(body, content=msgs, content_rowid=msg_id);
        CREATE VIRTUAL TABLE own USING fts5(t, u);
        """

    private static func insert(_ row: Int, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO people(name, note, key, flag, score) VALUES (?, ?, ?, ?, ?);
                INSERT INTO msgs(person, body, extra, at) VALUES (?, ?, ?, ?);
                INSERT INTO norow VALUES (?, ?, ?); INSERT INTO strict1 VALUES (?, ?, ?, ?);
                INSERT INTO gen(a, b, z) VALUES (?, ?, ?); INSERT INTO keyless VALUES (?, ?, ?);
                INSERT INTO rowid VALUES (?, 'a', 'b', ?); INSERT INTO plain VALUES (?, ?);
                INSERT INTO "odd ""name" VALUES (?, ?); INSERT INTO own(t, u) VALUES (?, ?);
                """,
            arguments: [
                "né\(row)", row % 3 == 0 ? nil : String(repeating: "x", count: row % 90),
                Data(repeating: UInt8(row % 256), count: row % 70), row * 77_777, Double(row) / 2,
                row % 40 + 1, String(repeating: "wörd ", count: row % 30 + 1),
                row % 4 == 0 ? Data(repeating: 9, count: row % 100 * 40) : nil, "2026-\(row)",
                "k\(row)", row % 50, row % 3 == 0 ? nil : Data([1, 2, 3]), row * 7 - 300, "v\(row)",
                row % 2 == 0 ? row : nil, Double(row), row, "b\(row)", String(repeating: "z", count: row % 50), row,
                "\(row)", row % 5 == 0 ? nil : 2.5, "\(row)", row, "p\(row)", String(repeating: "r", count: 60),
                "o\(row)", row, "hello \(row)", "u\(row)",
            ])
    }

    // MARK: Salvage

    func salvage(known: [SchemaObject] = []) throws -> SalvagedDatabase {
        try SQLiteEngine().salvage(
            SalvageRequest(source: path, target: target, lostRows: lost, known: { _ in known }))
    }

    // MARK: Facts

    func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The settings, the schema and the rows of all tables.
    func facts(of path: String) throws -> [String] {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { database in
            var facts: [String] = []
            for name in ["page_size", "encoding", "auto_vacuum", "user_version", "application_id", "integrity_check"] {
                facts.append("\(name) \(try Row.fetchAll(database, sql: "PRAGMA \(name)").map(\.description))")
            }
            let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'fts\\_%' ESCAPE '\\'"
            facts += try Row.fetchAll(database, sql: schema + " ORDER BY type, name").map(\.description)
            for table in Self.tables { facts += try Self.rows(table, database) }
            facts += try Row.fetchAll(database, sql: "SELECT * FROM sqlite_sequence ORDER BY name").map(\.description)
            facts += try Row.fetchAll(database, sql: "SELECT count(*) FROM fts WHERE fts MATCH 'wörd'").map(
                \.description)
            return facts
        }
    }

    /// The rows of a table, as texts.
    func rowsText(_ table: String, _ path: String) throws -> [String] {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { try Self.rows(table, $0) }
    }

    private static func rows(_ table: String, _ database: Database) throws -> [String] {
        let name = "\"\(table.replacing("\"", with: "\"\""))\""
        let row = ["norow", "rowid"].contains(table) ? "" : "rowid AS r, "
        return try Row.fetchAll(database, sql: "SELECT \(row)* FROM \(name) ORDER BY 1, 2").map { "\(table) \($0)" }
    }

    func count(_ from: String, in path: String) throws -> Int {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(from)") ?? -1 }
    }

    func integrity(of path: String) throws -> String {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") ?? "" }
    }

    /// The ordinary tables and indexes, as a build would know them.
    func objects() throws -> [SchemaObject] {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
                .compactMap { row in
                    guard let type: String = row["type"], let kind = SchemaObject.Kind(rawValue: type) else {
                        return nil
                    }
                    return SchemaObject(kind: kind, name: row["name"], table: row["tbl_name"], root: 0, sql: row["sql"])
                }
        }
    }

    // MARK: Damage

    func edit(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Fills a page with bytes that are no page of a tree.
    func overwrite(_ page: Int) throws {
        try edit { bytes in
            let start = (page - 1) * pageSize
            bytes.replaceSubrange(start..<start + pageSize, with: [UInt8](repeating: 0xEE, count: pageSize))
        }
    }

    func root(of name: String) throws -> Int {
        try number("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")
    }

    /// A page in the middle of the tree of a table, whose first byte is that of the kind.
    func page(of table: String, ofKind kind: UInt8) throws -> Int {
        let word = kind == 13 ? "leaf" : "internal"
        return try number(
            """
            SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = '\(word)' ORDER BY path LIMIT 1
            OFFSET (SELECT count(*) / 2 FROM dbstat WHERE name = '\(table)' AND pagetype = '\(word)')
            """)
    }

    /// Points the chain of overflow pages of a row to a page that does not exist.
    func overwriteOverflow(of table: String) throws {
        let page = try number(
            "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'overflow' ORDER BY path LIMIT 1")
        try edit { bytes in
            let start = (page - 1) * pageSize
            bytes.replaceSubrange(start..<start + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        }
    }

    private func number(_ sql: String) throws -> Int {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
