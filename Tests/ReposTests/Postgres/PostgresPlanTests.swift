import ChatDBKit
import TestKit
import Testing

/// The plans of every statement on a PostgreSQL server. Rule: docs/architecture.md, "SQL for every engine".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .serialized)
struct PostgresPlanTests {
    /// Methods whose plans depend on what the test does not pretend.
    private static let exempt = [
        "DeliveriesWriter.dropExpired(before:)": "without statistics of times, the server takes a third of them for old"
    ]

    /// Makes the server plan as if each table that grows had a million rows, and each value of most columns
    /// five of them. The test's tables have a few rows, of which the fastest plan reads all.
    private static func pretendRows(in transaction: any WriteTransaction) throws {
        let grows: Query =
            "relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT IN (\(list: small))"
        try transaction.run(
            """
            UPDATE pg_catalog.pg_class SET reltuples = 1000000, relpages = 1
            WHERE oid IN (
                SELECT unnest(ARRAY[pg_class.oid, indexrelid])
                FROM pg_catalog.pg_class LEFT JOIN pg_catalog.pg_index ON indrelid = pg_class.oid WHERE \(grows))
            """)
        // Autovacuum may have analysed a table, or do it now: both would wait for rows of each other.
        try transaction.run("LOCK TABLE pg_catalog.pg_statistic IN SHARE ROW EXCLUSIVE MODE")
        try transaction.run(
            """
            DELETE FROM pg_catalog.pg_statistic
            WHERE starelid IN (SELECT oid FROM pg_catalog.pg_class WHERE \(grows))
            """)
        try transaction.run(
            """
            INSERT INTO pg_catalog.pg_statistic (
                starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
                stakind1, stakind2, stakind3, stakind4, stakind5, staop1, staop2, staop3, staop4, staop5,
                stacoll1, stacoll2, stacoll3, stacoll4, stacoll5)
            SELECT attrelid, attnum, FALSE, 0, 8,
                CASE WHEN attname = 'user_id' THEN 1000 WHEN atttypid = 'smallint'::regtype THEN 2
                    WHEN attname ~ '(status|role|category|tag|type)$' THEN 10 ELSE -0.2 END,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
            FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
            WHERE attnum > 0 AND NOT attisdropped AND \(grows)
            """)
        for method in ["seqscan", "hashjoin", "mergejoin", "material", "memoize"] {
            try transaction.run(.unchecked(sql: "SET LOCAL enable_\(method) = off"))
        }
    }

    private static let small = FullScan.small.sorted()

    @Test("no statement reads a growing table in full")
    func planned() throws {
        let store = try PostgresTwoProfiles()
        for entry in RepositoryCatalogue.all where Self.exempt[entry.name] == nil {
            try store.undoing { chat, agent in
                let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
                let call = Call(chat: recordedChat, agent: recordedAgent, user: Things.alice.user, things: .alice)
                _ = try entry.call(call)
                for (recorded, transaction) in [(recordedChat, chat), (recordedAgent, agent)] {
                    try Self.pretendRows(in: transaction)
                    for query in recorded.queries {
                        for line in try PostgresFullScan.lines(of: query, in: transaction) {
                            Issue.record("\(entry.name): \(line)\nin \(query.rendered(.dollarNumber).sql)")
                        }
                    }
                }
            }
        }
    }

    @Test("the look at the plans finds a full scan, of a table and of an index")
    func control() throws {
        try PostgresTwoProfiles().undoing { chat, _ in
            try Self.pretendRows(in: chat)
            for query: Query in [
                "SELECT group_id FROM groups WHERE local_alias = 'x'", "SELECT max(item_text) FROM chat_items",
                "SELECT count(*) FROM group_members",
            ] {
                #expect(try PostgresFullScan.lines(of: query, in: chat).count == 1)
            }
            #expect(try PostgresFullScan.lines(of: "SELECT * FROM groups WHERE group_id = 1", in: chat).isEmpty)
        }
    }
}

/// Steps of a plan that look at every row of a table, as ``FullScan`` does for SQLite.
private enum PostgresFullScan {
    /// Nodes that read a table, with or without an index, and have no condition that an index answers.
    static func lines(of query: Query, in transaction: any ReadTransaction) throws -> [String] {
        let plan = try transaction.rows("EXPLAIN (COSTS OFF) " + query).map { row -> String in
            try row.get("QUERY PLAN")
        }
        return plan.indices.compactMap { index in
            guard let match = plan[index].firstMatch(of: /(?:Seq Scan|Index Scan|Index Only Scan).* on (\w+)/),
                !FullScan.small.contains(String(match.1))
            else { return nil }
            // The conditions of a node stand below it, further in, and before the next node.
            let details = plan[(index + 1)...].prefix { !$0.contains("->") }
            let isFound = details.contains { $0.contains("Index Cond:") } && !plan[index].contains("Seq Scan")
            return isFound ? nil : "\(match.output.0) of\n" + plan.joined(separator: "\n")
        }
    }
}
