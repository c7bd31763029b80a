import ChatDBKit
import Testing

/// Something wrong in a store of SimpleX Chat, as a crash, a bug or another program leaves it.
struct SimplexFault: Sendable, CustomTestStringConvertible {
    /// What finds it, and nothing else does.
    let id: String
    /// What the finding reports.
    let sample: [String]
    var count: Int?
    var chat: [String] = []
    var agent: [String] = []
    var detail: String?

    var testDescription: String { id }

    init(
        _ id: String, _ sample: [String], count: Int? = nil, detail: String? = nil, chat: [String] = [],
        agent: [String] = []
    ) {
        (self.id, self.sample, self.count, self.detail) = (id, sample, count, detail)
        (self.chat, self.agent) = (chat, agent)
    }

    private static let bob = "CAST('Ym9i' AS BLOB)"

    static let all = pairs + profiles + references + chats + agent

    private static let pairs: [SimplexFault] = [
        .init(
            "profileWithoutAgent", ["2"],
            agent: ["client_services", "users"].map { "DELETE FROM \($0) WHERE user_id = 2" }),
        .init(
            "profileMarkedDeleted", ["profile 1 (agent: users 1, with 2 connections)"],
            agent: ["UPDATE users SET deleted = 1 WHERE user_id = 1"]),
        .init(
            "invalidText", ["contact_profiles 11 full_name (not UTF-8)", "agent: servers 2 port (not UTF-8)"],
            chat: [
                "UPDATE contact_profiles SET full_name = CAST(x'4D61F09F8C' AS TEXT) WHERE contact_profile_id = 11"
            ],
            agent: ["INSERT INTO servers (host, port, key_hash) VALUES ('x', CAST(x'FF' AS TEXT), x'00')"]),
        .init("agentProfileWithoutProfile", ["7"], agent: ["INSERT INTO users (user_id) VALUES (7)"]),
        .init(
            "connectionWithoutAgent", ["2"],
            agent: ["rcv_queues", "snd_queues", "snd_messages", "messages", "connections"].map {
                "DELETE FROM \($0) WHERE conn_id <> \(bob)"
            }),
        .init(
            "agentConnectionWithoutConnection", ["1"],
            agent: ["INSERT INTO connections (conn_id, conn_mode, user_id) VALUES (x'0102', 'INV', 1)"]),
        .init(
            "connectionDeletedOnOneSide", ["1"], agent: ["UPDATE connections SET deleted = 1 WHERE conn_id = \(bob)"]),
        .init(
            "connectionDeletedOnOneSide", ["1"],
            chat: ["UPDATE connections SET conn_status = 'deleted' WHERE connection_id = 1"]),
        .init(
            "transferWithoutAgentFile", ["1"],
            chat: [
                """
                INSERT INTO files (file_id, user_id, file_name, file_size, chunk_size, created_at, updated_at,
                    ci_file_status, agent_snd_file_id)
                VALUES (1, 1, 'f', 1, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'snd_transfer 0 1', x'6162')
                """
            ],
            agent: [
                "CREATE TABLE rcv_files (rcv_file_id INTEGER PRIMARY KEY, rcv_file_entity_id BLOB, user_id INTEGER)",
                "CREATE TABLE snd_files (snd_file_id INTEGER PRIMARY KEY, snd_file_entity_id BLOB, user_id INTEGER)",
            ]),
    ]

