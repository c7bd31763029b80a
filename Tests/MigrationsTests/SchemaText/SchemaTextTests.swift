import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// A schema as SQL, and as a reference.
@Suite struct SchemaTextTests {
    /// Names that are invalid or mean something else without quotes.
    private static let awkward = """
        CREATE TABLE "order" (
            "group" INTEGER PRIMARY KEY AUTOINCREMENT, "a b" TEXT NOT NULL DEFAULT 'none' COLLATE NOCASE,
            "select" INTEGER DEFAULT (1 + 2), "x""y" INTEGER DEFAULT -1, "2nd" TEXT, "a|b" TEXT, "as" TEXT DEFAULT NULL,
            Mixed TEXT DEFAULT CURRENT_TIMESTAMP, UNIQUE ("select", "a b"), CHECK ("select" > 0)
        );
        CREATE TABLE "table" (
            "from" INTEGER REFERENCES "order" ("group") ON DELETE CASCADE, "to" TEXT COLLATE NOCASE,
            "values" INTEGER GENERATED ALWAYS AS ("from" + 1) STORED, PRIMARY KEY ("from", "to" DESC)
        ) WITHOUT ROWID;
        CREATE TABLE `if``not` (`key word` TEXT PRIMARY KEY);
        CREATE UNIQUE INDEX "index" ON "order" ("x""y" DESC, "a b") WHERE "select" IS NOT NULL;
        CREATE INDEX by_lower ON "order" (lower("2nd"));
        CREATE TRIGGER "when" AFTER DELETE ON "order" BEGIN DELETE FROM "table" WHERE "from" = old."group"; END;
        CREATE VIEW "with" AS SELECT "group" FROM "order";
        """

    private func migrations(_ sql: String) throws -> [Migration] {
        try SyntheticHistory.make(chat: [.init("first", sql)])[.chat] ?? []
    }

    @Test("the canonical SQL creates the schema it was made from, whatever its names are")
    func awkwardNames() throws {
        let history = try migrations(Self.awkward)
        let expected = try SchemaText.structure(of: history, engine: SQLiteEngine())
        #expect(expected.tables.count == 3 && expected.indexes.count == 2)
        let text = SchemaText.sql(of: expected)
        let again = try SchemaText.structure(of: try migrations(text), engine: SQLiteEngine())
        #expect(again.differences(from: expected) == [], "\(text)")
        #expect(SchemaText.sql(of: again) == text)
    }

