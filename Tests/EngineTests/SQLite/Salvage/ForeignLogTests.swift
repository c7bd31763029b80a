import ChatDBKit
import Foundation
import TestKit
import Testing

/// A log of another database is never taken for the database's own. Rule: docs/support.md, "Salvage a damaged store".
@Suite("a salvage with the log of another database") struct ForeignLogTests {
    /// The tables of `DamagedDatabase.twins` with other rows.
    private static let sibling = DamagedDatabase.twins.replacingOccurrences(of: "'message '", with: "'note number '")
        .replacingOccurrences(of: "'user'", with: "'person number '").replacingOccurrences(
            of: "x < 2000", with: "x < 900")

    /// A database in WAL mode whose file has all rows.
    private func twins(_ more: String = "") throws -> DamagedDatabase {
        try DamagedDatabase(DamagedDatabase.twins + "PRAGMA journal_mode = WAL;" + more)
    }

    private func requireAlone(_ base: DamagedDatabase, _ why: String) throws {
        let before = try base.folder.fingerprint()
        #expect(try SQLiteEngine().foreignSideFile(of: base.path, Cancellation()) != nil, "\(why)")
        let saved = try base.salvage()
        #expect(saved.sideFile == .leftOut && !saved.isWhole, "\(why): \(saved)")
        #expect(saved.table("messages").saved >= 1900 && saved.table("users").saved == 500, "\(why): \(saved.tables)")
        #expect(saved.notes.contains { $0.contains("without its -wal") && $0.contains(why) }, "\(saved.notes)")
        #expect(try base.number("SELECT count(*) FROM messages WHERE body LIKE 'note%'") == 0)
        #expect(try base.folder.fingerprint().filter { before[$0.key] != nil } == before)
    }

    @Test("a log with other tables")
    func otherTables() throws {
        let other = try DamagedDatabase("SELECT 1")
        // More changes of the schema than the database had.
        try other.log((0..<30).map { "CREATE TABLE t\($0)(a, b);" }.joined() + "INSERT INTO t1 VALUES (1, 'one')")
        let base = try twins()
        try base.takeLog(of: other)
        try requireAlone(base, "replaces the tables")
    }

    @Test("a log of a database with the same tables that has some of its pages", arguments: [false, true])
    func somePages(_ isDamaged: Bool) throws {
        let other = try DamagedDatabase(Self.sibling + "PRAGMA journal_mode = WAL;")
        try other.log("UPDATE messages SET chat = 8 WHERE id > 300; DELETE FROM users WHERE id % 8 = 0")
        let base = try twins()
        if isDamaged { try base.overwrite(try base.pointers(of: base.root(of: "messages"))[2].page) }
        try base.takeLog(of: other)
        try requireAlone(base, "do not fit")
    }

    @Test("a log of a database with the same tables that has a few pages: SQLite's own check shows it")
    func fewPages() throws {
        let other = try DamagedDatabase(Self.sibling + "PRAGMA journal_mode = WAL;")
        try other.log("UPDATE users SET name = 'zzz' WHERE id = 4")
        let base = try twins()
        try base.takeLog(of: other)
        try requireAlone(base, "chatdb read the database")
    }

    @Test("a log that has a whole database with the same tables")
    func allPages() throws {
        let other = try DamagedDatabase("PRAGMA journal_mode = WAL")
        try other.log(Self.sibling)
        let base = try twins()
        try base.takeLog(of: other)
        try requireAlone(base, "replaces all rows")
    }

    @Test(
        "a log of the database itself is applied, however much it changes",
        arguments: [
            "DELETE FROM messages WHERE id > 100; VACUUM", "DELETE FROM messages; DELETE FROM users WHERE id > 4",
            "UPDATE messages SET body = 'new' || id, chat = -id", "DROP TABLE users",
            "INSERT INTO messages SELECT id + 5000, body || body, 3 FROM messages",
            "ALTER TABLE users RENAME TO people; CREATE TABLE other(a); INSERT INTO other SELECT body FROM messages",
        ], [false, true])
    func own(_ change: String, _ isDamaged: Bool) throws {
        let base = try twins()
        let leaves = try base.pointers(of: base.root(of: "messages")).map(\.page)
        try base.log(change)
        if isDamaged { for page in leaves.dropFirst().prefix(3) { try base.overwrite(page) } }
        let saved = try base.salvage()
        #expect(saved.sideFile == .applied, "\(saved.notes)")
    }

    @Test("a log that repairs the pages of its database is applied")
    func repairing() throws {
        let base = try twins()
        let root = try base.root(of: "messages")
        let leaves = try base.pointers(of: root).map(\.page)
        // The log has the first page of the table, which has a new pointer.
        try base.log("INSERT INTO messages SELECT id + 5000, body, 3 FROM messages")
        for page in [root] + leaves.prefix(5) { try base.overwrite(page) }
        let saved = try base.salvage()
        #expect(saved.sideFile == .applied && saved.table("messages").saved > 2000, "\(saved)")
    }

    /// Opens the database as a command that writes does.
    private func write(_ base: DamagedDatabase) throws {
        let connection = try SQLiteEngine().open(base.path, as: .existing)
        try connection.close()
    }

    @Test("no command writes a database whose size contradicts its log", arguments: [false, true])
    func otherSize(_ isSmaller: Bool) throws {
        let small = try DamagedDatabase(Self.sibling + "PRAGMA journal_mode = WAL;")
        let (base, other) = isSmaller ? (small, try twins()) : (try twins(), small)
        try other.log("UPDATE users SET name = 'zzz' WHERE id = 4")
        try base.takeLog(of: other)
        let before = try base.folder.fingerprint()
        let error = try storeError(.damaged) { try write(base) }
        #expect(error.message.contains("or to another time of this one; move it away (it has 1 committed"), "\(error)")
        #expect(error.message.contains(isSmaller ? "lacks pages behind the" : "ends with "), "\(error)")
        let refused = try storeError(.damaged) { _ = try SQLiteEngine().openForMigration(base.path, creating: false) }
        #expect(refused == error)
        #expect(try base.folder.fingerprint() == before)
        try FileManager.default.removeItem(atPath: base.path + "-wal")
        try write(base)
        // The database with its own log is written.
        try write(other)
    }

    @Test(
        "a database with a log of its own is written, whatever the log does to its size",
        arguments: [
            "DELETE FROM messages WHERE id > 100; VACUUM", "DELETE FROM messages", "DROP TABLE users",
            "INSERT INTO messages SELECT id + 5000, body || body, 3 FROM messages; DELETE FROM messages WHERE id > 5000",
            "INSERT INTO messages SELECT id + 5000, body || body, 3 FROM messages; VACUUM",
        ])
    func ownSize(_ change: String) throws {
        let base = try twins()
        try base.log(change)
        try write(base)
    }

    @Test("a header that says something else than the log: an older schema, no application id")
    func header() throws {
        let marked = try twins("PRAGMA application_id = 77;")
        let other = try DamagedDatabase("SELECT 1")
        try other.log("CREATE TABLE t(a); INSERT INTO t VALUES (1)")
        for (base, words) in [(marked, "application id"), (try twins(), "older schema")] {
            try base.takeLog(of: other)
            #expect(FileDiagnosis.examine(base.path).foreignLog?.contains(words) == true, "\(words)")
            #expect(SQLiteEngine().logProblem(of: base.path)?.kind == .foreign)
            let error = try storeError(.damaged) { _ = try base.salvage() }
            #expect(error.message.contains("belongs to another database"), "\(error)")
        }
    }
}
