import Foundation
import Testing

@Suite("group delete and the agent") struct GroupDeletingTests {
    @Test("group delete marks the agent connections of the group in the same command, and no others")
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
        // A refused command marks nothing.
        #expect(try demo("group", "delete", "id:1", "-u", "work", "--yes").code == 1)
        #expect(try demo.sql(marked, in: "x_agent.db").isEmpty)
        try demo.succeed("group", "delete", "id:1", "-u", "alice", "--yes")
        #expect(try demo.sql(marked, in: "x_agent.db") == "served")
    }

    /// Three messages in the channel of alice, two of them unread, and a file.
    private func filled() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3)
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT 1, 1, 0, '2026-01-01 00:00:00.000', iif(i < 3, 'rcv_new', 'rcv_read'), '{}', 'x' FROM n;
            INSERT INTO files (user_id, group_id, file_name, file_size, chunk_size, protocol)
            VALUES (1, 1, 'a.jpg', 1, 1, 'xftp');
            """)
        return demo
    }

    @Test("The question lists what is deleted with the group; no and Ctrl-C keep everything, and make no backup")
    func asked() throws {
        let demo = try filled()
        let run = try TerminalRun(["group", "delete", "news", "-u", "alice"], in: demo)
        let question = try run.terminal.read(until: "[y/N] ")
        #expect(question.contains("with everything in it: 3 messages (2 unread) and 1 file?"), "\(question)")
        run.terminal.type("n\n")
        #expect(try run.end().code == 1)
        let stopped = try TerminalRun(["group", "delete", "news", "-u", "alice"], in: demo)
        _ = try stopped.terminal.read(until: "[y/N] ")
        stopped.interrupt()
        #expect(try stopped.end().code == 130)
        #expect(try demo.sql("SELECT count(*) FROM chat_items") == "3")
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
    }

    @Test("The answer lists what was deleted, and names the backup that has all of it")
    func backedUp() throws {
        let demo = try filled()
        let answer = try demo.succeed("group", "delete", "news", "-u", "alice", "--yes", "--format", "json").answer()
        #expect(answer["contents"] == ["chatItems": 3, "unread": 2, "files": 1])
        let backup = try #require(answer["backup"]?.stringValue)
        let restored = try ToolRun()
        for file in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.copyItem(atPath: "\(backup)/\(file)", toPath: restored.file(file))
        }
        #expect(try restored.sql("SELECT count(*) FROM chat_items WHERE group_id = 1") == "3")
        #expect(try demo.sql("SELECT count(*) FROM chat_items") == "0")
    }

    @Test(
        "Without a backup nothing is deleted; --no-backup skips it, --backup-dir sets its folder, a refusal makes none")
    func backups() throws {
        let demo = try filled()
        try Data().write(to: URL(fileURLWithPath: demo.file("file")))
        let run = try demo("group", "delete", "id:1", "-u", "alice", "--yes", "--backup-dir", demo.file("file"))
        #expect(run.code == 74)
        #expect(try demo.sql("SELECT count(*) FROM groups") == "1")
        #expect(try demo("group", "delete", "id:1", "--no-backup", "--backup-dir", "x").code == 64)
        try demo.sql("UPDATE group_members SET member_role = 'member' WHERE member_category = 'user'")
        #expect(try demo("group", "delete", "id:1", "-u", "alice", "--yes").code == 1)
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
        try demo.sql("UPDATE group_members SET member_role = 'owner' WHERE member_category = 'user'")
        let text = try demo.succeed(
            "group", "delete", "id:1", "-u", "alice", "--yes", "--backup-dir", demo.file("kept"))
        #expect(text.output.contains("with 3 messages (2 unread) and 1 file."))
        #expect(text.output.contains(demo.file("kept")))
    }
}
