import ChatDBKit
import Foundation
import TestKit
import Testing

/// Migrations of a store on a server. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL")) struct ServerMigrationTests {
    private static let second = (
        name: "20260102_second",
        up: """
        ALTER TABLE kept ADD COLUMN note TEXT;
        UPDATE kept SET note = 'noted' WHERE id <= 10;
        CREATE FUNCTION shout(words TEXT) RETURNS TEXT LANGUAGE sql AS $$ SELECT upper(words); SELECT upper(words) $$;
        """, down: "DROP FUNCTION shout(TEXT); ALTER TABLE kept DROP COLUMN note;"
    )

    @Test("a run makes a store, a second one changes nothing, and a migration goes up and down in both databases")
    func upAndDown() throws {
        let store = try SyntheticServerStore()
        let first = try SyntheticServerStore.build()
        let both = try SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])
        let report = try store.migrator(first).run()
        #expect(report.created)
        #expect(report.applied(.chat) == ["20260101_first"])
        #expect(try store.migrator(first).run().plan.isEmpty)
        let before = try store.contents()
        #expect(try store.migrator(both).run().applied(.agent) == ["20260102_second"])
        #expect(try store.sql("SELECT count(*) FROM made_chat.kept WHERE note = 'noted'") == "10")
        #expect(try store.sql("SELECT generation FROM made_agent.store") == "2")
        let down = try store.migrator(both) { $0.target = .downSteps(2) }.run()
        #expect(down.losses(.chat).map(\.rows) == [10])
        let after = try store.contents()
        #expect(before.contains("20260101_first") && !after.contains("20260102_second"))
    }

    @Test("status and plan read a store without changing it")
    func statusAndPlan() throws {
        let store = try SyntheticServerStore()
        _ = try store.migrator(SyntheticServerStore.build()).run()
        let before = try store.contents()
        let both = try SyntheticServerStore.build(chat: [Self.second])
        let plan = try store.migrator(both).plan()
        #expect(plan.databases[.chat]?.steps.map(\.name) == ["20260102_second"])
        let status = try store.migrator(both).context.status()
        #expect(status.readable[.chat]?.pending == ["20260102_second"])
        #expect(try store.contents() == before)
    }

    @Test("a loss of rows that the migration does not declare is refused, however it happens")
    func undeclaredLosses() throws {
        let losses = [
            "DELETE FROM kept WHERE id = 7;",
            "CREATE FUNCTION quietly() RETURNS BIGINT LANGUAGE sql AS $$ DELETE FROM kept WHERE id = 7; SELECT 1::bigint $$; SELECT quietly();",
            "CREATE TABLE copied (id BIGINT PRIMARY KEY, words TEXT NOT NULL); INSERT INTO copied SELECT id, words FROM kept WHERE id > 3; DROP TABLE kept; ALTER TABLE copied RENAME TO kept;",
            "DROP TABLE kept;",
        ]
        for sql in losses {
            let store = try SyntheticServerStore()
            _ = try store.migrator(SyntheticServerStore.build()).run()
            let before = try store.contents()
            let build = try SyntheticServerStore.build(chat: [("20260102_loss", sql, nil)])
            let failure = #expect(throws: MigrationFailure.self, "\(sql)") { try store.migrator(build).run() }
            #expect(failure?.state == .unchanged)
            #expect(try store.contents() == before, "\(sql)")
        }
    }

    @Test("a migration that fails in the second database changes neither")
    func failure() throws {
        let store = try SyntheticServerStore()
        _ = try store.migrator(SyntheticServerStore.build()).run()
        let before = try store.contents()
        let build = try SyntheticServerStore.build(
            chat: [("20260102_wrong", "UPDATE kept SET words = 'x'; SELECT * FROM absent;", nil)], agent: [Self.second])
        let failure = #expect(throws: MigrationFailure.self) { try store.migrator(build).run() }
        #expect(failure?.state == .unchanged)
        #expect(try store.contents() == before)
    }

    @Test("a schema that differs from its version, and one that others have made, are refused")
    func strangers() throws {
        let store = try SyntheticServerStore()
        try store.sql("CREATE SCHEMA made_chat; CREATE TABLE made_chat.other (id INT)")
        #expect(throws: (any Error).self) { try store.migrator(SyntheticServerStore.build()).run() }
        #expect(try store.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'made_agent'") == "0")

        let drifted = try SyntheticServerStore()
        _ = try drifted.migrator(SyntheticServerStore.build()).run()
        try drifted.sql(
            """
            CREATE FUNCTION made_chat.spy() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
            CREATE TRIGGER spy BEFORE UPDATE ON made_chat.kept FOR EACH ROW EXECUTE FUNCTION made_chat.spy()
            """)
        let build = try SyntheticServerStore.build(chat: [Self.second])
        let failure = #expect(throws: MigrationFailure.self) { try drifted.migrator(build).run() }
        guard case .unknownTrigger = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("empty schemas that an administrator has made become a store")
    func emptySchemas() throws {
        let store = try SyntheticServerStore()
        try store.sql("CREATE SCHEMA made_chat; CREATE SCHEMA made_agent")
        #expect(try store.migrator(SyntheticServerStore.build()).run().created)
    }

    @Test("two runs at once: one migrates, and the other one finds the store migrated or locked")
    func atOnce() throws {
        let store = try SyntheticServerStore()
        let build = try SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])
        let results = try OwnThreads.results(4) { _ in Result { try store.migrator(build).run() } }
        #expect(results.contains { (try? $0.get().created) == true })
        #expect(try store.sql("SELECT generation FROM made_chat.store") == "1")
        #expect(try store.sql("SELECT count(*) FROM made_chat.kept") == "50")
        for result in results {
            guard case .failure(let error) = result else { continue }
            let code = (error as? MigrationFailure)?.error.info.code ?? "\(error)"
            #expect(["inUse", "storeLocked"].contains(code), "\(error)")
        }
    }

    @Test("a column that is dropped loses the rows with another value than its default, as in files")
    func defaults() throws {
        let store = try SyntheticServerStore()
        let columns = (
            name: "20260102_columns",
            up: """
            ALTER TABLE kept ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE kept ADD COLUMN below BIGINT NOT NULL DEFAULT -1;
            ALTER TABLE kept ADD COLUMN words2 TEXT NOT NULL DEFAULT 'it''s';
            ALTER TABLE kept ADD COLUMN part DOUBLE PRECISION DEFAULT 0.5;
            """,
            down: """
            ALTER TABLE kept DROP COLUMN number;
            ALTER TABLE kept DROP COLUMN below;
            ALTER TABLE kept DROP COLUMN words2;
            ALTER TABLE kept DROP COLUMN part;
            """
        )
        let build = try SyntheticServerStore.build(chat: [columns])
        _ = try store.migrator(build).run()
        try store.sql(
            """
            UPDATE made_chat.kept SET number = 1 WHERE id = 1;
            UPDATE made_chat.kept SET words2 = '' WHERE id IN (1, 2);
            UPDATE made_chat.kept SET part = NULL WHERE id IN (1, 2, 3);
            """)
        let plan = try store.migrator(build) { $0.target = .downSteps(1) }.plan()
        let losses = plan.databases[.chat]?.losses ?? []
        #expect(losses.map(\.column) == ["number", "below", "words2", "part"])
        #expect(losses.map(\.rows) == [1, 0, 2, 3])
    }
}
