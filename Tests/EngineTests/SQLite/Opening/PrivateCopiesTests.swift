import ChatDBKit
import Foundation
import Testing

@testable import ChatDBEngineSQLite

/// A private copy is made once for all that is done with a store. In the suite of those that count the copies there are.
extension ReadingTests {
    @Test("a database is copied once while its files are as they were, and goes with the last who holds it")
    func copiedOnce() throws {
        let scratch = try DiagnosisFolder()
        let path = try StoreState.hotWAL.make(in: scratch)
        var copies: PrivateCopies? = PrivateCopies()
        let first = try #require(try copies?.copy(of: path, isOneOfSeveral: false))
        #expect(try copies?.copy(of: path, isOneOfSeveral: false) === first)
        // Another program has folded the log in, and written anew.
        try scratch.crash("x_chat.db", "INSERT INTO t(b) VALUES ('new');")
        var second = try copies?.copy(of: path, isOneOfSeveral: false)
        #expect(second !== first && second != nil)
        copies?.forget(path)
        #expect(try copies?.copy(of: path, isOneOfSeveral: false) !== second)
        let left = try #require(second?.path)
        second = nil
        #expect(!FileManager.default.fileExists(atPath: left))
        let last = try #require(try copies?.copy(of: path, isOneOfSeveral: false).path)
        #expect(FileManager.default.fileExists(atPath: last))
        copies = nil
        #expect(!FileManager.default.fileExists(atPath: last) && FileManager.default.fileExists(atPath: first.path))
    }

    @Test(
        "connections that share a copy read the same, one beside the other and one after the other",
        arguments: [StoreState.hotWAL, .hotJournal])
    func sharedCopy(_ state: StoreState) throws {
        let scratch = try DiagnosisFolder()
        let path = try state.make(in: scratch)
        let before = try scratch.image()
        let engine = SQLiteEngine(sharesCopies: true)
        let open = [
            try engine.open(path, as: .untrusted), try engine.limited(patience: .seconds(60)).open(path, as: .readOnly),
        ]
        let snapshot = try engine.openSnapshot(path)
        _ = try snapshot.renew()
        for connection in open {
            #expect(try connection.rowCount(of: "t") == state.rows)
            #expect(!connection.notes.isEmpty)
            try connection.close()
        }
        #expect(try snapshot.rowCount(of: "t") == state.rows)
        snapshot.close()
        let again = try engine.open(path, as: .untrusted)
        #expect(try again.rowCount(of: "t") == state.rows)
        #expect(try scratch.image() == before)
        try again.close()
        // Writing puts the original in order, and the copy is no more asked.
        let writing = try engine.open(path, as: .existing)
        _ = try writing.write { try $0.run("DELETE FROM t") }
        try writing.close()
        let after = try engine.open(path, as: .untrusted)
        #expect(try after.rowCount(of: "t") == 0 && after.notes.isEmpty)
        try after.close()
    }
}
