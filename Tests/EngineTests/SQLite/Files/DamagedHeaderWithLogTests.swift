import ChatDBKit
import Foundation
import TestKit
import Testing

/// A header that contradicts a log which belongs to its database. The log must not be moved away.
@Suite("a damaged header beside a log") struct DamagedHeaderWithLogTests {
    /// A database with a log that was not checkpointed, and a change of its header.
    private func base(_ change: String, place: Int, _ bytes: [UInt8]) throws -> DamagedDatabase {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        try base.log(change)
        try base.write(bytes, at: place)
        return base
    }

    @Test(
        "the encoding or the page size of the header is damaged: the log stays, and salvage reads both",
        arguments: [
            ("CREATE TABLE late(x); INSERT INTO late VALUES ('important')", 56, [0, 0, 0, 3]),
            ("CREATE TABLE late(x); INSERT INTO late VALUES ('important')", 16, [0x20, 0]),
            ("UPDATE users SET name = 'important' WHERE id = 4", 16, [0x20, 0]),
        ] as [(String, Int, [UInt8])])
    func header(_ change: String, _ place: Int, _ bytes: [UInt8]) throws {
        let base = try base(change, place: place, bytes)
        let found = FileDiagnosis.examine(base.path)
        #expect(found.foreignLog == nil, "\(found)")
        #expect(
            found.warnings.contains {
                if case .headerUnlikeWAL = $0 { return $0.message.contains("keep the two files together") }
                return false
            }, "\(found.warnings)")
        let before = try base.folder.fingerprint()
        let saved = try base.salvage()
        #expect(saved.table("messages").saved == 2000 && saved.table("users").saved == 500, "\(saved)")
        let isTable = change.hasPrefix("CREATE")
        let important = isTable ? "SELECT count(*) FROM late" : "SELECT count(*) FROM users WHERE name = 'important'"
        #expect(try base.number(important) == 1)
        #expect(saved.notes.contains { $0.contains("header of the database is damaged") }, "\(saved.notes)")
        #expect(try base.folder.fingerprint().filter { before[$0.key] != nil } == before)
    }

    @Test("a log of another database still has to be moved away")
    func foreign() throws {
        let base = try base("CREATE TABLE late(x)", place: 68, [0, 0, 0, 0])
        let other = try DamagedDatabase(
            "PRAGMA encoding = 'UTF-16le'; CREATE TABLE evil(a); INSERT INTO evil VALUES (1)")
        try FileManager.default.removeItem(atPath: other.path)
        try FileManager.default.copyItem(atPath: base.path, toPath: other.path)
        let second = try DamagedDatabase(
            "PRAGMA encoding = 'UTF-16le'; PRAGMA journal_mode = WAL; CREATE TABLE evil(a)")
        let queue = try second.queue(second.path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE more(a)")
        }
        try FileManager.default.copyItem(atPath: second.path + "-wal", toPath: other.path + "-wal")
        try queue.close()
        #expect(FileDiagnosis.examine(other.path).foreignLog?.contains("another text encoding") == true)
        try storeError(.damaged) { _ = try other.salvage() }
    }
}
