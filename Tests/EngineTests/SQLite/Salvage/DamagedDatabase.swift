import ChatDBKit
import Foundation
import GRDB
import TestKit

/// A database of plain SQL, whose bytes a test edits, and what is saved of it.
struct DamagedDatabase {
    let folder: TemporaryFolder
    var path: String { folder.file("x.db") }
    var target: String { folder.file("new.db") }
    var lost: String { folder.file("lost.db") }
    private(set) var pageSize = 4096

    /// Two tables of the same columns, with an index each: 2000 messages, and 500 users with the numbers 4, 8, ….
    static let twins = """
        CREATE TABLE messages(id INTEGER PRIMARY KEY, body TEXT NOT NULL, chat INTEGER);
        CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, num INTEGER);
        CREATE UNIQUE INDEX users_name ON users(name); CREATE INDEX messages_chat ON messages(chat);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
        INSERT INTO messages SELECT x, 'message ' || x || printf('%.*c', x % 90, 'x'), x % 7 FROM n;
        INSERT INTO users SELECT id, 'user' || id, id FROM messages WHERE id % 4 = 0;
        """

    init(_ sql: String, page: Int = 4096) throws {
        folder = try TemporaryFolder()
        pageSize = page
        try self.sql("PRAGMA page_size = \(page); PRAGMA secure_delete = OFF; \(sql)")
    }

    // MARK: SQL

    func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    func sql(_ sql: String, in path: String? = nil) throws {
        let queue = try queue(path ?? self.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// The rows of a query, each as one text.
    func rows(_ sql: String, in path: String? = nil) throws -> [String] {
        let queue = try queue(path ?? target)
        defer { try? queue.close() }
        return try queue.read { try Row.fetchAll($0, sql: sql).map(\.description) }
    }

    func number(_ sql: String, in path: String? = nil) throws -> Int {
        let queue = try queue(path ?? target)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: sql) ?? -1 }
    }

    func root(of name: String) throws -> Int {
        try number("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'", in: path)
    }

    // MARK: Bytes

    func edit(_ change: (inout [UInt8]) throws -> Void) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        try change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func write(_ new: [UInt8], at place: Int) throws {
        try edit { $0.replaceSubrange(place..<place + new.count, with: new) }
    }

    func overwrite(_ page: Int) throws {
        try write([UInt8](repeating: 0, count: pageSize), at: (page - 1) * pageSize)
    }

    /// The pointers of an interior page of a table: where each is in the file, and the page to which it leads.
    func pointers(of page: Int) throws -> [(place: Int, page: Int)] {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let start = (page - 1) * pageSize
        func number(_ place: Int, _ count: Int) -> Int { bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        let cells = (0..<number(start + 3, 2)).map { start + number(start + 12 + $0 * 2, 2) }
        return (cells + [start + 8]).map { ($0, number($0, 4)) }
    }

    static func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    /// Changes the database so that its write-ahead log has the changes, and the database itself does not.
    func log(_ change: String) throws {
        let queue = try queue(path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(change)")
        }
        let files = try ["", "-wal"].map { (path + $0, try Data(contentsOf: URL(fileURLWithPath: path + $0))) }
        try queue.close()
        for (file, content) in files { try content.write(to: URL(fileURLWithPath: file)) }
    }

    /// Puts the log of another database beside this one.
    func takeLog(of other: DamagedDatabase) throws {
        let log = try Data(contentsOf: URL(fileURLWithPath: other.path + "-wal"))
        try log.write(to: URL(fileURLWithPath: path + "-wal"))
    }

    // MARK: Salvage

    func salvage(
        known: [SchemaObject] = [], mark: SalvageRequest.Mark? = nil, longestValue: Int32 = SalvageRequest.longestValue,
        cancellation: Cancellation = Cancellation(), progress: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) throws -> SalvagedDatabase {
        try SQLiteEngine().salvage(
            SalvageRequest(
                source: path, target: target, lostRows: lost, known: { _ in known }, mark: mark,
                longestValue: longestValue,
                cancellation: cancellation, progress: progress))
    }
}

extension SalvagedDatabase {
    func table(_ name: String) -> SalvagedTable {
        tables.first { $0.name == name } ?? SalvagedTable(name: "no table \(name)")
    }
}
