import Foundation
import Testing

/// Hints after a migration of a folder that failed on the rows or the schema of a store. Rule: docs/migrations.md.
@Suite("hints after a failed migration") struct FailedMigrationTests {
    private let chatdb: ToolRun
    private let folder: String

    /// Makes a store whose table log has two rows.
    init() throws {
        chatdb = try ToolRun()
        folder = chatdb.file("own")
        for database in ["chat", "agent"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(database)", withIntermediateDirectories: true)
        }
        try MigrationFixture.write(
            [
                "chat/20260101_log.up.sql": "CREATE TABLE log (id INTEGER PRIMARY KEY, a)",
                "agent/20260102_queues.up.sql": "CREATE TABLE queues (id INTEGER PRIMARY KEY)",
            ], to: folder)
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        // No migration inserts them, so the schemas of a plan have no rows.
        try chatdb.sql("INSERT INTO log VALUES (1, 1), (2, 2)")
    }

    @Test(
        "the hint speaks of the rows, of the view or of the file, whatever the migration needs",
        arguments: [
            ("ALTER TABLE log DROP COLUMN id", "this is a fault of the migration: correct its file"),
            ("ALTER TABLE log ADD COLUMN b CHECK (id > 1)", "rows of the database do not fit what the"),
            ("CREATE UNIQUE INDEX i ON log (a > 0)", "rows of the database do not fit what the"),
            ("CREATE VIEW v AS SELECT idd FROM log", "correct the trigger or view, if a migration makes it; "),
            (
                "CREATE VIEW w AS SELECT id FROM log; CREATE TABLE n (id INTEGER PRIMARY KEY, a); "
                    + "INSERT INTO n SELECT * FROM log; DROP TABLE log; ALTER TABLE n\nRENAME TO log",
                "a migration that makes a table again needs the line -- chatdb: rebuild before its first statement; any"
            ),
            (
                "ALTER TABLE log ADD COLUMN p INTEGER REFERENCES people",
                "correct the file of the migration: create the table, or refer to another one; "
            ),
            ("ALTER TABLE log DROP COLUMN a", "if that is intended, 20260105_more.up.sql must declare it in a line"),
        ])
    func hint(_ sql: String, _ hint: String) throws {
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("hint: " + hint), "\(run)")
        #expect(try chatdb.sql("SELECT count(*) FROM log") == "2")
    }

    @Test(
        "the hint for equal values names a query only if the database has the table and the columns",
        arguments: [
            ("CREATE UNIQUE INDEX i ON log (a)", true),
            ("ALTER TABLE log ADD COLUMN code DEFAULT ''; CREATE UNIQUE INDEX i ON log (code)", false),
            ("CREATE TABLE n (a); INSERT INTO n SELECT a FROM log; CREATE UNIQUE INDEX i ON n (a)", false),
        ])
    func equalValues(_ sql: String, _ hasQuery: Bool) throws {
        try chatdb.sql("UPDATE log SET a = 1")
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("hint: rows of the database do not fit what the"), "\(run)")
        #expect(run.errors.contains("chatdb query") == hasQuery, "\(run)")
    }

    @Test("the hint for equal values names no query for chatdb's own tables, whose columns are masked")
    func equalValuesOfOwnTables() throws {
        let demo = try DemoStore.make()
        let migrations = try MigrationFixture.migrationsFolder(in: demo)
        try MigrationFixture.write(
            ["20991231_more.up.sql": "CREATE UNIQUE INDEX i ON contact_profiles (incognito)"], to: migrations + "/chat")
        let run = try demo("migrate", "run", "--yes", "--migrations-dir", migrations)
        #expect(run.code == 65 && run.errors.contains("hint: rows of the database do not fit what the"), "\(run)")
        #expect(!run.errors.contains("chatdb query"), "\(run)")
    }

    @Test(
        "a plan finds what the database has already by other means, unless the plan may have dropped it before",
        arguments: [
            ("ALTER TABLE log ADD COLUMN c TEXT", "duplicate column name: c"),
            ("alter table main.\"log\" add \"C\"", "duplicate column name: C"),
            ("CREATE TABLE t (a); CREATE TABLE extra (b)", "table extra already exists"),
            ("CREATE UNIQUE INDEX extra_a ON log (a)", "index extra_a already exists"),
            ("CREATE TABLE IF NOT EXISTS extra (a)", nil),
            ("ALTER TABLE log ADD COLUMN d", nil),
            ("-- chatdb: data-loss\nDROP TABLE IF EXISTS extra; CREATE TABLE extra (b)", nil),
        ] as [(String, String?)])
    func existing(_ sql: String, _ reason: String?) throws {
        try chatdb.sql("ALTER TABLE log ADD COLUMN c; CREATE TABLE extra (a); CREATE INDEX extra_a ON extra (a)")
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        for command in [["plan"], ["run", "--dry-run"]] {
            let plan = try chatdb(["migrate"] + command + ["--migrations-dir", folder])
            #expect(plan.code == (reason == nil ? 0 : 65), "\(sql): \(plan)")
            #expect(plan.output.contains("the run will be refused: ") == (reason != nil), "\(sql): \(plan)")
            let warning = "\(reason ?? ""), although the version of the database does not have it"
            #expect(plan.output.contains(warning) == (reason != nil), "\(sql): \(plan)")
        }
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == (reason == nil ? 0 : 65), "\(sql): \(run)")
        if let reason { #expect(run.errors.contains(reason), "\(run)") }
    }

    @Test(
        "in a database with drift, the hint begins with the file, and an error of syntax has no other cause",
        arguments: [
            ("ALTER TABEL log ADD COLUMN b", "this is a fault of the migration: correct its file"),
            ("ALTER TABLE logs ADD COLUMN b", "correct the file of the migration, if the fault is there; the schema"),
        ])
    func drift(_ sql: String, _ hint: String) throws {
        try chatdb.sql("ALTER TABLE log ADD COLUMN c")
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("hint: " + hint), "\(run)")
        #expect(run.errors.contains("schema diff") == !sql.contains("TABEL"), "\(run)")
    }

    @Test("a plan finds a view that the version does not have, which the run refuses")
    func view() throws {
        try chatdb.sql("CREATE VIEW seen AS SELECT 1 AS one")
        try MigrationFixture.write(["20260105_more.up.sql": "CREATE TABLE t (a)"], to: folder + "/chat")
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(plan.code == 1 && run.code == 1, "\(plan) \(run)")
        #expect(plan.output.contains("the run will be refused: the chat database has "), "\(plan)")
    }

    @Test(
        "a plan finds a new column without a value for the rows, and no other one",
        arguments: [
            ("ALTER TABLE log ADD COLUMN n INTEGER NOT NULL", true), ("alter table main.\"log\" add n not null", true),
            ("CREATE TABLE t (a); ALTER TABLE log ADD n NOT NULL", true),
            ("ALTER TABLE log ADD COLUMN n INTEGER NOT NULL DEFAULT 0", false),
            ("ALTER TABLE log ADD COLUMN n CHECK (id NOT NULL)", false),
            ("ALTER TABLE log ADD COLUMN n AS (id) NOT NULL", false),
            ("CREATE TABLE t (a); ALTER TABLE t ADD COLUMN n NOT NULL", false),
            ("-- chatdb: data-loss\nDELETE FROM log; ALTER TABLE log ADD COLUMN n NOT NULL", false),
        ])
    func newColumn(_ sql: String, _ isRefused: Bool) throws {
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        for command in [["plan"], ["run", "--dry-run"]] {
            let plan = try chatdb(["migrate"] + command + ["--migrations-dir", folder])
            #expect(plan.code == (isRefused ? 65 : 0), "\(sql): \(plan)")
            let warning = "Cannot add a NOT NULL column with default value NULL, and the table has rows"
            #expect(plan.output.contains(warning) == isRefused, "\(sql): \(plan)")
        }
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == (isRefused ? 65 : 0), "\(sql): \(run)")
        #expect(run.errors.contains("Cannot add a NOT NULL column with default value NULL") == isRefused, "\(run)")
    }

    @Test(
        "a plan finds a new column with a default that is not constant",
        arguments: [
            ("ALTER TABLE log ADD COLUMN n TEXT DEFAULT (datetime())", true),
            ("ALTER TABLE log ADD n DEFAULT CURRENT_TIMESTAMP", true),
            ("alter table main.log add n default (1 + 1)", true),
            ("ALTER TABLE log ADD n DEFAULT (-1)", false), ("ALTER TABLE log ADD n TEXT DEFAULT 'CURRENT_TIME'", false),
            ("CREATE TABLE t (a); ALTER TABLE t ADD COLUMN n DEFAULT (datetime())", false),
        ])
    func changingDefault(_ sql: String, _ isRefused: Bool) throws {
        try MigrationFixture.write(["20260105_more.up.sql": sql], to: folder + "/chat")
        let plan = try chatdb("migrate", "plan", "--migrations-dir", folder)
        #expect(plan.code == (isRefused ? 65 : 0), "\(sql): \(plan)")
        let warning = "Cannot add a column with non-constant default, and the table has rows"
        #expect(plan.output.contains(warning) == isRefused, "\(sql): \(plan)")
        let run = try chatdb("migrate", "run", "--yes", "--migrations-dir", folder)
        #expect(run.code == (isRefused ? 65 : 0), "\(sql): \(run)")
    }
}