    @Test("the conflict clause of a constraint is written after the constraint, and compared")
    func conflictClauses() throws {
        let sql = """
            CREATE TABLE t (
                id INTEGER CONSTRAINT key PRIMARY KEY ON CONFLICT IGNORE AUTOINCREMENT,
                a TEXT UNIQUE ON CONFLICT REPLACE, b TEXT NOT NULL ON CONFLICT FAIL DEFAULT 'x' COLLATE NOCASE, c TEXT,
                CONSTRAINT both UNIQUE (B, "c" COLLATE RTRIM) ON CONFLICT ROLLBACK, UNIQUE (c)
            ) STRICT;
            CREATE TABLE u (
                a TEXT, b INTEGER NOT NULL ON CONFLICT ABORT, PRIMARY KEY (b DESC, a) ON CONFLICT REPLACE
            ) STRICT, WITHOUT ROWID;
            """
        let expected = try SchemaText.structure(of: migrations(sql), engine: SQLiteEngine())
        let text = SchemaText.sql(of: expected)
        for part in [
            "id INTEGER PRIMARY KEY ON CONFLICT IGNORE AUTOINCREMENT,", "UNIQUE (a) ON CONFLICT REPLACE",
            "b TEXT NOT NULL ON CONFLICT FAIL DEFAULT 'x' COLLATE NOCASE,",
            "UNIQUE (b COLLATE NOCASE, c COLLATE RTRIM) ON CONFLICT ROLLBACK", "UNIQUE (c)\n) STRICT;",
            "b INTEGER NOT NULL ON CONFLICT ABORT,",
            "PRIMARY KEY (b DESC, a) ON CONFLICT REPLACE\n) STRICT, WITHOUT ROWID;",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let again = try SchemaText.structure(of: migrations(text), engine: SQLiteEngine())
        #expect(again.differences(from: expected) == [] && SchemaText.sql(of: again) == text)
        for action in ["ON CONFLICT IGNORE ", "ON CONFLICT REPLACE,", "ON CONFLICT FAIL ", "ON CONFLICT ROLLBACK,"] {
            let other = sql.replacing(action, with: action.hasSuffix(",") ? "," : "")
            let found = try SchemaText.structure(of: migrations(other), engine: SQLiteEngine())
            #expect(found.differences(from: expected).count == 1, "\(action)")
        }
    }

    @Test("an INTEGER column with a key in descending order, which is no row ID, stays one")
    func descendingKey() throws {
        let sql = """
            CREATE TABLE t (id2 TEXT, id INTEGER PRIMARY KEY DESC ON CONFLICT IGNORE, name TEXT);
            CREATE TABLE u (id INTEGER, PRIMARY KEY (id DESC));
            CREATE TABLE v (id INT PRIMARY KEY DESC);
            CREATE TABLE w (id INTEGER PRIMARY KEY DESC) WITHOUT ROWID;
            """
        let expected = try SchemaText.structure(of: migrations(sql), engine: SQLiteEngine())
        let text = SchemaText.sql(of: expected)
        for part in [
            "    id INTEGER PRIMARY KEY DESC ON CONFLICT IGNORE,\n", "CREATE TABLE u (\n    id INTEGER PRIMARY KEY\n)",
            "CREATE TABLE v (\n    id INT,\n    PRIMARY KEY (id DESC)\n)",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let again = try SchemaText.structure(of: migrations(text), engine: SQLiteEngine())
        #expect(again.differences(from: expected) == [] && SchemaText.sql(of: again) == text, "\(text)")
    }

    @Test("a name that needs no quotes is written without them")
    func plainNames() throws {
        let text = try SchemaText.sql(
            of: migrations("CREATE TABLE \"plain\" ([id] INTEGER, `_a1` TEXT REFERENCES \"plain\" (\"id\"))"),
            engine: SQLiteEngine())
        #expect(!text.contains("\"") && text.contains("REFERENCES plain (id)"))
    }

    @Test("names stay as written, also in views, triggers, checks, partial indexes and generated columns")
    func asWritten() throws {
        let sql = """
            CREATE TABLE People (
                Id INTEGER PRIMARY KEY, FullName TEXT, Short TEXT AS (substr(FullName, 1, 3)), CHECK (length(FullName) > 0)
            );
            CREATE INDEX ByName ON People (FullName) WHERE FullName <> 'Nobody';
            CREATE INDEX ByLength ON People (length(FullName));
            CREATE VIEW PeopleView AS select FullName AS DisplayName from People;
            CREATE TRIGGER Watch AFTER DELETE ON People BEGIN SELECT Old.FullName, "END;"; END;
            """
        let text = try SchemaText.sql(of: migrations(sql), engine: SQLiteEngine())
        for part in [
            "AS (substr(FullName, 1, 3))", "CHECK (length(FullName) > 0)", "WHERE FullName <> 'Nobody'",
            "CREATE INDEX ByLength ON People (length(FullName));",
            "CREATE VIEW PeopleView AS SELECT FullName AS DisplayName FROM People;",
            "CREATE TRIGGER Watch AFTER DELETE ON People BEGIN SELECT Old.FullName, \"END;\"; END;",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        // A difference of case alone is no difference in SQL.
        let other = sql.replacing("FullName AS DisplayName", with: "fullname AS \"displayname\"")
            .replacing("(length(FullName));", with: "( LENGTH (fullname) );")
        let structures = try [sql, other].map {
            try SchemaText.structure(of: migrations($0), engine: SQLiteEngine())
        }
        #expect(structures[0] == structures[1] && structures[0].differences(from: structures[1]).isEmpty)
    }

    @Test("expressions of indexes and defaults are written as the database has them, and make the same schema")
    func expressions() throws {
        let sql = """
            CREATE TABLE t (
                j TEXT, "My Col" TEXT, n INTEGER DEFAULT (abs(-1)), State TEXT DEFAULT "Open", Kind TEXT DEFAULT It_s,
                d TEXT DEFAULT Current_Timestamp, x TEXT AS (replace(j, 'A', 'b'))
            );
            CREATE INDEX i1 ON t(json_extract(j,'$.Name'));
            CREATE UNIQUE INDEX IF NOT EXISTS i2 ON t(lower("My Col") COLLATE nocase DESC, n DESC, Json_Extract(J, '$.N'))
                WHERE "My Col" IS NOT NULL AND lower(j) <> 'Ab';
            CREATE INDEX i3 ON t(j || "My Col" || 'A''b', replace(j, 'A', 'b'), (n + 1) desc);
            """
        let expected = try SchemaText.structure(of: migrations(sql), engine: SQLiteEngine())
        let text = SchemaText.sql(of: expected)
        for part in [
            "n INTEGER DEFAULT (abs(", "State TEXT DEFAULT 'Open',", "Kind TEXT DEFAULT 'It_s',",
            "d TEXT DEFAULT CURRENT_TIMESTAMP,", "AS (replace(j, 'A', 'b'))",
            "CREATE INDEX i1 ON t (json_extract(j, '$.Name'));",
            "CREATE UNIQUE INDEX i2 ON t (lower(\"My Col\") COLLATE nocase DESC, n DESC, Json_Extract(J, '$.N')) "
                + "WHERE \"My Col\" IS NOT NULL AND lower(j) <> 'Ab';",
            "CREATE INDEX i3 ON t (j || \"My Col\" || 'A''b', replace(j, 'A', 'b'), (n + 1) DESC);",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let again = try SchemaText.structure(of: migrations(text), engine: SQLiteEngine())
        #expect(again == expected && again.differences(from: expected) == [] && SchemaText.sql(of: again) == text)
        // Case counts in a text, and nowhere else.
        for (from, to, isSame) in [
            ("json_extract(j,", "JSON_EXTRACT ( \"J\",", true), ("'$.Name'", "'$.name'", false),
            ("\"Open\"", "'Open'", true), ("\"Open\"", "\"open\"", false), ("AND lower(j)", "and LOWER(J)", true),
        ] {
            let other = try SchemaText.structure(of: migrations(sql.replacing(from, with: to)), engine: SQLiteEngine())
            #expect((other == expected) == isSame && other.differences(from: expected).isEmpty == isSame, "\(to)")
        }
    }

    @Test("functions come before the tables whose defaults call them, and an index has its method and properties")
    func otherEngines() {
        let function = "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT '' $$"
        var index = IndexStructure(table: "t", columns: ["a", "b"], unique: false, condition: "a > 1")
        index.method = "gin"
        index.options = ["INCLUDE (c)"]
        let structure = DatabaseStructure(
            tables: ["t": TableStructure(columns: [ColumnStructure(name: "a", type: "BIGINT")])],
            indexes: ["i": index], functions: ["f()": SQLText(folded: function, shown: function)])
        #expect(
            SchemaText.sql(of: structure) == """
                \(function);

                CREATE TABLE t (
                    a BIGINT
                );

                CREATE INDEX i ON t USING gin (a, b) INCLUDE (c) WHERE a > 1;

                """)
        var other = structure
        other.functions = [:]
        #expect(other.differences(from: structure).map(\.sentence) == ["missing function f()"])
    }

    @Test("a failing migration is reported with its file, line and statement")
    func failing() throws {
        let history = try migrations("CREATE TABLE a (b INTEGER);\n\nCREATE INDEX i ON a (c);")
        let error = #expect(throws: StoreError.self) { try SchemaText.sql(of: history, engine: SQLiteEngine()) }
        let message = try #require(error?.message)
        #expect(
            message.contains("_first failed, statement 2, ") && message.contains(" line 4 (CREATE INDEX"), "\(message)")
    }

    @Test("the reference includes chatdb's internal tables", arguments: DatabaseName.allCases)
    func ledger(_ database: DatabaseName) throws {
        let text = try SchemaReference.markdown(
            of: database, MigrationSource.build.load()[database] ?? [], engine: SQLiteEngine(), generatedBy: "a test")
        #expect(text.contains("\n## migrations\n") && text.contains("\n## store\n"))
        #expect(text.contains("| `store_id` | TEXT NOT NULL | public |"))
    }

    @Test("names are escaped in the reference: a bar adds no cell, a quote ends nothing")
    func escaping() throws {
        let text = try SchemaReference.markdown(
            of: .chat, migrations(Self.awkward), engine: SQLiteEngine(), generatedBy: "a test")
        #expect(text.contains("| `a\\|b` | TEXT | secret |  |"))
        #expect(text.contains("## if\\`not"))
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let bars = line.replacing("\\|", with: "").filter { $0 == "|" }.count
            #expect(bars == 5, "\(line)")
        }
        #expect(text.contains("    order ||--o{ table : \"from\""))
    }
}
