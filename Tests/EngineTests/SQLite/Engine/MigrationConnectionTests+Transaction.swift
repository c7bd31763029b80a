import ChatDBKit
import Foundation
import TestKit
import Testing

/// That its transaction is in nobody else's hands.
extension MigrationConnectionTests {
    @Test("a transaction is kept by commit alone, whatever else ends it")
    func keptByCommit() throws {
        try execute("DELETE FROM children")
        connection.rollback()
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.rowCount(of: "children") == 2)
        try connection.begin()
        try storeError { try connection.begin() }
        try execute("DELETE FROM children")
        connection.close()
        connection.close()
        let reader = try SQLiteEngine().open(scratch.file("x.db"), as: .readOnly)
        #expect(try reader.rowCount(of: "children") == 2)
        try reader.close()
    }

    @Test("a closed connection refuses every call")
    func closed() throws {
        connection.close()
        #expect(!connection.isInTransaction)
        try storeError { try connection.begin() }
        try storeError { try connection.commit() }
        try storeError { _ = try connection.structure() }
        try storeError { _ = try connection.rows("SELECT 1") }
        try storeError { try connection.forEach("SELECT 1") { _ in } }
        try storeError { try execute("DELETE FROM parents") }
        try storeError { _ = try connection.applicationMark() }
        connection.interrupt()
        connection.rollback()
    }

    @Test("a database somebody else writes is busy, and soon", .timeLimit(.minutes(30)))
    func busy() throws {
        let other = try SQLiteEngine().openForMigration(scratch.file("x.db"), creating: false)
        try storeError(.busy) { try other.begin() }
        connection.rollback()
        try other.begin()
        other.close()
    }

    @Test("a statement that runs is stopped on request", .timeLimit(.minutes(30)))
    func interrupt() throws {
        let interrupt = connection.interrupt
        let cancellation = Cancellation()
        let asking = ThreadResult {
            while !cancellation.isRequested {
                interrupt()
                sched_yield()
            }
        }
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) INSERT INTO log SELECT x FROM n"
        let error = try #require(throws: StoreError.self) { try execute(endless) }
        cancellation.request()
        try asking.value()
        #expect(error.kind == .interrupted)
        #expect(try connection.rowCount(of: "log") == 0)
    }
}
