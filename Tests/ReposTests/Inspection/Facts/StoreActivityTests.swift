import ChatDBKit
import Testing

/// What the time line of `inspect` and of bundles reads.
@Suite struct StoreActivityTests {
    private func chat(of world: CheckWorld) throws -> ChatActivity {
        try world.test.store.read(.chat) { try ChatActivity(of: $0) }
    }

    private func agent(of world: CheckWorld) throws -> AgentActivity {
        try world.test.store.read(.agent) { try AgentActivity(of: $0) }
    }

    @Test("a message that is older than the searched entries is not found, and the answer says that there are older")
    func older() throws {
        let world = try CheckWorld()
        let few = try chat(of: world)
        #expect(few.lastSent != nil && few.lastReceived != nil && !few.hasOlder && few.unreadable == 0)
        try world.execute([
            """
            WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 1289)
            INSERT INTO chat_items (chat_item_id, user_id, contact_id, item_sent, item_ts, item_status, item_content,
                item_text)
            SELECT n, 1, 11, 0, '2026-07-20 09:05:00.120', 'rcv_read', '{}', '' FROM n
            """
        ])
        let many = try chat(of: world)
        #expect(many.lastSent == nil && many.lastReceived != nil && many.hasOlder)
    }

    @Test("a time that cannot be read is counted, and does not hide the others")
    func unreadable() throws {
        let world = try CheckWorld()
        try world.execute([
            "UPDATE chat_items SET created_at = '2026-07-20 09:05:00.120'",
            "UPDATE chat_items SET created_at = '2026-07-21 09:05:00.120' WHERE chat_item_id = 12",
            "UPDATE chat_items SET created_at = 'yesterday' WHERE chat_item_id = 13",
        ])
        let activity = try chat(of: world)
        #expect(activity.lastSent?.text == "2026-07-21 09:05:00.120" && activity.unreadable == 1)
        #expect(activity.lastReceived?.text == "2026-07-20 09:05:00.120")
        try world.execute(["UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = 1"])
        let others = try chat(of: world)
        #expect(others.lastReceived == nil && others.unreadable == 0 && others.lastSent != nil)
    }

    @Test("messages that wait are counted as the check counts them, without those of deleted connections")
    func waiting() throws {
        let world = try CheckWorld()
        try world.execute(
            [
                """
                INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type) VALUES
                    (x'6131', 8, '0 o''clock', 'A'), (x'6464', 9, '2020-01-01 00:00:00', 'A'),
                    (x'6464', 10, '2026-07-22 00:00:00', 'A')
                """,
                """
                INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id) VALUES
                    (x'6131', 1, 7), (x'6131', 1, 8), (x'6464', 1, 9)
                """,
            ], in: .agent)
        let activity = try agent(of: world)
        #expect(activity.waiting == 2 && activity.oldestWaiting?.text == "2026-07-20 09:05:00.120")
        let finding = try #require(try world.checkup().findings.first { $0.id == "undeliveredMessage" })
        // Another check has the time that cannot be read.
        #expect(finding.count == activity.waiting - 1 && finding.detail == "the oldest waits since 2026-07-20")
    }
}
