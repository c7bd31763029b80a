import ChatDBKit
import Foundation

/// The use of all relays of a profile, and of one relay, among 10,000 relays, 100,000 channels and 300,000 group
/// relays.
struct RelayUseBench {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        let large = try fill("relays", relays: 10_000, channels: 100_000)
        let small = try fill("few", relays: 100, channels: 1_000)
        defer { for connection in [large, small] { try? connection.close() } }
        let user = UserID(1)
        let sql = try bench.script(
            "use.sql",
            """
            SELECT r.*, count(DISTINCT CASE WHEN g.relay_status NOT IN ('rejected', 'inactive') THEN m.group_id END),
                count(DISTINCT CASE WHEN g.relay_status = 'active' THEN m.group_id END)
            FROM chat_relays r LEFT JOIN (
                SELECT g.chat_relay_id, g.group_id,
                    CASE WHEN part.member_status IN ('left', 'removed', 'rejected', 'deleted') THEN 'inactive'
                    ELSE g.relay_status END AS relay_status
                FROM group_relays g JOIN group_members part ON part.group_member_id = g.group_member_id
                WHERE NOT EXISTS (
                    SELECT 1 FROM group_relays later WHERE later.chat_relay_id = g.chat_relay_id
                        AND later.group_id = g.group_id AND later.group_relay_id > g.group_relay_id)
            ) g ON g.chat_relay_id = r.chat_relay_id
            LEFT JOIN group_members m ON m.group_id = g.group_id AND m.user_id = r.user_id AND m.member_category = 'user'
                AND m.member_status IN ('introduced', 'intro-inv', 'accepted', 'announced', 'connected', 'complete', 'creator')
            WHERE r.user_id = 1 AND r.deleted = 0 GROUP BY r.chat_relay_id ORDER BY r.preset DESC, r.chat_relay_id;
            """)
        let all = try bench.compare({}) {
            let usage = try large.read { try ChatRelaysRepo($0).usage(of: user) }
            guard usage.count == 10_000, usage.allSatisfy({ $0.use.using == 30 }) else {
                throw Failed(what: "wrong answer")
            }
        } peer: {
            try bench.sqlite(bench.folder + "/relays_chat.db", script: sql)
        }
        let one = try [large, small].map { connection in
            try connection.read { chat in
                let relays = ChatRelaysRepo(chat)
                return Bench.median(
                    try (1...201).map { number in
                        try bench.seconds { _ = try relays.use(of: ChatRelayID(Int64(number % 99 + 1)), of: user) }
                    })
            }
        }
        return [
            Measurement(work: "use of all relays, in process", ours: all.ours, peer: all.peer, aim: 1.2),
            Measurement(
                work: "use of one relay among 10,000, against one among 100", ours: one[0], peer: one[1], aim: 2),
        ]
    }

    private func fill(_ name: String, relays: Int, channels: Int) throws -> any StorageConnection {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/\(name)", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/\(name)")
        try bench.sqlite(
            "\(bench.folder)/\(name)_chat.db",
            script: bench.script(
                "\(name).sql",
                """
                PRAGMA foreign_keys = OFF; BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(relays))
                INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key, display_name, domains)
                SELECT i, 1, 'https://r' || i || '.example.org/r#k', 'r#k@r' || i, 'relay ' || i, '' FROM n;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(channels))
                INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays) SELECT i, 1, i, 'c' || i, 1 FROM n;
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category, member_status, local_display_name, contact_profile_id)
                SELECT group_id, 1, group_id, 'm', 'owner', 'user', 'creator', 'me', 1 FROM groups;
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category, member_status, local_display_name, contact_profile_id)
                SELECT 1000000 + group_id * 3 + k, 1, group_id, 'r' || k, 'relay', 'invitee', 'connected', 'relay', 1
                FROM groups, (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2);
                INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
                SELECT group_id, 1000000 + group_id * 3 + k, (group_id * 3 + k) % \(relays) + 1, CASE k WHEN 0 THEN 'active' ELSE 'new' END
                FROM groups, (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2);
                COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);
                """))
        return try SQLiteEngine().open("\(bench.folder)/\(name)_chat.db", as: .readOnly)
    }
}
