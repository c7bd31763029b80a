import ChatDBKit
import Testing

/// Rule: docs/checks.md, `connectionWithoutAgent`.
@Suite("Connections of members in findings")
struct MemberConnectionsTests {
    /// Adds a connection of a member that the agent database lacks.
    private func add(_ number: Int, _ member: String, to world: CheckWorld) throws {
        try world.execute([
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (\(number), 1, 'none\(number)', 'ready', 'member', \(member))
            """
        ])
    }

    private static let relay = "(SELECT group_member_id FROM group_relays WHERE group_relay_id = 1)"

    private func finding(_ world: CheckWorld, _ id: String = "connectionWithoutAgent") throws -> Finding {
        try #require(try world.checkup().findings.first { $0.id == id })
    }

    @Test("The connection of a member has its group, and one with a relay of an own channel has the relay too")
    func groups() throws {
        let world = try CheckWorld()
        try add(15, Self.relay, to: world)
        try add(16, "12", to: world)
        let found = try finding(world)
        #expect(found.rows.map(\.row) == [15, 16] && found.rows.map(\.groupID) == [1, 11], "\(found.rows)")
        #expect(found.rows.map(\.userID) == [1, 1])
        #expect(found.rows[0].ownRelay?.row == 1 && found.rows[0].ownRelay?.hasEnded == false)
        #expect(found.rows[1].ownRelay == nil)
        #expect(
            found.sample.map(found.shown) == [
                "connection 15 of relay row 1 of group 1 (profile 1)", "connection 16 (profile 1)",
            ])
        try world.execute([CheckFault.hide])
        #expect(try finding(world).rows.map(\.userID) == [nil, nil])
    }

    @Test("A relay is the owner's only in a channel that the profile owns, and its membership may have ended")
    func owners() throws {
        let world = try CheckWorld()
        try add(15, Self.relay, to: world)
        try world.execute(["UPDATE group_members SET member_status = 'removed' WHERE member_role = 'relay'"])
        #expect(try finding(world).rows.first?.ownRelay?.hasEnded == true)
        try world.execute(["UPDATE group_members SET member_role = 'admin' WHERE member_role = 'owner'"])
        let row = try #require(try finding(world).rows.first)
        #expect(row.ownRelay == nil && row.groupID == 1)
    }

    @Test("A finding of the agent database has the connections of the chat database, each once")
    func agent() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE connections SET ratchet_sync_state = 'required'"], in: .agent)
        let found = try finding(world, "ratchetOutOfSync")
        #expect(Set(found.rows.map(\.row)) == [11, 12, 13, 21], "\(found.rows)")
        #expect(found.rows.first { $0.row == 12 }?.groupID == 11)
        #expect(found.rows.allSatisfy { $0.table == "connections" && $0.database == .chat })
    }
}
