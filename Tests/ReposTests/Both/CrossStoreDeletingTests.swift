import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Between the two databases".
@Suite struct CrossStoreDeletingTests {
    let two: TwoProfiles
    let alice = Things.alice

    init() throws { two = try TwoProfiles() }

    @discardableResult
    private func write<T>(_ body: (CrossStoreWriter) throws -> T) throws -> T {
        try two.test.store.writeBoth(committing: .chatFirst) { chat, agent in
            try body(CrossStoreWriter(chat: chat, agent: agent, clock: TestStore.clock))
        }
    }

    /// The connections of the agent that are marked as deleted, and those of their queues that are not.
    private func marked() throws -> (connections: [String], openQueues: Int) {
        try two.test.store.read(.agent) { agent in
            let ids = try agent.rows("SELECT conn_id FROM connections WHERE deleted = 1 ORDER BY conn_id").map { row in
                String(decoding: try row.get("conn_id") as [UInt8], as: UTF8.self)
            }
            let queues = try agent.count(
                """
                SELECT count(*) FROM rcv_queues JOIN connections ON connections.conn_id = rcv_queues.conn_id
                WHERE connections.deleted = 1 AND rcv_queues.deleted = 0
                """)
            return (ids, queues)
        }
    }

    /// Marked from the start.
    private let before = ["conn-alice-5", "conn-bob-5"]

    @Test("deleting a group marks the connections of its members, with their queues, and no other's")
    func group() throws {
        let bob = try two.test.store.read(.agent) { try TwoProfiles.rows(of: .bob, $0) }
        let deleted = try write { try $0.deleteGroup(alice.group, of: alice.user) }
        #expect(deleted.agentConnections == [alice.secondAgentConnection])
        #expect(try two.test.read { try GroupsRepo($0).find(alice.group, of: alice.user) } == nil)
        let after = try marked()
        #expect(after.connections == ["conn-alice-2"] + before && after.openQueues == 0)
        #expect(try two.test.store.read(.agent) { try TwoProfiles.rows(of: .bob, $0) } == bob)
    }

    @Test("deleting a contact marks its connections the first time already; the second time there is nothing to mark")
    func contact() throws {
        for outcome in [DeletedContact.Outcome.softDeleted, .deleted] {
            let deleted = try write { try $0.deleteContact(alice.friend, of: alice.user) }
            #expect(deleted.outcome == outcome)
            let after = try marked()
            #expect(after.connections == ["conn-alice-1"] + before && after.openQueues == 0)
        }
    }

    @Test("a connection that the agent lacks, or has in another profile, stays as it is, and the group is deleted")
    func strangers() throws {
        // The agent has it in bob's profile.
        try two.test.store.write(.agent) {
            _ = try $0.run("UPDATE connections SET user_id = 2 WHERE conn_id = CAST('conn-alice-2' AS BLOB)")
        }
        try write { try $0.deleteGroup(alice.group, of: alice.user) }
        #expect(try marked().connections == before)
        // The agent does not have it.
        try two.test.store.write(.agent) {
            _ = try $0.run("DELETE FROM connections WHERE conn_id = CAST('conn-alice-1' AS BLOB)")
        }
        #expect(try write { try $0.deleteContact(alice.friend, of: alice.user) }.outcome == .softDeleted)
        #expect(try marked().connections == before)
    }

    @Test("a refused deletion changes neither database")
    func refused() throws {
        let rows = { try two.test.store.readBoth { try TwoProfiles.rows(of: .alice, $0, $1) } }
        let unchanged = try rows()
        #expect(code { try write { try $0.deleteGroup(alice.group, of: Things.bob.user) } } == "groupNotFound")
        #expect(code { try write { try $0.cancelGroup(alice.group, of: alice.user) } } == "notPrepared")
        #expect(code { try write { try $0.deleteContact(alice.friend, of: Things.bob.user) } } == "contactNotFound")
        #expect(try rows() == unchanged)
    }

    @Test("each of many connections is marked and counted once, over several statements")
    func many() throws {
        let ids = (0..<1_201).map { AgentConnectionID("many-\($0)") }
        try two.test.store.write(.agent) { agent in
            let writer = AgentConnectionsWriter(agent, clock: TestStore.clock)
            for id in ids { try writer.create(id, .invitation, of: alice.agentUser) }
            #expect(try writer.markAllDeleted(Array(ids.prefix(3)), of: alice.agentUser) == 3)
            #expect(try writer.markAllDeleted(ids, of: Things.bob.agentUser) == 0)
            #expect(try writer.markAllDeleted(ids, of: alice.agentUser) == 1_198)
            #expect(try writer.markAllDeleted([], of: alice.agentUser) == 0)
        }
        #expect(try marked().connections.count == 1_203)
    }
}
