import ChatDBKit
import Foundation
import Testing

/// Which values of a result are marked as masked. `contact_id` of users is public and NULL; names are never NULL.
@Suite(.timeLimit(.minutes(60))) struct ResultOriginTests {
    private let scratch: DatabaseFolder
    private let path: String

    init() throws {
        scratch = try DatabaseFolder()
        path = scratch.file("x.db")
        let connection = try SQLiteEngine().open(path, as: .create)
        try connection.write { transaction in
            try transaction.run(
                """
                CREATE TABLE users (user_id INTEGER PRIMARY KEY, contact_id INTEGER, local_display_name TEXT,
                    view_pwd_hash TEXT)
                """)
            try transaction.run("INSERT INTO users VALUES (1, NULL, 'ann', 'secret'), (2, NULL, 'bob', 'secret')")
            try transaction.run("CREATE TABLE contacts (contact_id INTEGER PRIMARY KEY, local_display_name TEXT)")
            // A table whose row ID is not one of its columns.
            try transaction.run("CREATE TABLE groups (local_display_name TEXT PRIMARY KEY, group_id INTEGER)")
            try transaction.run("INSERT INTO groups VALUES ('team', 5)")
        }
        try connection.close()
    }

    private func ask(_ sql: String, personal: Bool = false) throws -> QuestionAnswer {
        try scratch.ask("x.db", sql, personal: personal)
    }

    /// A letter for each value of a row: masked, or NULL, NULL, and a value.
    private static func letters(_ row: [QuestionValue]) -> String {
        row.map { value in
            switch value {
            case .masked(.secret): "S"
            case .masked: "M"
            case .maskedOrNull: "o"
            case .null: "-"
            case .integer, .real, .text, .blob: "v"
            }
        }.joined()
    }

    /// Statements over one row of users, with the letters of their distinct rows. `n` is a personal column, `u` that of
    /// a subquery.
    private static let statements: [(sql: String, letters: Set<String>)] = [
        // Columns and expressions of them.
        ("SELECT user_id, contact_id, n, view_pwd_hash, NULL FROM users", ["v-MS-"]),
        ("SELECT * FROM users", ["v-MS"]), ("SELECT x.*, NULL FROM users AS x", ["v-MS-"]),
        ("SELECT n IS NULL, count(n), quote(n), json_array(n), coalesce(n, 'x') FROM users", ["MMMMM"]),
        (
            "SELECT contact_id IS NULL, count(contact_id), quote(contact_id), json_array(contact_id) FROM users",
            ["vvvv"]
        ),
        ("SELECT n || view_pwd_hash, upper(contact_id), 'n', \"n\" FROM users", ["S-vM"]),
        ("SELECT CASE WHEN n = 'ann' THEN 1 END, CASE WHEN user_id < 0 THEN 1 END FROM users", ["M-"]),
        ("SELECT CAST(n AS TEXT), CAST(contact_id AS n) FROM users", ["M-"]),
        ("SELECT [n], `n`, users.n, users.'n', main.users.n, USERS.N, (n) /* contact_id, */ FROM users", ["MMMMMMM"]),
        ("SELECT n contact_id, contact_id n, n AS \"x\", contact_id 'n' FROM users", ["M-M-"]),
        ("SELECT rowid, n COLLATE nocase, contact_id COLLATE nocase, contact_id NOT NULL FROM users", ["vM-v"]),
        ("SELECT DISTINCT n, contact_id, contact_id IS NOT DISTINCT FROM NULL FROM users", ["M-v"]),
        ("SELECT count(*), max(n), sum(contact_id) FROM users GROUP BY n", ["vM-"]),
        ("SELECT count(*) FROM users WHERE n = 'ann'", ["v"]), ("SELECT 1 FROM users ORDER BY n", ["v"]),
        ("SELECT count(*) FILTER (WHERE n = 'ann'), count(*) FILTER (WHERE contact_id = 1) FROM users", ["Mv"]),
        // Windows.
        ("SELECT lag(n) OVER (), lag(contact_id) OVER (), row_number() OVER (ORDER BY n) FROM users", ["M-M"]),
        (
            "SELECT row_number() OVER w, rank() OVER x, lag(user_id, 9) OVER (w) FROM users"
                + " WINDOW w AS (ORDER BY n), x AS (ORDER BY user_id)", ["MvM"]
        ),
        (
            "SELECT lag(contact_id) OVER (PARTITION BY 1 ORDER BY user_id DESC NULLS LAST"
                + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES), n FROM users", ["-M"]
        ),
        // Joins.
        ("SELECT c.n, c.contact_id, u.contact_id FROM users u LEFT JOIN contacts c ON c.contact_id = u.n", ["M--"]),
        ("SELECT * FROM users AS a, users b", ["v-MSv-MS"]),
        ("SELECT b.* FROM users AS a CROSS JOIN users b", ["v-MS"]),
        ("SELECT x.n, x.i FROM (users u JOIN (SELECT 1 AS i) AS y ON u.n IS NULL) AS x", ["Mv"]),
        ("SELECT * FROM (users u JOIN (SELECT NULL AS n) AS y ON 1)", ["v-MS-"]),
        // Subqueries.
        ("SELECT (SELECT n FROM users WHERE 0), (SELECT contact_id FROM users WHERE 0) FROM users", ["M-"]),
        ("SELECT (SELECT a.n), (SELECT a.contact_id), (SELECT max(n) FROM contacts WHERE 0) FROM users a", ["M-M"]),
        ("SELECT EXISTS (SELECT * FROM users), EXISTS (SELECT 1 FROM users WHERE n = 'ann')", ["vM"]),
        ("SELECT user_id IN (SELECT n FROM users), user_id IN (SELECT contact_id FROM users) FROM users", ["M-"]),
        ("SELECT a, b, c FROM (SELECT n AS a, contact_id b, coalesce(n, 'x') AS c FROM users)", ["M-M"]),
        ("SELECT * FROM (SELECT u.*, 1 FROM (SELECT n, contact_id FROM users) AS u)", ["M-v"]),
        ("SELECT \"n:1\", \"count(n)\" FROM (SELECT contact_id AS n, n, count(n) FROM users)", ["MM"]),
        ("SELECT value, key, json_each.json FROM users, json_each(json_array(n))", ["MMM"]),
        ("SELECT value, key FROM users, json_each(json_array(contact_id))", ["-v"]),
        // Compounds.
        ("SELECT n FROM users UNION SELECT n FROM contacts", ["M"]),
        ("SELECT n, n, contact_id FROM users UNION ALL SELECT contact_id, n, contact_id FROM users", ["oM-"]),
        ("SELECT contact_id FROM users UNION ALL SELECT n FROM users UNION ALL SELECT 5", ["o", "v"]),
        ("SELECT n FROM users INTERSECT SELECT contact_id FROM users", ["o"]),
        ("SELECT contact_id FROM users EXCEPT SELECT n FROM contacts", ["o"]),
        ("SELECT contact_id, 1 FROM users UNION ALL SELECT count(n), 2 FROM users", ["ov", "Mv"]),
        ("SELECT * FROM users UNION ALL SELECT 1, 2, 3, NULL", ["v-oo", "vvvo"]),
        ("SELECT x, x IS NULL FROM (SELECT n AS x FROM users UNION ALL SELECT contact_id FROM users)", ["oM"]),
        (
            "SELECT * FROM (SELECT NULL AS x UNION ALL SELECT * FROM (SELECT 1 UNION ALL SELECT n FROM users))",
            ["o", "v"]
        ),
        ("VALUES (1, NULL), ((SELECT n FROM users), NULL)", ["v-", "o-"]),
        ("VALUES (1, NULL), ((SELECT count(n) FROM users), NULL)", ["M-"]),
        ("VALUES (NULL, NULL), (NULL, (SELECT n FROM users))", ["-o"]),
        // Common tables.
        ("WITH a AS (SELECT n, contact_id FROM users) SELECT * FROM a", ["M-"]),
        (
            "WITH a(x, y) AS (SELECT n, contact_id FROM users), b AS (SELECT y, x FROM a) SELECT x, y, * FROM b",
            ["M--M"]
        ),
        ("WITH b AS (SELECT x FROM a), a AS (SELECT n AS x FROM users) SELECT x FROM b", ["M"]),
        ("WITH users AS (SELECT contact_id AS n FROM users AS u) SELECT n FROM main.users", ["M"]),
        (
            "WITH c AS NOT MATERIALIZED (SELECT contact_id AS n FROM users)"
                + " SELECT c.n, (WITH c AS (SELECT 1 AS n) SELECT n FROM c), u.n FROM c, users u", ["-vM"]
        ),
        (
            "WITH RECURSIVE r(i, x, y) AS (SELECT 1, n, contact_id FROM users UNION ALL"
                + " SELECT i + 1, x, y FROM r WHERE i < 3) SELECT i, x, y FROM r", ["vM-"]
        ),
        (
            "WITH RECURSIVE r(i, x, y, z) AS (SELECT 1, n, contact_id, NULL FROM users UNION ALL"
                + " SELECT i + 1, NULL, x, y FROM r WHERE i < 4) SELECT i, x, y, z FROM r", ["vooo"]
        ),
        ("WITH t AS (VALUES (NULL, 1)) SELECT column1, column2, n FROM t, users", ["-vM"]),
        // Names of windows, tables and aliases.
        ("SELECT user_id FROM users WHERE n IS NULL WINDOW user_id AS (ORDER BY user_id)", ["v"]),
        (
            "SELECT n, max(user_id) OVER user_id, min(1) OVER (n) FROM users"
                + " WINDOW user_id AS (ORDER BY user_id), n AS (PARTITION BY n)", ["MvM"]
        ),
        (
            "SELECT max(1) OVER b, max(1) OVER (b ORDER BY 1), max(1) OVER c FROM users"
                + " WINDOW a AS (PARTITION BY n), b AS (a), c AS (PARTITION BY 1)", ["MMv"]
        ),
        ("WITH user_id AS (SELECT n FROM users) SELECT 'ann' IN user_id, 1 IN (2) FROM users", ["Mv"]),
        ("WITH t AS (SELECT contact_id FROM users) SELECT 1 IN t, n FROM users", ["-M"]),
        ("SELECT coalesce(n, 'none') FROM (SELECT n COLLATE NOCASE FROM users)", ["M"]),
        ("SELECT n, contact_id FROM (SELECT (n), (contact_id) COLLATE nocase FROM users)", ["M-"]),
        ("SELECT left.c, contact_id FROM (SELECT n IS NULL AS c, contact_id FROM users) AS left", ["M-"]),
        ("SELECT cross.c FROM users JOIN (SELECT n IS NULL AS c FROM users) AS cross ON cross.c", ["M"]),
        ("SELECT rowid, group_id, n FROM groups", ["vvM"]),
        // Conditions in subqueries, and table-valued functions.
        ("SELECT (SELECT x FROM (SELECT 1 AS x FROM users WHERE n IS NULL)) FROM users", ["M"]),
        ("WITH t AS (SELECT 1 AS x FROM users WHERE n IS NULL) SELECT (SELECT x FROM t), x FROM t", ["Mv"]),
        ("SELECT (SELECT contact_id AS x FROM users ORDER BY x LIMIT 1), n FROM users", ["-M"]),
        ("SELECT j.value, u.user_id FROM users u JOIN json_each j ON j.json = json_array(u.n)", ["Mv"]),
        ("SELECT j.value, j.key FROM users u, json_each j WHERE j.json = json_array(u.n)", ["MM"]),
        ("SELECT j.value, u.contact_id FROM json_each(json_array(u.n)) AS j, users AS u", ["M-"]),
        ("SELECT b.value FROM users u, json_each(json_array(json_array(n))) a, json_each(a.value) b", ["M"]),
    ]

    @Test("a column that reads a masked column is masked in every row, and no other column is", arguments: statements)
    func marks(_ sql: String, _ letters: Set<String>) throws {
        let statement = sql.replacing(/\bn\b/.wordBoundaryKind(.simple), with: "local_display_name")
            .replacing(/\bN\b/.wordBoundaryKind(.simple), with: "LOCAL_DISPLAY_NAME")
        let answer = try ask(statement)
        #expect(Set(answer.rows.map(Self.letters)) == letters, "\(statement)")
    }

    /// Expressions that are NULL only if a public value is.
    private static let expressions = [
        "user_id", "contact_id", "local_display_name", "NULL", "'x'", "upper(local_display_name)",
        "coalesce(local_display_name, 'x')", "local_display_name IS NULL", "upper(contact_id)", "contact_id IS NULL",
    ]
    private static let shapes = [
        "SELECT A AS a, B AS b FROM users", "SELECT A, B FROM users UNION ALL SELECT B, A FROM users",
        "SELECT a, b FROM (SELECT A AS a, B AS b FROM users)", "SELECT * FROM (SELECT A, B FROM users)",
        "SELECT * FROM (SELECT A a, B b FROM users UNION ALL SELECT B, A FROM users)",
        "WITH c(a, b) AS (SELECT A, B FROM users) SELECT b, c.a FROM c UNION ALL SELECT a, a FROM c",
        "WITH RECURSIVE r(i, a, b) AS (SELECT 1, A, B FROM users UNION ALL SELECT i + 1, b, a FROM r WHERE i < 3)"
            + " SELECT a, b FROM r",
        "SELECT (SELECT A), (SELECT x.a FROM (SELECT B AS a) AS x) FROM users",
    ]

    @Test("no masked value looks like NULL, no NULL like a masked value, and no shown value is computed from a mask")
    func property() throws {
        let connection = try SQLiteEngine().openForQuestions(path, of: .chat)
        defer { try? connection.close() }
        for shape in Self.shapes {
            for first in Self.expressions {
                for second in Self.expressions {
                    let sql = shape.replacing("A ", with: first + " ").replacing("A,", with: first + ",")
                        .replacing("A)", with: first + ")").replacing("B ", with: second + " ")
                        .replacing("B,", with: second + ",")
                    let shown = try connection.ask(Question(sql)).rows.flatMap(\.self)
                    let real = try connection.ask(Question(sql, showsPersonal: true)).rows.flatMap(\.self)
                    let isTrue = zip(shown, real).allSatisfy { value, real in
                        switch value {
                        case .masked: real != .null
                        case .maskedOrNull: true
                        default: value == real
                        }
                    }
                    #expect(shown.count == real.count && isTrue, "\(sql): \(shown) \(real)")
                }
            }
        }
    }

    @Test("the program of a statement has no masked values")
    func explained() throws {
        let letters = try ask("EXPLAIN SELECT local_display_name FROM users").rows.map(Self.letters).joined()
        #expect(Set(letters) == ["v", "-"])
    }

    /// A chain of common tables, each of which reads the one before.
    private static func chain(_ count: Int) -> String {
        let tables = (1..<count).map { "a\($0) AS (SELECT x, y FROM a\($0 - 1))" }
        return "WITH a0 AS (SELECT local_display_name AS x, contact_id AS y FROM users), "
            + tables.joined(separator: ", ") + " SELECT x, y FROM a\(count - 1)"
    }

    @Test("a statement that chatdb does not understand shows NULL as masked or NULL, and the answer says so")
    func unclear() throws {
        let answer = try ask(Self.chain(150))
        #expect(answer.isUnclear && Set(answer.rows.map(Self.letters)) == ["oo"])
        let clear = try ask(Self.chain(50))
        #expect(!clear.isUnclear && Set(clear.rows.map(Self.letters)) == ["M-"])
        #expect(try !ask(Self.chain(150), personal: true).isUnclear)
    }

    /// Levels in which each reads the next one.
    private static func levels(_ count: Int, _ level: (String) -> String) -> String {
        (0..<count).reduce("SELECT local_display_name AS x FROM users") { sql, _ in level(sql) }
    }

    @Test("the work grows with the length of a statement: a common table is read once")
    func linear() throws {
        let tables = Self.levels(16) { "WITH a AS (\($0)) SELECT x FROM a" }
        let columns = Array(repeating: "(\(tables))", count: 40).joined(separator: ", ")
        let answer = try ask("SELECT \(columns) FROM users")
        #expect(!answer.isUnclear && Set(answer.rows.map(Self.letters)) == [String(repeating: "M", count: 40)])
    }

    @Test(
        "a deep or long statement ends, and no statement overflows the stack",
        arguments: [
            chain(6_000), "SELECT x, " + levels(90) { "SELECT * FROM (\($0))" }.dropFirst(7),
            "SELECT " + String(repeating: "(", count: 50_000) + "local_display_name",
            "SELECT local_display_name FROM " + String(repeating: "(", count: 50_000) + "users",
            levels(30) { "WITH RECURSIVE a(x) AS (\($0) UNION SELECT x FROM a) SELECT x FROM a" },
            levels(3_000) { "SELECT (\($0)) AS x" },
            "SELECT local_display_name FROM users WHERE 1 IN (" + String(repeating: "1, ", count: 200_000) + "1)",
        ])
    func ends(_ sql: String) throws {
        // SQLite refuses some of them.
        guard let answer = try? ask(sql) else { return }
        #expect(answer.rows.allSatisfy { Self.letters($0).allSatisfy { $0 == "M" || $0 == "o" } })
    }
}
