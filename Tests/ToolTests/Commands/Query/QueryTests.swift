import ChatDBKit
import Foundation
import Testing

/// `query`: answers, their formats, and refusals.
@Suite(.timeLimit(.minutes(60))) struct QueryTests {
    private static let formats = [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")]

    @Test(
        "an answer is as recorded: numbers, texts, bytes, NULL, and control characters",
        arguments: formats)
    func shown(_ format: String, _ ending: String) throws {
        let chatdb = try DemoStore.empty()
        let sql = """
            SELECT 1 AS id, 2.5 AS id, 'a|b' || char(27) || '[2J' AS "what is said", '=1+1' AS formula,
                x'000102030405060708090a' AS bytes, x'' AS none, NULL AS missing
            UNION ALL SELECT -20, -1e300, '', '-5', x'ff', NULL, NULL
            """
        let outcome = try chatdb("query", sql, "--format", format)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        try Snapshot.check(outcome.output, "query.\(ending)")
    }

    @Test("an answer without rows has its columns")
    func empty() throws {
        let chatdb = try DemoStore.empty()
        let outcome = try chatdb("query", "SELECT user_id, agent_user_id FROM users", "--format", "json")
        let answer = try outcome.answer()
        #expect(answer["columns"]?.texts == ["user_id", "agent_user_id"])
        #expect(answer["rows"] == [] && answer["complete"] == true && answer["database"] == "chat")
        #expect(try chatdb("query", "SELECT user_id FROM users", "--format", "csv").output == "user_id\n")
        #expect(try chatdb("query", "SELECT user_id FROM users").output == "no rows\n")
    }

    @Test("query masks secrets everywhere, and personal columns without --show, and says so")
    func masked() throws {
        let chatdb = try DemoStore.make()
        let sql = "SELECT user_id, local_display_name, view_pwd_hash FROM users ORDER BY user_id"
        let hidden = try chatdb("query", sql, "--format", "json")
        #expect(try hidden.answer()["rows"]?[0]?["local_display_name"] == ["masked": "personal"])
        #expect(try hidden.answer()["masked"]?.arrayValue?.count == 2)
        #expect(
            hidden.errors == "note: masked: users.local_display_name (personal), users.view_pwd_hash "
                + "(secret); --show personal shows the personal columns\n")
        let shown = try chatdb("query", sql, "--show", "personal", "--format", "json")
        #expect(try shown.answer()["rows"]?[0]?["local_display_name"] == "alice")
        #expect(try shown.answer()["masked"]?.arrayValue?.count == 1)
        #expect(shown.errors == "note: masked: users.view_pwd_hash (secret)\n")
    }

    @Test("query names the clauses that may read a masked column as NULL, so that rows and counts may be wrong")
    func maskedChoice() throws {
        let chatdb = try DemoStore.make()
        let question = "SELECT count(*) AS n FROM users WHERE local_display_name = 'alice'"
        let run = try chatdb("query", question, "--format", "csv")
        #expect(run.output == "n\n0\n")
        #expect(
            run.errors == "note: masked: users.local_display_name (personal); if WHERE reads them, it reads NULL, so "
                + "rows and counts may be wrong; --show personal shows the personal columns\n")
        #expect(try !chatdb("query", question, "--show", "personal").errors.contains("masked"))
        for (sql, clauses) in [
            ("SELECT count(*) FROM users a JOIN users b ON a.local_display_name = b.local_display_name", "ON"),
            ("SELECT count(*) FROM (SELECT DISTINCT local_display_name FROM users)", "DISTINCT"),
            ("SELECT count(DISTINCT local_display_name) FROM users", "DISTINCT"),
            (
                "SELECT local_display_name, count(*) FROM users GROUP BY 1 HAVING count(*) > 1",
                "GROUP BY or HAVING"
            ),
            ("SELECT local_display_name FROM users UNION SELECT local_display_name FROM users", "UNION"),
            ("SELECT local_display_name FROM users UNION ALL SELECT 'x' EXCEPT SELECT 'y'", "EXCEPT"),
            ("SELECT local_display_name FROM users INTERSECT SELECT 'alice'", "INTERSECT"),
            ("SELECT user_id FROM users ORDER BY local_display_name LIMIT 1", "ORDER BY"),
        ] {
            let errors = try chatdb("query", sql).errors
            #expect(errors.contains("; if \(clauses) reads them, it reads NULL, so rows and"), "\(sql): \(errors)")
        }
        for sql in [
            "SELECT local_display_name FROM users ORDER BY user_id -- where",
            "SELECT local_display_name FROM users UNION ALL SELECT local_display_name FROM users",
        ] {
            let errors = try chatdb("query", sql).errors
            #expect(errors.contains("masked: ") && !errors.contains("reads them"), "\(sql): \(errors)")
        }
    }

    @Test("a table that the store lacks is not suggested in its own place")
    func absentTable() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("PRAGMA foreign_keys = OFF; DROP TABLE chat_relays;")
        let run = try chatdb("query", "SELECT count(*) AS n FROM chat_relays")
        #expect(run.errors.contains("the store does not have this table: chatdb migrate status"), "\(run.errors)")
        #expect(!run.errors.contains("did you mean"))
    }

    @Test("query reads the agent database with --only, or when there is no other")
    func databases() throws {
        let chatdb = try DemoStore.make()
        let sql = "SELECT count(*) AS n FROM snd_queues"
        let wrong = try chatdb("query", sql, "--format", "json")
        #expect(wrong.code == 65)
        #expect(try wrong.refusal()["code"] == "invalidSQL")
        #expect(try wrong.refusal()["hint"] == "the table is in the agent database: --only agent")
        #expect(try chatdb("query", sql, "--only", "agent", "--format", "csv").output == "n\n0\n")
        try FileManager.default.removeItem(atPath: chatdb.file("x_chat.db"))
        let lone = try chatdb("query", sql, "--format", "csv", "-d", chatdb.file("x_agent.db"))
        #expect(lone.output == "n\n0\n")
        #expect(lone.errors == "note: the chat database is missing, so chatdb queries the agent database\n")
        let missing = try chatdb("query", sql, "--only", "chat", "-d", chatdb.file("x_agent.db"), "--format", "json")
        #expect(missing.code == 66)
    }

    @Test("query reads a statement from standard input, and refuses one that is too long or not UTF-8")
    func standardInput() throws {
        let chatdb = try DemoStore.empty()
        #expect(
            try chatdb.shell("echo 'SELECT 1 AS one; -- so it is' | $CHATDB query - --format csv").output == "one\n1\n")
        for input in ["printf '\\377'", "head -c 1000001 /dev/zero"] {
            let outcome = try chatdb.shell("\(input) | $CHATDB query - --format json")
            #expect(outcome.code == 65)
            #expect(try outcome.refusal()["code"] == "invalidSQL")
        }
    }

    @Test("invalid SQL, several statements, and statements that write: exit 65, and no byte changes")
    func refused() throws {
        let chatdb = try DemoStore.make()
        let before = try chatdb.folder.fingerprint()
        for (sql, code) in [
            ("SELEC 1", "invalidSQL"), ("", "invalidSQL"), ("/* nothing */", "invalidSQL"), ("SELECT 'a", "invalidSQL"),
            ("SELECT ?", "invalidSQL"), ("SELECT :a", "invalidSQL"), ("SELECT 1; SELECT 2", "refusedSQL"),
            ("SELECT * FROM nothing", "invalidSQL"),
            ("DELETE FROM users", "refusedSQL"), ("INSERT INTO users DEFAULT VALUES RETURNING *", "refusedSQL"),
            ("UPDATE users SET active_user = 0", "refusedSQL"), ("CREATE TABLE t (a)", "refusedSQL"),
            ("ATTACH 'y.db' AS y", "refusedSQL"), ("VACUUM INTO 'y.db'", "refusedSQL"), ("COMMIT", "refusedSQL"),
            ("BEGIN", "refusedSQL"), ("SAVEPOINT a", "refusedSQL"), ("PRAGMA query_only = 0", "refusedSQL"),
            ("PRAGMA writable_schema = 1", "refusedSQL"), ("PRAGMA journal_mode = delete", "refusedSQL"),
            ("SELECT load_extension('x')", "refusedSQL"), ("REINDEX", "refusedSQL"), ("ANALYZE", "refusedSQL"),
        ] {
            let outcome = try chatdb("query", sql, "--format", "json")
            #expect(outcome.code == 65 && outcome.output.isEmpty, "\(sql): \(outcome.code) \(outcome.errors)")
            #expect(try outcome.refusal()["code"] == .string(code), "\(sql): \(outcome.errors)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("beyond --limit: exit 1 with the rows so far; beyond --timeout: exit 1 without rows")
    func limits() throws {
        let chatdb = try DemoStore.empty()
        let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
        let rows = try chatdb("query", "\(numbers) x FROM n", "--limit", "3", "--format", "json")
        #expect(rows.code == 1)
        #expect(try rows.answer()["rows"]?.arrayValue?.count == 3)
        #expect(try rows.answer()["complete"] == false)
        #expect(try rows.refusal()["code"] == "beyondLimits")
        #expect(try rows.refusal()["details"]?["limit"] == "rows")
        #expect(try chatdb("query", "\(numbers) x FROM n LIMIT 3", "--limit", "3").code == 0)
        let time = try chatdb("query", "\(numbers) count(*) FROM n", "--timeout", "0.1", "--format", "json")
        #expect(time.code == 1 && time.output.isEmpty)
        #expect(try time.refusal()["details"]?["limit"] == "time")
        let bytes = try chatdb(
            "query", "SELECT hex(zeroblob(20000000)) FROM (VALUES (1), (2), (3))", "--format", "json")
        #expect(bytes.code == 1 && bytes.output.isEmpty)
        #expect(try bytes.refusal()["details"]?["limit"] == "bytes")
        let value = try chatdb("query", "SELECT length(hex(zeroblob(60000000)))", "--format", "json")
        #expect(value.code == 1 && value.output.isEmpty)
        #expect(try value.refusal()["details"]?["limit"] == "bytes")
        let long = "SELECT hex(randomblob(20000000)) AS h FROM n ORDER BY h"
        let memory = try chatdb(
            "query",
            "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 40) SELECT 1 FROM (\(long))",
            "--format", "json")
        #expect(memory.code == 1 && memory.output.isEmpty)
        #expect(try memory.refusal()["details"]?["limit"] == "memory")
        for arguments in [
            ["--limit", "0"], ["--limit", "1000001"], ["--timeout", "0"], ["--timeout", "nan"], ["--show", "secret"],
        ] {
            #expect(try chatdb(["query", "SELECT 1"] + arguments).code == 64)
        }
    }

    @Test(
        "query reads stores of other versions, of SimpleX Chat and of unknown programs, and masks undescribed columns")
    func otherStores() throws {
        let newer = try MigrationFixture.newerStore()
        #expect(try newer("query", "SELECT count(*) AS n FROM users", "--format", "csv").code == 0)
        let folder = try ToolRun()
        try folder.sql(
            "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people (name) VALUES ('Bob')")
        let answer = try folder(
            "query", "SELECT *, count(*) OVER () AS n FROM people", "--show", "personal", "--format", "json"
        )
        .answer()
        #expect(answer["rows"]?[0] == ["id": ["masked": "secret"], "name": ["masked": "secret"], "n": 1])
        let empty = try ToolRun()
        #expect(try empty("query", "SELECT 1").code == 66)
    }
}
