import ChatDBKit

/// Values in the columns that the rows of `TwoProfiles` leave empty, so that what depends on them has an effect. Each
/// value is one that the repositories themselves could have written.
enum FilledColumns {
    static func write(for things: Things, _ chat: any WriteTransaction, _ agent: any WriteTransaction) throws {
        for sql in chatRows(things) { try chat.run(.unchecked(sql: sql)) }
        for sql in agentRows(things) { try agent.run(.unchecked(sql: sql)) }
    }

    private static func chatRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let time = "'2026-07-2\(n) 10:05:00.120'"
        return [
            "INSERT INTO app_settings (app_settings_id, app_settings) VALUES (1, '{\"networkConfig\": 1}')",
            """
            INSERT INTO server_operators (server_operator_id, server_operator_tag, trade_name, legal_name,
                server_domains, enabled) VALUES (1, 'simplex', 'Trade', 'Legal', '\(name).example,relay.example', 1)
            """,
            "INSERT INTO usage_conditions (usage_conditions_id, conditions_commit) VALUES (1, 'c1')",
            """
            INSERT INTO operator_usage_conditions (operator_usage_conditions_id, server_operator_id,
                server_operator_tag, conditions_commit, accepted_at, auto_accepted)
            VALUES (1, 1, 'simplex', 'c1', \(time), 1)
            """,
            """
            UPDATE chat_items SET fwd_from_tag = 'group', fwd_from_chat_name = '\(name) news', fwd_from_msg_dir = 1,
                fwd_from_group_id = \(things.channel), fwd_from_chat_item_id = \(things.groupItem),
                quoted_shared_msg_id = 'q', quoted_sent_at = \(time), quoted_content = '{}', quoted_sent = 1,
                quoted_member_id = '\(name)-m5'
            WHERE chat_item_id = \(things.contactItem)
            """,
            """
            INSERT INTO chat_items (chat_item_id, user_id, group_id, item_sent, item_ts, item_status, item_content,
                item_text, item_deleted, item_deleted_ts, item_deleted_by_group_member_id)
            VALUES (903, \(n), \(things.group), 1, \(time), 'snd_sent', '{"text": "no"}', 'no', 1, \(time),
                \(things.member))
            """,
            """
            INSERT INTO chat_items (chat_item_id, user_id, group_id, group_member_id, item_sent, item_ts, item_status,
                item_content, item_text, group_scope_tag, group_scope_group_member_id)
            VALUES (901, \(n), \(things.group), \(things.member), 0, \(time), 'rcv_new', '{"text": "help"}', 'help',
                'member_support', \(things.member))
            """,
            """
            UPDATE group_members SET support_chat_ts = \(time), support_chat_items_unread = 2,
                support_chat_items_member_attention = 1, support_chat_items_mentions = 1,
                support_chat_last_msg_from_member_ts = \(time)
            WHERE group_member_id = \(things.member)
            """,
            """
            INSERT INTO chat_item_reactions (chat_item_id, reaction, reaction_sent, reaction_ts)
            VALUES (\(things.groupItem), '\(name)+', 1, \(time))
            """,
            "INSERT INTO chat_tags_chats (group_id, chat_tag_id) VALUES (\(things.group), \(things.tag))",
            """
            UPDATE files SET file_crypto_key = x'01', file_crypto_nonce = x'02', file_path = '/in'
            WHERE file_id IN (\(things.sentFile), \(things.receivedFile))
            """,
            """
            UPDATE chat_relays SET tested = 1, tested_at = \(time) WHERE chat_relay_id = \(things.relay)
            """,
            """
            INSERT INTO preset_choices (user_id, kind, address_key, choice)
            VALUES (\(n), 'smp', 'smp.example', 'deleted')
            """,
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix)
            VALUES (\(n), 'new', 'new', 0), (\(n), 'new_7', 'new', 7)
            """,
            """
            INSERT INTO files (file_id, user_id, group_id, note_folder_id, file_name, file_size, chunk_size, protocol,
                agent_snd_file_id)
            VALUES (901, \(n), \(things.group), NULL, 'g', 1, 1, 'xftp', 'g'),
                (902, \(n), NULL, \(things.noteFolder), 'n', 1, 1, 'xftp', 'n')
            """,
            """
            INSERT INTO chat_items (chat_item_id, user_id, note_folder_id, item_sent, item_ts, item_status,
                item_content, item_text)
            VALUES (902, \(n), \(things.noteFolder), 1, \(time), 'snd_sent', '{"text": "note"}', 'note')
            """,
        ]
    }

    private static func agentRows(_ things: Things) -> [String] {
        let connection = "CAST('conn-\(things.name)-1' AS BLOB)"
        return [
            """
            UPDATE rcv_queues SET ntf_public_key = x'01', ntf_private_key = x'02', rcv_ntf_dh_secret = x'03'
            WHERE conn_id = \(connection)
            """,
            """
            INSERT INTO ntf_subscriptions (conn_id, smp_host, smp_port, smp_ntf_id, ntf_host, ntf_port, ntf_sub_status,
                ntf_sub_smp_action, ntf_sub_action_ts)
            VALUES (CAST('conn-\(things.name)-3' AS BLOB), 'smp.example', '5223', x'01', 'ntf.example', '443', 'NEW',
                'S_KEY', '2000-01-01 00:00:00.000')
            """,
            "INSERT INTO encrypted_rcv_message_hashes (conn_id, hash) VALUES (\(connection), CAST('h' AS BLOB))",
            "INSERT INTO processed_ratchet_key_hashes (conn_id, hash) VALUES (\(connection), CAST('h' AS BLOB))",
        ]
    }
}
