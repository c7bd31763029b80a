import ChatDBKit
import Foundation
import Testing

/// `query`: states of which only a word is public, masked values, and errors without words of the file.
@Suite(.timeLimit(.minutes(60))) struct QueryStatesTests {
    /// A store whose files have states with texts behind the word.
    private func store() throws -> ToolRun {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
            INSERT INTO files (user_id, file_name, file_size, chunk_size, protocol, ci_file_status)
                VALUES (1, 'f', 1, 1, 'xftp', 'snd_error other FILE_IO "/home/zara"'),
                    (1, 'f', 1, 1, 'xftp', 'snd_error auth'), (1, 'f', 1, 1, 'xftp', 'zara.example'),
                    (1, 'f', 1, 1, 'xftp', 'rcv_complete'), (1, 'f', 1, 1, 'xftp', NULL);
            """)
        return chatdb
    }

    @Test("a truncated file: the hint of query names check and salvage")
    func truncated() throws {
        let chatdb = try DemoStore.finished()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: chatdb.file("x_chat.db")))
        try file.truncate(atOffset: file.seekToEnd() / 2)
        try file.close()
        let run = try chatdb("query", "SELECT count(*) FROM chat_items")
        #expect(run.code != 0 && run.errors.contains("hint: chatdb check"), "\(run.errors)")
        #expect(run.errors.contains("chatdb salvage --output NEW"), "\(run.errors)")
    }

    @Test("a number has 15 digits for people, as in sqlite3, and all digits in JSON")
    func numbers() throws {
        let chatdb = try DemoStore.make()
        let sql = "SELECT 1.1 + 10.8 AS a, 2.0 AS b, 1e20 AS c FROM users LIMIT 1"
        let shown = try chatdb("query", sql, "--format", "csv").output
        #expect(shown.contains("11.9,2.0,1.0e+20"), "\(shown)")
    }

    @Test(
        "of a state, query shows the first word, or other",
        arguments: [
            "SELECT ci_file_status AS s FROM files", "SELECT * FROM files", "SELECT f.* FROM files AS f",
            "SELECT upper(ci_file_status) FROM files", "SELECT substr(ci_file_status, 10) FROM files",
            "SELECT unicode(substr(ci_file_status, 20)) FROM files", "SELECT length(ci_file_status) FROM files",
            "SELECT group_concat(ci_file_status) FROM files", "SELECT json_group_array(ci_file_status) FROM files",
            "SELECT max(ci_file_status) OVER () FROM files", "SELECT ci_file_status FROM main.files",
            "WITH files AS (SELECT ci_file_status AS s FROM main.files) SELECT s FROM files",
            "WITH a AS (SELECT ci_file_status AS s FROM files) SELECT s FROM a",
            "SELECT (SELECT group_concat(ci_file_status) FROM files)", "SELECT rowid, ci_file_status FROM files",
            "SELECT count(*) FROM files WHERE ci_file_status LIKE '%zara%'",
            "SELECT ci_file_status FROM users LEFT JOIN files ON files.user_id = users.user_id",
            "SELECT ci_file_status FROM files UNION SELECT ci_file_status FROM files",
            "SELECT json_extract('{}', ci_file_status) FROM files",
        ])
    func firstWord(_ sql: String) throws {
        let chatdb = try store()
        for format in ["table", "json", "csv", "markdown"] {
            let run = try chatdb("query", sql, "--format", format)
            for text in ["zara", "FILE_IO", "auth"] {
                #expect(!(run.output + run.errors).lowercased().contains(text.lowercased()), "\(sql): \(run.output)")
            }
        }
        #expect(
            try chatdb("query", "SELECT count(*) AS n FROM files WHERE ci_file_status LIKE '%zara%'", "--format", "csv")
                .output == "n\n0\n")
    }

    @Test("states are grouped and compared by their words, and --show personal shows them whole")
    func words() throws {
        let chatdb = try store()
        let sql = "SELECT ci_file_status AS s, count(*) AS n FROM files GROUP BY 1 ORDER BY 1"
        let run = try chatdb("query", sql, "--format", "csv")
        #expect(run.output == "s,n\n,1\nother,1\nrcv_complete,1\nsnd_error,2\n")
        #expect(run.errors.contains("only the first word is shown: files.ci_file_status"))
        let equal = "SELECT count(*) AS n FROM files WHERE ci_file_status = 'snd_error'"
        #expect(try chatdb("query", equal, "--format", "csv").output == "n\n2\n")
        let whole = try chatdb("query", sql, "--show", "personal", "--format", "csv")
        #expect(whole.output.contains("/home/zara") && !whole.errors.contains("first word"))
        // A row ID has only the table itself: there the state is masked.
        let rows = try chatdb("query", "SELECT rowid AS r, ci_file_status AS s FROM files LIMIT 1", "--format", "csv")
        #expect(rows.output.hasSuffix(",(masked)\n"))
    }

    @Test("of a role, a restriction, an event and a kind of content, query shows only known words")
    func wordsOfOthers() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
            UPDATE group_members SET member_role = 'zara', member_restriction = 'zara';
            INSERT INTO messages (user_id, msg_sent, chat_msg_event, msg_body)
                VALUES (1, 0, 'x.zara', '{}'), (1, 0, 'x.grp.mem.new', '{}');
            INSERT INTO chat_items (user_id, item_sent, item_ts, item_status, item_content, item_text, msg_content_tag)
                VALUES (1, 0, '2026-01-01 00:00:00.000', 'rcv_read', '{}', '', 'zara');
            """)
        for (columns, table) in [
            ("member_role, member_restriction", "group_members"), ("chat_msg_event", "messages"),
            ("msg_content_tag", "chat_items"),
        ] {
            let run = try chatdb("query", "SELECT \(columns) FROM \(table)", "--format", "csv")
            #expect(run.output.contains("other") && !run.output.contains("zara"), "\(run.output)")
        }
        let known = "SELECT count(*) AS n FROM messages WHERE chat_msg_event = 'x.grp.mem.new'"
        #expect(try chatdb("query", known, "--format", "csv").output == "n\n1\n")
    }

    @Test("a masked value and NULL look different in every format, and so does an expression of a masked column")
    func masked() throws {
        let chatdb = try store()
        let sql = """
            SELECT file_name, contact_id, upper(file_name) AS u, private_snd_file_descr AS p, NULL AS n
            FROM files LIMIT 1
            """
        let json = try chatdb("query", sql, "--format", "json").answer()["rows"]?[0]
        let personal: JSONValue = ["masked": "personal"]
        #expect(
            json == ["file_name": personal, "contact_id": .null, "u": personal, "p": ["masked": "secret"], "n": .null])
        #expect(
            try chatdb("query", sql, "--format", "csv").output
                == "file_name,contact_id,u,p,n\n(masked),,(masked),(masked),\n")
        for format in ["table", "markdown"] {
            let output = try chatdb("query", sql, "--format", format).output
            #expect(
                output.split(separator: "(masked)").count == 4 && output.split(separator: "–").count == 3, "\(output)")
        }
        let inner = "SELECT n FROM (SELECT file_name AS n FROM files LIMIT 1)"
        #expect(try chatdb("query", inner, "--format", "csv").output == "n\n(masked)\n")
    }

    @Test("a computed column is masked in every row, and a compound of both shows (masked or NULL), in every format")
    func computed() throws {
        let chatdb = try store()
        let sql = """
            SELECT file_name IS NULL AS c, coalesce(file_name, 'x') AS d, file_name AS e, contact_id AS f FROM files
            UNION SELECT file_name, file_name, contact_id, contact_id FROM files
            """
        let personal: JSONValue = ["masked": "personal"]
        let json = try chatdb("query", sql, "--format", "json").answer()["rows"]?.arrayValue ?? []
        #expect(json.count == 2)
        for row in json {
            #expect(row == ["c": personal, "d": personal, "e": ["masked": "personal", "orNull": true], "f": .null])
        }
        let row = "(masked),(masked),(masked or NULL),\n"
        #expect(try chatdb("query", sql, "--format", "csv").output == "c,d,e,f\n\(row)\(row)")
        for format in ["table", "markdown"] {
            let output = try chatdb("query", sql, "--format", format).output
            #expect(
                output.split(separator: "(masked)").count == 5 && output.split(separator: "–").count == 3, "\(output)")
            #expect(output.split(separator: "(masked or NULL)").count == 3, "\(output)")
        }
    }

    @Test("a note says that chatdb cannot follow a statement")
    func unclear() throws {
        let chatdb = try DemoStore.make()
        let tables = (1...150).map { "a\($0) AS (SELECT x FROM a\($0 - 1))" }.joined(separator: ", ")
        let sql = "WITH a0 AS (SELECT local_display_name IS NULL AS x FROM users), \(tables) SELECT x FROM a"
        let note = "note: chatdb cannot follow this statement: any value may be computed from masked columns\n"
        #expect(try chatdb("query", sql + "150").errors.hasSuffix(note))
        #expect(try !chatdb("query", sql + "50").errors.contains("cannot follow"))
        #expect(try chatdb("query", sql + "150", "--show", "personal").errors.isEmpty)
    }

    @Test("the kind of a connection and the protocol of a file show a known word or other; JSON names shortened states")
    func kinds() throws {
        let chatdb = try store()
        try chatdb.sql(
            """
            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
            UPDATE files SET protocol = 'zara.example' WHERE file_id = 1;
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type) VALUES (1, 'YQ', 'ready', 'zara x');
            """)
        let files = "SELECT protocol, count(*) AS n FROM files GROUP BY 1 ORDER BY 1"
        #expect(try chatdb("query", files, "--format", "csv").output == "protocol,n\nother,1\nxftp,4\n")
        let json = try chatdb("query", files, "--format", "json").answer()
        #expect(json["shortened"] == [["table": "files", "column": "protocol"]] && json["masked"] == [])
        let kinds = try chatdb("query", "SELECT DISTINCT conn_type FROM connections ORDER BY 1", "--format", "csv")
        #expect(kinds.output.contains("other") && !kinds.output.contains("zara"))
        #expect(try !chatdb("bundle", "--preview").output.contains("zara"))
        let whole = try chatdb("query", files, "--show", "personal", "--format", "json").answer()
        #expect(whole["shortened"] == [])
    }

    @Test("an error has words of the statement, and none of the file")
    func errors() throws {
        let chatdb = try store()
        try chatdb.sql(
            """
            CREATE TABLE t (a TEXT COLLATE NOCASE); PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE t (a TEXT COLLATE zqxalice)' WHERE name = 't';
            INSERT INTO sqlite_master VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING zqxbob (a)');
            """)
        for sql in [
            "SELECT a FROM t ORDER BY a", "SELECT * FROM v", "SELECT json_extract('{}', ci_file_status) FROM files",
            "SELECT 1 FROM t WHERE a = 'x'",
        ] {
            let run = try chatdb("query", sql, "--show", "personal", "--format", "json")
            for text in ["zqx", "zara", "FILE_IO"] { #expect(!run.errors.contains(text), "\(sql): \(run.errors)") }
        }
        let missing = try chatdb("query", "SELECT mine FROM users", "--format", "json")
        #expect(try missing.refusal()["message"]?.stringValue?.hasSuffix("no such column: mine") == true)
    }

    @Test(
        "a value or an answer that is too long is beyondLimits: names, escaped characters, arguments of a pragma",
        arguments: [
            "SELECT count(*) FROM pragma_table_xinfo(printf('%.*c', 60000000, 'x'))",
            "SELECT count(*) FROM pragma_foreign_key_check(printf('%.*c', 30000000, 'x'))",
            "SELECT replace(hex(zeroblob(5000000)), '00', char(1, 1, 1, 1))",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT 1 AS \"LONG\" FROM n",
        ])
    func tooLong(_ sql: String) throws {
        let chatdb = try DemoStore.empty()
        let statement = sql.replacing("LONG", with: String(repeating: "a", count: 80_000))
        let run = try chatdb("query", statement, "--format", "json")
        #expect(run.code == 1 && run.output.isEmpty, "\(run.code) \(run.errors.prefix(200))")
        #expect(try run.refusal()["code"] == "beyondLimits")
    }

    @Test("one long value does not make every line of a table as long")
    func padding() throws {
        let chatdb = try DemoStore.empty()
        let sql = """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000)
            SELECT printf('%.*c', iif(x = 1, 1000000, 1), 'x') AS a, x FROM n
            """
        let output = try chatdb("query", sql).output
        #expect(output.utf8.count < 20_000_000 && output.contains(String(repeating: "x", count: 1_000_000)))
        #expect(output.split(separator: "\n").count == 1_001)
    }
}
