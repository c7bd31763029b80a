extension TwoProfiles {
    /// The rows of one profile in the chat database, in an order that foreign keys allow.
    static func chatRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let time = "'2026-07-2\(n) 09:05:00.120'"
        let names = [
            "", "-friend", "-requester", "-channel", "-group", "-prepared", "-relay", "-subscriber", "-member",
        ]
        return [
            """
            INSERT INTO users (user_id, agent_user_id, contact_id, local_display_name, active_user, active_order)
            VALUES (\(n), \(n), \(n), '\(name)', \(n == 1 ? 1 : 0), \(n))
            """,
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base)
            VALUES \(names.map { "(\(n), '\(name)\($0)', '\(name)\($0)')" }.joined(separator: ", "))
            """,
            """
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, contact_link) VALUES
                (\(n), \(n), '\(name)', NULL), (\(10 + n), \(n), '\(name)-friend', '\(name)-contact-link'),
                (\(20 + n), \(n), '\(name)-relay', NULL), (\(30 + n), \(n), '\(name)-requester', NULL),
                (\(40 + n), \(n), '\(name)-member', NULL), (\(50 + n), \(n), '\(name)-subscriber', NULL)
            """,
            """
            INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, is_user, contact_used,
                chat_ts)
            VALUES (\(n), \(n), \(n), '\(name)', 1, 0, \(time)), (\(10 + n), \(n), \(10 + n), '\(name)-friend', 0, 1, \(time))
            """,
            """
            INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key, display_name) VALUES
                (\(10 + n), \(n), '\(things.relayAddress)', 'r \(name)', '\(name) relay'),
                (\(20 + n), \(n), '\(things.spareAddress)', 'r2 \(name)', '\(name) spare')
            """,
            """
            INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash) VALUES
                (\(10 + n), \(n), 'smp', 'smp.\(name).example', '\(key(Int(n)))='),
                (\(20 + n), \(n), 'xftp', 'xftp.\(name).example', '\(key(Int(n)))=')
            """,
            """
            INSERT INTO group_profiles (group_profile_id, user_id, display_name, group_link) VALUES
                (\(10 + n), \(n), '\(name)-channel', '\(name)-channel-link'), (\(20 + n), \(n), '\(name)-group', NULL),
                (\(30 + n), \(n), '\(name)-prepared', NULL)
            """,
            """
            INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, chat_ts, use_relays,
                conn_full_link_to_connect, conn_short_link_to_connect) VALUES
                (\(10 + n), \(n), \(10 + n), '\(name)-channel', \(time), 1, NULL, NULL),
                (\(20 + n), \(n), \(20 + n), '\(name)-group', \(time), 0, NULL, NULL),
                (\(30 + n), \(n), \(30 + n), '\(name)-prepared', \(time), 1, '\(things.fullLink)', '\(things.shortLink)')
            """,
            """
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id, contact_id, relay_link) VALUES
                (\(10 + n), \(n), \(10 + n), '\(name)-m1', 'owner', 'user', 'creator', '\(name)', \(n), \(n), NULL),
                (\(20 + n), \(n), \(10 + n), '\(name)-m2', 'relay', 'invitee', 'connected', '\(name)-relay', \(20 + n),
                    NULL, '\(name)-relay-link'),
                (\(60 + n), \(n), \(10 + n), '\(name)-m3', 'observer', 'post', 'connected', '\(name)-subscriber',
                    \(50 + n), NULL, NULL),
                (\(30 + n), \(n), \(20 + n), '\(name)-m4', 'owner', 'user', 'creator', '\(name)', \(n), \(n), NULL),
                (\(40 + n), \(n), \(20 + n), '\(name)-m5', 'member', 'invitee', 'connected', '\(name)-member',
                    \(40 + n), NULL, NULL),
                (\(50 + n), \(n), \(30 + n), '\(name)-m6', 'observer', 'user', 'unknown', '\(name)', \(n), \(n), NULL)
            """,
            """
            INSERT INTO group_relays (group_relay_id, group_id, group_member_id, chat_relay_id, relay_status, relay_link)
            VALUES (\(10 + n), \(10 + n), \(20 + n), \(10 + n), 'active', '\(name)-relay-link')
            """,
            """
            INSERT INTO user_contact_links (user_contact_link_id, user_id, group_id, conn_req_contact,
                short_link_contact, group_link_id) VALUES
                (\(10 + n), \(n), NULL, '\(name)-address', '\(name)-short-address', NULL),
                (\(20 + n), \(n), \(20 + n), '\(name)-group-address', NULL, '\(name)-group-link-id')
            """,
            """
            INSERT INTO contact_requests (contact_request_id, user_id, user_contact_link_id, agent_invitation_id,
                xcontact_id, contact_profile_id, local_display_name)
            VALUES (\(10 + n), \(n), \(10 + n), '\(name)-invitation', '\(name)-xcontact', \(30 + n), '\(name)-requester')
            """,
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, contact_id,
                group_member_id, user_contact_link_id, to_subscribe) VALUES
                (\(10 + n), \(n), 'conn-\(name)-1', 'ready', 'contact', \(10 + n), NULL, NULL, 1),
                (\(20 + n), \(n), 'conn-\(name)-2', 'ready', 'member', NULL, \(40 + n), NULL, 1),
                (\(30 + n), \(n), 'conn-\(name)-3', 'ready', 'user_contact', NULL, NULL, \(10 + n), 1)
            """,
            "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text, tag_order) VALUES (\(10 + n), \(n), '\(name) tag', 1)",
            "INSERT INTO chat_tags_chats (contact_id, group_id, chat_tag_id) VALUES (\(10 + n), NULL, \(10 + n))",
            "INSERT INTO note_folders (note_folder_id, user_id) VALUES (\(10 + n), \(n))",
            "INSERT INTO settings (settings_id, user_id, chat_item_ttl) VALUES (\(n), \(n), 86400)",
            """
            INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event, msg_body, connection_id, shared_msg_id)
            VALUES (\(10 + n), \(n), 0, 'x.msg.new', '\(name) body', \(10 + n), '\(name)-shared-1')
            """,
            """
            INSERT INTO msg_deliveries (msg_delivery_id, message_id, connection_id, agent_msg_id, delivery_status)
            VALUES (\(10 + n), \(10 + n), \(10 + n), 1, 'rcv')
            """,
            """
            INSERT INTO chat_items (chat_item_id, user_id, contact_id, group_id, created_by_msg_id, shared_msg_id,
                item_sent, item_ts, item_status, item_content, item_text, item_edited) VALUES
                (\(10 + n), \(n), \(10 + n), NULL, \(10 + n), '\(name)-shared-1', 0, \(time), 'rcv_new',
                    '{"text": "\(name) says hello"}', '\(name) says hello', 0),
                (\(20 + n), \(n), NULL, \(20 + n), NULL, '\(name)-shared-2', 1, \(time), 'snd_sent',
                    '{"text": "\(name) says goodbye"}', '\(name) says goodbye', 1)
            """,
            """
            INSERT INTO chat_item_versions (chat_item_id, msg_content, item_version_ts)
            VALUES (\(20 + n), '{"text": "\(name) said farewell"}', \(time))
            """,
            """
            INSERT INTO chat_item_reactions (chat_item_id, group_member_id, reaction, reaction_sent, reaction_ts)
            VALUES (\(20 + n), \(40 + n), '\(name)+', 0, \(time))
            """,
            """
            INSERT INTO chat_item_mentions (chat_item_id, member_id, display_name)
            VALUES (\(20 + n), '\(name)-m5', '\(name)-member')
            """,
            """
            INSERT INTO xftp_file_descriptions (file_descr_id, user_id, file_descr_text)
            VALUES (\(10 + n), \(n), '\(name) description')
            """,
            """
            INSERT INTO files (file_id, user_id, contact_id, chat_item_id, file_name, file_path, file_size, chunk_size,
                protocol, ci_file_status, agent_snd_file_id) VALUES
                (\(10 + n), \(n), \(10 + n), NULL, '\(name).out', '/\(name).out', 10, 5, 'xftp', 'snd_stored',
                    '\(name)-agent-file'),
                (\(20 + n), \(n), \(10 + n), \(10 + n), '\(name).in', NULL, 10, 5, 'xftp', 'rcv_invitation', NULL)
            """,
            "INSERT INTO snd_files (file_id, connection_id, file_status) VALUES (\(10 + n), \(10 + n), 'new')",
            """
            INSERT INTO rcv_files (file_id, file_status, file_descr_id, agent_rcv_file_id)
            VALUES (\(20 + n), 'new', \(10 + n), '\(name)-agent-rcv-file')
            """,
        ]
    }

    /// The rows of one profile in the agent database.
    static func agentRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let connections = (1...3).map { "CAST('conn-\(name)-\($0)' AS BLOB)" }
        return [
            "INSERT INTO users (user_id) VALUES (\(n))",
            """
            INSERT INTO connections (conn_id, user_id, conn_mode)
            VALUES \(connections.map { "(\($0), \(n), 'INV')" }.joined(separator: ", "))
            """,
            """
            INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_queue_id, rcv_primary, rcv_private_key,
                rcv_dh_secret, e2e_priv_key, snd_id, status, ntf_id)
            VALUES ('smp.example', '5223', CAST('rcv-\(name)' AS BLOB), \(connections[0]), 1, 1, x'01', x'02', x'03',
                CAST('snd-of-rcv-\(name)' AS BLOB), 'active', CAST('ntf-\(name)' AS BLOB))
            """,
            """
            INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_queue_id, snd_primary, snd_private_key,
                e2e_dh_secret, status)
            VALUES ('smp.example', '5223', CAST('snd-\(name)' AS BLOB), \(connections[0]), 1, 1, x'01', x'02', 'active')
            """,
        ]
    }
}
