import ChatDBKit

/// A store in order, with one thing of every kind that checks look at, and what tests of checks do with it.
struct CheckWorld {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        let relay = try test.addRelay("relay.example", name: "one", of: alice)
        try test.addRelay("relay.example", name: "one", of: bob)
        try test.addRelay("other.example", name: "two", of: alice)
        try test.addChannel("news", relays: [relay], of: alice)
        try execute(
            [
                "UPDATE groups SET creating_in_progress = 0",
                "UPDATE group_profiles SET group_link = 'https://h.example/news'",
            ] + Self.chatRows, in: .chat)
        try execute(Self.agentRows, in: .agent)
    }

    /// Numbers: alice's own are below 20, bob's above; what is alone has the number 11.
    private static let chatRows = [
        "INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix) VALUES (1, 'carol', 'carol', 0), (1, 'carol_1', 'carol', 1), (1, 'dan', 'dan', 0), (1, 'group', 'group', 0), (1, 'eve', 'eve', 0), (2, 'carol', 'carol', 0)",
        "INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, incognito) VALUES (11, 1, 'carol', 0), (12, 1, 'carol', 0), (13, 1, 'dan', 0), (14, 1, 'nobody', 1), (15, 1, 'eve', 0), (21, 2, 'carol', 0)",
        "INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name) VALUES (11, 1, 11, 'carol'), (12, 1, 12, 'carol_1'), (21, 2, 21, 'carol')",
        "INSERT INTO user_contact_links (user_contact_link_id, user_id, conn_req_contact) VALUES (11, 1, 'link'), (21, 2, 'link')",
        "INSERT INTO contact_requests (contact_request_id, user_id, user_contact_link_id, agent_invitation_id, contact_profile_id, local_display_name) VALUES (11, 1, 11, 'i', 15, 'eve')",
        "INSERT INTO group_profiles (group_profile_id, user_id, display_name) VALUES (11, 1, 'group')",
        "INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, conn_full_link_to_connect) VALUES (11, 1, 11, 'group', 'link')",
        """
        INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
            member_status, local_display_name, contact_profile_id, contact_id) VALUES
            (11, 1, 11, 'a', 'member', 'user', 'unknown', 'alice', 14, 1),
            (12, 1, 11, 'b', 'member', 'pre', 'connected', 'dan', 13, NULL),
            (13, 1, 11, 'c', 'member', 'pre', 'connected', 'carol', 11, 11)
        """,
        """
        INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, contact_id,
            group_member_id, user_contact_link_id, custom_user_profile_id, to_subscribe) VALUES
            (11, 1, 'a1', 'ready', 'contact', 11, NULL, NULL, 14, 1), (12, 1, 'a2', 'ready', 'member', NULL, 12, NULL, NULL, 1),
            (13, 1, 'a3', 'ready', 'user_contact', NULL, NULL, 11, NULL, 1), (14, 1, 'gone', 'deleted', 'contact', NULL, NULL, NULL, NULL, 0),
            (21, 2, 'b1', 'ready', 'contact', 21, NULL, NULL, NULL, 1)
        """,
        "INSERT INTO note_folders (note_folder_id, user_id) VALUES (11, 1), (21, 2)",
        """
        INSERT INTO chat_items (chat_item_id, user_id, contact_id, group_id, note_folder_id, item_sent, item_ts,
            item_status, item_content, item_text) VALUES
            (11, 1, 11, NULL, NULL, 0, '2026-07-20 09:05:00.120', 'rcv_read', '{}', 'hello carol'),
            (12, 1, NULL, 11, NULL, 1, '2026-07-20 09:05:00.121', 'snd_sent', '{}', 'hello group'),
            (13, 1, NULL, NULL, 11, 1, '2026-07-20 09:05:00.122', 'snd_sent', '{}', 'a note'),
            (21, 2, 21, NULL, NULL, 1, '2026-07-20 09:05:00.123', 'snd_sent', '{}', 'bye')
        """,
        "INSERT INTO xftp_file_descriptions (file_descr_id, user_id, file_descr_text) VALUES (11, 1, 'd')",
        """
        INSERT INTO files (file_id, user_id, contact_id, chat_item_id, file_name, file_size, chunk_size, protocol,
            ci_file_status, agent_snd_file_id) VALUES
            (11, 1, 11, 11, 'f', 1, 1, 'xftp', 'rcv_transfer 0 1', NULL),
            (12, 1, 11, 11, 'g', 1, 1, 'xftp', 'snd_transfer 0 1', 'snd')
        """,
        "INSERT INTO rcv_files (file_id, file_status, file_descr_id, agent_rcv_file_id) VALUES (11, 'accepted', 11, 'rcv')",
        "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (11, 1, 'tag'), (21, 2, 'tag')",
        "INSERT INTO chat_tags_chats (contact_id, chat_tag_id) VALUES (11, 11)",
        "INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash) VALUES (11, 1, 'smp', 'a.example,b.example', 'k'), (12, 1, 'xftp', 'a.example', 'k'), (21, 2, 'smp', 'a.example', 'k')",
        "INSERT INTO app_settings (app_settings_id, app_settings) VALUES (1, '{\"theme\": \"dark\"}')",
    ]

    private static let agentRows = [
        "INSERT INTO users (user_id, deleted) VALUES (11, 1)",
        "INSERT INTO servers (host, port, key_hash) VALUES ('smp.example', '5223', 'k')",
        "INSERT INTO connections (conn_id, user_id, conn_mode, last_internal_msg_id, deleted) VALUES (x'6131', 1, 'INV', 7, 0), (x'6132', 1, 'INV', 0, 0), (x'6133', 1, 'CON', 0, 0), (x'6231', 2, 'INV', 0, 0), (x'6464', 1, 'INV', 0, 1), (x'6465', 11, 'INV', 0, 1)",
        "INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type) VALUES (x'6131', 7, '2026-07-20 09:05:00.120', 'A')",
        "INSERT INTO snd_message_bodies (snd_message_body_id, agent_msg) VALUES (11, x'01')",
        "INSERT INTO snd_messages (conn_id, internal_snd_id, internal_id, internal_hash, snd_message_body_id) VALUES (x'6131', 1, 7, x'00', 11)",
        """
        INSERT INTO rcv_files (rcv_file_id, rcv_file_entity_id, user_id, size, digest, key, nonce, chunk_size, prefix_path,
            save_path, status, deleted) VALUES (11, CAST('rcv' AS BLOB), 1, 1, x'00', x'00', x'00', 1, 'p', 's', 'receiving', 0),
            (12, CAST('old' AS BLOB), 1, 1, x'00', x'00', x'00', 1, 'p', 's', 'received', 1)
        """,
        """
        INSERT INTO snd_files (snd_file_id, snd_file_entity_id, user_id, path, num_recipients, key, nonce, status)
        VALUES (11, CAST('snd' AS BLOB), 1, 'p', 1, x'00', x'00', 'uploading')
        """,
    ]
}

