import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Indexes and triggers that go with a table that stays. Rule: docs/migrations.md, "Rebuilding a table".
@Suite("indexes and triggers that a migration removes without naming them") struct RemovedPartsTests {
    private typealias Step = SyntheticHistory.Step

    private static let trigger = "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END; "
    private static let first = Step(
        "first",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE TABLE log (a TEXT);"
            + "CREATE INDEX ta ON t (a); CREATE UNIQUE INDEX tb ON t (b);" + trigger)
    private static let new =
        "CREATE TABLE n (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO n SELECT * FROM t; "
    private static let swap = "DROP TABLE t; ALTER TABLE n RENAME TO t; "

    /// What the plan, the run and the verification of these steps after the first one say.
    private func removed(by steps: Step..., after first: Step = first) throws -> [[RemovedParts]?] {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        let build = try SyntheticHistory.make(chat: [first] + steps)
        return [
            try store.migrator(build).plan().databases[.chat]?.removed,
            try store.migrator(build).run().findings[.chat]?.removed,
            try Verifier(engine: SQLiteEngine()).verify(build[.chat] ?? [], of: .chat).removed[.chat] ?? [],
        ]
    }

    @Test(
        "the plan, the run and the verification name those of a table that is made again without them",
        arguments: [
            (new + swap, ["ta", "tb"], ["r"]),
            ("-- chatdb: rebuild\n" + new + swap, ["ta", "tb"], ["r"]),
            (
                "ALTER TABLE t RENAME TO n; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
                    + "INSERT INTO t SELECT * FROM n; DROP TABLE n", ["ta", "tb"], ["r"]
            ),
            (new + swap + "CREATE INDEX TA ON t (a)", ["tb"], ["r"]),
            // The index exists, so this statement makes none.
            (new + "CREATE INDEX IF NOT EXISTS ta ON n (a); " + swap, ["ta", "tb"], ["r"]),
            ("DROP INDEX tb; " + new + swap + "CREATE INDEX other ON t (a, b)", ["ta"], ["r"]),
        ])
    func named(_ sql: String, _ indexes: [String], _ triggers: [String]) throws {
        let parts = RemovedParts(
            migration: SyntheticHistory.name(1, "second"), table: "t", indexes: indexes, triggers: triggers)
        #expect(try removed(by: Step("second", sql)) == [[parts], [parts], [parts]])
    }

    @Test(
        "nothing is named that the migration drops by its name or makes again, or whose table does not stay",
        arguments: [
            "DROP INDEX ta; DROP INDEX main.\"TB\"; DROP TRIGGER IF EXISTS r; " + new + swap,
            new + swap + "CREATE INDEX ta ON t (b); CREATE INDEX tb ON t (a); " + trigger,
            "CREATE TABLE n (id INTEGER PRIMARY KEY, a TEXT, b TEXT UNIQUE); INSERT INTO n SELECT * FROM t; " + swap
                + "CREATE INDEX other ON t (a); " + trigger,
            "ALTER TABLE t RENAME TO u",
            "DROP TABLE t",
        ])
    func notNamed(_ sql: String) throws {
        #expect(try removed(by: Step("second", sql)) == [[], [], []])
    }

    @Test("a plan of several migrations names the one that removes them, also those that an earlier one makes")
    func twoSteps() throws {
        let parts = RemovedParts(
            migration: SyntheticHistory.name(2, "third"), table: "t", indexes: ["later"], triggers: [])
        let found = try removed(
            by: Step("second", "CREATE INDEX later ON t (a, b)"),
            Step(
                "third",
                Self.new + Self.swap + "CREATE INDEX x ON t (a); CREATE UNIQUE INDEX tb ON t (b); " + Self.trigger))
        #expect(found == [[parts], [parts], [parts]])
    }

    @Test("the triggers of a view are named too, if it is made again without them")
    func view() throws {
        let first = Step(
            "first",
            "CREATE TABLE t (a TEXT, b TEXT); CREATE VIEW v AS SELECT a FROM t;"
                + "CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN INSERT INTO t (a) VALUES (new.a); END")
        let found = try removed(by: Step("second", "DROP VIEW v; CREATE VIEW v AS SELECT a, b FROM t"), after: first)
        let parts = RemovedParts(
            migration: SyntheticHistory.name(1, "second"), table: "v", indexes: [], triggers: ["w"])
        #expect(found == [[parts], [parts], [parts]])
    }

    @Test("an index that somebody added by hand is named by the run that removes it")
    func addedByHand() throws {
        let store = try SyntheticStore()
        let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute("CREATE INDEX mine ON t (a)")
        let build = try SyntheticHistory.make(chat: [first, Step("second", Self.new + Self.swap)])
        #expect(try store.migrator(build).run().findings[.chat]?.removed.map(\.indexes) == [["mine"]])
    }

    @Test("a migration down is not examined: its result is compared with the schema of the version")
    func down() throws {
        let store = try SyntheticStore()
        let steps = [
            Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)"),
            Step("second", "CREATE INDEX ta ON t (a)", down: Self.new + Self.swap),
        ]
        _ = try store.migrator(SyntheticHistory.make(chat: steps)).run()
        let back = store.migrator(try SyntheticHistory.make(chat: [steps[0]]))
        #expect(try back.plan().databases[.chat]?.removed == [])
        #expect(try back.run().findings[.chat]?.removed == [])
    }

    @Test("chatdb's own migrations up remove one index without naming it, which two others replace")
    func ownChain() throws {
        var found: [RemovedParts] = []
        for migrations in try MigrationSource.build.load().values {
            let schemas = try VersionSchemas(engine: SQLiteEngine())
            for (index, migration) in migrations.enumerated() {
                let step = try MigrationStep.up(migration)
                #expect(!step.mayRemoveParts, "\(migration.name)")
                found += try step.removedParts(
                    from: schemas.structure(after: Array(migrations[..<index])),
                    to: schemas.structure(after: Array(migrations[...index])))
            }
        }
        #expect(
            found == [
                RemovedParts(
                    migration: "20250317_many_profiles", table: "chat_items", indexes: ["idx_chat_items_shared_msg_id"],
                    triggers: [])
            ])
    }
}
