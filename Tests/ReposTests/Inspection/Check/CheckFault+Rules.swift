/// Faults against the rules of relays, groups, connections and messages.
extension CheckFault {
    private static let short = "https://h.example/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    private static let shortKey = "c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA@h.example"
    /// Two spellings of one link, and their key.
    private static let links = [
        "simplex:/contact#/?smp=smp%3A%2F%2Fk%40h.example%2Fq",
        "https://simplex.chat/contact#/?smp=smp://k@H.example/q",
    ]
    private static let linkKey = "smp#q@h.example"

    private static let hideSecond = [
        "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0, active_user = 0 WHERE user_id = 2",
        "UPDATE users SET active_user = 1 WHERE user_id = 1",
    ]

    /// A second relay of the channel, which has no row in group_relays.
    static let secondRelay = """
        INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
            member_status, local_display_name, contact_profile_id)
        SELECT 19, user_id, group_id, 'second', member_role, member_category, 'connected', local_display_name,
            contact_profile_id
        FROM group_members WHERE group_member_id = (SELECT group_member_id FROM group_relays)
        """

    /// Only the member of the relay has the link for the channel.
    static let linkOfMember = [
        "UPDATE group_relays SET relay_status = 'accepted', relay_link = ''",
        "UPDATE group_members SET relay_link = 'https://h.example/r#made' WHERE member_role = 'relay'",
    ]

    static let relays: [CheckFault] = [
        .init(
            "duplicateRelay", ["4"],
            chat: [
                "DROP INDEX idx_chat_relays_address_key",
                """
                INSERT INTO chat_relays (user_id, address, address_key, display_name)
                SELECT user_id, address, address_key, 'three' FROM chat_relays WHERE chat_relay_id = 1
                """,
            ]),
        .init(
            "duplicateRelayName", ["3"],
            chat: [
                "UPDATE chat_relays SET display_name = '  ONE ' WHERE chat_relay_id = 3"
            ]),
        .init("invalidRelayAddress", ["3"], chat: ["UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 3"]),
        .init(
            "wrongAddressKey", ["1", "3"],
            chat: [
                "UPDATE chat_relays SET address_key = 'x' || chat_relay_id WHERE chat_relay_id <> 2"
            ]),
        .init(
            "deletedRelayWithoutReference", ["4"],
            chat: [
                "INSERT INTO chat_relays (user_id, address, address_key, deleted) SELECT 2, address, address_key, 1 FROM chat_relays WHERE chat_relay_id = 3"
            ]),
        .init(
            "groupRelayWithoutMember", ["relay row 1 of group 1 (profile 1)"],
            chat: [
                "UPDATE group_members SET member_role = 'member' WHERE member_role = 'relay'"
            ]),
        .init(
            "groupRelayWithoutMember", ["relay row 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_relays SET group_member_id = 12"]),
        .init("relayMemberWithoutRow", ["member 19 of group 1 (profile 1)"], chat: [Self.secondRelay]),
        .init("relayMemberWithoutRow", ["member 19 of group 1"], chat: [Self.secondRelay, hide]),
        .init(
            "groupRelayOfOtherProfile", ["relay row 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_relays SET chat_relay_id = 2"]),
        .init("groupRelayOutsideChannel", ["1"], chat: ["UPDATE groups SET use_relays = 0 WHERE group_id = 1"]),
        .init(
            "acceptedRelayWithoutLink", ["relay row 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_relays SET relay_status = 'accepted'"]),
        .init(
            "acceptedRelayWithoutLink", ["relay row 1 of group 1"],
            chat: ["UPDATE group_relays SET relay_status = 'accepted'", hide]),
        .init(
            "relayLinkOfMemberOnly", ["relay row 1 of group 1 (profile 1)"], chat: Self.linkOfMember,
            changed: ["chat group_relays", "chat group_members"]),
        .init(
            "relayLinkOfMemberOnly", ["relay row 1 of group 1"], chat: Self.linkOfMember + [hide],
            changed: ["chat group_relays", "chat group_members", "chat users"]),
        .init("channelWithoutRelay", ["group 1 (profile 1)"], chat: ["DELETE FROM group_relays"]),
        .init(
            "channelWithoutLink", ["group 1 (profile 1)"],
            chat: ["UPDATE group_profiles SET group_link = NULL WHERE group_profile_id = 1"]),
        .init(
            "channelWithoutLink", ["group 1"],
            chat: ["UPDATE group_profiles SET group_link = '' WHERE group_profile_id = 1", hide]),
        .init(
            "unknownRelayStatus", ["relay row 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_relays SET relay_status = 'dreaming'"]),
        .init(
            "presetWithoutOperator", ["chat_relays 3 (profile 1)"],
            chat: ["UPDATE chat_relays SET preset = 1 WHERE chat_relay_id = 3"]),
        .init(
            "presetWithoutOperator", ["protocol_servers 11"],
            chat: ["UPDATE protocol_servers SET preset = 1 WHERE smp_server_id = 11", hide]),
        .init("severalChatRelays", ["2"], chat: ["UPDATE users SET is_user_chat_relay = 1"]),
        .init(
            "severalChatRelays", [], count: 1,
            chat: ["UPDATE users SET is_user_chat_relay = 1"] + hideSecond),
        .init(
            "relayServiceWithoutRole", ["member 11 of group 11 (profile 1)"],
            chat: ["UPDATE groups SET relay_own_status = 'active' WHERE group_id = 11"]),
        .init(
            "relayServiceWithoutRole", ["member 11 of group 11"],
            chat: ["UPDATE groups SET relay_own_status = 'accepted' WHERE group_id = 11", hide]),
        .init(
            "unknownOwnRelayStatus", ["group 11 (profile 1)"],
            chat: ["UPDATE groups SET relay_own_status = 'dreaming' WHERE group_id = 11"]),
        .init(
            "relayRequestIncomplete", ["11"],
            chat: [
                "UPDATE groups SET relay_own_status = 'invited' WHERE group_id = 11",
                "UPDATE group_members SET member_role = 'relay' WHERE group_member_id = 11",
            ]),
        .init(
            "deliveryTaskWithoutMessage", ["1"],
            chat: [
                """
                INSERT INTO delivery_tasks (user_id, group_id, worker_scope, sender_group_member_id, task_status)
                VALUES (1, 11, 'group', 12, 'new'), (1, 11, 'group', 12, 'processed')
                """
            ]),
        .init(
            "deliveryJobWithoutBody", ["1"],
            chat: [
                """
                INSERT INTO delivery_jobs (user_id, group_id, worker_scope, job_status)
                VALUES (1, 11, 'group', 'pending'), (1, 11, 'group', 'error')
                """
            ]),
    ]

