import ChatDBKit
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

/// How far a run is within a long migration.
@Suite struct RunProgressTests {
    private typealias Step = SyntheticHistory.Step

    /// What a run of these migrations reports, for the chat database.
    private func reports(_ steps: [Step], on store: SyntheticStore) throws -> [(name: String, StatementProgress)] {
        let found = Mutex<[(name: String, StatementProgress)]>([])
        var migrator = store.migrator(try SyntheticHistory.make(chat: steps))
        migrator.context.progress = { progress in
            if case .migrating(.chat, let step, _, _, let within) = progress {
                found.withLock { $0.append((step.name, within)) }
            }
        }
        _ = try migrator.run()
        return found.withLock(\.self)
    }

    @Test("a migration that copies many rows reports more than one progress of the same statement")
    func longStatement() throws {
        let first = Step("first", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT;")
        let long = Step(
            "second",
            """
            CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT) STRICT;
            INSERT INTO u SELECT id, name FROM t;
            CREATE INDEX by_name ON u (name, id);
            """)
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [first])).run()
        try store.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
            INSERT INTO t SELECT i, 'name ' || i FROM n
            """)
        let found = try reports([first, long], on: store)
        #expect(found.allSatisfy { $0.name == "20300102_second" && $0.1.total == 3 })
        for statement in [1, 2] {
            let steps = found.map(\.1).filter { $0.completed == statement }.map(\.steps)
            #expect(steps.count > 2 && steps.first == 0, "statement \(statement): \(steps)")
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "statement \(statement): \(steps)")
        }
        #expect(found.map(\.1).filter(\.isStart).count == 1)
    }

    @Test("each statement of a short migration is reported once, also in a new store")
    func shortStatements() throws {
        let step = Step(
            "first", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;")
        let found = try reports([step], on: SyntheticStore()).map(\.1)
        #expect(found == [0, 1].map { StatementProgress(completed: $0, total: 2, steps: 0) })
    }
}
