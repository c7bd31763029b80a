import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// S01 to S07, a sample: files made to hang, fill or deceive the program that opens them.
@Suite(.enabled(if: HelperProcess.hasSQLiteShell), .timeLimit(.minutes(60))) struct HostileFileTests {
    private let scratch: DatabaseFolder
    private let engine = SQLiteEngine()

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func open(_ sql: String) throws -> any StorageConnection {
        try engine.open(try scratch.database("hostile.db", sql), as: .untrusted)
    }

    /// Every question a reading command asks of a file it does not know, and the rows of one table by the named
    /// columns.
    private func interrogate(_ connection: any StorageConnection) throws {
        _ = try connection.structure()
        _ = try connection.integrityProblems()
        _ = try connection.applicationMark()
    }

    @Test(
        "a view is never run, whatever it would do",
        arguments: [
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
            "SELECT printf('%.*c', 900000000, 'x') AS x", "SELECT load_extension('x') AS x",
            "SELECT file AS x FROM pragma_database_list", "SELECT name AS x FROM dbstat",
        ])
    func views(_ body: String) throws {
        let connection = try open("CREATE TABLE t(a); CREATE VIEW messages AS \(body);")
        try interrogate(connection)
        #expect(try connection.structure().views.keys.sorted() == ["messages"])
        for query in ["SELECT count(*) FROM messages", "SELECT * FROM messages LIMIT 1"] as [Query] {
            let error = try storeError { _ = try connection.read { try $0.rows(query) } }
            #expect([.denied, .sql].contains(error.kind), "\(error.kind) \(error)")
        }
        try storeError { _ = try connection.rowCount(of: "messages") }
    }

    @Test("a trigger is not run, because nothing is written")
    func triggers() throws {
        let connection = try open(
            """
            CREATE TABLE t(a); INSERT INTO t VALUES (1);
            CREATE TRIGGER bomb AFTER UPDATE ON t BEGIN DELETE FROM t; END;
            """)
        try interrogate(connection)
        try storeError { _ = try connection.read { try $0.rows("UPDATE t SET a = 2") } }
        try storeError { _ = try connection.write { try $0.run("UPDATE t SET a = 2") } }
        #expect(try connection.rowCount(of: "t") == 1)
    }

    @Test("S02: a generated column with an absurd value is an error for queries that name it, and for no others")
    func generatedColumnBomb() throws {
        let connection = try open(
            """
            CREATE TABLE t(a INTEGER, bomb AS (zeroblob(999999999)));
            INSERT INTO t(a) VALUES (7);
            """)
        #expect(try connection.read { try $0.count("SELECT a FROM t") } == 7)
        for query in ["SELECT * FROM t", "SELECT bomb FROM t", "SELECT length(bomb) FROM t"]
            as [Query]
        {
            try storeError(.beyondLimits) { _ = try connection.read { try $0.rows(query) } }
        }
        #expect(try connection.structure().tables["t"]?.columns.map(\.name) == ["a", "bomb"])
    }

    @Test("B09: the size of a value beyond the limit can be read, the value cannot")
    func largeValue() throws {
        let connection = try open("CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(70000000));")
        #expect(try connection.read { try $0.count("SELECT length(a) FROM t") } == 70_000_000)
        try storeError(.beyondLimits) { _ = try connection.read { try $0.rows("SELECT a FROM t") } }
    }

    @Test("B09: a value that would take too much memory by the time it is written is beyondLimits")
    func longValue() throws {
        let connection = try open(
            """
            CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(9000000)), (printf('%.*c', 9000000, 'x'));
            CREATE TABLE c(a);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 4)
            INSERT INTO c SELECT replace(hex(zeroblob(1000000)), '00', char(1, 1, 1, 1)) FROM n;
            """)
        try storeError(.beyondLimits) { _ = try connection.read { try $0.rows("SELECT a FROM t") } }
        #expect(try connection.rowCount(of: "t") == 2)
        // 16 MB of characters that take eight bytes each in an answer.
        #expect(try connection.read { try $0.rows("SELECT a FROM c LIMIT 2") }.count == 2)
        try storeError(.beyondLimits) { _ = try connection.read { try $0.rows("SELECT a FROM c") } }
    }

    @Test("views that name each other twice, forty deep, do not keep the reading of a schema busy")
    func nestedViews() throws {
        let views = (1...40).map { "CREATE VIEW v\($0) AS SELECT x.a, y.b FROM v\($0 - 1) AS x, v\($0 - 1) AS y;" }
        let path = try scratch.database(
            "views.db", "CREATE TABLE t(a); CREATE VIEW v0 AS SELECT 1 AS a, 2 AS b;" + views.joined())
        let snapshot = try engine.openSnapshot(path)
        defer { snapshot.close() }
        #expect(try snapshot.ordinaryTables() == ["t"])
        #expect(try snapshot.structure().views.count == 41)
        let own = try engine.open(path, as: .readOnly)
        defer { try? own.close() }
        #expect(try own.structure().views.count == 41)
        #expect(try own.integrityProblems().isEmpty)
        // Views still work on a connection that allows them.
        #expect(try own.read { try $0.count("SELECT a FROM v1") } == 1)
    }

    @Test("the time to read a schema grows with the number of tables, not with its square")
    func manyTables() throws {
        func time(_ count: Int) throws -> Duration {
            let tables = (0..<count).map { "CREATE TABLE t\($0)(a);" }.joined()
            let path = try scratch.database("tables\(count).db", "BEGIN; \(tables) COMMIT;")
            var times: [Duration] = []
            for _ in 0..<5 {
                let connection = try engine.open(path, as: .untrusted)
                let began = ContinuousClock.now
                let structure = try connection.structure()
                times.append(ContinuousClock.now - began)
                #expect(structure.tables.count == count)
                try connection.close()
            }
            return times.min() ?? .zero
        }
        // Eight times as many: by their square it would be 64 times. Other tests run meanwhile.
        let (few, many) = (try time(500), try time(4_000))
        #expect(many < few * 40, "\(few), \(many)")
    }

    @Test("S14: a schema beyond the limits is beyondLimits, and not damaged")
    func schemaBeyondLimits() throws {
        let columns = (1...1_999).map { "c\($0)" }.joined(separator: ",")
        let deep = "a" + String(repeating: " + 1", count: 400)
        let long = "max(a" + String(repeating: ", 1", count: 20) + ")"
        for sql in [
            "CREATE TABLE wide(\(columns));", "CREATE TABLE deep(a, CHECK (\(deep)));",
            "CREATE TABLE many(a, b AS (\(long)));",
        ] {
            let path = try scratch.database(UUID().uuidString, sql)
            try storeError(.beyondLimits) {
                let connection = try engine.open(path, as: .untrusted)
                _ = try connection.structure()
            }
        }
    }

    @Test("S07: a schema that calls functions for JSON can be read, and nothing else of it is trusted")
    func untrustedFunction() throws {
        let json = try open(
            """
            CREATE TABLE t(a, b AS (json_extract(a, '$.x'))); CREATE INDEX i ON t(a ->> '$.y');
            INSERT INTO t(a) VALUES ('{"x": 7}'); CREATE VIEW v AS SELECT 1 AS x;
            """)
        try interrogate(json)
        #expect(try json.read { try $0.count("SELECT b FROM t") } == 7)
        // The case of a function does not count.
        for definition in [
            "CREATE TABLE t(a, b AS (JSON_EXTRACT(a, '$.x')));",
            "CREATE TABLE t(a); CREATE INDEX i ON t(Json_Type(a));",
            "CREATE TABLE t(a, b AS ([JSON](a)) STORED);",
            "CREATE TABLE t(a); CREATE INDEX i ON t(a) WHERE JSON_VALID(a);",
            "CREATE TABLE t(a CHECK (JSON_VALID(a)), b AS (a ->> '$.x'));",
        ] {
            let path = try scratch.database("\(UUID().uuidString).db", definition + "INSERT INTO t(a) VALUES ('{}');")
            #expect(try engine.open(path, as: .untrusted).rowCount(of: "t") == 1, "\(definition)")
        }
        // All else stays shut.
        try storeError { _ = try json.read { try $0.rows("SELECT x FROM v") } }
        try storeError { _ = try json.write { try $0.run("DELETE FROM t") } }
        let crash = try scratch.database("hot.db", "PRAGMA journal_mode = wal; CREATE TABLE t(a, b AS (json(a)));")
        try scratch.crash("hot.db", "INSERT INTO t(a) VALUES ('[1]');")
        #expect(try engine.open(crash, as: .untrusted).rowCount(of: "t") == 1)
    }

    @Test("S05, S06: names that look like SQL or control a terminal are names")
    func names() throws {
        let names = [
            "b\"; DELETE FROM chats; --", "\u{1B}]0;pwned\u{7}\u{1B}[2J", "a'b", "a b", "\u{202E}x", "[x]", "`y`",
        ]
        let sql = names.map { name in
            let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
            return "CREATE TABLE \(quoted)(\(quoted) TEXT DEFAULT 'x', CHECK (\(quoted) <> ''));"
        }
        let connection = try open("CREATE TABLE chats(a); INSERT INTO chats VALUES (1);" + sql.joined())
        #expect(try Set(connection.structure().tables.keys) == Set(names + ["chats"]))
        for name in names { #expect(try connection.rowCount(of: name) == 0) }
        #expect(try connection.rowCount(of: "chats") == 1)
        #expect(try connection.integrityProblems().isEmpty)
    }

    @Test("an endless query is stopped by interrupt")
    func interrupt() throws {
        let connection = try open("CREATE TABLE t(a);")
        let isOver = Mutex(false)
        let asking = ThreadResult {
            while !isOver.withLock(\.self) {
                connection.interrupt()
                sched_yield()
            }
        }
        #expect(throws: StoreError.self) {
            _ = try connection.read { transaction in
                try transaction.count(
                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        isOver.withLock { $0 = true }
        try asking.value()
    }

    @Test("space is reported by table, and views are named and not run")
    func space() throws {
        let connection = try open(
            """
            CREATE TABLE a(x); CREATE TABLE "b""c"(y TEXT); CREATE INDEX i ON "b""c"(y);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000)
            INSERT INTO "b""c" SELECT printf('%.100c', 'x') FROM n;
            CREATE TABLE gone(z); INSERT INTO gone VALUES (zeroblob(50000)); DROP TABLE gone;
            CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n;
            """)
        let space = try connection.space(everyPage: true)
        #expect(space.pageSize == 4_096 && space.freePages > 10 && space.pages > space.freePages + 50)
        #expect(space.tables.map(\.name) == ["a", "b\"c"] && space.tables.map(\.rows) == [0, 1_000])
        #expect(space.tables.map { $0.bytes ?? 0 > 200_000 } == [false, true])
        #expect(try connection.viewNames() == ["v"])
        #expect(try connection.space(everyPage: false).tables.allSatisfy { $0.bytes == nil && $0.rows != nil })
    }

    @Test("D03: random damage gives an error or an answer, and never ends the process")
    func mutations() throws {
        let path = try scratch.database(
            "good.db",
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t(b); CREATE VIRTUAL TABLE f USING fts5(w);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200)
            INSERT INTO t SELECT x, printf('%.60c', 'x') FROM n;
            INSERT INTO f SELECT b FROM t LIMIT 20;
            """)
        let good = try scratch.read("good.db")
        #expect(try engine.open(path, as: .untrusted).structure().tables.keys.sorted() == ["f", "t"])
        var random = SystemlessRandom(state: 4711)
        for number in 0..<400 {
            var bytes = good
            for _ in 0...number % 8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            // Half of them in the first page, where the schema is.
            if number.isMultiple(of: 2) { bytes[Int.random(in: 100..<4_096, using: &random)] ^= 0x55 }
            let damaged = try scratch.write("damaged.db", bytes)
            do {
                let connection = try engine.open(damaged, as: .untrusted)
                try interrogate(connection)
                _ = try connection.space(everyPage: true)
                _ = try connection.read { try $0.rows("SELECT * FROM t") }
                _ = try connection.read { try $0.rows("SELECT * FROM f WHERE f MATCH 'x'") }
            } catch is StoreError {
                continue
            }
        }
        #expect(try scratch.names() == ["damaged.db", "good.db"])
    }
}

/// The same numbers in every run.
private struct SystemlessRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
