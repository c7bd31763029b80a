import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Between the two databases".
@Suite("References between the two databases")
struct OrphanTests {
    private struct Crash: Error {}

    @Test("A crash between the two commits of making a profile leaves a number in the agent, which a repair removes")
    func making() throws {
        let world = try CheckWorld()
        let before = try world.contents()
        try world.test.store.write(.agent) { agent in
            do {
                try world.test.write { chat in
                    _ = try UsersWriter(chat, clock: TestStore.clock).create("carla", agent: agent)
                    throw Crash()
                }
            } catch is Crash {}
        }
        let findings = try world.checkup().findings
        #expect(findings.map(\.id) == ["agentProfileWithoutProfile"])
        #expect(try world.mend(findings).map(\.changed) == [1])
        #expect(try world.checkup().findings.isEmpty)
        #expect(try world.contents() == before)
    }

    /// The store after a crash between the two commits of the deletion of alice.
    private func crashed() throws -> CheckWorld {
        let world = try CheckWorld()
        try world.test.write { chat in
            do {
                try world.test.store.write(.agent) { agent in
                    try UsersWriter(chat, clock: TestStore.clock).delete(world.alice.id, agent: agent)
                    throw Crash()
                }
            } catch is Crash {}
        }
        return world
    }

    @Test(
        "A crash between the two commits of deleting one leaves all of it in the agent, and no repair marks connections in use"
    )
    func deleting() throws {
        let world = try crashed()
        let findings = try world.checkup().findings
        let first = try #require(findings.first)
        #expect(first.id == "agentProfileWithoutProfile" && first.severity == .error && !first.isFixable)
        #expect(first.detail == "agent user 1 has 3 connections that are not deleted")
        #expect(findings.map(\.id).contains("agentConnectionWithoutConnection") == false)
        let before = try world.contents()
        #expect(try !world.mend(findings).contains { $0.id == "agentProfileWithoutProfile" })
        let after = try world.contents()
        for table in ["agent users", "agent connections", "agent rcv_queues"] {
            #expect(after[table] == before[table], "\(table)")
        }
    }

    @Test("An agent user whose connections are all deleted is marked as deleting does, and each changed row is counted")
    func deleted() throws {
        let world = try crashed()
        try world.execute(["UPDATE connections SET deleted = 1 WHERE user_id = 1"], in: .agent)
        let findings = try world.checkup().findings.filter { $0.id == "agentProfileWithoutProfile" }
        #expect(findings.map(\.severity) == [.warning] && findings.map(\.isFixable) == [true])
        #expect(try world.mend(findings).map(\.changed) == [1])
        #expect(try world.test.count("SELECT deleted FROM users WHERE user_id = 1", in: .agent) == 1)
        #expect(try world.test.count("SELECT count(*) FROM messages", in: .agent) == 1)
    }

    @Test("Of several agent users without a profile, only those without connections in use are removed")
    func several() throws {
        let world = try crashed()
        try world.execute(["INSERT INTO users (user_id) VALUES (41), (42)"], in: .agent)
        let findings = try world.checkup().findings.filter { $0.id == "agentProfileWithoutProfile" }
        #expect(findings.map(\.detail) == ["agent user 1 has 3 connections that are not deleted"])
        #expect(findings.map(\.isFixable) == [true])
        #expect(try world.mend(findings).map(\.changed) == [2])
        #expect(try world.test.count("SELECT deleted FROM users WHERE user_id = 1", in: .agent) == 0)
        #expect(try world.test.count("SELECT count(*) FROM users WHERE user_id IN (41, 42)", in: .agent) == 0)
    }

    @Test("Connections of both sides are compared, however they lie to each other", arguments: 0..<4)
    func compared(_ seed: Int) throws {
        let world = try CheckWorld()
        var random = SplitMix64(seed: UInt64(seed))
        var (chat, agent): (Set<Int>, Set<Int>) = ([], [])
        for number in 0..<3000 {
            // Long runs on one side only, and single ones.
            let kind = seed == 0 ? number / 1100 : Int(random.next() % 4)
            if kind != 1 { chat.insert(number) }
            if kind != 2 { agent.insert(number) }
        }
        // In an order that is not that of the ids.
        let chatRows = chat.sorted().shuffled(using: &random).map {
            "(\(1000 + $0), 1, 'k\(key($0))', 'ready', 'contact')"
        }
        let agentRows = agent.sorted().map { "(CAST('k\(key($0))' AS BLOB), 1, 'INV')" }
        try world.execute([
            "INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type) VALUES "
                + chatRows.joined(separator: ", ")
        ])
        try world.execute(
            ["INSERT INTO connections (conn_id, user_id, conn_mode) VALUES " + agentRows.joined(separator: ", ")],
            in: .agent)
        let findings = try world.checkup().findings
        let counts = Dictionary(uniqueKeysWithValues: findings.map { ($0.id, $0.count) })
        #expect(counts["connectionWithoutAgent", default: 0] == chat.subtracting(agent).count)
        #expect(counts["agentConnectionWithoutConnection", default: 0] == agent.subtracting(chat).count)
    }
}
