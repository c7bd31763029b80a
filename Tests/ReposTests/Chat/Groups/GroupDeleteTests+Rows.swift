import ChatDBKit

extension GroupDeleteTests {
    /// Everything else a group can have, by SQL of the test's own; numbers begin at `n`.
    func fill(_ group: GroupSummary, _ n: Int) throws {
        let (id, user) = (group.group.id.rawValue, group.group.userID.rawValue)
        let own = group.group.membership?.memberID.rawValue ?? 0
        try test.write { chat in
            for sql in [
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES
                    (\(user), 'f\(n)', 'f\(n)'), (\(user), 'asker \(n)', 'asker \(n)')
                """,
                """
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, incognito) VALUES
                    (\(n)00, \(user), 'f\(n)', 0), (\(n)01, \(user), 'asker', 0), (\(n)02, \(user), 'incognito', 1)
                """,
                "UPDATE group_members SET member_profile_id = \(n)02 WHERE group_member_id = \(own)",
                """
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role,
                    member_category, member_status, local_display_name, contact_profile_id, invited_by_group_member_id)
                VALUES (\(n)00, \(user), \(id), 'f', 'member', 'post', 'connected', 'f\(n)', \(n)00, \(own))
                """,
                """
                INSERT INTO user_contact_links (user_contact_link_id, user_id, group_id, conn_req_contact)
                VALUES (\(n)00, \(user), \(id), 'link \(n)')
                """,
                """
                INSERT INTO contact_requests (user_id, user_contact_link_id, agent_invitation_id, contact_profile_id,
                    local_display_name) VALUES (\(user), \(n)00, 'i\(n)', \(n)01, 'asker \(n)')
                """,
                """
                INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type,
                    group_member_id, user_contact_link_id, custom_user_profile_id) VALUES
                    (\(n)00, \(user), 'member \(n)', 'ready', 'member', \(n)00, NULL, \(n)02),
                    (\(n)01, \(user), 'link \(n)', 'ready', 'user_contact', NULL, \(n)00, NULL)
                """,
                """
                INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event, group_id, connection_id,
                    author_group_member_id) VALUES (\(n)00, \(user), 0, 'x.msg.new', \(id), \(n)00, \(n)00)
                """,
                """
                INSERT INTO msg_deliveries (message_id, connection_id, agent_msg_id, delivery_status)
                VALUES (\(n)00, \(n)00, 1, 'rcv')
                """,
                """
                INSERT INTO chat_items (chat_item_id, user_id, group_id, group_member_id, item_sent, item_ts,
                    item_status, item_content, item_text, created_by_msg_id)
                VALUES (\(n)00, \(user), \(id), \(n)00, 0, '2026-01-01 00:00:00.000', 'rcv_new', '{}', 'hello', \(n)00)
                """,
                """
                INSERT INTO chat_item_versions (chat_item_id, msg_content, item_version_ts)
                VALUES (\(n)00, '{}', '2026-01-01 00:00:00.000')
                """,
                """
                INSERT INTO chat_item_reactions (chat_item_id, group_member_id, reaction, reaction_sent, reaction_ts)
                VALUES (\(n)00, \(n)00, '+', 0, '2026-01-01 00:00:00.000')
                """,
                "INSERT INTO chat_item_mentions (chat_item_id, member_id, display_name) VALUES (\(n)00, 'f', 'f')",
                """
                INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (\(user), \(user), 'tag')
                ON CONFLICT DO NOTHING
                """,
                "INSERT INTO chat_tags_chats (group_id, chat_tag_id) VALUES (\(id), \(user))",
                """
                INSERT INTO xftp_file_descriptions (file_descr_id, user_id, file_descr_text)
                VALUES (\(n)00, \(user), 'd'), (\(n)01, \(user), 'd')
                """,
                """
                INSERT INTO files (file_id, user_id, group_id, chat_item_id, file_name, file_size, chunk_size, protocol)
                VALUES (\(n)00, \(user), \(id), \(n)00, 'f', 1, 1, 'xftp'), (\(n)01, \(user), \(id), NULL, 'f', 1, 1, 'xftp')
                """,
                "INSERT INTO rcv_files (file_id, file_status, file_descr_id) VALUES (\(n)00, 'new', \(n)00)",
                """
                INSERT INTO snd_files (file_id, connection_id, file_status, group_member_id, file_descr_id)
                VALUES (\(n)01, \(n)00, 'new', \(n)00, \(n)01)
                """,
            ] {
                try chat.run(.unchecked(sql: sql))
            }
        }
    }
}