    private static let profiles: [SimplexFault] = [
        .init("severalActiveProfiles", ["1", "2"], chat: ["UPDATE users SET active_user = 1 WHERE user_id = 2"]),
        .init("noActiveProfile", [], count: 1, chat: ["UPDATE users SET active_user = 0"]),
        .init(
            "profileWithoutOwnContact", ["2"], chat: ["UPDATE contacts SET is_user = 0 WHERE contact_id = 2"]),
        .init("strayOwnContact", ["11"], chat: ["UPDATE contacts SET is_user = 1 WHERE contact_id = 11"]),
        .init(
            "ownNameDiffers", ["2"],
            chat: [
                "INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix) VALUES (2, 'w', 'w', 0)",
                "UPDATE contacts SET local_display_name = 'w' WHERE contact_id = 2",
            ]),
        .init("halfHiddenProfile", [], count: 1, chat: ["UPDATE users SET view_pwd_salt = NULL WHERE user_id = 3"]),
        .init("hiddenProfileNotMuted", [], count: 1, chat: ["UPDATE users SET show_ntfs = 1 WHERE user_id = 3"]),
        .init(
            "severalAddresses", ["3"],
            chat: ["2", "3"].map {
                """
                INSERT INTO user_contact_links (user_contact_link_id, conn_req_contact, user_id, local_display_name)
                VALUES (\($0), x'6c\($0)0', 1, '\($0)')
                """
            }),
        .init(
            "sharedAgentProfile", ["1", "2"], chat: ["UPDATE users SET agent_user_id = 1 WHERE user_id = 2"],
            agent: ["DELETE FROM users WHERE user_id = 2"]),
        .init(
            "hiddenActiveProfile", [], count: 1,
            chat: ["UPDATE users SET active_user = 0", "UPDATE users SET active_user = 1 WHERE user_id = 3"]),
        .init(
            "displayNameForm", ["2"],
            chat: ["UPDATE display_names SET ldn_base = 'x' WHERE local_display_name = 'alice'"]),
        .init(
            "unusedDisplayName", ["17"],
            chat: [
                "INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix) VALUES (3, 'z', 'z', 0)"
            ]
        ),
    ]

    private static let references: [SimplexFault] = [
        .init(
            "unreadableValue", ["contacts 11 updated_at"],
            chat: ["UPDATE contacts SET updated_at = 'x' WHERE contact_id = 11"]),
        .init(
            "chatDanglingReference", ["messages 1: connection_id in connections"],
            chat: ["UPDATE messages SET connection_id = 99 WHERE message_id = 1"]),
        .init(
            "crossProfileReference", ["chat_items 1"],
            chat: ["UPDATE chat_items SET contact_id = 21 WHERE chat_item_id = 1"]),
        .init(
            "blockedDeletion", ["profile 2: contact_id in contacts 11 of profile 1"],
            chat: ["UPDATE users SET contact_id = 11 WHERE user_id = 2"]),
        .init(
            "blockedDeletion",
            [
                "badge_purchases 1 of profile 1: badge_code_redemption_id in badge_code_redemptions 1 of a hidden profile"
            ],
            chat: ["UPDATE badge_code_redemptions SET user_id = 3"]),
    ]

