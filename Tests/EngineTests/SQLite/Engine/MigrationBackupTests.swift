import ChatDBKit
import Foundation
import Testing

/// The copy that a run makes before it changes anything.
@Suite struct MigrationBackupTests {
    private struct Stop: Error {}

    private let scratch: DatabaseFolder
    private let engine = SQLiteEngine()

    init() throws {
        scratch = try DatabaseFolder()
    }

    /// A database of some megabytes, so that copying takes more than one step.
    private func database(_ mode: String) throws -> any MigrationConnection {
        let connection = try engine.openForMigration(scratch.file("x.db"), creating: true)
        _ = try connection.rows(.unchecked(sql: "PRAGMA journal_mode = \(mode)"))
        try connection.begin()
        try connection.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        for number in 1...5 { try connection.run("INSERT INTO t VALUES (\(number), zeroblob(6000000))") }
        try connection.commit()
        return connection
    }

    private func rows(_ name: String) throws -> Int {
        let copy = try engine.open(scratch.file(name), as: .readOnly)
        defer { try? copy.close() }
        #expect(try copy.integrityProblems().isEmpty)
        return try copy.rowCount(of: "t")
    }

    @Test(
        "B01, B02: the copy is whole, its owner's alone, and holds the state before the transaction",
        arguments: ["wal", "delete"])
    func copy(_ mode: String) throws {
        let connection = try database(mode)
        try connection.begin()
        let mask = umask(0)
        defer { umask(mask) }
        var parts: [Double] = []
        try connection.backUp(to: scratch.file("copy.db")) { parts.append($0) }
        #expect(parts.count > 1 && parts == parts.sorted() && parts.last == 1)
        var info = stat()
        #expect(stat(scratch.file("copy.db"), &info) == 0 && info.st_mode & 0o777 == 0o600)
        #expect(try rows("copy.db") == 5)
        #expect(try !scratch.names().contains { $0.hasPrefix("copy.db-") })
        // In WAL mode also after something was written: the copy does not see it.
        if mode == "wal" {
            try connection.run("DELETE FROM t WHERE a > 2")
            try connection.backUp(to: scratch.file("second.db")) { _ in }
            #expect(try rows("second.db") == 5)
        }
        // The transaction is as it was, and its lock too.
        #expect(connection.isInTransaction)
        let other = try engine.openForMigration(scratch.file("x.db"), creating: false)
        try storeError(.busy) { try other.begin() }
        other.close()
        connection.close()
    }

    @Test("B03: a backup never overwrites a file at the path")
    func neverOver() throws {
        let connection = try database("wal")
        try scratch.write("copy.db", [1, 2, 3])
        try storeError { try connection.backUp(to: scratch.file("copy.db")) { _ in } }
        #expect(try scratch.read("copy.db") == [1, 2, 3])
        try storeError { try connection.backUp(to: scratch.file("no/copy.db")) { _ in } }
        connection.close()
    }

    @Test("a stopped copy leaves no incomplete file, and throws the error that stopped it")
    func stopped() throws {
        let connection = try database("wal")
        try connection.begin()
        #expect(throws: Stop.self) { try connection.backUp(to: scratch.file("copy.db")) { _ in throw Stop() } }
        #expect(try !scratch.names().contains { $0.hasPrefix("copy.db") })
        #expect(connection.isInTransaction)
        try connection.backUp(to: scratch.file("copy.db")) { _ in }
        #expect(try rows("copy.db") == 5)
        connection.close()
    }
}