extension CheckWorld {
    /// Runs SQL as another program would: with foreign keys off.
    func execute(_ statements: [String], in database: DatabaseName = .chat) throws {
        let connection = try SQLiteEngine().openForMigration(test.location.path(of: database), creating: false)
        defer { connection.close() }
        for statement in statements { _ = try connection.rows(.unchecked(sql: statement)) }
    }

    /// What a check-up of the store says, as a person to whom the store was sent would see it.
    func checkup(given: [String: [String]] = [:], isOurs: Bool = true) throws -> CheckResult {
        let store = try Store.openForReading(test.location, with: SQLiteEngine())
        defer { try? store.close() }
        return try CheckResult(of: store, isOurs: isOurs, given: given)
    }

    /// Mends what a check-up found.
    func mend(_ findings: [Finding]) throws -> [StoreRepair.Repaired] {
        try test.store.writeBoth(committing: .agentFirst) { chat, agent in
            try StoreRepair.repair(findings, chat: chat, agent: agent, clock: TestStore.clock)
        }
    }

    /// Every row of both databases by table, without times of changes.
    func contents() throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for database in DatabaseName.allCases {
            try test.store.read(database) { tx in
                let tables = try tx.rows(
                    """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%' AND name <> 'sqlite_sequence'
                    """
                ).map { row in try row.get("name") as String }
                for table in tables {
                    contents["\(database) \(table)"] = try tx.rows("SELECT * FROM \(identifier: table)").map { row in
                        let kept = zip(row.columns.names, row.values).filter { $0.0 != "updated_at" }
                        return "\(kept.map { "\($0.0)=\($0.1)" })"
                    }.sorted()
                }
            }
        }
        return contents
    }
}
