import ChatDBKit
import TestKit

/// A store on a server whose profiles have as much each: 16,000 contacts, 4,000 channels with three relays each, of
/// which the first has 20,000 members, 2,000 relays, and 200,000 messages. One message of five has the word common, one
/// of 10,000 the word seldom.
struct ServerProfiles {
    let connection: any StorageConnection
    private let server: PostgresServer
    private let database: String
    private let schema: String
    private let profiles: Int64

    init(_ name: String, profiles: Int64, _ server: PostgresServer, database: String, _ bench: Bench) throws {
        let store = try ServerStore("\(server.uri(database: database))&store=\(name)")
        try bench.chatdb("migrate", "run", "-d", store.description, "-q")
        for number in 1...profiles {
            try bench.chatdb("user", "add", "me \(number)", "--no-preset", "-d", store.description, "-q")
        }
        self.server = server
        self.database = database
        self.profiles = profiles
        schema = store.schema(of: .chat)
        try server.psql("SET search_path = \(schema), pg_temp;\n" + Self.rows, database: database)
        connection = try PostgresEngine(store).open(StoreLocation(server: store).path(of: .chat), as: .readOnly)
    }

    /// Runs SQL in the schema of the chat database.
    func psql(_ sql: String) throws -> String {
        try server.psql("SET search_path = \(schema), pg_temp;\n" + sql, database: database)
    }

    /// The channel of the first profile that has 20,000 members, and a member in the middle of them.
    var channel: Int64 { 1_001 }
    var middleMember: Int64 { 1_000_000 + 10_000 * profiles }

    /// The rows of all profiles are between each other, as they come when all are in use. The words of the messages are
    /// those that `search_words` finds in such simple texts, in a hundredth of the time.
    private static let rows = """
        SET session_replication_role = replica;
        BEGIN;
        CREATE TEMPORARY TABLE profile AS SELECT user_id AS u, count(*) OVER () AS profiles FROM users;
        INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
        SELECT 1000 + i * profiles + u, u, 'c' || i FROM generate_series(1, 16000) i, profile ORDER BY i, u;
        INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, contact_used, chat_ts)
        SELECT contact_profile_id, user_id, contact_profile_id, display_name, 1,
            to_char(timestamp '2026-01-01' + contact_profile_id * 7919 % 20011 * interval '1 min',
                'YYYY-MM-DD HH24:MI:SS.MS')
        FROM contact_profiles WHERE contact_profile_id > 1000 ORDER BY 1;
        INSERT INTO group_profiles (group_profile_id, user_id, display_name)
        SELECT 1000 + i * profiles + u, u, 'g' || i FROM generate_series(0, 3999) i, profile ORDER BY i, u;
        INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays, chat_ts)
        SELECT group_profile_id, user_id, group_profile_id, display_name, 1,
            to_char(timestamp '2026-01-01' + group_profile_id * 7907 % 20011 * interval '1 min',
                'YYYY-MM-DD HH24:MI:SS.MS')
        FROM group_profiles ORDER BY 1;
        INSERT INTO display_names (user_id, local_display_name, ldn_base)
        SELECT user_id, local_display_name, local_display_name FROM contacts WHERE is_user = 0
        UNION ALL
        SELECT user_id, local_display_name, local_display_name FROM groups;

        INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
            member_status, local_display_name, contact_profile_id)
        SELECT group_id, user_id, group_id, 'own', 'owner', 'user', 'creator', 'me', contact_profile_id
        FROM groups JOIN contacts USING (user_id) WHERE is_user = 1
        UNION ALL
        SELECT 100000 + group_id * 3 + k, user_id, group_id, 'relay ' || k, 'relay', 'invitee', 'connected', 'relay', 1
        FROM groups, generate_series(0, 2) k
        UNION ALL
        SELECT 1000000 + i * profiles + u, u, 1000 + u, 'member ' || i, 'observer', 'post', 'connected',
            'member ' || i, 1
        FROM generate_series(1, 20000) i, profile
        ORDER BY 1;
        INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key, display_name)
        SELECT i * profiles + u, u, 'https://r' || i || '.example.org/r#k', 'r#k@r' || i, 'relay ' || i
        FROM generate_series(0, 1999) i, profile ORDER BY 1;
        INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
        SELECT group_id, group_member_id,
            ((group_id - 1000 - u) / profiles * 3 + group_member_id % 3) % 2000 * profiles + u,
            CASE member_id WHEN 'relay 0' THEN 'active' ELSE 'new' END
        FROM group_members JOIN profile ON u = user_id WHERE member_role = 'relay' ORDER BY group_member_id;

        INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, contact_id)
        SELECT user_id, 'c' || contact_id, 'ready', 'contact', contact_id FROM contacts WHERE is_user = 0;
        INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
        SELECT user_id, 'm' || group_member_id, 'ready', 'member', group_member_id FROM group_members;
        INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, updated_at)
        SELECT u, 'n' || u || ' ' || i, 'new', 'contact', '2025-12-01 00:00:00.000'
        FROM generate_series(1, 20) i, profile;

        INSERT INTO chat_items (chat_item_id, user_id, contact_id, group_id, item_sent, item_ts, item_status,
            item_content, item_text)
        SELECT i * profiles + u, u, CASE WHEN i % 4 > 0 THEN 1000 + (1 + i * 7919 % 15999) * profiles + u END,
            CASE WHEN i % 4 = 0 THEN 1000 + i * 7907 / 4 % 4000 * profiles + u END, i % 2,
            to_char(timestamp '2025-06-01' + i * interval '1 min', 'YYYY-MM-DD HH24:MI:SS.MS'),
            CASE WHEN i % 2 = 1 THEN 'snd_sent' WHEN i % 78 = 0 THEN 'rcv_new' ELSE 'rcv_read' END, '{}',
            'word' || i % 5000 || ' and ' || to_hex(i * 7919)
                || CASE WHEN i % 5 = 0 THEN ' common in many of these texts' ELSE '' END
                || CASE WHEN i % 10000 = 0 THEN ' seldom' ELSE '' END
        FROM generate_series(1, 200000) i, profile ORDER BY 1;
        INSERT INTO chat_items_fts
        SELECT chat_item_id, (
            SELECT string_agg(user_id || '/' || word || ':' || place, ' ')::tsvector
            FROM unnest(string_to_array(item_text, ' ')) WITH ORDINALITY AS words (word, place))
        FROM chat_items ORDER BY 1;
        DROP TABLE profile;
        COMMIT;
        VACUUM ANALYZE;

        """
}
