import ChatDBKit
import Foundation
import Testing

/// Warnings of indexes and triggers that a rebuild removes, and of down files that do not work. Rule: docs/migrations.md.
@Suite("what a migration does although no statement says so") struct UnnamedEffectsTests {
    private static let database = ["--database", "chat=a.db", "--migrations-dir", "migrations"]
    private let chatdb: ToolRun

    /// Makes a database with an index and a trigger, and a migration that makes their table again.
    init() throws {
        chatdb = try ToolRun()
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try MigrationFixture.write(
            [
                "20250101_orders.up.sql": """
                -- Why: a test.
                CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT);
                CREATE INDEX orders_customer ON orders (customer);
                CREATE TABLE log (customer TEXT);
                CREATE TRIGGER order_log AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (new.customer); END;
                """
            ], to: folder)
        let made = try chatdb(["migrate", "run", "--create", "--yes"] + Self.database)
        try #require(made.code == 0, "\(made)")
        try MigrationFixture.write(
            [
                "20250102_rebuild.up.sql": """
                -- chatdb: rebuild
                CREATE TABLE new (id INTEGER PRIMARY KEY, customer TEXT, day TEXT);
                INSERT INTO new (id, customer) SELECT id, customer FROM orders;
                DROP TABLE orders;
                ALTER TABLE new RENAME TO orders;
                """,
                "20250102_rebuild.down.sql": "ALTER TABLE orders DROP COLUM day;",
            ], to: folder)
    }

    private static let removed =
        "20250102_rebuild removes index orders_customer, trigger order_log of orders in the chat database"
    private static let fault = "going down again would fail, as a try in memory shows: migration 20250102_rebuild"

    @Test("the plan, the question and the rehearsal warn before the run, and the run afterwards")
    func warnings() throws {
        for command in [["migrate", "plan"], ["migrate", "run", "--dry-run"]] {
            let plan = try chatdb(command + Self.database)
            #expect(plan.code == 0 && plan.output.contains("warning: " + Self.removed), "\(plan)")
            #expect(plan.output.contains("warning: " + Self.fault), "\(plan)")
            let listed = try chatdb(command + Self.database + ["--format", "json"]).answer()["warnings"]?.texts ?? []
            #expect(listed.contains { $0.hasPrefix(Self.removed) } && listed.contains { $0.hasPrefix(Self.fault) })
        }
        let verify = ["migrate", "verify", "--data", "chat=a.db", "--migrations-dir", "migrations"]
        let rehearsal = try chatdb(verify)
        #expect(rehearsal.code == 1 && rehearsal.output.contains("warning: " + Self.removed), "\(rehearsal)")
        let onCopy = Self.fault.replacing("in memory", with: "on a copy")
        #expect(rehearsal.output.contains("warning: " + onCopy), "\(rehearsal)")
        let csv = try chatdb(verify + ["--format", "csv"])
        #expect(csv.errors.contains("warning: " + Self.removed), "\(csv)")
        let parts: JSONValue = [
            "migration": "20250102_rebuild", "table": "orders", "indexes": ["orders_customer"],
            "triggers": ["order_log"],
        ]
        let rehearsed = try chatdb(verify + ["--format", "json"]).answer()
        #expect(rehearsed["removedParts"]?[0]?["indexes"] == ["orders_customer"], "\(rehearsed)")
        #expect(rehearsed["downFaults"]?[0]?["database"] == "chat" && rehearsed["ok"] == false, "\(rehearsed)")

        let asked = try TerminalRun(["migrate", "run"] + Self.database, in: chatdb, answer: .shown)
        let question = try asked.terminal.read(until: "[y/N] ")
        asked.terminal.type("n\n")
        #expect(try asked.end().code == 1 && question.contains("orders_customer"), "\(question)")
        let run = try chatdb(["migrate", "run", "--yes", "--format", "json"] + Self.database)
        #expect(run.code == 0 && run.errors.contains("20250102_rebuild removed index orders_customer, "), "\(run)")
        #expect(run.errors.contains("warning: " + Self.fault), "\(run)")
        let answer = try run.answer()["chat"]
        #expect(answer?["removedParts"] == [parts], "\(run)")
        #expect(answer?["downFault"]?.stringValue?.contains("20250102_rebuild.down.sql line 1") == true, "\(run)")
    }

