import ChatDBKit
import Foundation
import Testing

/// Rule: docs/domain.md, "Group relays", Lost connections.
@Suite("lost connections with the relays of a channel")
struct LostRelayConnectionTests {
    /// Adds a connection of a member of the demo's channel that the agent database lacks. Members 2 and 3 are relays.
    private func add(_ number: Int, _ member: Int, status: String = "ready", to demo: ToolRun) throws {
        try demo.sql(
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (\(number), 1, 'key\(number)', '\(status)', 'member', \(member))
            """)
    }

    /// The databases that lost the connection, in the order of the relays.
    private func lost(_ demo: ToolRun) throws -> [JSONValue?] {
        let answer = try demo("group", "relays", "news", "-u", "alice", "--format", "json").answer()
        return (answer["relays"]?.arrayValue ?? []).map { $0["lostConnection"] }
    }

    @Test("a connection that the agent database lacks: the state and a warning say so, as check does")
    func agent() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE group_relay_id = 1")
        #expect(try lost(demo) == [.null, .null])
        try add(77, 2, to: demo)
        #expect(try lost(demo) == ["agent", .null])
        for command in ["relays", "show"] {
            let text = try demo("group", command, "news", "-u", "alice").output
            #expect(text.contains("enabled, connection missing"), "\(text)")
            #expect(text.contains("warning: the agent database has no connection with the relay mine"), "\(text)")
            let step = "its remedy has the next step. If it does not find that, or does not decide it, remove"
            #expect(text.contains("finds connectionWithoutAgent, \(step)"), "\(text)")
            #expect(text.contains("1 of 2\(command == "relays" ? " active" : ""), but without a connection"), "\(text)")
        }
        #expect(try demo("check").output.contains("connectionWithoutAgent"))
        let csv = try demo("group", "relays", "news", "-u", "alice", "--format", "csv").output
        #expect(csv.contains(",lostConnection\n") && csv.contains(",agent\n"), "\(csv)")
    }

    @Test("a connection that was given up is not lost, and neither is that of a relay that is no longer in the channel")
    func ended() throws {
        let demo = try DemoStore.make()
        try add(77, 2, status: "deleted", to: demo)
        try add(78, 3, to: demo)
        try demo.sql("UPDATE group_members SET member_status = 'removed' WHERE group_member_id = 3")
        #expect(try lost(demo) == [.null, .null])
    }

    @Test("a relay that was asked, and with which the chat database has no connection, while it has others")
    func chat() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE group_relay_id = 1")
        try add(78, 3, to: demo)
        #expect(try lost(demo) == ["chat", "agent"])
        let text = try demo("group", "relays", "news", "-u", "alice").output
        #expect(text.contains("warning: the chat database has no connection with the relay mine"), "\(text)")
        // Without the agent database, nothing is known about its rows.
        try FileManager.default.removeItem(atPath: demo.file("x_agent.db"))
        #expect(try lost(demo) == ["chat", .null])
        try demo.sql("UPDATE group_relays SET relay_status = 'active'")
        let both = try demo("group", "relays", "news", "-u", "alice").output
        #expect(both.hasPrefix("Relays of news: 2 of 2 active, 1 of them without a connection\n"), "\(both)")
    }
}
