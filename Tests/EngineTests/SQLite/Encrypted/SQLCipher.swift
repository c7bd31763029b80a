import Foundation

/// SQLCipher itself, by its Python package: it makes, reads and writes the encrypted databases of the tests.
enum SQLCipher {
    /// Python with the package. `make test` installs it in `.build/python`.
    static let python: String? = {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        return ["\(root)/.build/python/bin/python3", "python3"].first { python in
            (try? HelperProcess(python, ["-c", "import sqlcipher3"]).end()) != nil
        }
    }()

    /// Runs a script of Python with a connection `c` to a database, opened with a passphrase, and pragmas for its
    /// format.
    @discardableResult
    static func run(_ path: String, _ passphrase: String, _ script: String, pragmas: [String] = []) throws
        -> HelperProcess
    {
        let settings = pragmas.map { "c.execute('PRAGMA \($0)')" }.joined(separator: "\n")
        let text = """
            import sqlcipher3, sys
            c = sqlcipher3.connect(sys.argv[1], isolation_level=None)
            c.execute("PRAGMA key = '%s'" % sys.argv[2].replace("'", "''"))
            \(settings)
            \(script)
            """
        return try HelperProcess(python ?? "python3", ["-c", text, path, passphrase])
    }

    /// The answer of SQLCipher to a query with one column, a line for each row; with `checked`, instead of it the
    /// problems of the database and of the codes of its pages, if there are any. An error of SQLCipher is an answer
    /// too.
    static func ask(
        _ path: String, _ passphrase: String, _ query: String, pragmas: [String] = [], checked: Bool = false
    ) throws -> String {
        try run(
            path, passphrase,
            """
            try:
                rows = c.execute(\"\"\"\(query)\"\"\").fetchall()
                checks = ['integrity_check', 'cipher_integrity_check'] if \(checked ? 1 : 0) else []
                problems = [row for check in checks for row in c.execute('PRAGMA ' + check) if row[0] != 'ok']
                for row in problems or rows: print(row[0])
            except sqlcipher3.DatabaseError as error:
                print(error)
            """, pragmas: pragmas
        ).answer()
    }

    /// The problems that SQLCipher finds in a database and in the codes of its pages; empty when it finds none.
    static func problems(_ path: String, _ passphrase: String, pragmas: [String] = []) throws -> String {
        try ask(path, passphrase, "SELECT 1 WHERE 0", pragmas: pragmas, checked: true)
    }

    /// A database with the table `t` of `rows` rows.
    static func make(_ path: String, _ passphrase: String, rows: Int = 500, pragmas: [String] = []) throws {
        try run(
            path, passphrase,
            """
            c.execute('PRAGMA synchronous = OFF')
            c.executescript('''CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t(b);
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
                INSERT INTO t SELECT x, printf('%.50c%d', 'x', x) FROM n;''')
            """, pragmas: pragmas
        ).end()
    }
}