    static let groups: [CheckFault] = [
        .init(
            "groupWithoutOwnMember", ["11"],
            chat: [
                "DELETE FROM group_members WHERE group_member_id = 11"
            ]),
        .init(
            "unknownMemberWord", ["member 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_status = 'foo', member_role = 'bar' WHERE group_member_id = 1"]),
        .init(
            "unknownMemberWord", ["member 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_role = 'bar' WHERE group_member_id = 1"]),
        .init(
            "unknownMemberWord", ["member 1 of group 1", "member 11 of group 11"],
            chat: ["UPDATE group_members SET member_status = 'foo' WHERE member_category = 'user'", hide]),
        .init(
            "unknownMemberWord", ["member 2 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_status = 'foo' WHERE member_role = 'relay'"]),
        .init(
            "unknownMemberWord", ["member 2 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_category = 'foo' WHERE member_role = 'relay'"]),
        .init(
            "unknownMemberWord", ["member 2 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_role = 'foo' WHERE member_role = 'relay'"]),
        .init(
            "createdChannelWithoutOwner", ["member 1 of group 1 (profile 1)"],
            chat: ["UPDATE group_members SET member_role = 'admin' WHERE group_member_id = 1"]),
        .init(
            "createdChannelWithoutOwner", ["member 1 of group 1"],
            chat: ["UPDATE group_members SET member_role = 'member' WHERE group_member_id = 1", hide]),
        .init(
            "startedWithoutLink", ["1"],
            chat: [
                "UPDATE groups SET conn_link_started_connection = 1 WHERE group_id = 1"
            ]),
        .init(
            "startedWithoutLink", ["1"],
            chat: [
                "UPDATE groups SET conn_link_prepared_connection = 1 WHERE group_id = 1"
            ]),
        .init(
            "joinedWithoutStart", ["11"],
            chat: [
                "UPDATE group_members SET member_status = 'connected' WHERE group_member_id = 11"
            ]),
        .init(
            "unfinishedChannel", ["group 11 (profile 1, less than a day old, without a link and a relay)"],
            chat: [
                """
                UPDATE groups SET creating_in_progress = 1, created_at = strftime('%Y-%m-%d %H:%M:%f', 'now')
                WHERE group_id = 11
                """
            ]),
        .init(
            "duplicateGroup", ["groups 1 and 11"],
            chat: [
                "UPDATE groups SET conn_full_link_to_connect = '\(Self.links[0])', conn_full_link_to_connect_key = '\(Self.linkKey)' WHERE group_id = 11",
                "UPDATE group_profiles SET group_link = '\(Self.links[1])', group_link_key = '\(Self.linkKey)' WHERE group_profile_id = 1",
            ]),
        .init(
            "missingLinkKey", ["groups 11", "group_profiles 1", "user_contact_links 11"],
            chat: [
                "UPDATE groups SET conn_short_link_to_connect = '\(Self.short)' WHERE group_id = 11",
                "UPDATE group_profiles SET group_link = '\(Self.links[1])' WHERE group_profile_id = 1",
                "UPDATE user_contact_links SET short_link_contact = '\(Self.short)' WHERE user_contact_link_id = 11",
            ], changed: ["chat groups", "chat group_profiles", "chat user_contact_links"]),
        .init(
            "wrongLinkKey", ["groups 11", "group_profiles 1"],
            chat: [
                "UPDATE groups SET conn_full_link_to_connect = '\(Self.links[0])', conn_full_link_to_connect_key = 'x' WHERE group_id = 11",
                "UPDATE group_profiles SET group_link = '\(Self.short)', group_link_key = '\(Self.linkKey)' WHERE group_profile_id = 1",
            ], changed: ["chat groups", "chat group_profiles"]),
        .init(
            "lostLink",
            [
                "group 11 (profile 1, conn_short_link_to_connect can be made from its key)",
                "group 11 (profile 1, group_link can be made from its key)",
                "user_contact_links 21 (profile 2, short_link_contact can be made from its key)",
            ],
            chat: [
                "UPDATE groups SET conn_short_link_to_connect_key = '\(Self.shortKey)' WHERE group_id = 11",
                "UPDATE group_profiles SET group_link_key = '\(Self.shortKey)' WHERE group_profile_id = 11",
                "UPDATE user_contact_links SET short_link_contact_key = '\(Self.shortKey)' WHERE user_contact_link_id = 21",
            ], changed: ["chat groups", "chat group_profiles", "chat user_contact_links"]),
        .init(
            "wrongConnectionType", ["12", "14"],
            chat: [
                "UPDATE connections SET conn_type = 'contact' WHERE connection_id = 12",
                "UPDATE connections SET conn_type = 'rcv_file' WHERE connection_id = 14",
            ]),
        .init(
            "deletedConnectionSubscribed", ["14"],
            chat: [
                "UPDATE connections SET to_subscribe = 1 WHERE connection_id = 14"
            ]),
    ]

