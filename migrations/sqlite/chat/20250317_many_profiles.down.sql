-- chatdb: rebuild
-- chatdb: data-loss
-- Before this version a store had one profile: the active one stays (or, with none active, the one that was last),
-- as number 1, and everything of the others goes.

DELETE FROM users
WHERE user_id <> (SELECT user_id FROM users ORDER BY active_user DESC, active_order DESC, user_id LIMIT 1);

-- The condition holds before the statement above and after it, so that a plan counts these rows.
DELETE FROM msg_deliveries
WHERE message_id NOT IN (
    SELECT message_id FROM messages
    WHERE user_id = (SELECT user_id FROM users ORDER BY active_user DESC, active_order DESC, user_id LIMIT 1));

CREATE TABLE new_smp_servers (
    smp_server_id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    port TEXT NOT NULL DEFAULT '',
    key_hash TEXT NOT NULL,
    basic_auth TEXT,
    preset INTEGER NOT NULL DEFAULT 0 CHECK (preset IN (0, 1)),
    tested INTEGER CHECK (tested IN (0, 1)),
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_smp_servers (
    smp_server_id, host, port, key_hash, basic_auth, preset, tested, enabled, created_at, updated_at)
SELECT
    smp_server_id, host, port, key_hash, basic_auth, preset, tested, enabled, created_at, updated_at
FROM smp_servers
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE smp_servers;
ALTER TABLE new_smp_servers RENAME TO smp_servers;

CREATE UNIQUE INDEX idx_smp_servers_host ON smp_servers (host, port);

CREATE TABLE new_chat_items (
    chat_item_id INTEGER PRIMARY KEY,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    created_by_msg_id INTEGER REFERENCES messages (message_id) ON DELETE SET NULL,
    shared_msg_id TEXT,
    item_sent INTEGER NOT NULL CHECK (item_sent IN (0, 1)),
    item_ts TEXT NOT NULL,
    item_status TEXT NOT NULL,
    item_content TEXT NOT NULL,
    item_content_tag TEXT,
    msg_content_tag TEXT,
    item_text TEXT NOT NULL,
    item_edited INTEGER NOT NULL DEFAULT 0 CHECK (item_edited IN (0, 1)),
    item_deleted INTEGER NOT NULL DEFAULT 0 CHECK (item_deleted IN (0, 1)),
    item_deleted_ts TEXT,
    item_deleted_by_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    quoted_shared_msg_id TEXT,
    quoted_sent_at TEXT,
    quoted_content TEXT,
    quoted_sent INTEGER CHECK (quoted_sent IN (0, 1)),
    quoted_member_id TEXT,
    timed_ttl INTEGER,
    timed_delete_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK (contact_id IS NULL OR group_id IS NULL)
) STRICT;

INSERT INTO new_chat_items (
    chat_item_id, contact_id, group_id, group_member_id, created_by_msg_id, shared_msg_id, item_sent, item_ts,
    item_status, item_content, item_content_tag, msg_content_tag, item_text, item_edited, item_deleted,
    item_deleted_ts, item_deleted_by_group_member_id, quoted_shared_msg_id, quoted_sent_at, quoted_content,
    quoted_sent, quoted_member_id, timed_ttl, timed_delete_at, created_at, updated_at)
SELECT
    chat_item_id, contact_id, group_id, group_member_id, created_by_msg_id, shared_msg_id, item_sent, item_ts,
    item_status, item_content, item_content_tag, msg_content_tag, item_text, item_edited, item_deleted,
    item_deleted_ts, item_deleted_by_group_member_id, quoted_shared_msg_id, quoted_sent_at, quoted_content,
    quoted_sent, quoted_member_id, timed_ttl, timed_delete_at, created_at, updated_at
FROM chat_items
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE chat_items;
ALTER TABLE new_chat_items RENAME TO chat_items;

CREATE INDEX idx_chat_items_contact ON chat_items (contact_id, item_ts);
CREATE INDEX idx_chat_items_group ON chat_items (group_id, item_ts);
CREATE INDEX idx_chat_items_group_member_id ON chat_items (group_member_id);
CREATE INDEX idx_chat_items_created_by_msg_id ON chat_items (created_by_msg_id);
CREATE INDEX idx_chat_items_deleted_by_group_member_id ON chat_items (item_deleted_by_group_member_id);
CREATE INDEX idx_chat_items_shared_msg_id ON chat_items (shared_msg_id);

CREATE TABLE new_messages (
    message_id INTEGER PRIMARY KEY,
    msg_sent INTEGER NOT NULL CHECK (msg_sent IN (0, 1)),
    chat_msg_event TEXT NOT NULL,
    msg_body TEXT,
    connection_id INTEGER REFERENCES connections (connection_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    shared_msg_id TEXT,
    author_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    forwarded_by_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    broker_ts TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_messages (
    message_id, msg_sent, chat_msg_event, msg_body, connection_id, group_id, shared_msg_id,
    author_group_member_id, forwarded_by_group_member_id, broker_ts, created_at, updated_at)
SELECT
    message_id, msg_sent, chat_msg_event, msg_body, connection_id, group_id, shared_msg_id,
    author_group_member_id, forwarded_by_group_member_id, broker_ts, created_at, updated_at
FROM messages
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE messages;
ALTER TABLE new_messages RENAME TO messages;

CREATE INDEX idx_messages_connection_id ON messages (connection_id, shared_msg_id);
CREATE INDEX idx_messages_group_id ON messages (group_id, shared_msg_id);
CREATE INDEX idx_messages_author_group_member_id ON messages (author_group_member_id);
CREATE INDEX idx_messages_forwarded_by_group_member_id ON messages (forwarded_by_group_member_id);
CREATE INDEX idx_messages_created_at ON messages (created_at);

CREATE TABLE new_connections (
    connection_id INTEGER PRIMARY KEY,
    agent_conn_id TEXT NOT NULL,
    conn_status TEXT NOT NULL,
    conn_type TEXT NOT NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    user_contact_link_id INTEGER REFERENCES user_contact_links (user_contact_link_id) ON DELETE CASCADE,
    via_user_contact_link INTEGER REFERENCES user_contact_links (user_contact_link_id) ON DELETE SET NULL,
    custom_user_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    conn_req_inv TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    to_subscribe INTEGER NOT NULL DEFAULT 0 CHECK (to_subscribe IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK ((contact_id IS NOT NULL) + (group_member_id IS NOT NULL) + (user_contact_link_id IS NOT NULL) <= 1)
) STRICT;

INSERT INTO new_connections (
    connection_id, agent_conn_id, conn_status, conn_type, contact_id, group_member_id, user_contact_link_id,
    via_user_contact_link, custom_user_profile_id, conn_req_inv, local_alias, to_subscribe, created_at,
    updated_at)
SELECT
    connection_id, agent_conn_id, conn_status, conn_type, contact_id, group_member_id, user_contact_link_id,
    via_user_contact_link, custom_user_profile_id, conn_req_inv, local_alias, to_subscribe, created_at,
    updated_at
FROM connections
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE connections;
ALTER TABLE new_connections RENAME TO connections;

CREATE UNIQUE INDEX idx_connections_agent_conn_id ON connections (agent_conn_id);
CREATE INDEX idx_connections_contact_id ON connections (contact_id);
CREATE INDEX idx_connections_group_member_id ON connections (group_member_id);
CREATE INDEX idx_connections_user_contact_link_id ON connections (user_contact_link_id);
CREATE INDEX idx_connections_via_user_contact_link ON connections (via_user_contact_link);
CREATE INDEX idx_connections_custom_user_profile_id ON connections (custom_user_profile_id);
CREATE INDEX idx_connections_to_subscribe ON connections (to_subscribe);

CREATE TABLE new_contact_requests (
    contact_request_id INTEGER PRIMARY KEY,
    user_contact_link_id INTEGER REFERENCES user_contact_links (user_contact_link_id) ON DELETE SET NULL,
    agent_invitation_id TEXT NOT NULL,
    xcontact_id TEXT,
    contact_profile_id INTEGER NOT NULL REFERENCES contact_profiles (contact_profile_id),
    local_display_name TEXT NOT NULL REFERENCES display_names (local_display_name),
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_contact_requests (
    contact_request_id, user_contact_link_id, agent_invitation_id, xcontact_id, contact_profile_id,
    local_display_name, contact_id, created_at, updated_at)
SELECT
    contact_request_id, user_contact_link_id, agent_invitation_id, xcontact_id, contact_profile_id,
    local_display_name, contact_id, created_at, updated_at
FROM contact_requests
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE contact_requests;
ALTER TABLE new_contact_requests RENAME TO contact_requests;

CREATE UNIQUE INDEX idx_contact_requests_local_display_name ON contact_requests (local_display_name);
CREATE UNIQUE INDEX idx_contact_requests_xcontact_id ON contact_requests (xcontact_id);
CREATE INDEX idx_contact_requests_user_contact_link_id ON contact_requests (user_contact_link_id);
CREATE INDEX idx_contact_requests_contact_profile_id ON contact_requests (contact_profile_id);
CREATE INDEX idx_contact_requests_contact_id ON contact_requests (contact_id);

CREATE TABLE new_user_contact_links (
    user_contact_link_id INTEGER PRIMARY KEY,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    conn_req_contact TEXT NOT NULL,
    short_link_contact TEXT,
    auto_accept INTEGER NOT NULL DEFAULT 0 CHECK (auto_accept IN (0, 1)),
    auto_accept_incognito INTEGER NOT NULL DEFAULT 0 CHECK (auto_accept_incognito IN (0, 1)),
    auto_reply_msg_content TEXT,
    group_link_id TEXT,
    group_link_member_role TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_user_contact_links (
    user_contact_link_id, group_id, conn_req_contact, short_link_contact, auto_accept, auto_accept_incognito,
    auto_reply_msg_content, group_link_id, group_link_member_role, created_at, updated_at)
SELECT
    user_contact_link_id, group_id, conn_req_contact, short_link_contact, auto_accept, auto_accept_incognito,
    auto_reply_msg_content, group_link_id, group_link_member_role, created_at, updated_at
FROM user_contact_links
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE user_contact_links;
ALTER TABLE new_user_contact_links RENAME TO user_contact_links;

CREATE UNIQUE INDEX idx_user_contact_links_group_id ON user_contact_links (group_id);
CREATE INDEX idx_user_contact_links_conn_req_contact ON user_contact_links (conn_req_contact);
CREATE INDEX idx_user_contact_links_short_link_contact ON user_contact_links (short_link_contact);

CREATE TABLE new_group_members (
    group_member_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    member_id TEXT NOT NULL,
    member_role TEXT NOT NULL,
    member_category TEXT NOT NULL,
    member_status TEXT NOT NULL,
    member_restriction TEXT,
    show_messages INTEGER NOT NULL DEFAULT 1 CHECK (show_messages IN (0, 1)),
    invited_by_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    local_display_name TEXT NOT NULL REFERENCES display_names (local_display_name),
    contact_profile_id INTEGER NOT NULL REFERENCES contact_profiles (contact_profile_id),
    member_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_group_members (
    group_member_id, group_id, member_id, member_role, member_category, member_status, member_restriction,
    show_messages, invited_by_group_member_id, local_display_name, contact_profile_id, member_profile_id,
    contact_id, created_at, updated_at)
SELECT
    group_member_id, group_id, member_id, member_role, member_category, member_status, member_restriction,
    show_messages, invited_by_group_member_id, local_display_name, contact_profile_id, member_profile_id,
    contact_id, created_at, updated_at
FROM group_members
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE group_members;
ALTER TABLE new_group_members RENAME TO group_members;

CREATE UNIQUE INDEX idx_group_members_member_id ON group_members (group_id, member_id);
CREATE UNIQUE INDEX idx_group_members_own ON group_members (group_id) WHERE member_category = 'user';
CREATE INDEX idx_group_members_invited_by_group_member_id ON group_members (invited_by_group_member_id);
CREATE INDEX idx_group_members_local_display_name ON group_members (local_display_name);
CREATE INDEX idx_group_members_contact_profile_id ON group_members (contact_profile_id);
CREATE INDEX idx_group_members_member_profile_id ON group_members (member_profile_id);
CREATE INDEX idx_group_members_contact_id ON group_members (contact_id);

CREATE TABLE new_groups (
    group_id INTEGER PRIMARY KEY,
    group_profile_id INTEGER NOT NULL REFERENCES group_profiles (group_profile_id),
    local_display_name TEXT NOT NULL REFERENCES display_names (local_display_name),
    local_alias TEXT NOT NULL DEFAULT '',
    enable_ntfs INTEGER CHECK (enable_ntfs IN (0, 1, 2)),
    send_rcpts INTEGER CHECK (send_rcpts IN (0, 1)),
    chat_item_ttl INTEGER,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    unread_chat INTEGER NOT NULL DEFAULT 0 CHECK (unread_chat IN (0, 1)),
    favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_groups (
    group_id, group_profile_id, local_display_name, local_alias, enable_ntfs, send_rcpts, chat_item_ttl, chat_ts,
    unread_chat, favorite, created_at, updated_at)
SELECT
    group_id, group_profile_id, local_display_name, local_alias, enable_ntfs, send_rcpts, chat_item_ttl, chat_ts,
    unread_chat, favorite, created_at, updated_at
FROM groups
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE groups;
ALTER TABLE new_groups RENAME TO groups;

CREATE UNIQUE INDEX idx_groups_local_display_name ON groups (local_display_name);
CREATE UNIQUE INDEX idx_groups_group_profile_id ON groups (group_profile_id);

CREATE TABLE new_group_profiles (
    group_profile_id INTEGER PRIMARY KEY,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    description TEXT,
    image TEXT,
    preferences TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_group_profiles (
    group_profile_id, display_name, full_name, short_descr, description, image, preferences, created_at,
    updated_at)
SELECT
    group_profile_id, display_name, full_name, short_descr, description, image, preferences, created_at,
    updated_at
FROM group_profiles
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE group_profiles;
ALTER TABLE new_group_profiles RENAME TO group_profiles;


CREATE TABLE new_contacts (
    contact_id INTEGER PRIMARY KEY,
    contact_profile_id INTEGER NOT NULL REFERENCES contact_profiles (contact_profile_id),
    local_display_name TEXT NOT NULL REFERENCES display_names (local_display_name),
    is_user INTEGER NOT NULL DEFAULT 0 CHECK (is_user IN (0, 1)),
    contact_used INTEGER NOT NULL DEFAULT 0 CHECK (contact_used IN (0, 1)),
    contact_status TEXT NOT NULL DEFAULT 'active',
    user_preferences TEXT,
    enable_ntfs INTEGER CHECK (enable_ntfs IN (0, 1, 2)),
    send_rcpts INTEGER CHECK (send_rcpts IN (0, 1)),
    chat_item_ttl INTEGER,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    unread_chat INTEGER NOT NULL DEFAULT 0 CHECK (unread_chat IN (0, 1)),
    favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_contacts (
    contact_id, contact_profile_id, local_display_name, is_user, contact_used, contact_status, user_preferences,
    enable_ntfs, send_rcpts, chat_item_ttl, chat_ts, unread_chat, favorite, deleted, created_at, updated_at)
SELECT
    contact_id, contact_profile_id, local_display_name, is_user, contact_used, contact_status, user_preferences,
    enable_ntfs, send_rcpts, chat_item_ttl, chat_ts, unread_chat, favorite, deleted, created_at, updated_at
FROM contacts
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE contacts;
ALTER TABLE new_contacts RENAME TO contacts;

CREATE UNIQUE INDEX idx_contacts_local_display_name ON contacts (local_display_name);
CREATE UNIQUE INDEX idx_contacts_contact_profile_id ON contacts (contact_profile_id);

CREATE TABLE new_contact_profiles (
    contact_profile_id INTEGER PRIMARY KEY,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    image TEXT,
    contact_link TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    preferences TEXT,
    incognito INTEGER NOT NULL DEFAULT 0 CHECK (incognito IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_contact_profiles (
    contact_profile_id, display_name, full_name, short_descr, image, contact_link, local_alias, preferences,
    incognito, created_at, updated_at)
SELECT
    contact_profile_id, display_name, full_name, short_descr, image, contact_link, local_alias, preferences,
    incognito, created_at, updated_at
FROM contact_profiles
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE contact_profiles;
ALTER TABLE new_contact_profiles RENAME TO contact_profiles;

CREATE INDEX idx_contact_profiles_contact_link ON contact_profiles (contact_link);

CREATE TABLE new_display_names (
    local_display_name TEXT NOT NULL PRIMARY KEY,
    ldn_base TEXT NOT NULL,
    ldn_suffix INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_display_names (
    local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
SELECT
    local_display_name, ldn_base, ldn_suffix, created_at, updated_at
FROM display_names
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE display_names;
ALTER TABLE new_display_names RENAME TO display_names;

CREATE UNIQUE INDEX idx_display_names_ldn ON display_names (ldn_base, ldn_suffix);

CREATE TABLE new_settings (
    settings_id INTEGER PRIMARY KEY CHECK (settings_id = 1),
    chat_item_ttl INTEGER,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_settings (
    settings_id, chat_item_ttl, created_at, updated_at)
SELECT
    1, chat_item_ttl, created_at, updated_at
FROM settings
WHERE user_id IN (SELECT user_id FROM users);

DROP TABLE settings;
ALTER TABLE new_settings RENAME TO settings;


CREATE TABLE new_users (
    user_id INTEGER PRIMARY KEY CHECK (user_id = 1),
    agent_user_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL REFERENCES contacts (contact_id) DEFERRABLE INITIALLY DEFERRED,
    local_display_name TEXT NOT NULL
        REFERENCES display_names (local_display_name) DEFERRABLE INITIALLY DEFERRED,
    show_ntfs INTEGER NOT NULL DEFAULT 1 CHECK (show_ntfs IN (0, 1)),
    send_rcpts_contacts INTEGER NOT NULL DEFAULT 0 CHECK (send_rcpts_contacts IN (0, 1)),
    send_rcpts_small_groups INTEGER NOT NULL DEFAULT 0 CHECK (send_rcpts_small_groups IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

INSERT INTO new_users (
    user_id, agent_user_id, contact_id, local_display_name, show_ntfs, send_rcpts_contacts,
    send_rcpts_small_groups, created_at, updated_at)
SELECT
    1, agent_user_id, contact_id, local_display_name, show_ntfs, send_rcpts_contacts, send_rcpts_small_groups,
    created_at, updated_at
FROM users;

DROP TABLE users;
ALTER TABLE new_users RENAME TO users;

CREATE UNIQUE INDEX idx_users_contact_id ON users (contact_id);
CREATE UNIQUE INDEX idx_users_local_display_name ON users (local_display_name);