    private static let chats: [SimplexFault] = [
        .init(
            "groupRelayWithoutMember", ["relay row 2 of group 2 (profile 1)"],
            chat: ["UPDATE group_relays SET group_member_id = 25 WHERE group_relay_id = 2"]),
        .init(
            "relayMemberWithoutRow", ["member 24 of group 2 (profile 1)"],
            chat: ["DELETE FROM group_relays WHERE group_relay_id = 2"]),
        .init(
            "groupRelayOfOtherProfile", ["relay row 2 of group 2 (profile 1)"],
            chat: ["UPDATE group_relays SET chat_relay_id = 4 WHERE group_relay_id = 2"]),
        .init("groupRelayOutsideChannel", ["2"], chat: ["UPDATE groups SET use_relays = 0 WHERE group_id = 2"]),
        .init(
            "acceptedRelayWithoutLink", ["relay row 2 of group 2 (profile 1)"],
            chat: ["UPDATE group_relays SET relay_link = NULL WHERE group_relay_id = 2"]),
        .init(
            "relayLinkOfMemberOnly", ["relay row 1 of group 2 (profile 1)"],
            chat: ["UPDATE group_relays SET relay_link = NULL WHERE group_relay_id = 1"]),
        .init(
            "unknownRelayStatus", ["relay row 2 of group 2 (profile 1)"],
            chat: ["UPDATE group_relays SET relay_status = 'dreaming' WHERE group_relay_id = 2"]),
        .init("channelWithoutRelay", ["group 2 (profile 1)"], chat: ["DELETE FROM group_relays"]),
        .init(
            "channelWithoutLink", ["group 2 (profile 1)"],
            chat: ["UPDATE group_profiles SET group_link = NULL WHERE group_profile_id = 2"]),
        .init("groupWithoutOwnMember", ["4"], chat: ["DELETE FROM group_members WHERE group_id = 4"]),
        .init(
            "unknownMemberWord", ["member 40 of group 4 (profile 2)"],
            chat: ["UPDATE group_members SET member_role = 'captain' WHERE group_member_id = 40"]),
        .init(
            "unknownMemberWord", ["member 23 of group 2 (profile 1)"],
            chat: ["UPDATE group_members SET member_category = 'guest' WHERE group_member_id = 23"]),
        .init(
            "createdChannelWithoutOwner", ["member 20 of group 2 (profile 1)"],
            chat: [
                // Versions without channels do not have the column.
                "UPDATE groups SET use_relays = 1 WHERE group_id = 2",
                "UPDATE group_members SET member_role = 'admin' WHERE group_member_id = 20",
            ]),
        .init(
            "unfinishedChannel", ["group 2 (profile 1, less than a day old)"],
            chat: [
                "UPDATE groups SET creating_in_progress = 1, created_at = '2999-01-01 00:00:00' WHERE group_id = 2"
            ]),
        .init("severalChatRelays", ["2"], chat: ["UPDATE users SET is_user_chat_relay = 1 WHERE user_id < 3"]),
        .init(
            "relayServiceWithoutRole", ["member 40 of group 4 (profile 2)"],
            chat: ["UPDATE groups SET relay_own_status = 'active' WHERE group_id = 4"]),
        .init(
            "unknownOwnRelayStatus", ["group 4 (profile 2)"],
            chat: ["UPDATE groups SET relay_own_status = 'dreaming' WHERE group_id = 4"]),
        .init(
            "relayRequestIncomplete", ["4"],
            chat: [
                "UPDATE groups SET relay_own_status = 'invited' WHERE group_id = 4",
                "UPDATE group_members SET member_role = 'relay' WHERE group_member_id = 40",
            ]),
        .init(
            "duplicateGroup", ["groups 1 and 2"],
            chat: ["UPDATE group_profiles SET group_link = CAST('simplex:/g#news' AS BLOB) WHERE group_profile_id = 1"]),
        .init(
            "wrongConnectionType", ["1"], chat: ["UPDATE connections SET conn_type = 'member' WHERE connection_id = 1"]),
        .init(
            "duplicateServer", ["11"],
            chat: [
                // The other profile keeps a server of this protocol.
                """
                INSERT INTO protocol_servers (host, port, key_hash, preset, tested, enabled, user_id, protocol)
                SELECT host, '8' || port, key_hash, preset, tested, enabled, user_id, protocol
                FROM protocol_servers WHERE smp_server_id = 11
                """,
                "UPDATE protocol_servers SET host = 'MY.example.org,x.org', port = '7001', protocol = 'smp', user_id = 1 WHERE smp_server_id = 11",
            ]),
        .init(
            "unknownServerProtocol", ["2"],
            chat: ["UPDATE protocol_servers SET protocol = 'web' WHERE smp_server_id = 2"]),
        .init(
            "sharedOperatorDomain", ["operators 1 and 2"],
            chat: ["UPDATE server_operators SET server_domains = 'a.org, Simplex.im' WHERE server_operator_id = 2"]),
        .init(
            "sharedOperatorDomain", ["operators 1 and 2"],
            chat: ["UPDATE server_operators SET server_domains = 'smp8.simplex.im' WHERE server_operator_id = 2"]),
        .init("invalidAppSettings", ["1"], chat: ["UPDATE app_settings SET app_settings = '{'"]),
        .init(
            "unreadInDeletedChat", ["contacts 13 (1 unread)"],
            chat: ["UPDATE chat_items SET contact_id = 13, item_status = 'rcv_new' WHERE chat_item_id = 1"]),
        .init(
            "unreadInDeletedChat", ["contacts 11 (marked as unread)"],
            chat: ["UPDATE contacts SET chat_deleted = 1, unread_chat = 1 WHERE contact_id = 11"]),
        .init(
            "unreadableContent",
            [
                "chat_items 1 item_content", "messages 1 msg_body", "users 1 ui_themes", "users ui_themes",
                "contacts 11 user_preferences", "contact_profiles 11 preferences", "group_profiles 1 preferences",
            ],
            chat: [
                "UPDATE users SET ui_themes = '[' WHERE user_id IN (1, 3)",
                "UPDATE contacts SET user_preferences = '{bad' WHERE contact_id = 11",
                "UPDATE contact_profiles SET preferences = '{bad' WHERE contact_profile_id = 11",
                "UPDATE group_profiles SET preferences = '' WHERE group_profile_id = 1",
                #"UPDATE chat_items SET item_content = '{"secret' WHERE chat_item_id = 1"#,
                #"UPDATE messages SET msg_body = CAST('{"secret' AS BLOB) WHERE message_id = 1"#,
                "UPDATE messages SET msg_body = x'5801ff' WHERE message_id = 2",
            ]),
        .init(
            "unusedContactProfile", ["31"], detail: "they hold 24 bytes",
            chat: [
                "INSERT INTO contact_profiles (contact_profile_id, display_name, full_name, user_id) VALUES (31, 'nobody', 'Nobody at all', 1)"
            ]),
        .init(
            "unusedGroupProfile", ["31"],
            chat: [
                "INSERT INTO group_profiles (group_profile_id, display_name, full_name, user_id) VALUES (31, 'old', '', 1)"
            ]),
        .init("chatSchemaMissing", ["missing table chat_tags_chats"], chat: ["DROP TABLE chat_tags_chats"]),
        .init(
            "chatSchemaMissing", ["missing column contacts.favorite"],
            chat: ["ALTER TABLE contacts DROP COLUMN favorite"]),
        .init(
            "chatSchemaDrift",
            [
                "extra column contacts.more", "extra table lost_and_found", "extra trigger t on chat_items",
                "extra trigger u on group_members", "extra trigger v on group_members",
                "missing trigger on_group_members_delete_update_summary on group_members",
            ],
            chat: [
                "ALTER TABLE contacts ADD COLUMN more INTEGER", "CREATE TABLE lost_and_found (a)",
                "CREATE TABLE unknown (a)",
                "CREATE TRIGGER t BEFORE DELETE ON chat_items BEGIN SELECT RAISE(ABORT, 'x'); END",
                "CREATE TRIGGER v BEFORE INSERT ON group_members BEGIN SELECT RAISE(IGNORE); END",
                "CREATE TRIGGER u AFTER INSERT ON group_members BEGIN UPDATE groups SET favorite = 0; END",
                "DROP TRIGGER on_group_members_delete_update_summary",
            ]),
    ]