    static let others: [CheckFault] = [
        .init(
            "duplicateServer", ["13"],
            chat: [
                "INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash) VALUES (13, 1, 'smp', 'A.example', 'k')"
            ]),
        .init(
            "unknownServerProtocol", ["13"],
            chat: [
                "INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash) VALUES (13, 1, 'web', 'w.example', 'k')"
            ]),
        .init(
            "duplicateTag", ["12"],
            chat: [
                "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (12, 1, 'TAG')"
            ]),
        .init("invalidAppSettings", ["1"], chat: ["UPDATE app_settings SET app_settings = '[]'"]),
        .init(
            "searchIndex", ["chat_items_fts"],
            chat: [
                "INSERT INTO chat_items_fts (chat_items_fts) VALUES ('delete-all')"
            ]),
        .init(
            "searchIndex", ["chat_items_fts"],
            chat: [
                "INSERT INTO chat_items_fts (rowid, item_text) VALUES (12, 'gone')"
            ]),
        .init(
            "searchIndex", ["chat_items_fts"],
            chat: [
                "UPDATE chat_items_fts_data SET block = zeroblob(length(block)) WHERE id > 10"
            ]),
        .init(
            "messageBeyondCounter", ["connection 11 of contact 11"],
            agent: [
                "UPDATE connections SET last_internal_msg_id = 6 WHERE conn_id = x'6131'"
            ]),
        .init(
            "unusedMessageBody", ["12"],
            agent: [
                "INSERT INTO snd_message_bodies (snd_message_body_id) VALUES (12)"
            ]),
        .init(
            "unusedFileDescription", ["12"],
            chat: [
                "INSERT INTO xftp_file_descriptions (file_descr_id, user_id, file_descr_text) VALUES (12, 1, 'k')"
            ]),
        .init(
            "unusedContactProfile", ["16"],
            chat: [
                "INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) VALUES (16, 1, 'x')"
            ]),
        .init(
            "unusedGroupProfile", ["12"],
            chat: [
                "INSERT INTO group_profiles (group_profile_id, user_id, display_name) VALUES (12, 1, 'x')"
            ]),
    ]

