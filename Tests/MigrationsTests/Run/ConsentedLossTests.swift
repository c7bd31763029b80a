import ChatDBKit
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

/// A run loses no more than the plan that was shown.
@Suite struct ConsentedLossTests {
    private typealias Step = SyntheticHistory.Step
    private static let first = Step(
        "first",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT) STRICT;
        CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;
        """)

    /// A store with three rows in `t` and two in `u`.
    private func store() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        try store.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')", "INSERT INTO u VALUES (1), (2)")
        return store
    }

    /// Applies steps with this consent; returns nil on success.
    private func run(
        _ store: SyntheticStore, _ steps: [String],
        _ confirmation: ChatDBMigrations.Confirmation = .console { _ in true }
    ) throws -> MigrationFailure? {
        let steps = ["second", "third", "fourth"].prefix(steps.count).enumerated().map { Step($1, steps[$0]) }
        let build = try SyntheticHistory.make(chat: [Self.first] + steps)
        do {
            _ = try store.migrator(build) { $0.confirmation = confirmation }.run()
            return nil
        } catch let failure as MigrationFailure {
            return failure
        }
    }

    private static let uncounted = "-- chatdb: data-loss\nUPDATE t SET note = 'x'; DELETE FROM t WHERE note = 'x';"

    @Test("losing more rows than the plan showed rolls the run back and reports the table and both numbers")
    func moreRows() throws {
        let store = try store()
        let failure = try run(store, [Self.uncounted])
        #expect(failure?.error == .lostMore(.chat, Loss(deletedFrom: "t", rows: 3), planned: 0))
        #expect(failure?.error.code == "migrationFailed" && failure?.state == .unchanged)
        #expect(failure?.error.message.contains("3 rows of t, where the plan has 0") == true)
        #expect(try store.rows("SELECT note FROM t ORDER BY id") == ["a", "b", "c"])
    }

    @Test("consent without a plan covers all rows that the migrations delete", arguments: [true, false])
    func unseen(down: Bool) throws {
        let store = try store()
        #expect(try run(store, [Self.uncounted], down ? .yesUpDown : .yesUp) == nil)
        #expect(try store.rows("SELECT count(*) FROM t") == ["0"])
    }

    @Test(
        "losses that the plan showed are permitted",
        arguments: [
            ["-- chatdb: data-loss\nDELETE FROM t WHERE id < 3;"], ["-- chatdb: data-loss\nDROP TABLE u;"],
            ["-- chatdb: data-loss\nALTER TABLE t DROP COLUMN note;"],
            ["ALTER TABLE t RENAME TO w;", "-- chatdb: data-loss\nDROP TABLE w;"],
            ["ALTER TABLE t RENAME note TO remark;", "-- chatdb: data-loss\nALTER TABLE t DROP COLUMN remark;"],
            [
                "-- chatdb: data-loss\n-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT * FROM t WHERE id = 1; DROP TABLE t; ALTER TABLE n RENAME TO t;"
            ],
            ["CREATE TABLE w (id INTEGER) STRICT; INSERT INTO w VALUES (1);", "-- chatdb: data-loss\nDROP TABLE w;"],
        ])
    func asShown(_ steps: [String]) throws {
        #expect(try run(store(), steps) == nil)
    }

    @Test(
        "a table or column that one step drops and a later one recreates is not in the plan: the run rolls back",
        arguments: [
            (
                ["-- chatdb: data-loss\nDROP TABLE u;", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;"],
                Loss(table: "u", column: nil, rows: 2)
            ),
            (
                ["-- chatdb: data-loss\nALTER TABLE t DROP COLUMN note;", "ALTER TABLE t ADD COLUMN note TEXT;"],
                Loss(table: "t", column: "note", rows: 0)
            ),
        ])
    func madeAgain(_ steps: [String], _ loss: Loss) throws {
        let store = try store()
        #expect(try run(store, steps)?.error == .lostMore(.chat, loss, planned: 0))
        #expect(try store.rows("SELECT count(*) FROM u") == ["2"])
        #expect(try store.rows("SELECT note FROM t WHERE id = 1") == ["a"])
        #expect(try run(store, steps, .yesUp) == nil)
    }

    @Test("rows added after the plan was shown are shown before they are deleted")
    func asksAgain() throws {
        let store = try store()
        let shown = Mutex<[[Loss]]>([])
        let failure = try run(
            store, ["-- chatdb: data-loss\nDELETE FROM t;"],
            .console { plan in
                let count = shown.withLock { shown in
                    shown.append(plan.databases[.chat]?.losses ?? [])
                    return shown.count
                }
                if count == 1 { try store.execute("INSERT INTO t VALUES (4, 'd')") }
                return true
            })
        #expect(failure == nil)
        #expect(
            shown.withLock(\.self) == [[Loss(deletedFrom: "t", rows: 3)], [Loss(deletedFrom: "t", rows: 4)]])
    }

    @Test("a column that a step drops by its name is not given to a step before it that makes the table anew")
    func remadeThenDropped() throws {
        let steps = [
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT * FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t;",
            "-- chatdb: data-loss\nALTER TABLE t DROP COLUMN note;",
        ]
        let store = try store()
        let build = try SyntheticHistory.make(
            chat: [Self.first] + zip(["second", "third"], steps).map { Step($0, $1) })
        let plan = try #require(try store.migrator(build).plan().databases[.chat])
        #expect(plan.stepLosses.map { $0.map(\.column) } == [[], ["note"]])
        #expect(try run(store, steps) == nil)
    }

    @Test(
        "this build's migrations down lose what their plans show, also where a statement decides what the next deletes",
        arguments: [
            (
                "20260316_relay_soft_delete",
                [
                    "INSERT INTO chat_relays (chat_relay_id, user_id, address, deleted) VALUES (1, 1, 'a', 1), (2, 1, 'a', 0), (3, 1, 'b', 1), (4, 1, 'c', 1)",
                    "INSERT INTO group_relays (group_id, group_member_id, chat_relay_id) VALUES (1, 1, 1), (1, 2, 3)",
                ], "SELECT chat_relay_id FROM chat_relays ORDER BY 1", ["2", "3"]
            ),
            (
                "20250317_many_profiles",
                [
                    "INSERT INTO users (user_id, agent_user_id, contact_id, local_display_name, active_user) VALUES (1, 1, 1, 'a', 1), (2, 2, 2, 'b', 0)",
                    "INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event) VALUES (1, 1, 1, 'x'), (2, 2, 1, 'x')",
                    "INSERT INTO msg_deliveries (message_id, connection_id, delivery_status) VALUES (1, 1, 'x'), (2, 1, 'x')",
                ], "SELECT message_id FROM msg_deliveries", ["1"]
            ),
        ])
    func shippedDowns(_ down: (version: String, rows: [String], question: String, left: [String])) throws {
        let store = try SyntheticStore()
        let build = try MigrationSource.build.load()
        _ = try store.migrator(build) { $0.target = .up(to: down.version) }.run()
        for statement in down.rows { try store.execute(statement) }
        let report = try store.migrator(build) {
            $0.target = .downSteps(1)
            $0.confirmation = .console { _ in true }
        }.run()
        #expect(report.plan.databases[.chat]?.steps.map(\.name) == [down.version])
        #expect(try store.rows(down.question) == down.left)
    }
}