    private static let agent: [SimplexFault] = [
        .init(
            "agentDanglingReference", ["rcv_queues: host, port in servers"],
            agent: ["UPDATE rcv_queues SET host = 'none' WHERE conn_id = \(bob)"]),
        .init(
            "ratchetOutOfSync", ["connection 1 of contact 11 (required)"],
            agent: ["UPDATE connections SET ratchet_sync_state = 'required' WHERE conn_id = \(bob)"]),
        .init(
            "disabledQueue",
            ["connection 2 of contact 12 (rcv_queues deleted)", "connection 1 of contact 11 (snd_queues disabled)"],
            agent: [
                "UPDATE rcv_queues SET deleted = 1 WHERE conn_id <> \(bob)",
                "UPDATE snd_queues SET status = 'disabled' WHERE conn_id = \(bob)",
            ]),
        .init(
            "undeliveredMessage", ["delivery 2 of connection 1 of contact 11"],
            detail: "the oldest waits since 2026-07-18",
            agent: [
                "UPDATE messages SET internal_ts = '2026-07-18 09:05:00.123' WHERE conn_id = \(bob)",
                "INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id) SELECT conn_id, 1, 1 FROM connections",
            ]),
        .init(
            "messageBeyondCounter", ["connection 1 of contact 11"],
            agent: ["UPDATE connections SET last_internal_msg_id = 0 WHERE conn_id = \(bob)"]),
        .init(
            "agentSchemaMissing", ["missing table skipped_messages"], agent: ["DROP TABLE skipped_messages"]),
        .init("agentSchemaDrift", ["extra column users.name"], agent: ["ALTER TABLE users ADD COLUMN name TEXT"]),
    ]
}
