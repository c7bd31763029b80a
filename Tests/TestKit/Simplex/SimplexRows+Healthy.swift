import ChatDBKit

/// What makes the rows of `SimplexRows` those of a healthy store: nothing is missing on either side, every profile can
/// be used, and all references lead to a row. It also has what other rows lack: a group that the profile left, a
/// member whose messages are not shown, and messages that are deleted or blocked.
extension SimplexRows {
    /// The statements for the tables that a version has.
    static func remedies(of database: DatabaseName, in tables: [String: SimplexSchema.Table]) -> [String] {
        (database == .chat ? chatRemedies : agentRemedies).filter { tables[$0.table] != nil }.map(\.sql)
    }

    private static let chatRemedies: [(table: String, sql: String)] = [
        ("users", "DELETE FROM users WHERE user_id = 4"),
        ("contacts", "DELETE FROM contacts WHERE user_id = 4"),
        ("contact_profiles", "DELETE FROM contact_profiles WHERE user_id = 4"),
        ("display_names", "DELETE FROM display_names WHERE user_id = 4"),
        ("users", "UPDATE users SET show_ntfs = 0 WHERE user_id = 3"),
        (
            "group_profiles",
            """
            INSERT INTO group_profiles (group_profile_id, display_name, full_name, user_id, preferences)
            VALUES (5, 'left', '', 1, '\(preferences)')
            """
        ),
        (
            "groups",
            """
            INSERT INTO groups (group_id, user_id, local_display_name, group_profile_id, created_at, updated_at)
            VALUES (5, 1, 'left', 5, \(time), \(time))
            """
        ),
        (
            "group_members",
            """
            INSERT INTO group_members (group_member_id, group_id, member_id, member_role, member_category, member_status,
                user_id, local_display_name, contact_profile_id, show_messages, member_restriction)
            SELECT 50, 5, CAST('m50' AS BLOB), member_role, member_category, 'left', user_id, local_display_name,
                contact_profile_id, show_messages, member_restriction
            FROM group_members WHERE group_member_id = 10
            """
        ),
        (
            "group_members",
            """
            UPDATE group_members SET local_display_name = (
                SELECT local_display_name FROM users WHERE users.user_id = group_members.user_id)
            WHERE member_category = 'user'
            """
        ),
        (
            "display_names",
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix)
            SELECT user_id, local_display_name, local_display_name, 0 FROM (
                SELECT user_id, local_display_name FROM group_members
                UNION SELECT user_id, local_display_name FROM groups) AS names
            WHERE NOT EXISTS (
                SELECT 1 FROM display_names WHERE display_names.user_id = names.user_id
                    AND display_names.local_display_name = names.local_display_name)
            """
        ),
        (
            "protocol_servers",
            """
            INSERT INTO protocol_servers (host, port, key_hash, preset, user_id, protocol)
            SELECT protocol || users.user_id || '.example.org', '', \(bytes(serverKey)), 0, users.user_id, protocol
            FROM users JOIN (SELECT 'smp' AS protocol UNION SELECT 'xftp')
            """
        ),
        // The app can read all that it reads when it starts.
        (
            "server_operators",
            "UPDATE server_operators SET server_domains = 'nobody.example.org' WHERE server_operator_tag IS NULL"
        ),
        ("operator_usage_conditions", "UPDATE operator_usage_conditions SET auto_accepted = 0"),
        (
            "chat_relays",
            """
            UPDATE chat_relays SET address = \(bytes("https://odd.example.org/r#\(otherKey)")) WHERE chat_relay_id = 6
            """
        ),
        // The hidden profile can create channels too.
        (
            "chat_relays",
            """
            INSERT INTO chat_relays (address, display_name, domains, user_id)
            SELECT address, 'private', '', 3 FROM chat_relays WHERE chat_relay_id = 4
            """
        ),
        ("connections", "DELETE FROM connections WHERE connection_id = 3"),
        ("group_relays", "UPDATE group_relays SET relay_link = \(bytes("simplex:/r#x")) WHERE relay_link IS NULL"),
        ("file_badge_proofs", "DELETE FROM file_badge_proofs"),
        ("group_members", "UPDATE group_members SET show_messages = 0 WHERE group_member_id = 25"),
        // Deleted, blocked, and blocked by an admin.
        (
            "chat_items",
            """
            INSERT INTO chat_items (chat_item_id, user_id, group_id, group_member_id, item_sent, item_ts, item_content,
                item_text, item_status, item_deleted, item_deleted_ts)
            SELECT 1 + kind, 1, 2, 25, 0, \(time), '{}', 'hello', 'rcv_read', kind, \(time)
            FROM (SELECT 1 AS kind UNION SELECT 2 UNION SELECT 3)
            """
        ),
        ("chat_tags", "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text, tag_order) VALUES (1, 1, 'tag', 1)"),
        ("chat_tags_chats", "INSERT INTO chat_tags_chats (contact_id, chat_tag_id) VALUES (11, 1)"),
    ]

    /// All connections have a queue in each direction. One message was sent, and nothing waits.
    private static let agentRemedies: [(table: String, sql: String)] = [
        ("connections", "DELETE FROM connections WHERE user_id = 7"), ("users", "DELETE FROM users WHERE user_id = 7"),
        (
            "connections",
            "INSERT INTO connections (conn_id, conn_mode, user_id) VALUES (\(bytes("Y2Fyb2w=")), 'INV', 1)"
        ),
        (
            "rcv_queues",
            """
            INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key, snd_id,
                status, rcv_queue_id, rcv_primary)
            SELECT 'smp8.simplex.im', '5223', conn_id, conn_id, x'01', x'02', x'03', CAST('s' || conn_id AS BLOB), 'active', 1, 1
            FROM connections
            """
        ),
        (
            "snd_queues",
            """
            INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_private_key, e2e_dh_secret, status, snd_queue_id,
                snd_primary)
            SELECT 'smp8.simplex.im', '5223', conn_id, conn_id, x'01', x'02', 'active', 1, 1 FROM connections
            """
        ),
        (
            "messages",
            """
            INSERT INTO messages (conn_id, internal_id, internal_ts, internal_snd_id, msg_type)
            SELECT conn_id, 1, \(time), 1, x'4d' FROM connections
            """
        ),
        (
            "snd_messages",
            """
            INSERT INTO snd_messages (conn_id, internal_snd_id, internal_id, internal_hash)
            SELECT conn_id, 1, 1, x'00' FROM connections
            """
        ),
        ("connections", "UPDATE connections SET last_internal_msg_id = 1, last_internal_snd_msg_id = 1"),
    ]
}