    @Test("the plan, the run and the rehearsal warn of a down file that loses rows of its migration")
    func lostRows() throws {
        let name = "20250102_rebuild"
        try MigrationFixture.write(
            [
                "\(name).up.sql": "CREATE TABLE kinds (id INTEGER); INSERT INTO kinds VALUES (1);",
                "\(name).down.sql": "DROP TABLE kinds;",
            ], to: chatdb.file("migrations/chat"))
        let fault =
            "warning: \(Self.fault) of the chat database would lose rows of kinds: 1 before, 0 after; if that is "
            + "intended, the down file must declare it: -- chatdb: data-loss"
        let verify = ["migrate", "verify", "--data", "chat=a.db", "--migrations-dir", "migrations"]
        let (plan, rehearsal) = (try chatdb(["migrate", "plan"] + Self.database), try chatdb(verify))
        #expect(plan.code == 0 && plan.output.contains(fault), "\(plan)")
        let onCopy = fault.replacing("in memory", with: "on a copy")
        #expect(rehearsal.code == 1 && rehearsal.output.contains(onCopy), "\(rehearsal)")
        let run = try chatdb(["migrate", "run", "--yes"] + Self.database)
        #expect(run.code == 0 && (run.output + run.errors).contains(fault), "\(run)")
    }

    @Test(
        "the rehearsal finds a down file that fails because of the rows of the store, and the store stays as it is",
        arguments: [
            ("DROP TABLE copied;", "would lose rows of copied: 2 before, 0 after"),
            ("-- chatdb: data-loss\nINSERT INTO orders (id) SELECT id FROM orders; DROP TABLE copied;", "UNIQUE"),
        ])
    func ofRows(_ down: String, _ message: String) throws {
        let name = "20250102_rebuild"
        try MigrationFixture.write(
            [
                "\(name).up.sql": "CREATE TABLE copied (id INTEGER); INSERT INTO copied SELECT rowid FROM orders;",
                "\(name).down.sql": down,
            ], to: chatdb.file("migrations/chat"))
        try chatdb.sql(
            "DELETE FROM orders; INSERT INTO orders DEFAULT VALUES; INSERT INTO orders DEFAULT VALUES", in: "a.db")
        let before = try chatdb.folder.fingerprint()
        let verify = ["migrate", "verify", "--data", "chat=a.db", "--migrations-dir", "migrations"]
        let rehearsal = try chatdb(verify)
        #expect(rehearsal.code == 1, "\(rehearsal)")
        #expect(rehearsal.output.contains("going down again would fail, as a try on a copy shows"), "\(rehearsal)")
        #expect(rehearsal.output.contains(message), "\(rehearsal)")
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("the rehearsal warns of a down file that leaves references to missing rows")
    func references() throws {
        let folder = chatdb.file("migrations/chat")
        try MigrationFixture.write(
            [
                "20250102_rebuild.up.sql": """
                CREATE TABLE kinds (id INTEGER PRIMARY KEY);
                CREATE TABLE uses (kind INTEGER REFERENCES kinds (id));
                """,
                "20250102_rebuild.down.sql": "DROP TABLE uses; DROP TABLE kinds;",
            ], to: folder)
        let run = try chatdb(["migrate", "run", "--yes"] + Self.database)
        try #require(run.code == 0, "\(run)")
        try MigrationFixture.write(
            [
                "20250103_fill.up.sql": "INSERT INTO kinds VALUES (1); INSERT INTO uses VALUES (1);",
                "20250103_fill.down.sql": "-- chatdb: data-loss\nDELETE FROM kinds WHERE id = 1;",
            ], to: folder)
        let verify = ["migrate", "verify", "--data", "chat=a.db", "--migrations-dir", "migrations"]
        let rehearsal = try chatdb(verify)
        let warning = """
            warning: going down again would fail, as a try on a copy shows: migration 20250103_fill of the chat database \
            would leave 1 row that refers to missing rows, in uses (kind refers to kinds); a migration that deletes rows \
            must also delete or change the rows that refer to them
            """
        #expect(rehearsal.code == 1 && rehearsal.output.contains(warning), "\(rehearsal)")
        let faults = try chatdb(verify + ["--format", "json"]).answer()["downFaults"]?.arrayValue ?? []
        #expect(faults.count == 1 && faults[0]["database"] == "chat", "\(faults)")
    }

    @Test("migrate verify warns of the index and the trigger too, and the histories that create them again are silent")
    func verification() throws {
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.removeItem(atPath: folder + "/20250102_rebuild.down.sql")
        let verify = ["migrate", "verify", "--migrations-dir", "migrations"]
        let warned = try chatdb(verify)
        #expect(warned.code == 0 && warned.output.contains("warning: " + Self.removed), "\(warned)")
        let path = folder + "/20250102_rebuild.up.sql"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let added = """

            CREATE INDEX orders_customer ON orders (customer);
            CREATE TRIGGER order_log AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (new.customer); END;
            """
        try (text + added).write(toFile: path, atomically: true, encoding: .utf8)
        for command in [verify, ["migrate", "plan"] + Self.database, ["migrate", "run", "--yes"] + Self.database] {
            let answer = try chatdb(command)
            #expect(answer.code == 0 && !(answer.output + answer.errors).contains("warning: "), "\(answer)")
        }
    }
}
