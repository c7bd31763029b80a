import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Stores that have a later migration than one they lack, as after a merge of two branches.
/// Rule: docs/migrations.md, "Out of order".
@Suite struct OutOfOrderTests {
    private typealias Step = SyntheticHistory.Step
    private static let (a, b, c, d) = ("20300101_a", "20300102_b", "20300103_c", "20300104_d")
    private static let note = "out of order: merge of two branches"

    /// The migrations with these words: `b` was made on another branch than `c`. Both add a column, so that their order
    /// decides that of the columns, and a trigger.
    private func build(_ words: String...) throws -> [DatabaseName: [Migration]] {
        func column(_ name: String) -> Step {
            Step(
                name,
                """
                ALTER TABLE t ADD COLUMN \(name) TEXT;
                CREATE TRIGGER on_\(name) AFTER UPDATE OF \(name) ON t BEGIN SELECT 1; END;
                """, down: "DROP TRIGGER on_\(name); ALTER TABLE t DROP COLUMN \(name);")
        }
        let all = try SyntheticHistory.make(
            chat: [
                Step("a", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE t;"), column("b"),
                column("c"), column("d"),
            ])
        return all.mapValues { list in
            list.filter { $0.name.contains("agent") || words.contains(String($0.name.dropFirst(9))) }
        }
    }

    /// A store of the branch with `c`, and a row.
    private func branch() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(build("a", "c")).run()
        try store.execute("INSERT INTO t (id, c) VALUES (1, 'kept')")
        return store
    }

    private func allow(_ options: inout MigrationOptions) { options.outOfOrderReason = "merge of two branches" }

    private func columns(_ store: SyntheticStore) throws -> [String] {
        try store.rows("SELECT name FROM pragma_table_info('t')")
    }

