import CChatDBSQLite
import ChatDBKit
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import ChatDBEngineSQLite

/// Settings of every connection that writes, read back where they count: on the connection, after it was opened.
@Suite struct WritingProfileTests {
    private let scratch: DatabaseFolder
    private let engine = SQLiteEngine()

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func path(_ mode: String) throws -> String {
        let path = scratch.file("\(mode).db")
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = \(mode); CREATE TABLE t(a INTEGER PRIMARY KEY)")
        }
        try queue.close()
        return path
    }

    private func number(_ pragma: String, _ transaction: any ReadTransaction) throws -> Int {
        try transaction.count(.unchecked(sql: "PRAGMA \(pragma)"))
    }

    @Test(
        "a commit that was reported is on the disk: FULL in WAL, EXTRA with a rollback journal",
        arguments: [("wal", 2), ("delete", 3), ("truncate", 3), ("persist", 3)])
    func synchronous(_ mode: String, _ wanted: Int) throws {
        let path = try path(mode)
        let connection = try engine.open(path, as: .existing)
        #expect(try connection.read { try number("synchronous", $0) } == wanted)
        #expect(try connection.read { try number("secure_delete", $0) } == 1)
        #expect(try connection.read { try number("foreign_keys", $0) } == 1)
        try connection.close()
        let migrating = try engine.openForMigration(path, creating: false)
        #expect(try number("synchronous", migrating) == wanted)
        try migrating.begin()
        #expect(try number("synchronous", migrating) == wanted)
        #expect(try number("secure_delete", migrating) == 1)
        #expect(try number("foreign_keys", migrating) == 0)
        migrating.close()
    }

    @Test("new databases have the settings from the beginning", arguments: [false, true])
    func created(forMigration: Bool) throws {
        let path = scratch.file("new.db")
        let transaction: any ReadTransaction
        if forMigration {
            let connection = try engine.openForMigration(path, creating: true)
            transaction = connection
            #expect(try [number("synchronous", transaction), number("secure_delete", transaction)] == [2, 1])
            #expect(try connection.first("PRAGMA journal_mode")?.get("journal_mode") as String? == "wal")
            connection.close()
        } else {
            let connection = try engine.open(path, as: .create)
            try connection.read { transaction throws in
                #expect(try [number("synchronous", transaction), number("secure_delete", transaction)] == [2, 1])
                #expect(try transaction.first("PRAGMA journal_mode")?.get("journal_mode") as String? == "wal")
            }
            try connection.close()
        }
    }

    @Test("a deleted text is not left in the file")
    func secureDelete() throws {
        let path = try path("delete")
        let connection = try engine.open(path, as: .existing)
        let secret = "s3cret-that-must-go"
        _ = try connection.write { try $0.run("CREATE TABLE words(w TEXT)") }
        _ = try connection.write { try $0.run("INSERT INTO words VALUES (\(secret))") }
        _ = try connection.write { try $0.run("DELETE FROM words") }
        try connection.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(secret.utf8)) == nil)
    }

    @Test("no connection loads extensions or tokenizers from addresses")
    func doors() throws {
        let path = try path("wal")
        let limit = QueryTimeLimit(.seconds(10))
        let queues = [try ReadingProfile.plain().open(path), try ReadingProfile.hardened(limit).open(path)]
        for queue in queues {
            queue.unsafeRead { database in
                #expect(!ConnectionOptions.isOn(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, of: database))
                #expect(!ConnectionOptions.isOn(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, of: database))
            }
            try queue.close()
        }
        let connection = try engine.open(path, as: .existing)
        for call in ["SELECT load_extension('x')", "SELECT fts3_tokenizer('a', x'00')"] as [Query] {
            try storeError { _ = try connection.write { try $0.rows(call) } }
        }
    }

    @Test("an option that this SQLite does not have is an error")
    func unknownOption() throws {
        let queue = try DatabaseQueue()
        queue.unsafeRead { database in
            #expect(throws: StoreError.self) { try ConnectionOptions.set(99_999, to: true, of: database) }
            #expect(!ConnectionOptions.isOn(99_999, of: database))
        }
    }

    @Test("errors of SQLite, GRDB and others become StoreErrors")
    func errorKinds() {
        let kinds: [(CInt, String, StoreError.Kind)] = [
            (SQLITE_BUSY, "", .busy), (SQLITE_LOCKED, "", .busy), (SQLITE_NOTADB, "", .notADatabase),
            (SQLITE_CORRUPT, "database disk image is malformed", .damaged),
            (SQLITE_CORRUPT, "malformed database schema (x) - too many columns on x", .beyondLimits),
            (SQLITE_CORRUPT, "malformed database schema (x) - unsafe use of json_extract()", .beyondLimits),
            (SQLITE_TOOBIG, "", .beyondLimits), (SQLITE_READONLY, "", .readOnly),
            (SQLITE_FULL, "", .diskFull), (SQLITE_IOERR, "", .inputOutput), (SQLITE_IOERR | 12 << 8, "", .outOfMemory),
            (SQLITE_NOMEM, "", .outOfMemory), (SQLITE_CANTOPEN, "", .inputOutput), (SQLITE_INTERRUPT, "", .interrupted),
            (SQLITE_AUTH, "", .denied), (SQLITE_CONSTRAINT, "", .constraintViolation), (SQLITE_ERROR, "", .sql),
            (SQLITE_ERROR, "interrupted", .interrupted),
            (SQLITE_ERROR, "error in table items after rename: interrupted", .interrupted),
            (SQLITE_ERROR, "no such table: interrupted", .sql),
            (SQLITE_ERROR, "error in view a: no such table: interrupted", .sql),
            (SQLITE_PROTOCOL, "", .other),
        ]
        for (code, message, kind) in kinds {
            let error = SQLiteErrors.storeError(code: code, message: message)
            #expect(error.kind == kind && error.engineCode == Int(code))
            // SQLite's message names what the schema names.
            #expect(!error.message.contains("(x)") && !error.message.contains("on x"))
        }
        struct Strange: Error { let secret = "s3cret" }
        #expect(SQLiteErrors.storeError(Strange()).kind == .other)
        #expect(!SQLiteErrors.storeError(Strange()).message.contains("s3cret"))
    }
}
