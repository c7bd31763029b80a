import ChatDBKit
import Foundation
import Testing

/// Which values of a result are marked as masked. `contact_id` of users is public and NULL; names are never NULL.
@Suite(.timeLimit(.minutes(30))) struct ResultOriginTests {
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
        }
        try connection.close()
    }

    private func ask(_ sql: String, personal: Bool = false) throws -> QuestionAnswer {
        let connection = try SQLiteEngine().openForQuestions(path, of: .chat)
        defer { try? connection.close() }
        return try connection.ask(Question(sql, showsPersonal: personal))
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

    @Test("a statement that chatdb does not understand shows NULL as masked or NULL")
    func unclear() throws {
        let deep = (0..<110).reduce("local_display_name") { sql, _ in "(SELECT \(sql))" }
        // SQLite may refuse this depth; then nothing is shown.
        guard let answer = try? ask("SELECT \(deep), contact_id FROM users") else { return }
        #expect(Set(answer.rows.map(Self.letters)) == ["oo"])
    }
}