    /// Expects that nothing is wrong with a store of this build.
    private func expectSound(_ store: SyntheticStore, _ build: [DatabaseName: [Migration]], _ what: String) throws {
        let migrator = store.migrator(build) { $0.isStrict = true }
        for database in DatabaseName.allCases {
            #expect(try migrator.context.drift(of: database) == [], "\(what)")
            #expect(try migrator.context.lostMigrations(of: database) == [], "\(what)")
        }
        #expect(try migrator.plan().isEmpty, "\(what)")
        #expect(try migrator.context.status().isCurrent(DatabaseName.allCases), "\(what)")
        try StoreGate(migrator.context).check()
        #expect(try StoreGate(migrator.context).reading() == .current, "\(what)")
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent), "\(what)")
    }

    @Test("without the reason such a store has another history; with it, the run applies what is missing and notes it")
    func merged() throws {
        let store = try branch()
        let full = try build("a", "b", "c")
        let before = try store.folder.fingerprint()
        #expect(TwoVersions.code { _ = try store.migrator(full).run() } == "differentHistory")
        #expect(try store.folder.fingerprint() == before)
        let plan = try store.migrator(full, allow).plan()
        #expect(plan.ups == [Self.b] && plan.databases[.chat]?.steps.map(\.note) == [Self.note])
        #expect(plan.databases[.chat]?.from == Self.c && plan.databases[.chat]?.to == Self.c)
        _ = try store.migrator(full, allow).run()
        #expect(
            try store.rows("SELECT name, note FROM migrations ORDER BY rowid") == [
                "\(Self.a)|NULL", "\(Self.c)|NULL", "\(Self.b)|\(Self.note)",
            ])
        #expect(try columns(store) == ["id", "c", "b"])
        #expect(try store.rows("SELECT c FROM t") == ["kept"])
        try expectSound(store, full, "after the run")
        #expect(
            try store.migrator(full).context.status().readable[.chat]?.applied.map(\.note) == [nil, Self.note, nil])
    }

    @Test("the order is kept by later runs up and down, which follow the names")
    func later() throws {
        let store = try branch()
        _ = try store.migrator(build("a", "b", "c"), allow).run()
        let longer = try build("a", "b", "c", "d")
        _ = try store.migrator(longer) { $0.isStrict = true }.run()
        #expect(try columns(store) == ["id", "c", "b", "d"])
        try expectSound(store, longer, "up")
        let report = try store.migrator(longer) { $0.target = .downSteps(2) }.run()
        #expect(report.applied(.chat) == [Self.d, Self.c])
        #expect(try columns(store) == ["id", "b"])
        try expectSound(store, build("a", "b"), "down")
        // Applied again, it comes after b.
        _ = try store.migrator(longer) { $0.isStrict = true }.run()
        #expect(try columns(store) == ["id", "b", "c", "d"])
        try expectSound(store, longer, "up again")
        // An older build undoes what it does not know.
        _ = try store.migrator(build("a")).run()
        try expectSound(store, build("a"), "an older build")
    }

    @Test("up to a name applies what is missing up to it; later ones are not out of order")
    func partly() throws {
        let store = try branch()
        try store.execute("UPDATE migrations SET name = '\(Self.d)' WHERE name = '\(Self.c)'")
        let migrator = try store.migrator(build("a", "b", "c", "d")) { options in
            allow(&options)
            options.target = .up(to: Self.b)
            options.acceptsEdited = true
        }
        #expect(try migrator.plan().ups == [Self.b])
        let ordinary = try SyntheticStore()
        _ = try ordinary.migrator(build("a")).run()
        _ = try ordinary.migrator(build("a", "b", "c"), allow).run()
        #expect(try ordinary.rows("SELECT note FROM migrations WHERE note IS NOT NULL") == [])
    }

    @Test("a database with a migration that the build does not have is refused even with the reason")
    func unknown() throws {
        let store = try branch()
        #expect(TwoVersions.code { _ = try store.migrator(build("a", "b"), allow).run() } == "differentHistory")
    }

    @Test("drift is found in such a store, by any build that reads it")
    func drift() throws {
        let store = try branch()
        let full = try build("a", "b", "c")
        _ = try store.migrator(full, allow).run()
        try store.execute("ALTER TABLE t ADD COLUMN extra TEXT")
        #expect(try store.migrator(full).context.drift(of: .chat).map(\.name) == ["t.extra"])
        try store.execute("CREATE TRIGGER spy AFTER UPDATE ON t BEGIN DELETE FROM t; END")
        #expect(TwoVersions.code { try StoreGate(store.migrator(full).context).check() } == "unknownTrigger")
    }

    @Test("a backup from before and one from after are restored as they were")
    func backups() throws {
        let store = try branch()
        let full = try build("a", "b", "c")
        let report = try store.migrator(full) { options in
            allow(&options)
            options.backup = .folder(nil)
        }.run()
        let before = try #require(report.backup)
        let context = store.migrator(full).context
        let after = try context.backUp().path
        for (folder, names) in [(before, ["id", "c"]), (after, ["id", "c", "b"])] {
            let restorer = Restorer(context)
            _ = try restorer.run(restorer.plan(folder))
            #expect(try columns(store) == names)
        }
        try expectSound(store, full, "restored")
    }

    /// A store between the two commits of the run: agent new, chat old, and the record.
    private func split(_ full: [DatabaseName: [Migration]]) throws -> (SyntheticStore, IntentRecord) {
        let store = try branch()
        let (chat, copy) = (store.location.path(of: .chat), store.folder.file("copy.db"))
        try FileManager.default.copyItem(atPath: chat, toPath: copy)
        _ = try store.migrator(full, allow).run()
        try FileManager.default.removeItem(atPath: chat)
        try FileManager.default.moveItem(atPath: copy, toPath: chat)
        let agent = try store.applied(.agent).last
        let record = IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: false,
            storeID: try store.rows("SELECT store_id FROM store").first ?? "", generation: 2,
            courses: [
                .agent: .init(from: agent, to: agent, steps: []),
                .chat: .init(from: Self.c, to: Self.c, steps: [Self.b]),
            ], backup: nil, outOfOrderReason: "merge of two branches")
        try record.write(store.location.intentPath)
        return (store, record)
    }

    @Test("an interrupted run is read, and completed without consent and without the reason, with the note")
    func completed() throws {
        let full = try build("a", "b", "c")
        let (store, record) = try split(full)
        let migrator = store.migrator(full) { $0.confirmation = .error }
        #expect(try StoreGate(migrator.context).reading() == .interrupted(record))
        let plan = try migrator.plan()
        #expect(plan.completes[.chat]?.steps.map(\.name) == [Self.b] && plan.ups.isEmpty)
        #expect(try migrator.run().completed == record)
        #expect(try store.rows("SELECT note FROM migrations WHERE name = '\(Self.b)'") == [Self.note])
        try expectSound(store, full, "completed")
        // A build without the migration cannot complete it.
        let (other, _) = try split(full)
        #expect(
            TwoVersions.code { _ = try other.migrator(build("a", "c")).run() } == "interruptedMigration")
    }

    @Test("the record keeps the reason")
    func record() throws {
        let (_, record) = try split(build("a", "b", "c"))
        #expect(IntentRecord(json: record.json) == record && record.with(generation: 2) == record)
    }

    @Test("a run for one database applies what that one lacks")
    func alone() throws {
        let store = try branch()
        let full = try build("a", "b", "c")
        _ = try store.migrator(full, only: .chat, allow).run()
        #expect(try store.applied() == [Self.a, Self.b, Self.c])
        try expectSound(store, full, "one database")
    }
}
