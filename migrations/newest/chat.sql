CREATE TABLE app_settings (
    app_settings_id INTEGER PRIMARY KEY,
    app_settings TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK (app_settings_id = 1)
) STRICT;

CREATE TABLE chat_item_mentions (
    chat_item_mention_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL,
    member_id TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (chat_item_id) REFERENCES chat_items (chat_item_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE chat_item_reactions (
    chat_item_reaction_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL,
    group_member_id INTEGER,
    reaction TEXT NOT NULL,
    reaction_sent INTEGER NOT NULL,
    reaction_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (chat_item_id) REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    CHECK (reaction_sent IN (0, 1))
) STRICT;

CREATE TABLE chat_item_versions (
    chat_item_version_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL,
    msg_content TEXT NOT NULL,
    item_version_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (chat_item_id) REFERENCES chat_items (chat_item_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE chat_items (
    chat_item_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    contact_id INTEGER,
    group_id INTEGER,
    note_folder_id INTEGER,
    group_member_id INTEGER,
    created_by_msg_id INTEGER,
    shared_msg_id TEXT,
    item_sent INTEGER NOT NULL,
    item_ts TEXT NOT NULL,
    item_status TEXT NOT NULL,
    item_content TEXT NOT NULL,
    item_content_tag TEXT,
    msg_content_tag TEXT,
    item_text TEXT NOT NULL,
    item_edited INTEGER NOT NULL DEFAULT 0,
    item_deleted INTEGER NOT NULL DEFAULT 0,
    item_deleted_ts TEXT,
    item_deleted_by_group_member_id INTEGER,
    quoted_shared_msg_id TEXT,
    quoted_sent_at TEXT,
    quoted_content TEXT,
    quoted_sent INTEGER,
    quoted_member_id TEXT,
    timed_ttl INTEGER,
    timed_delete_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    user_mention INTEGER NOT NULL DEFAULT 0,
    item_live INTEGER NOT NULL DEFAULT 0,
    fwd_from_tag TEXT,
    fwd_from_chat_name TEXT,
    fwd_from_msg_dir INTEGER,
    fwd_from_contact_id INTEGER,
    fwd_from_group_id INTEGER,
    fwd_from_chat_item_id INTEGER,
    fwd_from_group_type TEXT,
    fwd_from_group_link TEXT,
    fwd_from_public_group_id TEXT,
    fwd_from_member_id TEXT,
    fwd_from_shared_msg_id TEXT,
    group_scope_tag TEXT,
    group_scope_group_member_id INTEGER,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE CASCADE,
    FOREIGN KEY (created_by_msg_id) REFERENCES messages (message_id) ON DELETE SET NULL,
    FOREIGN KEY (fwd_from_chat_item_id) REFERENCES chat_items (chat_item_id) ON DELETE SET NULL,
    FOREIGN KEY (fwd_from_contact_id) REFERENCES contacts (contact_id) ON DELETE SET NULL,
    FOREIGN KEY (fwd_from_group_id) REFERENCES "groups" (group_id) ON DELETE SET NULL,
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (group_scope_group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    FOREIGN KEY (item_deleted_by_group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (note_folder_id) REFERENCES note_folders (note_folder_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK ((contact_id IS NOT NULL) + (group_id IS NOT NULL) + (note_folder_id IS NOT NULL) <= 1),
    CHECK (fwd_from_msg_dir IN (0, 1)),
    CHECK (item_deleted IN (0, 1)),
    CHECK (item_edited IN (0, 1)),
    CHECK (item_live IN (0, 1)),
    CHECK (item_sent IN (0, 1)),
    CHECK (quoted_sent IN (0, 1)),
    CHECK (user_mention IN (0, 1))
) STRICT;

CREATE VIRTUAL TABLE chat_items_fts USING fts5 (
    item_text,
    content = 'chat_items',
    content_rowid = 'chat_item_id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE chat_relays (
    chat_relay_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    address TEXT NOT NULL,
    display_name TEXT NOT NULL DEFAULT '',
    domains TEXT NOT NULL DEFAULT '',
    preset INTEGER NOT NULL DEFAULT 0,
    tested INTEGER,
    tested_at TEXT,
    enabled INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    deleted INTEGER NOT NULL DEFAULT 0,
    address_key TEXT NOT NULL DEFAULT '',
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (deleted IN (0, 1)),
    CHECK (enabled IN (0, 1)),
    CHECK (preset IN (0, 1)),
    CHECK (tested IN (0, 1))
) STRICT;

CREATE TABLE chat_tags (
    chat_tag_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    chat_tag_text TEXT NOT NULL,
    chat_tag_emoji TEXT,
    tag_order INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE chat_tags_chats (
    contact_id INTEGER,
    group_id INTEGER,
    chat_tag_id INTEGER NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (chat_tag_id) REFERENCES chat_tags (chat_tag_id) ON DELETE CASCADE,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE CASCADE,
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    CHECK ((contact_id IS NULL) <> (group_id IS NULL))
) STRICT;

CREATE TABLE connections (
    connection_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    agent_conn_id TEXT NOT NULL,
    conn_status TEXT NOT NULL,
    conn_type TEXT NOT NULL,
    contact_id INTEGER,
    group_member_id INTEGER,
    user_contact_link_id INTEGER,
    via_user_contact_link INTEGER,
    custom_user_profile_id INTEGER,
    conn_req_inv TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    to_subscribe INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    snd_file_id INTEGER,
    rcv_file_id INTEGER,
    security_code TEXT,
    security_code_verified_at TEXT,
    auth_err_counter INTEGER NOT NULL DEFAULT 0,
    quota_err_counter INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE CASCADE,
    FOREIGN KEY (custom_user_profile_id) REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    FOREIGN KEY (rcv_file_id) REFERENCES files (file_id) ON DELETE CASCADE,
    FOREIGN KEY (snd_file_id) REFERENCES files (file_id) ON DELETE CASCADE,
    FOREIGN KEY (user_contact_link_id) REFERENCES user_contact_links (user_contact_link_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    FOREIGN KEY (via_user_contact_link) REFERENCES user_contact_links (user_contact_link_id) ON DELETE SET NULL,
    CHECK ((contact_id IS NOT NULL) + (group_member_id IS NOT NULL) + (user_contact_link_id IS NOT NULL) <= 1),
    CHECK (rcv_file_id IS NULL OR contact_id IS NULL AND group_member_id IS NULL AND user_contact_link_id IS NULL AND snd_file_id IS NULL),
    CHECK (snd_file_id IS NULL OR contact_id IS NULL AND group_member_id IS NULL AND user_contact_link_id IS NULL),
    CHECK (to_subscribe IN (0, 1))
) STRICT;

CREATE TABLE contact_profiles (
    contact_profile_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    image TEXT,
    contact_link TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    preferences TEXT,
    incognito INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    description TEXT,
    chat_peer_type TEXT,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (incognito IN (0, 1))
) STRICT;

CREATE TABLE contact_requests (
    contact_request_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    user_contact_link_id INTEGER,
    agent_invitation_id TEXT NOT NULL,
    xcontact_id TEXT,
    contact_profile_id INTEGER NOT NULL,
    local_display_name TEXT NOT NULL,
    contact_id INTEGER,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE SET NULL,
    FOREIGN KEY (contact_profile_id) REFERENCES contact_profiles (contact_profile_id),
    FOREIGN KEY (user_contact_link_id) REFERENCES user_contact_links (user_contact_link_id) ON DELETE SET NULL,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, local_display_name) REFERENCES display_names (user_id, local_display_name)
) STRICT;

CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    contact_profile_id INTEGER NOT NULL,
    local_display_name TEXT NOT NULL,
    is_user INTEGER NOT NULL DEFAULT 0,
    contact_used INTEGER NOT NULL DEFAULT 0,
    contact_status TEXT NOT NULL DEFAULT 'active',
    user_preferences TEXT,
    enable_ntfs INTEGER,
    send_rcpts INTEGER,
    chat_item_ttl INTEGER,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    unread_chat INTEGER NOT NULL DEFAULT 0,
    favorite INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    ui_themes TEXT,
    contact_group_member_id INTEGER,
    contact_grp_inv_sent INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (contact_group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (contact_profile_id) REFERENCES contact_profiles (contact_profile_id),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, local_display_name) REFERENCES display_names (user_id, local_display_name),
    CHECK (contact_grp_inv_sent IN (0, 1)),
    CHECK (contact_used IN (0, 1)),
    CHECK (deleted IN (0, 1)),
    CHECK (enable_ntfs IN (0, 1, 2)),
    CHECK (favorite IN (0, 1)),
    CHECK (is_user IN (0, 1)),
    CHECK (send_rcpts IN (0, 1)),
    CHECK (unread_chat IN (0, 1))
) STRICT;

CREATE TABLE delivery_jobs (
    delivery_job_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    worker_scope TEXT NOT NULL,
    job_scope_spec_tag TEXT,
    job_scope_include_pending INTEGER,
    job_scope_support_gm_id INTEGER,
    sender_group_member_ids TEXT,
    body BLOB,
    cursor_group_member_id INTEGER,
    job_status TEXT NOT NULL,
    job_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (job_scope_support_gm_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (failed IN (0, 1)),
    CHECK (job_scope_include_pending IN (0, 1))
) STRICT;

CREATE TABLE delivery_tasks (
    delivery_task_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    worker_scope TEXT NOT NULL,
    job_scope_spec_tag TEXT,
    job_scope_include_pending INTEGER,
    job_scope_support_gm_id INTEGER,
    sender_group_member_id INTEGER NOT NULL,
    message_id INTEGER,
    message_from_channel INTEGER NOT NULL DEFAULT 0,
    task_status TEXT NOT NULL,
    task_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (job_scope_support_gm_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    FOREIGN KEY (message_id) REFERENCES messages (message_id) ON DELETE CASCADE,
    FOREIGN KEY (sender_group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (failed IN (0, 1)),
    CHECK (job_scope_include_pending IN (0, 1)),
    CHECK (message_from_channel IN (0, 1))
) STRICT;

CREATE TABLE display_names (
    user_id INTEGER NOT NULL,
    local_display_name TEXT NOT NULL,
    ldn_base TEXT NOT NULL,
    ldn_suffix INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (user_id, local_display_name),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE files (
    file_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    contact_id INTEGER,
    group_id INTEGER,
    chat_item_id INTEGER,
    file_name TEXT NOT NULL,
    file_path TEXT,
    file_size INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    protocol TEXT NOT NULL,
    ci_file_status TEXT,
    cancelled INTEGER NOT NULL DEFAULT 0,
    agent_snd_file_id TEXT,
    agent_snd_file_deleted INTEGER NOT NULL DEFAULT 0,
    private_snd_file_descr TEXT,
    file_crypto_key BLOB,
    file_crypto_nonce BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    note_folder_id INTEGER,
    FOREIGN KEY (chat_item_id) REFERENCES chat_items (chat_item_id) ON DELETE SET NULL,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE CASCADE,
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (note_folder_id) REFERENCES note_folders (note_folder_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (agent_snd_file_deleted IN (0, 1)),
    CHECK (cancelled IN (0, 1))
) STRICT;

CREATE TABLE group_members (
    group_member_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    member_id TEXT NOT NULL,
    member_role TEXT NOT NULL,
    member_category TEXT NOT NULL,
    member_status TEXT NOT NULL,
    member_restriction TEXT,
    show_messages INTEGER NOT NULL DEFAULT 1,
    invited_by_group_member_id INTEGER,
    local_display_name TEXT NOT NULL,
    contact_profile_id INTEGER NOT NULL,
    member_profile_id INTEGER,
    contact_id INTEGER,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    relay_link TEXT,
    support_chat_ts TEXT,
    support_chat_items_unread INTEGER NOT NULL DEFAULT 0,
    support_chat_items_member_attention INTEGER NOT NULL DEFAULT 0,
    support_chat_items_mentions INTEGER NOT NULL DEFAULT 0,
    support_chat_last_msg_from_member_ts TEXT,
    relay_failure TEXT,
    invited_by INTEGER,
    member_security_code TEXT,
    member_security_code_verified_at TEXT,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) ON DELETE SET NULL,
    FOREIGN KEY (contact_profile_id) REFERENCES contact_profiles (contact_profile_id),
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (invited_by) REFERENCES contacts (contact_id) ON DELETE SET NULL,
    FOREIGN KEY (invited_by_group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (member_profile_id) REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, local_display_name) REFERENCES display_names (user_id, local_display_name),
    CHECK (show_messages IN (0, 1))
) STRICT;

CREATE TABLE group_profiles (
    group_profile_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    description TEXT,
    image TEXT,
    preferences TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    group_link TEXT,
    group_link_key TEXT,
    group_type TEXT,
    public_group_id TEXT,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE group_relays (
    group_relay_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL,
    group_member_id INTEGER NOT NULL,
    chat_relay_id INTEGER NOT NULL,
    relay_status TEXT NOT NULL DEFAULT 'new',
    relay_link TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (chat_relay_id) REFERENCES chat_relays (chat_relay_id),
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE "groups" (
    group_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    group_profile_id INTEGER NOT NULL,
    local_display_name TEXT NOT NULL,
    local_alias TEXT NOT NULL DEFAULT '',
    enable_ntfs INTEGER,
    send_rcpts INTEGER,
    chat_item_ttl INTEGER,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    unread_chat INTEGER NOT NULL DEFAULT 0,
    favorite INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    conn_full_link_to_connect TEXT,
    conn_short_link_to_connect TEXT,
    conn_link_prepared_connection INTEGER NOT NULL DEFAULT 0,
    conn_link_started_connection INTEGER NOT NULL DEFAULT 0,
    welcome_shared_msg_id TEXT,
    request_shared_msg_id TEXT,
    use_relays INTEGER NOT NULL DEFAULT 0,
    creating_in_progress INTEGER NOT NULL DEFAULT 0,
    public_member_count INTEGER,
    conn_full_link_to_connect_key TEXT,
    conn_short_link_to_connect_key TEXT,
    ui_themes TEXT,
    business_chat TEXT,
    business_member_id TEXT,
    customer_member_id TEXT,
    business_xcontact_id TEXT,
    relay_own_status TEXT,
    relay_request_inv_id TEXT,
    relay_request_group_link TEXT,
    relay_request_group_link_key TEXT,
    relay_request_peer_chat_min_version INTEGER,
    relay_request_peer_chat_max_version INTEGER,
    relay_request_failed INTEGER NOT NULL DEFAULT 0,
    relay_request_err_reason TEXT,
    relay_request_retries INTEGER NOT NULL DEFAULT 0,
    relay_request_delay INTEGER NOT NULL DEFAULT 0,
    relay_request_execute_at TEXT NOT NULL DEFAULT '1970-01-01 00:00:00',
    relay_inactive_at TEXT,
    relay_sent_web_domain TEXT,
    FOREIGN KEY (group_profile_id) REFERENCES group_profiles (group_profile_id),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, local_display_name) REFERENCES display_names (user_id, local_display_name),
    CHECK (conn_link_prepared_connection IN (0, 1)),
    CHECK (conn_link_started_connection IN (0, 1)),
    CHECK (creating_in_progress IN (0, 1)),
    CHECK (enable_ntfs IN (0, 1, 2)),
    CHECK (favorite IN (0, 1)),
    CHECK (relay_request_delay >= 0),
    CHECK (relay_request_failed IN (0, 1)),
    CHECK (relay_request_retries >= 0),
    CHECK (send_rcpts IN (0, 1)),
    CHECK (unread_chat IN (0, 1)),
    CHECK (use_relays IN (0, 1))
) STRICT;

CREATE TABLE messages (
    message_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    msg_sent INTEGER NOT NULL,
    chat_msg_event TEXT NOT NULL,
    msg_body TEXT,
    connection_id INTEGER,
    group_id INTEGER,
    shared_msg_id TEXT,
    author_group_member_id INTEGER,
    forwarded_by_group_member_id INTEGER,
    broker_ts TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (author_group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (connection_id) REFERENCES connections (connection_id) ON DELETE CASCADE,
    FOREIGN KEY (forwarded_by_group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (msg_sent IN (0, 1))
) STRICT;

CREATE TABLE msg_deliveries (
    msg_delivery_id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL,
    connection_id INTEGER NOT NULL,
    agent_msg_id INTEGER,
    delivery_status TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (connection_id) REFERENCES connections (connection_id) ON DELETE CASCADE,
    FOREIGN KEY (message_id) REFERENCES messages (message_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE note_folders (
    note_folder_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    favorite INTEGER NOT NULL DEFAULT 0,
    unread_chat INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (favorite IN (0, 1)),
    CHECK (unread_chat IN (0, 1))
) STRICT;

CREATE TABLE operator_usage_conditions (
    operator_usage_conditions_id INTEGER PRIMARY KEY,
    server_operator_id INTEGER,
    server_operator_tag TEXT,
    conditions_commit TEXT NOT NULL,
    accepted_at TEXT,
    auto_accepted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (server_operator_id) REFERENCES server_operators (server_operator_id) ON DELETE SET NULL,
    CHECK (auto_accepted IN (0, 1))
) STRICT;

CREATE TABLE preset_choices (
    preset_choice_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    address_key TEXT NOT NULL,
    choice TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE protocol_servers (
    smp_server_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    host TEXT NOT NULL,
    port TEXT NOT NULL DEFAULT '',
    key_hash TEXT NOT NULL,
    basic_auth TEXT,
    preset INTEGER NOT NULL DEFAULT 0,
    tested INTEGER,
    enabled INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    protocol TEXT NOT NULL DEFAULT 'smp',
    role_storage INTEGER,
    role_proxy INTEGER,
    role_names INTEGER,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (enabled IN (0, 1)),
    CHECK (preset IN (0, 1)),
    CHECK (role_names IN (0, 1)),
    CHECK (role_proxy IN (0, 1)),
    CHECK (role_storage IN (0, 1)),
    CHECK (tested IN (0, 1))
) STRICT;

CREATE TABLE rcv_files (
    file_id INTEGER PRIMARY KEY,
    file_status TEXT NOT NULL,
    group_member_id INTEGER,
    file_descr_id INTEGER,
    agent_rcv_file_id TEXT,
    agent_rcv_file_deleted INTEGER NOT NULL DEFAULT 0,
    to_receive INTEGER,
    user_approved_relays INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (file_descr_id) REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    FOREIGN KEY (file_id) REFERENCES files (file_id) ON DELETE CASCADE,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    CHECK (agent_rcv_file_deleted IN (0, 1)),
    CHECK (to_receive IN (0, 1)),
    CHECK (user_approved_relays IN (0, 1))
) STRICT;

CREATE TABLE server_operators (
    server_operator_id INTEGER PRIMARY KEY,
    server_operator_tag TEXT,
    trade_name TEXT NOT NULL,
    legal_name TEXT,
    server_domains TEXT NOT NULL DEFAULT '',
    enabled INTEGER NOT NULL DEFAULT 1,
    smp_role_storage INTEGER NOT NULL DEFAULT 1,
    smp_role_proxy INTEGER NOT NULL DEFAULT 1,
    xftp_role_storage INTEGER NOT NULL DEFAULT 1,
    xftp_role_proxy INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    smp_role_names INTEGER NOT NULL DEFAULT 0,
    CHECK (enabled IN (0, 1)),
    CHECK (smp_role_names IN (0, 1)),
    CHECK (smp_role_proxy IN (0, 1)),
    CHECK (smp_role_storage IN (0, 1)),
    CHECK (xftp_role_proxy IN (0, 1)),
    CHECK (xftp_role_storage IN (0, 1))
) STRICT;

CREATE TABLE settings (
    settings_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    chat_item_ttl INTEGER,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE snd_files (
    file_id INTEGER NOT NULL,
    connection_id INTEGER NOT NULL,
    file_status TEXT NOT NULL,
    group_member_id INTEGER,
    file_descr_id INTEGER,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (file_id, connection_id),
    FOREIGN KEY (connection_id) REFERENCES connections (connection_id) ON DELETE CASCADE,
    FOREIGN KEY (file_descr_id) REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    FOREIGN KEY (file_id) REFERENCES files (file_id) ON DELETE CASCADE,
    FOREIGN KEY (group_member_id) REFERENCES group_members (group_member_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE usage_conditions (
    usage_conditions_id INTEGER PRIMARY KEY,
    conditions_commit TEXT NOT NULL,
    notified_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE TABLE user_contact_links (
    user_contact_link_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    group_id INTEGER,
    conn_req_contact TEXT NOT NULL,
    short_link_contact TEXT,
    auto_accept INTEGER NOT NULL DEFAULT 0,
    auto_accept_incognito INTEGER NOT NULL DEFAULT 0,
    auto_reply_msg_content TEXT,
    group_link_id TEXT,
    group_link_member_role TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    conn_req_contact_key TEXT,
    short_link_contact_key TEXT,
    business_address INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (group_id) REFERENCES "groups" (group_id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (auto_accept IN (0, 1)),
    CHECK (auto_accept_incognito IN (0, 1)),
    CHECK (business_address IN (0, 1))
) STRICT;

CREATE TABLE users (
    user_id INTEGER PRIMARY KEY,
    agent_user_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL,
    local_display_name TEXT NOT NULL,
    active_user INTEGER NOT NULL DEFAULT 0,
    active_order INTEGER NOT NULL DEFAULT 0,
    show_ntfs INTEGER NOT NULL DEFAULT 1,
    send_rcpts_contacts INTEGER NOT NULL DEFAULT 0,
    send_rcpts_small_groups INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    view_pwd_hash BLOB,
    view_pwd_salt BLOB,
    auto_accept_group_invitations INTEGER NOT NULL DEFAULT 0,
    ui_themes TEXT,
    is_user_chat_relay INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (contact_id) REFERENCES contacts (contact_id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (user_id, local_display_name) REFERENCES display_names (user_id, local_display_name) DEFERRABLE INITIALLY DEFERRED,
    CHECK (active_user IN (0, 1)),
    CHECK (auto_accept_group_invitations IN (0, 1)),
    CHECK (is_user_chat_relay IN (0, 1)),
    CHECK (send_rcpts_contacts IN (0, 1)),
    CHECK (send_rcpts_small_groups IN (0, 1)),
    CHECK (show_ntfs IN (0, 1))
) STRICT;

CREATE TABLE xftp_file_descriptions (
    file_descr_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    file_descr_text TEXT NOT NULL,
    file_descr_part_no INTEGER NOT NULL DEFAULT 0,
    file_descr_complete INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (file_descr_complete IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX idx_chat_item_mentions_display_name ON chat_item_mentions (chat_item_id, display_name);

CREATE UNIQUE INDEX idx_chat_item_reactions_direct ON chat_item_reactions (chat_item_id, reaction_sent, reaction) WHERE group_member_id IS NULL;

CREATE INDEX idx_chat_item_reactions_group_member_id ON chat_item_reactions (group_member_id);

CREATE UNIQUE INDEX idx_chat_item_reactions_member ON chat_item_reactions (chat_item_id, group_member_id, reaction);

CREATE INDEX idx_chat_item_versions_chat_item_id ON chat_item_versions (chat_item_id, item_version_ts);

CREATE INDEX idx_chat_items_contact ON chat_items (user_id, contact_id, item_ts);

CREATE INDEX idx_chat_items_contact_kind ON chat_items (user_id, contact_id, msg_content_tag, item_deleted, item_ts) WHERE contact_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0;

CREATE INDEX idx_chat_items_contact_shared_msg_id ON chat_items (contact_id, shared_msg_id);

CREATE INDEX idx_chat_items_created_by_msg_id ON chat_items (created_by_msg_id);

CREATE INDEX idx_chat_items_deleted_by_group_member_id ON chat_items (item_deleted_by_group_member_id);

CREATE INDEX idx_chat_items_fwd_from_chat_item_id ON chat_items (fwd_from_chat_item_id);

CREATE INDEX idx_chat_items_fwd_from_contact_id ON chat_items (fwd_from_contact_id);

CREATE INDEX idx_chat_items_fwd_from_group_id ON chat_items (fwd_from_group_id);

CREATE INDEX idx_chat_items_group ON chat_items (user_id, group_id, item_ts);

CREATE INDEX idx_chat_items_group_kind ON chat_items (user_id, group_id, msg_content_tag, item_deleted, group_scope_tag, item_ts) WHERE group_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0 AND group_scope_tag IS NULL;

CREATE INDEX idx_chat_items_group_member_id ON chat_items (group_member_id);

CREATE INDEX idx_chat_items_group_scope_group_member_id ON chat_items (group_scope_group_member_id);

CREATE INDEX idx_chat_items_group_shared_msg_id ON chat_items (group_id, shared_msg_id);

CREATE INDEX idx_chat_items_item_ts ON chat_items (user_id, item_ts);

CREATE INDEX idx_chat_items_live ON chat_items (user_id, item_ts) WHERE item_live = 1;

CREATE INDEX idx_chat_items_note_folder ON chat_items (user_id, note_folder_id, item_ts);

CREATE INDEX idx_chat_items_note_folder_id ON chat_items (note_folder_id);

CREATE INDEX idx_chat_items_note_folder_kind ON chat_items (user_id, note_folder_id, msg_content_tag, item_deleted, item_ts) WHERE note_folder_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0;

CREATE INDEX idx_chat_items_support ON chat_items (user_id, group_id, group_scope_group_member_id, item_ts) WHERE group_scope_tag = 'member_support';

CREATE INDEX idx_chat_items_timed_delete_at ON chat_items (user_id, timed_delete_at) WHERE timed_delete_at IS NOT NULL;

CREATE INDEX idx_chat_items_unread_contact ON chat_items (user_id, contact_id, item_ts, item_status) WHERE item_status = 'rcv_new';

CREATE INDEX idx_chat_items_unread_group ON chat_items (user_id, group_id, item_ts, user_mention, item_status, group_scope_tag) WHERE item_status = 'rcv_new';

CREATE UNIQUE INDEX idx_chat_relays_address_key ON chat_relays (user_id, address_key) WHERE deleted = 0;

CREATE INDEX idx_chat_relays_same_relay ON chat_relays (user_id, address_key, deleted);

CREATE INDEX idx_chat_relays_user_id ON chat_relays (user_id, deleted, enabled);

CREATE INDEX idx_chat_tags_chats_chat_tag_id ON chat_tags_chats (chat_tag_id);

CREATE UNIQUE INDEX idx_chat_tags_chats_contact_id ON chat_tags_chats (contact_id, chat_tag_id);

CREATE UNIQUE INDEX idx_chat_tags_chats_group_id ON chat_tags_chats (group_id, chat_tag_id);

CREATE UNIQUE INDEX idx_chat_tags_emoji ON chat_tags (user_id, chat_tag_emoji);

CREATE UNIQUE INDEX idx_chat_tags_text ON chat_tags (user_id, chat_tag_text);

CREATE UNIQUE INDEX idx_connections_agent_conn_id ON connections (agent_conn_id);

CREATE INDEX idx_connections_contact_id ON connections (contact_id);

CREATE INDEX idx_connections_custom_user_profile_id ON connections (custom_user_profile_id);

CREATE INDEX idx_connections_failing ON connections (user_id) WHERE auth_err_counter >= 10 OR quota_err_counter >= 5;

CREATE INDEX idx_connections_group_member_id ON connections (group_member_id);

CREATE INDEX idx_connections_rcv_file_id ON connections (rcv_file_id);

CREATE INDEX idx_connections_snd_file_id ON connections (snd_file_id);

CREATE INDEX idx_connections_to_subscribe ON connections (user_id, to_subscribe);

CREATE INDEX idx_connections_user_contact_link_id ON connections (user_contact_link_id);

CREATE INDEX idx_connections_via_user_contact_link ON connections (via_user_contact_link);

CREATE INDEX idx_contact_profiles_contact_link ON contact_profiles (user_id, contact_link);

CREATE INDEX idx_contact_requests_contact_id ON contact_requests (contact_id);

CREATE INDEX idx_contact_requests_contact_profile_id ON contact_requests (contact_profile_id);

CREATE UNIQUE INDEX idx_contact_requests_local_display_name ON contact_requests (user_id, local_display_name);

CREATE INDEX idx_contact_requests_user_contact_link_id ON contact_requests (user_contact_link_id);

CREATE UNIQUE INDEX idx_contact_requests_xcontact_id ON contact_requests (user_id, xcontact_id);

CREATE INDEX idx_contacts_chat_ts ON contacts (user_id, chat_ts);

CREATE INDEX idx_contacts_contact_group_member_id ON contacts (contact_group_member_id);

CREATE UNIQUE INDEX idx_contacts_contact_profile_id ON contacts (contact_profile_id);

CREATE UNIQUE INDEX idx_contacts_local_display_name ON contacts (user_id, local_display_name);

CREATE INDEX idx_delivery_jobs_created_at ON delivery_jobs (user_id, created_at);

CREATE INDEX idx_delivery_jobs_failed ON delivery_jobs (user_id, group_id, job_status, failed) WHERE job_status = 'error' OR failed = 1;

CREATE INDEX idx_delivery_jobs_group_id ON delivery_jobs (group_id);

CREATE INDEX idx_delivery_jobs_pending ON delivery_jobs (user_id, group_id, worker_scope, delivery_job_id, created_at, job_status, failed) WHERE job_status = 'pending' AND failed = 0;

CREATE INDEX idx_delivery_jobs_support_gm_id ON delivery_jobs (job_scope_support_gm_id);

CREATE INDEX idx_delivery_tasks_created_at ON delivery_tasks (user_id, created_at);

CREATE INDEX idx_delivery_tasks_failed ON delivery_tasks (user_id, group_id, task_status, failed) WHERE task_status = 'error' OR failed = 1;

CREATE INDEX idx_delivery_tasks_group_id ON delivery_tasks (group_id);

CREATE INDEX idx_delivery_tasks_message_id ON delivery_tasks (message_id);

CREATE INDEX idx_delivery_tasks_new ON delivery_tasks (user_id, group_id, worker_scope, delivery_task_id, created_at, task_status, failed) WHERE task_status = 'new' AND failed = 0;

CREATE INDEX idx_delivery_tasks_sender_group_member_id ON delivery_tasks (sender_group_member_id);

CREATE INDEX idx_delivery_tasks_support_gm_id ON delivery_tasks (job_scope_support_gm_id);

CREATE UNIQUE INDEX idx_display_names_ldn ON display_names (user_id, ldn_base, ldn_suffix);

CREATE INDEX idx_files_agent_snd_file_id ON files (agent_snd_file_id);

CREATE INDEX idx_files_chat_item_id ON files (chat_item_id);

CREATE INDEX idx_files_contact_id ON files (contact_id);

CREATE INDEX idx_files_file_path ON files (file_path) WHERE file_path IS NOT NULL;

CREATE INDEX idx_files_group_id ON files (group_id);

CREATE INDEX idx_files_note_folder_id ON files (note_folder_id);

CREATE INDEX idx_files_user_id ON files (user_id, ci_file_status);

CREATE INDEX idx_group_members_contact_id ON group_members (contact_id);

CREATE INDEX idx_group_members_contact_profile_id ON group_members (contact_profile_id);

CREATE INDEX idx_group_members_group_id ON group_members (group_id);

CREATE INDEX idx_group_members_invited_by ON group_members (invited_by);

CREATE INDEX idx_group_members_invited_by_group_member_id ON group_members (invited_by_group_member_id);

CREATE INDEX idx_group_members_local_display_name ON group_members (user_id, local_display_name);

CREATE UNIQUE INDEX idx_group_members_member_id ON group_members (group_id, member_id);

CREATE INDEX idx_group_members_member_profile_id ON group_members (member_profile_id);

CREATE UNIQUE INDEX idx_group_members_own ON group_members (group_id) WHERE member_category = 'user';

CREATE INDEX idx_group_members_role ON group_members (group_id, member_role, member_status);

CREATE INDEX idx_group_members_support_chat_ts ON group_members (user_id, group_id, support_chat_ts) WHERE support_chat_ts IS NOT NULL;

CREATE INDEX idx_group_profiles_group_link ON group_profiles (user_id, group_link);

CREATE INDEX idx_group_profiles_group_link_key ON group_profiles (user_id, group_link_key);

CREATE INDEX idx_group_profiles_public_group_id ON group_profiles (user_id, public_group_id) WHERE public_group_id IS NOT NULL;

CREATE INDEX idx_group_profiles_user_id ON group_profiles (user_id);

CREATE INDEX idx_group_relays_chat_relay_id ON group_relays (chat_relay_id, group_id, relay_status);

CREATE INDEX idx_group_relays_group_id ON group_relays (group_id, relay_status);

CREATE UNIQUE INDEX idx_group_relays_group_member_id ON group_relays (group_member_id);

CREATE INDEX idx_groups_business_xcontact_id ON "groups" (user_id, business_xcontact_id) WHERE business_xcontact_id IS NOT NULL;

CREATE INDEX idx_groups_chat_ts ON "groups" (user_id, chat_ts);

CREATE INDEX idx_groups_conn_full_link_to_connect ON "groups" (user_id, conn_full_link_to_connect);

CREATE INDEX idx_groups_conn_full_link_to_connect_key ON "groups" (user_id, conn_full_link_to_connect_key);

CREATE INDEX idx_groups_conn_short_link_to_connect ON "groups" (user_id, conn_short_link_to_connect);

CREATE INDEX idx_groups_conn_short_link_to_connect_key ON "groups" (user_id, conn_short_link_to_connect_key);

CREATE UNIQUE INDEX idx_groups_group_profile_id ON "groups" (group_profile_id);

CREATE UNIQUE INDEX idx_groups_local_display_name ON "groups" (user_id, local_display_name);

CREATE INDEX idx_groups_relay_inactive_at ON "groups" (user_id, relay_inactive_at, group_id) WHERE relay_own_status = 'inactive';

CREATE INDEX idx_groups_relay_own_status ON "groups" (user_id, group_id, relay_own_status) WHERE relay_own_status IS NOT NULL;

CREATE INDEX idx_groups_relay_request_group_link ON "groups" (user_id, relay_request_group_link) WHERE relay_request_group_link IS NOT NULL;

CREATE INDEX idx_groups_relay_request_group_link_key ON "groups" (user_id, relay_request_group_link_key) WHERE relay_request_group_link_key IS NOT NULL;

CREATE INDEX idx_groups_relay_request_waiting ON "groups" (user_id, relay_request_retries, created_at, group_id, relay_request_execute_at, relay_own_status, relay_request_failed, relay_request_err_reason) WHERE relay_own_status = 'invited' AND relay_request_failed = 0 AND relay_request_err_reason IS NULL;

CREATE INDEX idx_messages_author_group_member_id ON messages (author_group_member_id);

CREATE INDEX idx_messages_connection_id ON messages (connection_id, shared_msg_id);

CREATE INDEX idx_messages_created_at ON messages (user_id, created_at);

CREATE INDEX idx_messages_forwarded_by_group_member_id ON messages (forwarded_by_group_member_id);

CREATE INDEX idx_messages_group_id ON messages (group_id, shared_msg_id);

CREATE INDEX idx_msg_deliveries_connection_id ON msg_deliveries (connection_id, agent_msg_id);

CREATE INDEX idx_msg_deliveries_message_id ON msg_deliveries (message_id);

CREATE UNIQUE INDEX idx_note_folders_user_id ON note_folders (user_id);

CREATE UNIQUE INDEX idx_operator_usage_conditions_operator ON operator_usage_conditions (server_operator_id, conditions_commit);

CREATE UNIQUE INDEX idx_preset_choices_address_key ON preset_choices (user_id, kind, address_key);

CREATE UNIQUE INDEX idx_protocol_servers_host ON protocol_servers (user_id, protocol, host, port);

CREATE INDEX idx_rcv_files_agent_rcv_file_id ON rcv_files (agent_rcv_file_id);

CREATE INDEX idx_rcv_files_file_descr_id ON rcv_files (file_descr_id);

CREATE INDEX idx_rcv_files_group_member_id ON rcv_files (group_member_id);

CREATE UNIQUE INDEX idx_server_operators_tag ON server_operators (server_operator_tag);

CREATE UNIQUE INDEX idx_settings_user_id ON settings (user_id);

CREATE INDEX idx_snd_files_connection_id ON snd_files (connection_id);

CREATE INDEX idx_snd_files_file_descr_id ON snd_files (file_descr_id);

CREATE INDEX idx_snd_files_group_member_id ON snd_files (group_member_id);

CREATE UNIQUE INDEX idx_usage_conditions_commit ON usage_conditions (conditions_commit);

CREATE INDEX idx_user_contact_links_conn_req_contact ON user_contact_links (user_id, conn_req_contact);

CREATE INDEX idx_user_contact_links_conn_req_contact_key ON user_contact_links (user_id, conn_req_contact_key);

CREATE UNIQUE INDEX idx_user_contact_links_group_id ON user_contact_links (group_id);

CREATE INDEX idx_user_contact_links_short_link_contact ON user_contact_links (user_id, short_link_contact);

CREATE INDEX idx_user_contact_links_short_link_contact_key ON user_contact_links (user_id, short_link_contact_key);

CREATE UNIQUE INDEX idx_users_active_user ON users (active_user) WHERE active_user = 1;

CREATE UNIQUE INDEX idx_users_agent_user_id ON users (agent_user_id);

CREATE UNIQUE INDEX idx_users_contact_id ON users (contact_id);

CREATE INDEX idx_users_display_names ON users (user_id, local_display_name);

CREATE UNIQUE INDEX idx_users_local_display_name ON users (local_display_name);

CREATE INDEX idx_xftp_file_descriptions_user_id ON xftp_file_descriptions (user_id);

CREATE TRIGGER chat_items_fts_delete AFTER DELETE ON chat_items BEGIN INSERT INTO chat_items_fts(chat_items_fts, rowid, item_text) VALUES ('delete', old.chat_item_id, old.item_text); END;

CREATE TRIGGER chat_items_fts_insert AFTER INSERT ON chat_items BEGIN INSERT INTO chat_items_fts(rowid, item_text) VALUES (new.chat_item_id, new.item_text); END;

CREATE TRIGGER chat_items_fts_update AFTER UPDATE OF chat_item_id, item_text ON chat_items WHEN old.chat_item_id <> new.chat_item_id OR old.item_text <> new.item_text BEGIN INSERT INTO chat_items_fts(chat_items_fts, rowid, item_text) VALUES ('delete', old.chat_item_id, old.item_text); INSERT INTO chat_items_fts(rowid, item_text) VALUES (new.chat_item_id, new.item_text); END;
