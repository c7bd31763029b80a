import ChatDBKit
import Foundation
import Testing

/// How long an untrusted file may keep a query busy, and what does not count.
@Suite(.timeLimit(.minutes(60))) struct QueryTimeLimitTests {
    private let scratch: DatabaseFolder
    private let path: String
    private let endless: Query = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
        """

    init() throws {
        scratch = try DatabaseFolder()
        path = scratch.file("x.db")
        let connection = try SQLiteEngine().open(path, as: .create)
        try connection.write { transaction in
            try transaction.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
            try transaction.run("INSERT INTO t(b) VALUES ('one'), ('two')")
        }
        try connection.close()
    }

    @Test("S01: a query that does not end is stopped with beyondLimits, and the connection can be used on")
    func endlessQuery() throws {
        let connection = try SQLiteEngine(queryTimeLimit: .milliseconds(50)).open(path, as: .untrusted)
        for _ in 1...2 {
            let error = try storeError(.beyondLimits) { _ = try connection.read { try $0.rows(endless) } }
            #expect(error.message.contains("exceeded the time limit"))
            try storeError(.beyondLimits) { try connection.read { try $0.forEach(endless) { _ in } } }
            #expect(try connection.read { try $0.count("SELECT count(*) FROM t") } == 2)
            #expect(try connection.rowCount(of: "t") == 2)
            #expect(try connection.integrityProblems().isEmpty)
        }
        // Each query of a transaction has its own time.
        try connection.read { transaction throws in
            try storeError(.beyondLimits) { _ = try transaction.rows(endless) }
            #expect(try transaction.count("SELECT count(*) FROM t") == 2)
        }
        try connection.close()
    }

    @Test("the caller's time between two rows does not count")
    func callersTime() throws {
        let connection = try SQLiteEngine(queryTimeLimit: .milliseconds(400)).open(path, as: .untrusted)
        // Each row takes some hundred thousand instructions: enough to be looked at.
        let slow: Query = """
            SELECT a, (WITH RECURSIVE n(x) AS (SELECT a UNION ALL SELECT x + 1 FROM n WHERE x < 30000)
                SELECT count(*) FROM n) AS counted FROM t
            """
        var rows = 0
        try connection.read { transaction throws in
            try transaction.forEach(slow) { _ in
                rows += 1
                let began = processorTime()
                while processorTime() - began < 500_000_000 {}
            }
        }
        #expect(rows == 2)
        try connection.close()
    }

    @Test("a database of our own, and one that is written, have no limit")
    func ours() throws {
        let counting: Query = """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) SELECT count(*) FROM n
            """
        let engine = SQLiteEngine(queryTimeLimit: .zero)
        for mode in [OpenMode.readOnly, .existing] {
            let connection = try engine.open(path, as: mode)
            #expect(try connection.read { try $0.count(counting) } == 100_000)
            try connection.close()
        }
        let connection = try engine.open(path, as: .untrusted)
        try storeError(.beyondLimits) { _ = try connection.read { try $0.count(counting) } }
        try connection.close()
        for limit in [Duration.seconds(Int64.max), .seconds(3_600)] {
            let connection = try SQLiteEngine(queryTimeLimit: limit).open(path, as: .untrusted)
            #expect(try connection.read { try $0.count(counting) } == 100_000)
            try connection.close()
        }
    }

    @Test("a query of an untrusted file may have lists as long as SQLite allows")
    func longLists() throws {
        let connection = try SQLiteEngine().open(path, as: .untrusted)
        for count in [200, 201, 32_766] {
            let list = Array(1...Int64(count))
            #expect(try connection.read { try $0.count("SELECT count(*) FROM t WHERE a IN (\(list: list))") } == 2)
        }
        let tooLong = Array(1...Int64(32_767))
        try storeError(.sql) {
            _ = try connection.read { try $0.count("SELECT count(*) FROM t WHERE a IN (\(list: tooLong))") }
        }
        try connection.close()
    }

    private func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
