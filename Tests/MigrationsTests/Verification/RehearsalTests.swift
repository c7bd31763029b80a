import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A run on a private copy of a real store.
@Suite struct RehearsalTests {
    @Test("a rehearsal reports the cost of each step, and only reads the store")
    func rehearsal() throws {
        let old = try TortureStore(journal: .delete, items: 50)
        defer { old.remove() }
        let location = try StoreLocation(prefix: old.folder.path + "/x")
        let report = try Verifier(engine: SQLiteEngine()).rehearse(
            Migrator(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load()))
        #expect(report.steps.contains { $0.migration == "20251013_chat_item_ids" && $0.rows >= 50 && $0.bytes > 0 })
        #expect(try Fingerprint(location) == old.fingerprint)
    }

    private static let first = SyntheticHistory.Step(
        "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT) STRICT", down: "DROP TABLE t")

    /// A store at its first migration, with 200 rows of a thousand bytes.
    private func store() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        try store.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
                + "INSERT INTO t (body) SELECT printf('%.1000c', 'x') FROM n")
        return store
    }

    @Test("a rehearsal ends like the run when the migrations lose more than the plan that a run shows")
    func lostMore() throws {
        let store = try store()
        let uncounted = "-- chatdb: data-loss\nUPDATE t SET body = 'x'; DELETE FROM t WHERE body = 'x';"
        let build = try SyntheticHistory.make(chat: [Self.first, .init("second", uncounted)])
        let error = try #require(throws: MigrationError.self) {
            try Verifier(engine: SQLiteEngine()).rehearse(
                store.migrator(build) { $0.confirmation = .console { _ in true } })
        }
        #expect(error == .lostMore(.chat, Loss(deletedFrom: "t", rows: 200), planned: 0))
        // A run without a question shows no plan.
        let report = try Verifier(engine: SQLiteEngine()).rehearse(
            store.migrator(build) { $0.confirmation = .yesUp })
        #expect(report.steps.map(\.rows) == [0])
        #expect(report.losses == [.chat: [Loss(deletedFrom: "t", rows: 200)]])
        #expect(try store.rows("SELECT count(*) FROM t") == ["200"])
    }

    @Test(
        "a rehearsal permits the losses that a plan has",
        arguments: [
            "DELETE FROM t WHERE id <= 50;", "DROP TABLE t;", "ALTER TABLE t DROP COLUMN body;",
            "ALTER TABLE t RENAME TO w; DROP TABLE w;",
        ])
    func lostAsPlanned(_ sql: String) throws {
        let store = try store()
        let build = try SyntheticHistory.make(
            chat: [Self.first, .init("second", "-- chatdb: data-loss\n\(sql)")])
        let migrator = store.migrator(build) { $0.confirmation = .console { _ in true } }
        #expect(try Verifier(engine: SQLiteEngine()).rehearse(migrator).steps.count == 1)
    }

    @Test("the space check covers first the copies, then four times the rewritten data")
    func room() throws {
        let store = try store()
        let migrator = store.migrator(
            try SyntheticHistory.make(chat: [Self.first, .init("second", "UPDATE t SET body = upper(body)")]))
        let size = DatabaseName.allCases.reduce(0) { $0 + FileSpace.size(of: store.location.path(of: $1)) }
        func needed(whenFree free: Int64) throws -> Int64? {
            var verifier = Verifier(engine: SQLiteEngine())
            verifier.free = { _ in free }
            do {
                _ = try verifier.rehearse(migrator)
                return nil
            } catch MigrationError.notEnoughSpace(let needed, _, _) { return needed }
        }
        let copies = try #require(try needed(whenFree: 0))
        #expect(copies >= size)
        let rewriting = try #require(try needed(whenFree: copies))
        #expect(rewriting > 4 * 200_000)
        #expect(try needed(whenFree: rewriting) == nil)
    }

    @Test("the size of a copy includes its log")
    func logCounts() throws {
        let store = try store()
        let size = DatabaseName.allCases.reduce(0) { $0 + FileSpace.size(of: store.location.path(of: $1)) }
        // As with another program that has the store open: the rows are in the log.
        let other = try SQLiteEngine().openForMigration(store.location.path(of: .chat), creating: false)
        defer { other.close() }
        try other.begin()
        try other.run("UPDATE t SET body = upper(body)")
        try other.commit()
        var verifier = Verifier(engine: SQLiteEngine())
        verifier.free = { _ in size }
        let migrator = store.migrator(try SyntheticHistory.make(chat: [Self.first]))
        #expect(throws: MigrationError.self) { try verifier.rehearse(migrator) }
    }
}
