import ChatDBKit
import Foundation
import Testing

/// What questions cannot be tricked into showing. The table is one of the chat database's catalogue.
@Suite(.timeLimit(.minutes(60))) struct QuestionMaskTests {
    private let scratch: DatabaseFolder
    private let path: String
    private let secret = "SECRET-MARKER"
    private let name = "NAME-MARKER"

    init() throws {
        scratch = try DatabaseFolder()
        path = scratch.file("x.db")
        let connection = try SQLiteEngine().open(path, as: .create)
        try connection.write { transaction in
            try transaction.run(
                "CREATE TABLE users (user_id INTEGER PRIMARY KEY, local_display_name TEXT, view_pwd_hash TEXT)")
            try transaction.run("CREATE INDEX users_secret ON users (view_pwd_hash)")
            try transaction.run("CREATE TABLE guesses (view_pwd_hash TEXT, local_display_name TEXT, extra TEXT)")
            try transaction.run("INSERT INTO users VALUES (1, \(name), \(secret))")
            try transaction.run("INSERT INTO guesses VALUES (\(secret), \(name), \(secret))")
            try transaction.run("CREATE TABLE chat_items (chat_item_id INTEGER PRIMARY KEY, item_text TEXT)")
            try transaction.run("INSERT INTO chat_items VALUES (7, \(name))")
            try transaction.run(
                """
                CREATE VIRTUAL TABLE chat_items_fts USING fts5(item_text, content='chat_items', content_rowid='chat_item_id')
                """)
            try transaction.run("INSERT INTO chat_items_fts (chat_items_fts) VALUES ('rebuild')")
            try transaction.run("CREATE VIRTUAL TABLE own_fts USING fts5(words)")
            try transaction.run("INSERT INTO own_fts VALUES (\(secret))")
            try transaction.run("CREATE VIEW everything AS SELECT view_pwd_hash FROM users")
            try transaction.run("ANALYZE")
        }
        try connection.close()
    }

    private func ask(_ sql: String, personal: Bool = false) throws -> QuestionAnswer {
        try scratch.ask("x.db", sql, personal: personal)
    }

    @Test("an answer has so much room, and numbers and names of columns take some of it too")
    func room() throws {
        let numbers =
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100) SELECT x, NULL FROM n"
        let connection = try SQLiteEngine().openForQuestions(path, of: .chat)
        defer { try? connection.close() }
        #expect(try connection.ask(Question(numbers, bytes: 16_500)).rows.count == 100)
        #expect(throws: QuestionError.tooLarge(bytes: 16_499)) { try connection.ask(Question(numbers, bytes: 16_499)) }
    }

    private static let attempts = [
        "SELECT view_pwd_hash FROM users", "SELECT * FROM users", "SELECT u.* FROM users AS u",
        "SELECT upper(view_pwd_hash) FROM users", "SELECT max(view_pwd_hash) FROM users",
        "SELECT group_concat(view_pwd_hash) FROM users", "SELECT (SELECT view_pwd_hash FROM users)",
        "WITH c AS (SELECT view_pwd_hash AS a FROM users) SELECT a FROM c",
        "SELECT * FROM (SELECT view_pwd_hash FROM main.users)",
        "SELECT view_pwd_hash FROM users INDEXED BY users_secret",
        "SELECT json_group_array(view_pwd_hash) FROM users",
        "SELECT value FROM users, json_each(json_array(view_pwd_hash))",
        "SELECT first_value(view_pwd_hash) OVER () FROM users",
        "SELECT view_pwd_hash FROM users UNION SELECT view_pwd_hash FROM users",
        "SELECT \"view_pwd_hash\" FROM \"users\"", "SELECT [View_Pwd_Hash] FROM USERS",
        "SELECT CASE WHEN view_pwd_hash LIKE 'SECRET%' THEN 'SECRET-MARKER' END FROM users",
        "SELECT * FROM guesses", "SELECT extra FROM guesses", "VALUES ((SELECT view_pwd_hash FROM users))",
        "SELECT quote(view_pwd_hash) FROM users GROUP BY view_pwd_hash HAVING view_pwd_hash > ''",
    ]

    @Test("no expression reveals a secret, with and without personal columns", arguments: attempts)
    func secrets(_ sql: String) throws {
        for personal in [false, true] {
            let answer = try ask(sql, personal: personal)
            #expect(!"\(answer.rows)".contains(secret), "\(sql)")
            if !personal { #expect(!"\(answer.rows)".contains(name), "\(sql)") }
            #expect(!answer.masked.isEmpty, "\(sql)")
        }
    }

    @Test(
        "nothing can be found out by comparing, sorting, joining or counting",
        arguments: [
            "SELECT count(*) FROM users WHERE view_pwd_hash = 'SECRET-MARKER'",
            "SELECT count(*) FROM users WHERE view_pwd_hash > 'A'",
            "SELECT count(*) FROM users WHERE 'SECRET-MARKER' IN (SELECT view_pwd_hash FROM users)",
            "SELECT count(*) FROM users AS u JOIN guesses AS g ON g.view_pwd_hash = u.view_pwd_hash",
            "SELECT count(*) FROM users WHERE local_display_name = 'NAME-MARKER'",
            "SELECT count(*) FROM users WHERE (view_pwd_hash, 1) = ('SECRET-MARKER', 1)",
        ])
    func guesses(_ sql: String) throws {
        #expect(try ask(sql).rows == [[.integer(0)]], "\(sql)")
        #expect(try ask("SELECT count(view_pwd_hash) FROM users").rows == [[.masked(.secret)]])
    }

    @Test(
        "a statement that cannot be masked is refused",
        arguments: [
            "SELECT count(*) FROM users NATURAL JOIN guesses", "SELECT 1 FROM users JOIN guesses USING (view_pwd_hash)",
            "SELECT 1 FROM users /* */ natural\njoin guesses", "SELECT * FROM chat_items_fts_data",
            "SELECT * FROM \"own_fts_content\"", "SELECT * FROM 'own_fts_content'", "SELECT c0 FROM Own_FTS_Content",
            "SELECT count(*) FROM own_fts('SECRET')", "SELECT count(*) FROM own_fts WHERE own_fts MATCH 'secret'",
            "SELECT * FROM own_fts", "SELECT count(*) FROM chat_items_fts('name')", "SELECT rowid FROM chat_items_fts",
            "SELECT 1 WHERE 1 IN chat_items_fts_idx", "SELECT * FROM sqlite_stat1", "SELECT * FROM sqlite_stat4",
            "SELECT * FROM dbstat", "SELECT * FROM everything", "SELECT load_extension('x')",
            "SELECT * FROM sqlite_stmt", "SELECT * FROM sqlite_dbpage",
        ])
    func refusals(_ sql: String) throws {
        #expect(
            performing: { try ask(sql) }, throws: { if case .refused? = $0 as? QuestionError { true } else { false } })
    }

    @Test("control: public and requested columns are shown; a word between quotes is a text")
    func control() throws {
        #expect(try ask("SELECT user_id, rowid FROM users").rows == [[.integer(1), .integer(1)]])
        #expect(try ask("SELECT count(*) FROM guesses").rows == [[.integer(1)]])
        let shown = try ask("SELECT local_display_name FROM users", personal: true)
        #expect(shown.rows == [[.text(name)]] && shown.masked.isEmpty)
        #expect(try ask("SELECT 'natural', 'using'").rows == [[.text("natural"), .text("using")]])
        #expect(try ask("SELECT rowid FROM chat_items_fts('name')", personal: true).rows == [[.integer(7)]])
        #expect(try ask("SELECT item_text FROM chat_items_fts", personal: true).rows == [[.text(name)]])
        #expect(try ask("SELECT name FROM sqlite_schema WHERE name = 'users'").rows == [[.text("users")]])
        #expect(try ask("SELECT name FROM pragma_table_info('users') LIMIT 1").rows == [[.text("user_id")]])
        #expect(try ask("PRAGMA user_version").rows == [[.integer(0)]])
        #expect(try ask("EXPLAIN QUERY PLAN SELECT 1 FROM users").rows.count == 1)
    }

    @Test("one connection answers one question after the other, also after a failed one")
    func several() throws {
        let connection = try SQLiteEngine().openForQuestions(path, of: .chat)
        for _ in 1...2 {
            #expect(throws: QuestionError.self) { try connection.ask(Question("COMMIT")) }
            #expect(
                throws: QuestionError.tooSlow(.milliseconds(20)),
                performing: {
                    try connection.ask(
                        Question(
                            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
                            time: .milliseconds(20)))
                })
            #expect(try connection.ask(Question("SELECT user_id FROM users")).rows == [[.integer(1)]])
        }
        try connection.close()
    }
}
