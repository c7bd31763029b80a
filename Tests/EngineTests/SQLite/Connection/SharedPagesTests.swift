import ChatDBKit
import Foundation
import TestKit
import Testing

/// S01: what SQLite does in one step, without asking whether to go on, comes to an end too.
@Suite(.enabled(if: HelperProcess.hasSQLiteShell), .timeLimit(.minutes(60))) struct SharedPagesTests {
    private let scratch: DatabaseFolder
    private let path: String
    private let engine = SQLiteEngine(queryTimeLimit: .milliseconds(20))

    init() throws {
        scratch = try DatabaseFolder()
        path = try scratch.database(
            "tree.db",
            """
            CREATE TABLE good(a); INSERT INTO good VALUES (1); CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
            INSERT INTO t SELECT x, printf('%.500c', 'x') FROM n;
            """)
        var bytes = try scratch.read("tree.db")
        SharedPages.lead(from: 3, in: &bytes)
        try scratch.write("tree.db", bytes)
    }

    @Test("S01: a count of pages that all lead to the same next ones is stopped, and so is measuring them")
    func space() throws {
        let connection = try engine.open(path, as: .untrusted)
        let space = try connection.space(everyPage: true)
        #expect(space.tables.map(\.name) == ["good", "t"])
        #expect(space.tables.allSatisfy { $0.rows == nil && $0.bytes == nil })
        #expect(try connection.read { try $0.count("SELECT a FROM good") } == 1)
    }

    @Test("S01: a count is stopped with beyondLimits, and the connection can be used on")
    func counts() throws {
        let connection = try engine.open(path, as: .untrusted)
        for _ in 1...2 {
            try storeError(.beyondLimits) { _ = try connection.rowCount(of: "t") }
            try storeError(.beyondLimits) { _ = try connection.read { try $0.count("SELECT count(*) FROM t") } }
            #expect(try connection.rowCount(of: "good") == 1)
        }
        try connection.read { transaction throws in
            try storeError(.beyondLimits) { _ = try transaction.count("SELECT count(*) FROM t NOT INDEXED") }
            #expect(try transaction.count("SELECT count(*) FROM good") == 1)
        }
        try connection.close()
    }

    @Test("problems of the pages are listed one by one")
    func problems() throws {
        let problems = try SQLiteEngine().open(path, as: .untrusted).integrityProblems()
        #expect(problems.count > 5 && problems.allSatisfy { !$0.contains("\n") && !$0.hasPrefix("***") })
        #expect(problems.contains { $0.contains("2nd reference to page") })
    }

    @Test("S01: a question is stopped when its time is over, and the next one has its own time")
    func question() throws {
        let connection = try engine.openForQuestions(path, of: .chat)
        for _ in 1...2 {
            #expect(throws: QuestionError.tooSlow(.milliseconds(100))) {
                try connection.ask(Question("SELECT count(*) FROM t", time: .milliseconds(100)))
            }
            #expect(try connection.ask(Question("SELECT count(*) FROM good")).rows == [[.integer(1)]])
        }
        // The time limit of queries does not hold for a question, which has its own.
        let counting = """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000) SELECT count(*) FROM n
            """
        #expect(try connection.ask(Question(counting, time: .seconds(3_600))).rows == [[.integer(1_000_000)]])
        try connection.close()
    }

    @Test("S01: a count in a snapshot is stopped, with and without a hot journal", arguments: [false, true])
    func snapshot(_ isHot: Bool) throws {
        if isHot { try scratch.crash("tree.db", "PRAGMA journal_mode = wal; INSERT INTO good VALUES (2);") }
        let snapshot = try engine.openSnapshot(path)
        defer { snapshot.close() }
        _ = try snapshot.renew()
        try storeError(.beyondLimits) { _ = try snapshot.rowCount(of: "t") }
        #expect(try snapshot.rowCount(of: "good") == (isHot ? 2 : 1))
    }

    @Test("S01: an endless answer is beyondLimits before it fills the memory")
    func rows() throws {
        let connection = try SQLiteEngine().open(path, as: .untrusted)
        let endless: Query = """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT zeroblob(4194304) FROM n
            """
        let error = try storeError(.beyondLimits) { _ = try connection.read { try $0.rows(endless) } }
        #expect(error.message.contains("exceeds the limit"))
        // One after the other they need no memory.
        var seen = 0
        try connection.read { transaction in
            try transaction.forEach("\(endless) LIMIT 100") { _ in seen += 1 }
        }
        #expect(seen == 100)
    }

    @Test("S01: all queries of all files share a budget, and measuring leaves a part of it")
    func budget() throws {
        let engine = SQLiteEngine(queryTimeLimit: .seconds(3_600), budget: .seconds(2))
        let (one, other) = (try engine.open(path, as: .untrusted), try engine.open(path, as: .untrusted))
        // Counting takes a quarter of the budget, and measuring reads at most as many pages as the file has.
        #expect(try one.space(everyPage: true).tables.allSatisfy { $0.rows == nil && $0.bytes == nil })
        let some: Query = """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000) SELECT count(*) FROM n
            """
        #expect(try one.read { try $0.count(some) } == 50_000)
        try storeError(.beyondLimits) { _ = try one.rowCount(of: "t") }
        try storeError(.beyondLimits) { _ = try other.read { try $0.count(some) } }
        #expect(try other.read { try $0.count("SELECT a FROM good") } == 1)
    }
}
