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

    /// A database with the table `t` of `rows` rows.
    static func make(_ path: String, _ passphrase: String, rows: Int = 500, pragmas: [String] = []) throws {
        try run(
            path, passphrase,
            """
            c.executescript('''CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t(b);
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
                INSERT INTO t SELECT x, printf('%.50c%d', 'x', x) FROM n;''')
            """, pragmas: pragmas
        ).end()
    }
}
