import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// Checks of both databases read tables that grow with the store. Rule: docs/checks.md, "The two databases".
@Suite("plans of the checks of both databases")
struct PairPlanTests {
    /// A store of SimpleX Chat, whose agent has no row ids for connections, with many connections on both sides.
    private func large() throws -> SimplexStore {
        let store = try SimplexStore(isHealthy: true)
        let numbers = "WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 5099)"
        try store.execute(
            """
            \(numbers) INSERT INTO connections (connection_id, agent_conn_id, conn_status, conn_type, user_id)
            SELECT n, CAST('c' || n AS BLOB), 'ready', 'contact', 1 FROM n
            """)
        try store.execute(
            """
            \(numbers) INSERT INTO connections (conn_id, conn_mode, user_id)
            SELECT CAST('c' || (n + 20) AS BLOB), 'INV', 1 FROM n
            """, in: .agent)
        return store
    }

    @Test("each page of the agent's rows is found by the index, and numbers of rows are computed once")
    func pages() throws {
        let simplex = try large()
        let plain = try Store.openForReading(simplex.location, with: SQLiteEngine())
        defer { try? plain.close() }
        var structures: [DatabaseName: DatabaseStructure] = [:]
        for name in DatabaseName.allCases { structures[name] = try plain.connection(name).structure() }
        let options = structures[.agent]?.tables["connections"]?.options ?? []
        #expect(options.contains("WITHOUT ROWID"))
        let opened = try OpenedStore(simplex)
        try opened.store.readBoth { chat, agent in
            for check in StoreCheck.all where check.isOfPairedRows && check.id != "agentFileWithoutFile" {
                guard case .rows(let ask) = check.question, check.id != "transferWithoutAgentFile" else { continue }
                let recorded = RecordingReads(agent)
                var found = FoundRows()
                try ask(CheckContext(chat: chat, agent: recorded, structures: structures), &found)
                #expect(found.skipped.isEmpty, "\(check.id)")
                try expectPages(of: check.id, recorded, agent)
                if check.id.hasPrefix("connectionWithout") || check.id.hasPrefix("agentConnection") {
                    #expect(found.count == 20, "\(check.id)")
                }
            }
        }
    }

    private func expectPages(of id: String, _ recorded: RecordingReads, _ agent: any ReadTransaction) throws {
        let texts = recorded.queries.map { $0.rendered(.questionMark).sql }
        #expect(texts.count { $0.contains("row_number()") } <= 2, "\(id)")
        for query in recorded.queries where query.rendered(.questionMark).sql.contains(" LIMIT ") {
            let plan = try agent.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            let isBad = plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }
            #expect(!isBad, "\(id): \(plan)")
        }
        if id.lowercased().contains("connection") {
            #expect(texts.count { $0.contains("key_bytes") } > 5, "\(id)")
        }
    }

    @Test("the agreement of a pair is found in one walk")
    func agreement() throws {
        let opened = try OpenedStore(large())
        try opened.store.readBoth { chat, agent in
            let recorded = RecordingReads(agent)
            let pair = try PairAgreement(chat: chat, agent: recorded)
            #expect(pair.connections.all == 5_002 && pair.connections.missing == 20)
            #expect(pair.agentConnections.all == 5_002 && pair.agentConnections.missing == 20)
            #expect(recorded.queries.count { $0.rendered(.questionMark).sql.contains("key_bytes") } == 6)
        }
    }
}
