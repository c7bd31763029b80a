import ChatDBKit
import TestKit
import Testing

/// The plans of every statement on a PostgreSQL server. Rule: docs/repositories.md, "Engines".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .serialized)
struct PostgresPlanTests {
    /// The test's tables are small, so a scan in full would be the fastest plan. With these settings the server takes an
    /// index wherever one helps.
    private static let settings: [Query] = [
        "SET LOCAL enable_seqscan = off", "SET LOCAL enable_hashjoin = off", "SET LOCAL enable_mergejoin = off",
        "SET LOCAL enable_material = off", "SET LOCAL enable_memoize = off",
    ]

    @Test("no statement reads a growing table in full")
    func planned() throws {
        let store = try PostgresTwoProfiles()
        for entry in RepositoryCatalogue.all {
            try store.undoing { chat, agent in
                let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
                let call = Call(chat: recordedChat, agent: recordedAgent, user: Things.alice.user, things: .alice)
                _ = try entry.call(call)
                for setting in Self.settings { try chat.run(setting) }
                for (recorded, transaction) in [(recordedChat, chat), (recordedAgent, agent)] {
                    for query in recorded.queries {
                        for line in try PostgresFullScan.lines(of: query, in: transaction) {
                            Issue.record("\(entry.name): \(line) in \(query.rendered(.dollarNumber).sql)")
                        }
                    }
                }
            }
        }
    }

    @Test("the look at the plans finds a full scan, of a table and of an index")
    func control() throws {
        try PostgresTwoProfiles().undoing { chat, _ in
            for setting in Self.settings { try chat.run(setting) }
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
            return isFound ? nil : plan[index].drop { $0 == " " || $0 == "-" || $0 == ">" }.description
        }
    }
}
