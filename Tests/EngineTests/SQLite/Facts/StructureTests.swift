import ChatDBKit
import Testing

/// A schema read by structure, and two of them compared.
@Suite struct StructureTests {
    private func structure(_ statements: [String]) throws -> DatabaseStructure {
        let connection = try SQLiteEngine().scratch()
        defer { connection.close() }
        try connection.begin()
        for statement in statements { try connection.run(.unchecked(sql: statement)) }
        return try connection.structure()
    }

    /// One table or index with every feature, as pieces that a test can replace.
    private static let whole = [
        """
        CREATE TABLE parents(a INTEGER NOT NULL, b TEXT COLLATE NOCASE, PRIMARY KEY (a, b)) WITHOUT ROWID, STRICT
        """,
        """
        CREATE TABLE t(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL DEFAULT 'none' COLLATE NOCASE CHECK (length(name) > 0),
            amount INTEGER NOT NULL DEFAULT (1 + 2) CHECK (amount >= 0),
            pa INTEGER, pb TEXT,
            doubled INTEGER GENERATED ALWAYS AS (amount * 2) VIRTUAL,
            parent INTEGER REFERENCES t(id) ON DELETE SET NULL ON UPDATE CASCADE,
            UNIQUE (name, amount), CONSTRAINT positive CHECK (amount <> 4711),
            FOREIGN KEY (pa, pb) REFERENCES parents(a, b) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        ) STRICT
        """,
        "CREATE INDEX by_name ON t(name DESC, amount) WHERE amount > 3",
        "CREATE UNIQUE INDEX by_lower ON t(lower(name), id)",
        "CREATE TRIGGER watch AFTER UPDATE OF name ON t WHEN new.amount > 1 BEGIN DELETE FROM parents WHERE a = 1; END",
        "CREATE VIEW shown AS SELECT id, name FROM t",
        "CREATE VIRTUAL TABLE found USING fts5(name, content='t', content_rowid='id')",
    ]

