import ChatDBKit
import Foundation

/// The progress of the relays of 10,000 channels at once: half of them are the profile's own, the other half it
/// subscribes to, each with three relays.
struct ProgressBench {
    let bench: Bench
    private static let channels = 10_000

    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> Measurement {
        let connection = try fill()
        defer { try? connection.close() }
        let sql = try bench.script("progress.sql", Self.owned + "\nUNION ALL\n" + Self.subscribed + ";\n")
        let times = try bench.compare({}) {
            let progress = try connection.read { try GroupRelaysRepo($0).progress(of: UserID(1)) }
            guard progress.count == Self.channels,
                progress.allSatisfy({ $1.total == 3 && $1.failed == 1 && $1.active == (1 + ($0.rawValue + 1) % 2) })
            else { throw Failed(what: "wrong answer") }
        } peer: {
            try bench.sqlite(bench.folder + "/progress_chat.db", script: sql)
        }
        return Measurement(
            work: "progress of 10,000 channels, in process", ours: times.ours, peer: times.peer, aim: 1.2)
    }

    // The fastest statements of several that were tried: the status of a connection is read once a member.

    private static let owned = """
        SELECT group_id, count(*), sum(status = 'active'), sum(status IN ('rejected', 'inactive')) FROM (
            SELECT p.group_id, max(p.group_relay_id), CASE WHEN p.relay_status <> 'rejected'
                AND m.member_status IN (\(ended)) THEN 'inactive' ELSE p.relay_status END AS status
            FROM groups g JOIN group_relays p ON p.group_id = g.group_id
            JOIN group_members m ON m.group_member_id = p.group_member_id
            WHERE g.user_id = 1 GROUP BY p.group_id, p.chat_relay_id)
        GROUP BY group_id
        """

    private static let subscribed = """
        SELECT group_id, count(*), sum(member_status IN ('connected', 'complete', 'creator') AND NOT failed), sum(failed)
        FROM (
            SELECT group_id, member_status, relay_failure IS NOT NULL OR member_status IN (\(ended))
                OR coalesce(conn IN ('deleted', 'failed') OR conn LIKE 'failed _%', 0) AS failed
            FROM (
                SELECT m.group_id, m.member_status, m.relay_failure,
                    (SELECT c.conn_status FROM connections c WHERE c.group_member_id = m.group_member_id
                        ORDER BY c.connection_id DESC LIMIT 1) AS conn
                FROM groups g
                LEFT JOIN group_members own ON own.group_id = g.group_id AND own.member_category = 'user'
                JOIN group_members m ON m.group_id = g.group_id AND m.member_role = 'relay'
                    AND m.member_category <> 'user'
                WHERE g.user_id = 1 AND g.use_relays = 1 AND coalesce(own.member_role, '') NOT IN ('owner', 'relay')
                    AND NOT EXISTS (
                        SELECT 1 FROM group_members other WHERE other.group_id = m.group_id
                            AND other.member_role = 'relay' AND other.relay_link = m.relay_link
                            AND (other.member_status NOT IN (\(ended)), other.group_member_id)
                                > (m.member_status NOT IN (\(ended)), m.group_member_id))
                    AND NOT EXISTS (SELECT 1 FROM group_relays p WHERE p.group_member_id = m.group_member_id)
                LIMIT -1))
        GROUP BY group_id
        """

    private static let ended = "'left', 'removed', 'rejected', 'deleted'"

    private func fill() throws -> any StorageConnection {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/progress", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/progress", "-q")
        try bench.sqlite(
            "\(bench.folder)/progress_chat.db",
            script: bench.script(
                "fill-progress.sql",
                """
                PRAGMA foreign_keys = OFF; BEGIN;
                CREATE TEMP TABLE k (k); INSERT INTO k VALUES (0), (1), (2);
                INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key)
                SELECT k + 1, 1, 'https://r' || k || '.example.org/r#k', k FROM k;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.channels))
                INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays)
                SELECT i, 1, i, 'c' || i, 1 FROM n;
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                    member_status, local_display_name, contact_profile_id)
                SELECT group_id, 1, group_id, 'm', iif(group_id % 2, 'owner', 'observer'), 'user',
                    iif(group_id % 2, 'creator', 'connected'), 'me', 1 FROM groups;
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                    member_status, local_display_name, contact_profile_id, relay_link)
                SELECT 1000000 + group_id * 3 + k, 1, group_id, 'r' || k, 'relay',
                    iif(group_id % 2, 'invitee', 'host'), 'connected', 'relay', 1,
                    'https://r' || k || '.example.org/r#' || group_id
                FROM groups, k;
                INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
                SELECT group_id, 1000000 + group_id * 3 + k, k + 1,
                    CASE k WHEN 0 THEN 'active' WHEN 1 THEN 'rejected' ELSE 'new' END
                FROM groups, k WHERE group_id % 2;
                INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
                SELECT 1, 'c' || group_member_id, iif(member_id = 'r2', 'failed x', 'ready'), 'member', group_member_id
                FROM group_members WHERE member_role = 'relay' AND member_category = 'host';
                COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);

                """))
        return try SQLiteEngine().open("\(bench.folder)/progress_chat.db", as: .readOnly)
    }
}
