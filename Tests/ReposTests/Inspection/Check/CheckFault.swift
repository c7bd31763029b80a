import ChatDBKit
import Testing

/// Something wrong, as another program, a crash or a broken disk would leave it.
struct CheckFault: Sendable, CustomTestStringConvertible {
    /// What finds it, and nothing else does.
    let id: String
    /// What the finding reports.
    let sample: [String]
    var count: Int?
    var chat: [String] = []
    var agent: [String] = []
    /// Tables that mending leaves in another way than before the fault: `chat users`.
    var changed: Set<String> = []

    var testDescription: String { id }

    init(
        _ id: String, _ sample: [String], count: Int? = nil, chat: [String] = [], agent: [String] = [],
        changed: Set<String> = []
    ) {
        self.id = id
        self.sample = sample
        self.count = count
        self.chat = chat
        self.agent = agent
        self.changed = changed
    }

    static let hide =
        "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 1"

    static let all = references + profiles + relays + groups + others + agentConnections

    private static let references: [CheckFault] = [
        .init(
            "unreadableValue", ["users created_at", "contacts 11 updated_at", "agent: messages 1 internal_ts"],
            chat: [
                hide, "UPDATE users SET created_at = '2026-02-30 09:05:00' WHERE user_id = 1",
                "UPDATE contacts SET updated_at = 'yesterday' WHERE contact_id = 11",
            ], agent: ["UPDATE messages SET internal_ts = '2026-07-20T09:05:00Z' WHERE internal_id = 7"]),
        .init(
            "chatDanglingReference", ["groups 11: user_id, local_display_name in display_names"],
            chat: ["DELETE FROM display_names WHERE local_display_name = 'group'"], changed: ["chat display_names"]),
        .init(
            "agentDanglingReference", ["rcv_queues 1: host, port in servers"],
            agent: [
                """
                INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_queue_id, rcv_private_key, rcv_dh_secret,
                    e2e_priv_key, snd_id, status)
                VALUES ('none', '1', x'01', x'6131', 1, x'00', x'00', x'00', x'01', 'new')
                """
            ]),
        .init(
            "profileWithoutAgent", ["2"], chat: ["UPDATE users SET agent_user_id = 99 WHERE user_id = 2"],
            agent: [
                "DELETE FROM connections WHERE user_id = 2", "UPDATE users SET deleted = 1 WHERE user_id = 2",
                "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'6231', 1, 'INV')",
            ]),
        .init(
            "profileWithoutAgent", [], count: 1, chat: [hide, "UPDATE users SET agent_user_id = 99 WHERE user_id = 1"],
            agent: [
                "UPDATE users SET deleted = 1 WHERE user_id = 1"
            ]),
        .init(
            "profileMarkedDeleted", ["profile 2 (agent: users 2, with 1 connection)"],
            agent: ["UPDATE users SET deleted = 1 WHERE user_id = 2"]),
        .init(
            "profileMarkedDeleted", [], count: 1,
            chat: [hide], agent: ["UPDATE users SET deleted = 1 WHERE user_id = 1"]),
        .init(
            "invalidText",
            ["contact_profiles 15 full_name (not UTF-8)", "agent: servers 2 host (not UTF-8)"],
            chat: [
                "UPDATE contact_profiles SET full_name = CAST(x'4D61F09F8C' AS TEXT) WHERE contact_profile_id = 15"
            ], agent: ["INSERT INTO servers (host, port, key_hash) VALUES (CAST(x'E9' AS TEXT), '1', 'aa')"]),
        .init("agentProfileWithoutProfile", ["31", "32"], agent: ["INSERT INTO users (user_id) VALUES (31), (32)"]),
        .init(
            "agentProfileWithoutProfile", ["31"],
            agent: [
                "INSERT INTO users (user_id) VALUES (31)",
                "INSERT INTO connections (conn_id, user_id, conn_mode, deleted) VALUES (x'01', 31, 'INV', 1)",
            ], changed: ["agent users", "agent connections"]),
        .init(
            "connectionWithoutAgent", ["11", "21"],
            agent: [
                "DELETE FROM connections WHERE conn_id = x'6231'",
                "UPDATE connections SET conn_id = x'6464' || x'00' WHERE false",
                "DELETE FROM messages", "DELETE FROM snd_messages", "DELETE FROM snd_message_bodies",
                "DELETE FROM connections WHERE conn_id = x'6131'",
            ]),
        .init(
            "agentConnectionWithoutConnection", ["7"],
            agent: [
                "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'6130', 1, 'INV')"
            ]),
        .init("transferWithoutAgentFile", ["11", "12"], agent: ["DELETE FROM rcv_files", "DELETE FROM snd_files"]),
        .init(
            "agentFileWithoutFile", ["received 13"],
            agent: [
                """
                INSERT INTO rcv_files (rcv_file_id, rcv_file_entity_id, user_id, size, digest, key, nonce, chunk_size,
                    prefix_path, save_path, status)
                VALUES (13, CAST('x' AS BLOB), 1, 1, x'00', x'00', x'00', 1, 'p', 's', 'receiving')
                """
            ]),
        .init(
            "crossProfileReference", ["chat_items 21"],
            chat: [
                "UPDATE chat_items SET contact_id = 11 WHERE chat_item_id = 21"
            ]),
        .init(
            "crossProfileReference", ["chat_tags_chats 2"],
            chat: [
                "INSERT INTO chat_tags_chats (contact_id, chat_tag_id) VALUES (21, 11)"
            ]),
        .init(
            "blockedDeletion",
            ["contact_requests 11 of profile 1: contact_profile_id in contact_profiles 21 of profile 2"],
            chat: [
                "UPDATE contact_requests SET contact_profile_id = 21",
                "DELETE FROM contact_profiles WHERE contact_profile_id = 15",
            ]),
        .init(
            "blockedDeletion",
            ["contact_requests 11 of a hidden profile: contact_profile_id in contact_profiles 21 of profile 2"],
            chat: [
                hide, "UPDATE contact_requests SET contact_profile_id = 21",
                "DELETE FROM contact_profiles WHERE contact_profile_id = 15",
            ]),
        .init(
            "blockedDeletion",
            [
                "links 1 of profile 1: emptied in contacts 21 of profile 2",
                "links 1 of profile 1: reset in contacts 21 of profile 2",
            ],
            chat: [
                """
                CREATE TABLE links (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL,
                    emptied INTEGER NOT NULL REFERENCES contacts ON DELETE SET NULL,
                    reset INTEGER NOT NULL REFERENCES contacts ON DELETE SET DEFAULT,
                    free INTEGER REFERENCES contacts ON DELETE SET NULL,
                    other INTEGER NOT NULL DEFAULT 11 REFERENCES contacts ON DELETE SET DEFAULT) STRICT
                """,
                "INSERT INTO links VALUES (1, 1, 21, 21, 21, 21)",
            ]),
        .init(
            "connectionDeletedOnOneSide", ["11"],
            agent: [
                "UPDATE connections SET deleted = 1 WHERE conn_id = x'6131'"
            ]),
        .init(
            "connectionDeletedOnOneSide", ["12"],
            chat: [
                "UPDATE connections SET conn_status = 'deleted', to_subscribe = 0 WHERE connection_id = 12"
            ]),
    ]

