import ChatDBKit
import Foundation

/// Pages of the members of a channel that has 100,000 subscribers.
struct MembersBench {
    let bench: Bench
    private static let user = UserID(1)
    private static let channel = GroupID(1)
    private static let subscribers = 100_000
    /// The number of pages. They are spread over all members.
    private static let starts = (0..<500).map { Int64($0) * 199 }

    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        let connection = try fill()
        defer { try? connection.close() }
        let current = "'introduced', 'intro-inv', 'accepted', 'announced', 'connected', 'complete', 'creator'"
        let subscribers = try compare(
            where: "member_role NOT IN ('owner', 'relay') AND member_status IN (\(current))", connection
        ) { chat, start in
            try GroupMembersRepo(chat).subscribers(of: Self.channel, of: Self.user, after: start, limit: 100)
        }
        let members = try compare(where: "1", connection) { chat, start in
            try GroupMembersRepo(chat).page(of: Self.channel, of: Self.user, after: start, limit: 100)
        }
        let of = "of a channel with 100,000 subscribers, \(Self.starts.count) times"
        return [
            Measurement(work: "page of subscribers \(of)", ours: subscribers.ours, peer: subscribers.peer, aim: 1.2),
            Measurement(work: "page of all members \(of)", ours: members.ours, peer: members.peer, aim: 1.2),
        ]
    }

    private func compare(
        where condition: String, _ connection: any StorageConnection,
        _ page: (any ReadTransaction, GroupMemberID) throws -> GroupMemberPage
    ) throws -> (ours: Double, peer: Double) {
        let pages = Self.starts.map { start in
            """
            SELECT group_member_id, group_id, member_id, local_display_name, member_role, member_category,
                member_status, relay_link, member_restriction, show_messages, invited_by_group_member_id, invited_by,
                (SELECT is_user FROM contacts WHERE contacts.contact_id = invited_by), contact_id, member_profile_id
            FROM group_members
            WHERE group_id = 1 AND \(condition) AND group_member_id > \(start)
            ORDER BY group_member_id LIMIT 101;
            """
        }
        let script = try bench.script("members.sql", pages.joined(separator: "\n") + "\n")
        return try bench.compare({}) {
            try connection.read { chat in
                for start in Self.starts {
                    guard try page(chat, GroupMemberID(start)).members.count == 100 else {
                        throw Failed(what: "wrong answer")
                    }
                }
            }
        } peer: {
            try bench.sqlite("\(bench.folder)/members_chat.db", script: script)
        }
    }

    private func fill() throws -> any StorageConnection {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/members", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/members", "-q")
        try bench.sqlite(
            "\(bench.folder)/members_chat.db",
            script: bench.script(
                "fill-members.sql",
                """
                PRAGMA foreign_keys = OFF; BEGIN;
                INSERT INTO group_profiles (group_profile_id, user_id, display_name)
                VALUES (1, 1, 'news'), (2, 1, 'other');
                INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays)
                VALUES (1, 1, 1, 'news', 1), (2, 1, 2, 'other', 1);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 2 * \(Self.subscribers))
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                    member_status, local_display_name, contact_profile_id)
                SELECT i, 1, CASE WHEN i <= \(Self.subscribers) THEN 1 ELSE 2 END, 'member ' || i, 'observer', 'post',
                    'connected', 'member ' || i, i FROM n;
                COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);

                """))
        return try SQLiteEngine().open("\(bench.folder)/members_chat.db", as: .readOnly)
    }
}
