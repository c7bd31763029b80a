import Testing

@Suite("group delete and the agent") struct GroupDeletingTests {
    @Test("the connections that served a group are marked in the agent by the same command, and no other")
    func marks() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            SELECT 1, 'served', 'ready', 'member', group_member_id FROM group_members
            WHERE group_id = 1 AND member_role = 'relay' ORDER BY group_member_id LIMIT 1
            """)
        try demo.sql(
            """
            INSERT INTO connections (conn_id, user_id, conn_mode)
            VALUES (CAST('served' AS BLOB), 1, 'INV'), (CAST('other' AS BLOB), 1, 'INV')
            """, in: "x_agent.db")
        let marked = "SELECT CAST(conn_id AS TEXT) FROM connections WHERE deleted = 1"
        // Refused, nothing is marked.
        #expect(try demo("group", "delete", "id:1", "-u", "work", "--yes").code == 1)
        #expect(try demo.sql(marked, in: "x_agent.db").isEmpty)
        try demo.succeed("group", "delete", "id:1", "-u", "alice", "--yes")
        #expect(try demo.sql(marked, in: "x_agent.db") == "served")
    }
}