    private static let queue = """
        INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_queue_id, snd_private_key, e2e_dh_secret, status)
        VALUES ('smp.example', '5223', x'01', x'6131', 1, x'00', x'00', 'active')
        """

    /// A message of another connection.
    static func later(_ time: String) -> String {
        "INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type) VALUES (x'6464', 0, '\(time)', 'A')"
    }

    static let agentConnections: [CheckFault] = [
        .init(
            "ratchetOutOfSync",
            ["connection 11 of contact 11 (required)", "connection 12 of group member 12 of group 11 (another state)"],
            agent: [
                "UPDATE connections SET ratchet_sync_state = 'required' WHERE conn_id = x'6131'",
                "UPDATE connections SET ratchet_sync_state = 'x' WHERE conn_id = x'6132'",
                "UPDATE connections SET ratchet_sync_state = 'required' WHERE deleted = 1",
            ]),
        .init(
            "disabledQueue", ["connection 11 of contact 11 (snd_queues disabled)"],
            agent: [queue, "UPDATE snd_queues SET status = 'disabled'"]),
        .init(
            "disabledQueue", ["connection 11 of contact 11 (snd_queues deleted)"],
            agent: [queue, "UPDATE snd_queues SET deleted = 1"]),
        .init(
            "undeliveredMessage", ["delivery 1 of connection 11 of contact 11"],
            agent: [
                queue, later("2026-07-21 09:05:02.000"),
                "INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id) VALUES (x'6131', 1, 7)",
            ]),
        .init(
            "sharedOperatorDomain", ["operators 11 and 12"],
            chat: [
                "INSERT INTO server_operators (server_operator_id, trade_name, server_domains) VALUES (11, 'A', 'a.org'), (12, 'B', 'b.org, A.org'), (13, 'C', 'ba.org')"
            ]),
        .init(
            "sharedOperatorDomain", ["operators 11 and 12", "operators 11 and 12 and 14"],
            chat: [
                "INSERT INTO server_operators (server_operator_id, trade_name, server_domains) VALUES (11, 'A', 'a.org'), (12, 'B', 'smp.A.org'), (13, 'C', 'org.a'), (14, 'D', 'x.smp.a.org,c.d')"
            ]),
        .init(
            "unreadInDeletedChat", ["contacts 11 (1 unread)"],
            chat: [
                "UPDATE contacts SET deleted = 1 WHERE contact_id = 11",
                "UPDATE chat_items SET item_status = 'rcv_new' WHERE chat_item_id = 11",
            ]),
        .init(
            "unreadableContent", ["chat_items 13 item_content", "contacts 11 user_preferences"],
            chat: [
                "UPDATE chat_items SET item_content = '{' WHERE chat_item_id = 13",
                "UPDATE contacts SET user_preferences = '{bad' WHERE contact_id = 11",
            ]),
    ]
}