    private static let profiles: [CheckFault] = [
        .init(
            "severalActiveProfiles", ["1", "2"],
            chat: [
                "DROP INDEX idx_users_active_user", "UPDATE users SET active_user = 1",
            ]),
        .init(
            "severalActiveProfiles", ["2"], count: 2,
            chat: [
                "DROP INDEX idx_users_active_user", hide, "UPDATE users SET active_user = 1",
            ], changed: ["chat users"]),
        .init(
            "sharedAgentProfile", ["1", "2"],
            chat: [
                "DROP INDEX idx_users_agent_user_id", "UPDATE users SET agent_user_id = 1",
            ], agent: ["UPDATE users SET deleted = 1 WHERE user_id = 2"]),
        .init(
            "hiddenActiveProfile", [], count: 1,
            chat: [
                hide, "UPDATE users SET active_user = 0", "UPDATE users SET active_user = 1 WHERE user_id = 1",
            ]),
        .init("noActiveProfile", [], count: 1, chat: ["UPDATE users SET active_user = 0"], changed: ["chat users"]),
        .init(
            "profileWithoutOwnContact", ["1"],
            chat: [
                "UPDATE contacts SET is_user = 0 WHERE contact_id = 1"
            ]),
        .init("strayOwnContact", ["11"], chat: ["UPDATE contacts SET is_user = 1 WHERE contact_id = 11"]),
        .init(
            "ownNameDiffers", ["1"],
            chat: [
                "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'alicia', 'alicia')",
                "UPDATE contacts SET local_display_name = 'alicia' WHERE contact_id = 1",
                // The name is the user's still; that of the memberships is looked at by whose it is.
            ]),
        .init("halfHiddenProfile", [], count: 1, chat: ["UPDATE users SET view_pwd_salt = x'02' WHERE user_id = 1"]),
        .init(
            "hiddenProfileNotMuted", [], count: 1,
            chat: [
                hide, "UPDATE users SET show_ntfs = 1 WHERE user_id = 1",
            ], changed: ["chat users"]),
        .init(
            "severalAddresses", ["12"],
            chat: [
                "INSERT INTO user_contact_links (user_contact_link_id, user_id, conn_req_contact) VALUES (12, 1, 'x')"
            ]),
        .init(
            "sharedDisplayName", ["5"],
            chat: [
                "UPDATE group_members SET local_display_name = 'carol' WHERE group_member_id = 12",
                "DELETE FROM display_names WHERE local_display_name = 'dan'",
            ]),
        .init(
            "displayNameForm", ["6"],
            chat: [
                "UPDATE display_names SET ldn_suffix = 9 WHERE user_id = 1 AND local_display_name = 'carol_1'"
            ]),
        .init(
            "unusedDisplayName", ["11"],
            chat: [
                "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'old', 'old')"
            ]),
    ]
}
