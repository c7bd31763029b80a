import ChatDBKit
import Foundation

/// `inspect` of a large store, against the shell, which reads the same: the schema, the number of rows of each table, and
/// the channels with their relays.
struct InspectBench {
    let bench: Bench
    /// The size of the store, in MiB.
    let megabytes: Int
    /// The limit of memory, in MiB.
    static let mostMemory = 64

    init(_ bench: Bench, megabytes: Int) {
        self.bench = bench
        self.megabytes = megabytes
    }

    func measure() throws -> [Measurement] {
        let store = try store()
        return [
            try compare("inspect", aim: 1.5, store, "", "--format", "json"),
            try compare(
                "inspect --sizes", aim: 1.2, store, "SELECT name, sum(pgsize) FROM dbstat GROUP BY name;\n", "--format",
                "json",
                "--sizes"),
        ]
    }

    /// The prefix of the store, which is made once.
    func store() throws -> String {
        let store = bench.folder + "/page"
        if !FileManager.default.fileExists(atPath: store + "_chat.db") { try fill(store) }
        return store
    }

    private func compare(
        _ work: String, aim: Double, _ store: String, _ sizes: String, _ options: String...
    ) throws -> Measurement {
        let counts = try DatabaseName.allCases.map { database in
            let channels = database == .chat ? Self.channels : ""
            let sql = try SmallStore.schema + Self.counts(store, database) + channels + sizes
            return (store + "_\(database).db", try bench.script("counts-\(database).sql", sql))
        }
        var memory = 0
        let medians = try bench.compare({}) {
            let usage = try bench.run(bench.tool, ["inspect", "-d", store] + options)
            memory = max(memory, usage.memory >> 20)
        } peer: {
            for (file, script) in counts { try bench.sqlite(file, script: script) }
        }
        let bytes = try FileManager.default.attributesOfItem(atPath: store + "_chat.db")[.size] as? Int ?? 0
        return Measurement(
            work: "\(work) of a store of \(bytes >> 20) MiB (whole process)", ours: medians.ours, peer: medians.peer,
            aim: aim, note: "\(memory) MiB; at most \(Self.mostMemory) MiB", breaksLimit: memory > Self.mostMemory)
    }

    private static let channels = """
        SELECT groups.group_id, groups.local_display_name, groups.use_relays, groups.creating_in_progress, groups.chat_ts,
            group_profiles.display_name, group_profiles.group_link, own.member_role, own.member_status
        FROM groups JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
        JOIN group_members AS own ON own.group_id = groups.group_id AND own.member_category = 'user'
        WHERE groups.use_relays = 1 ORDER BY groups.chat_ts DESC;
        SELECT group_relays.group_id, group_relays.relay_status, group_members.member_status, chat_relays.*
        FROM group_relays JOIN group_members ON group_members.group_member_id = group_relays.group_member_id
        JOIN chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id ORDER BY group_relays.group_id;

        """

    static func counts(_ store: String, _ database: DatabaseName) throws -> String {
        let connection = try SQLiteEngine().open(store + "_\(database).db", as: .readOnly)
        defer { try? connection.close() }
        let tables = try connection.space(everyPage: false).tables
        return "SELECT " + tables.map { "(SELECT count(*) FROM \"\($0.name)\")" }.joined(separator: ", ") + ";\n"
    }

    /// Makes messages of about 1 KiB, an item for one message of four, and 200 channels with three relays each.
    private func fill(_ store: String) throws {
        try bench.chatdb("migrate", "run", "-d", store, "-q")
        try bench.chatdb("user", "add", "me", "-d", store)
        let messages = megabytes * 840
        try bench.sqlite(
            store + "_chat.db",
            script: bench.script(
                "page.sql",
                """
                PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= \(messages))
                INSERT INTO messages (user_id, msg_sent, chat_msg_event, msg_body, connection_id)
                SELECT 1, 0, 'x.msg.new', hex(zeroblob(450)), i / 5000 FROM n;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= \(messages / 4))
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT 1, i / 5000, 0, strftime('%Y-%m-%d %H:%M:%f', 1750000000 + i, 'unixepoch'), 'rcv_read', '{}', 'a few words'
                FROM n;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                INSERT INTO group_profiles (group_profile_id, user_id, display_name) SELECT i, 1, 'c' || i FROM n;
                INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays)
                SELECT group_profile_id, 1, group_profile_id, display_name, 1 FROM group_profiles;
                INSERT INTO group_members (user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id)
                SELECT 1, group_id, 'm', 'owner', 'user', 'creator', 'me', 1 FROM groups;
                INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
                SELECT group_id, 1000000 + group_id * 3 + k, k + 1, CASE k WHEN 0 THEN 'active' ELSE 'new' END
                FROM groups, (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2);
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                    member_status, local_display_name, contact_profile_id)
                SELECT group_member_id, 1, group_id, 'r' || chat_relay_id, 'relay', 'invitee', 'connected', 'relay', 1
                FROM group_relays;
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
                """))
    }
}
