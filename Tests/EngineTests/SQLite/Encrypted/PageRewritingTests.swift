import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBEngineSQLite

/// A database whose pages get other keys, and which the disk writes meanwhile.
/// Rule: docs/encryption.md, "Changing the passphrase".
@Suite struct PageRewritingTests {
    private let folder: TemporaryFolder
    private let old = Self.engine("2f")
    private let new = Self.engine("3e")
    private var path: String { folder.file("a.db") }
    private var target: String { folder.file("b.db") }

    private static func engine(_ byte: String) -> SQLiteEngine {
        SQLiteEngine().reading(with: Passphrase("x'\(String(repeating: byte, count: 32))'".utf8))
    }

    /// An encrypted database with more than a thousand pages.
    init() throws {
        folder = try TemporaryFolder()
        let plain = folder.file("plain.db")
        let connection = try SQLiteEngine().openForMigration(plain, creating: true)
        for sql in [
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO t SELECT i, randomblob(3000) FROM n
            """,
        ] { try connection.run(.unchecked(sql: sql)) }
        connection.close()
        try SQLiteEngine().rewrite(plain, to: folder.file("a.db"), for: old, cancellation: Cancellation())
    }

    private func rewriting(stoppedWhen isStopped: @escaping @Sendable () -> Bool) throws -> PageRewriting {
        let codec = try #require(old.keysOfEncrypted?.known(path)).codec
        let other = try #require(new.keysOfEncrypted).codecOfNew(target, like: codec)
        return try PageRewriting(
            of: EncryptedFile(path, locked: true), codec, in: target, other, pagesOfSync: PageRewriting.pagesAtOnce,
            stoppedWhen: isStopped)
    }

    private func hash(_ path: String, _ engine: SQLiteEngine) throws -> ContentHash {
        let connection = try engine.open(path, as: .readOnly)
        defer { try? connection.close() }
        return try connection.contentHash(of: "t", columns: ["a", "b"])
    }

    @Test("a file that the disk writes while its pages are encrypted has the pages of the original")
    func written() throws {
        do {
            let rewriting = try rewriting { false }
            try rewriting.write()
            try rewriting.verify()
        }
        let pages = try #require(FileState(at: target).bytes) / 4096
        #expect(pages > 4 * PageRewriting.pagesAtOnce && FileState(at: path).bytes == pages * 4096)
        #expect(try hash(target, new) == hash(path, old))
    }

    @Test("an error of the disk while the pages are encrypted ends the rewriting")
    func failingSync() throws {
        let target = target
        // The file is written further without its name, but cannot be opened to sync it.
        let rewriting = try rewriting {
            try? FileManager.default.removeItem(atPath: target)
            return false
        }
        let error = #expect(throws: StoreError.self) { try rewriting.write() }
        #expect(error?.message.contains("\(target) cannot be opened to sync it") == true)
    }
}