    @Test("every feature of a table is read")
    func features() throws {
        let found = try structure(Self.whole)
        #expect(found.tables.keys.sorted() == ["found", "parents", "t"])
        let table = try #require(found.tables["t"])
        #expect(table.options == ["AUTOINCREMENT", "STRICT"] && table.primaryKey == ["id"])
        #expect(
            table.columns == [
                ColumnStructure(name: "id", type: "INTEGER"),
                ColumnStructure(name: "name", type: "TEXT", notNull: true, defaultValue: "'none'", collation: "NOCASE"),
                ColumnStructure(name: "amount", type: "INTEGER", notNull: true, defaultValue: "1 + 2"),
                ColumnStructure(name: "pa", type: "INTEGER"), ColumnStructure(name: "pb", type: "TEXT"),
                ColumnStructure(name: "doubled", type: "INTEGER", generated: "AMOUNT * 2"),
                ColumnStructure(name: "parent", type: "INTEGER"),
            ])
        #expect(table.unique == [["name COLLATE NOCASE", "amount"]])
        #expect(table.checks == ["AMOUNT <> 4711", "AMOUNT >= 0", "LENGTH ( NAME ) > 0"])
        #expect(
            table.foreignKeys == [
                ForeignKeyStructure(
                    columns: ["pa", "pb"], parent: "parents", parentColumns: ["a", "b"], onDelete: "CASCADE",
                    onUpdate: "NO ACTION", deferred: true),
                ForeignKeyStructure(
                    columns: ["parent"], parent: "t", parentColumns: ["id"], onDelete: "SET NULL", onUpdate: "CASCADE",
                    deferred: false),
            ])
        let parents = try #require(found.tables["parents"])
        #expect(parents.options == ["STRICT", "WITHOUT ROWID"] && parents.primaryKey == ["a", "b COLLATE NOCASE"])
        #expect(
            found.indexes == [
                "by_name": IndexStructure(
                    table: "t", columns: ["name COLLATE NOCASE DESC", "amount"], unique: false, condition: "AMOUNT > 3"),
                "by_lower": IndexStructure(
                    table: "t", columns: ["LOWER ( NAME )", "id"], unique: true, condition: nil),
            ])
        #expect(found.triggers["watch"]?.table == "t" && found.views.keys.sorted() == ["shown"])
        #expect(found.triggers["watch"]?.text.folded.hasSuffix("BEGIN DELETE FROM PARENTS WHERE A = 1 ; END") == true)
        #expect(found.tables["found"]?.virtualDefinition?.folded.contains("FTS5") == true)
        #expect(try structure([]) == DatabaseStructure())
    }

    @Test("the tables behind a full-text index are left out, with their indexes")
    func shadowTables() throws {
        let found = try structure(["CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE TABLE f_more(a)"])
        #expect(found.tables.keys.sorted() == ["f", "f_more"] && found.indexes.isEmpty)
    }

    @Test("a schema reached step by step equals one made at once, and one in other spelling")
    func manyWays() throws {
        let atOnce = try structure([
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT '', b INTEGER CHECK (b > 0),
                c INTEGER REFERENCES p(id) ON DELETE CASCADE, d TEXT COLLATE NOCASE)
            """, "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE INDEX i ON t(a)",
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE p SET id = id; END",
        ])
        let altered = try structure([
            "CREATE TABLE old_p(id INTEGER PRIMARY KEY)", "CREATE TABLE t(id INTEGER PRIMARY KEY, gone TEXT, x TEXT)",
            "ALTER TABLE t DROP COLUMN gone", "ALTER TABLE t DROP COLUMN x",
            "ALTER TABLE t ADD COLUMN z TEXT NOT NULL DEFAULT ''", "ALTER TABLE t RENAME COLUMN z TO a",
            "ALTER TABLE t ADD COLUMN b INTEGER CHECK (b > 0)", "ALTER TABLE old_p RENAME TO p",
            "ALTER TABLE t ADD COLUMN c INTEGER REFERENCES p(id) ON DELETE CASCADE",
            "ALTER TABLE t ADD COLUMN d TEXT COLLATE NOCASE", "CREATE INDEX i ON t(a)",
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE p SET id = id; END",
        ])
        #expect(altered.differences(from: atOnce) == [])
        let otherHand = try structure([
            "create table \"p\" ( [id] integer primary key )",
            """
            create table `t` (id integer primary key, -- the number
              a text not null default '', b integer check(b>0), c integer references \"p\" (id) on delete cascade
              /* none */, \"d\" text collate nocase)
            """, "create index if not exists i on t ( \"a\" )",
            "create trigger g after insert on t begin update p set id=id ; end",
        ])
        #expect(otherHand.differences(from: atOnce) == [])
    }

    @Test("words in a default, a type or a name are not taken for keywords")
    func wordsElsewhere() throws {
        let found = try structure([
            """
            CREATE TABLE t(a TEXT DEFAULT ('x' COLLATE NOCASE), "check" VARCHAR(10, 2), "unique" TEXT DEFAULT 'CHECK (1)',
                [as] INTEGER /* AUTOINCREMENT */, "initially" TEXT REFERENCES t("as"), key INTEGER,
                FOREIGN KEY (KEY) REFERENCES t("as") DEFERRABLE INITIALLY DEFERRED)
            """
        ])
        let table = try #require(found.tables["t"])
        #expect(table.columns.map(\.name) == ["a", "check", "unique", "as", "initially", "key"])
        #expect(table.columns.allSatisfy { $0.collation == nil && $0.generated == nil })
        #expect(table.checks.isEmpty && table.options.isEmpty && table.unique.isEmpty && table.primaryKey.isEmpty)
        #expect(table.foreignKeys.map(\.deferred) == [false, true])
    }

    /// What is written instead of what, and the one difference that must name it.
    static let changes: [(from: String, to: String, object: StructureDifference.Object, name: String)] = [
        ("name TEXT NOT NULL", "name TEXT", .column, "t.name"),
        ("name TEXT", "name BLOB", .column, "t.name"),
        ("DEFAULT 'none'", "DEFAULT 'None'", .column, "t.name"),
        ("DEFAULT 'none' ", "", .column, "t.name"),
        ("pb TEXT,", "pb TEXT COLLATE NOCASE,", .column, "t.pb"),
        ("DEFAULT (1 + 2)", "DEFAULT (1 + 3)", .column, "t.amount"),
        ("amount * 2", "amount * 3", .column, "t.doubled"),
        ("VIRTUAL,", "STORED,", .column, "t.doubled"),
        ("pa INTEGER, pb TEXT,", "pa INTEGER, pb TEXT, more TEXT,", .column, "t.more"),
        ("parents(a INTEGER NOT NULL,", "parents(a INTEGER NOT NULL, c TEXT,", .column, "parents.c"),
        ("pa INTEGER, pb TEXT,", "pb TEXT, pa INTEGER,", .table, "t"),
        (" CHECK (length(name) > 0)", "", .table, "t"),
        ("length(name) > 0", "length(name) > 1", .table, "t"),
        ("amount <> 4711", "amount <> 4712", .table, "t"),
        (" CHECK (amount >= 0)", " CHECK (amount >= 0) CHECK (amount < 9)", .table, "t"),
        (" AUTOINCREMENT", "", .table, "t"),
        (") STRICT", ")", .table, "t"),
        (" WITHOUT ROWID,", "", .table, "parents"),
        ("PRIMARY KEY (a, b)", "PRIMARY KEY (b, a)", .table, "parents"),
        ("PRIMARY KEY (a, b)", "PRIMARY KEY (a, b DESC)", .table, "parents"),
        ("PRIMARY KEY (a, b)", "PRIMARY KEY (a, b COLLATE RTRIM)", .table, "parents"),
        ("CHECK (length(name) > 0)", "CHECK (length(name) > 0) UNIQUE ON CONFLICT IGNORE", .table, "t"),
        ("UNIQUE (name, amount)", "UNIQUE (amount, name)", .table, "t"),
        ("UNIQUE (name, amount)", "UNIQUE (name, amount DESC)", .table, "t"),
        ("UNIQUE (name, amount)", "UNIQUE (name, amount) ON CONFLICT REPLACE", .table, "t"),
        ("PRIMARY KEY AUTOINCREMENT", "PRIMARY KEY ON CONFLICT IGNORE AUTOINCREMENT", .table, "t"),
        ("amount INTEGER NOT NULL", "amount INTEGER NOT NULL ON CONFLICT REPLACE", .column, "t.amount"),
        ("UNIQUE (name, amount),", "", .table, "t"),
        ("ON DELETE SET NULL", "ON DELETE CASCADE", .table, "t"),
        (" ON UPDATE CASCADE", "", .table, "t"),
        (" DEFERRABLE INITIALLY DEFERRED", "", .table, "t"),
        ("DEFERRABLE INITIALLY DEFERRED", "NOT DEFERRABLE INITIALLY DEFERRED", .table, "t"),
        ("ON UPDATE CASCADE,", "ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,", .table, "t"),
        ("REFERENCES t(id)", "REFERENCES t", .table, "t"),
        ("REFERENCES t(id)", "REFERENCES parents(a)", .table, "t"),
        ("name DESC, amount", "name, amount", .index, "by_name"),
        ("name DESC, amount", "name DESC", .index, "by_name"),
        ("name DESC, amount", "name COLLATE BINARY DESC, amount", .index, "by_name"),
        (" WHERE amount > 3", "", .index, "by_name"),
        ("WHERE amount > 3", "WHERE amount > 4", .index, "by_name"),
        ("CREATE UNIQUE INDEX", "CREATE INDEX", .index, "by_lower"),
        ("lower(name), id", "upper(name), id", .index, "by_lower"),
        ("lower(name), id", "lower(name) DESC, id", .index, "by_lower"),
        ("INDEX by_name ON t(name DESC, amount) WHERE amount > 3", "INDEX by_name ON parents(b)", .index, "by_name"),
        ("AFTER UPDATE OF name", "AFTER UPDATE OF amount", .trigger, "watch"),
        ("WHERE a = 1", "WHERE a = 2", .trigger, "watch"),
        ("SELECT id, name FROM t", "SELECT name, id FROM t", .view, "shown"),
        ("content_rowid='id'", "content_rowid='amount'", .table, "found"),
    ]

    @Test("each single change is one difference, which names the changed object", arguments: changes.indices)
    func oneChange(_ index: Int) throws {
        let change = Self.changes[index]
        let expected = try structure(Self.whole)
        #expect(Self.whole.filter { $0.contains(change.from) }.count == 1, "\(change.from) is not in one statement")
        let found = try structure(Self.whole.map { $0.replacing(change.from, with: change.to, maxReplacements: 1) })
        let differences = found.differences(from: expected)
        #expect(differences.map(\.object) == [change.object], "\(change.to): \(differences)")
        #expect(differences.map(\.name) == [change.name], "\(change.to): \(differences)")
        let kind = differences.first?.kind
        #expect(change.to.contains("more TEXT") || change.to.contains(" c TEXT") ? kind == .extra : kind == .different)
        // In the other direction it is one difference too, and both forms are shown.
        let reverse = expected.differences(from: found)
        #expect(reverse.count == 1 && reverse.first?.name == change.name)
        let form = reverse.first?.found?
            .replacing("the same columns in another order:", with: "the columns in the order")
        #expect(form == differences.first?.expected)
    }

    @Test("a thing left out is missing, a thing added is extra", arguments: whole.indices)
    func missingAndExtra(_ index: Int) throws {
        // Those that others are made on cannot go alone.
        guard index != 1 else { return }
        let expected = try structure(Self.whole)
        var less = Self.whole
        less.remove(at: index)
        let found = try structure(less)
        let missing = found.differences(from: expected)
        let extra = expected.differences(from: found)
        #expect(missing.count == 1 && missing.first?.kind == .missing && missing.first?.found == nil)
        #expect(extra.count == 1 && extra.first?.kind == .extra && extra.first?.expected == nil)
        #expect(missing.first?.name == extra.first?.name && missing.first?.expected == extra.first?.found)
    }

    @Test("differences are sorted by kind and then by name")
    func order() throws {
        let differences = try structure(["CREATE TABLE zz(a)", "CREATE TABLE aa(a)"]).differences(
            from: structure(["CREATE TABLE mm(a)", "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON mm(a)"]))
        #expect(differences.map(\.name) == ["aa", "mm", "zz", "i", "v"])
    }
}
