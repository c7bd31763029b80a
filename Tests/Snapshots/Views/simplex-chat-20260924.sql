-- chat 20260924 of SimpleX Chat as this build reads it.

CREATE VIEW "app_settings" AS SELECT
    rowid AS app_settings_id,
    app_settings,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.app_settings;

CREATE VIEW "chat_item_mentions" AS SELECT NULL AS chat_item_mention_id, NULL AS chat_item_id, NULL AS member_id, NULL AS display_name, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "chat_item_reactions" AS SELECT NULL AS chat_item_reaction_id, NULL AS chat_item_id, NULL AS group_member_id, NULL AS reaction, NULL AS reaction_sent, NULL AS reaction_ts, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "chat_item_versions" AS SELECT NULL AS chat_item_version_id, NULL AS chat_item_id, NULL AS msg_content, NULL AS item_version_ts, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "chat_items" AS SELECT
    chat_item_id,
    user_id,
    contact_id,
    group_id,
    note_folder_id,
    group_member_id,
    created_by_msg_id,
    chatdb_base64url(shared_msg_id) AS shared_msg_id,
    item_sent,
    item_ts,
    coalesce(item_status, '') AS item_status,
    item_content,
    item_content_tag,
    msg_content_tag,
    item_text,
    coalesce(item_edited, 0) AS item_edited,
    item_deleted,
    item_deleted_ts,
    item_deleted_by_group_member_id,
    chatdb_base64url(quoted_shared_msg_id) AS quoted_shared_msg_id,
    quoted_sent_at,
    quoted_content,
    quoted_sent,
    chatdb_base64url(quoted_member_id) AS quoted_member_id,
    timed_ttl,
    timed_delete_at,
    created_at,
    updated_at,
    user_mention,
    coalesce(item_live, 0) AS item_live,
    fwd_from_tag,
    fwd_from_chat_name,
    fwd_from_msg_dir,
    fwd_from_contact_id,
    fwd_from_group_id,
    fwd_from_chat_item_id,
    fwd_from_group_type,
    CAST(fwd_from_group_link AS TEXT) AS fwd_from_group_link,
    chatdb_base64url(fwd_from_public_group_id) AS fwd_from_public_group_id,
    chatdb_base64url(fwd_from_member_id) AS fwd_from_member_id,
    chatdb_base64url(fwd_from_shared_msg_id) AS fwd_from_shared_msg_id,
    group_scope_tag,
    group_scope_group_member_id
FROM main.chat_items;

CREATE VIEW "chat_relays" AS SELECT
    chat_relay_id,
    user_id,
    CAST(address AS TEXT) AS address,
    display_name,
    domains,
    preset,
    tested,
    NULL AS tested_at,
    enabled,
    created_at,
    updated_at,
    deleted,
    chatdb_relay_key(CAST(address AS TEXT)) AS address_key
FROM main.chat_relays;

CREATE VIEW "chat_tags" AS SELECT
    chat_tag_id,
    coalesce(user_id, 0) AS user_id,
    chat_tag_text,
    chat_tag_emoji,
    tag_order,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.chat_tags;

CREATE VIEW "chat_tags_chats" AS SELECT
    contact_id,
    group_id,
    chat_tag_id,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.chat_tags_chats;

CREATE VIEW "connections" AS SELECT
    connection_id,
    user_id,
    CAST(agent_conn_id AS TEXT) AS agent_conn_id,
    conn_status,
    conn_type,
    contact_id,
    group_member_id,
    user_contact_link_id,
    via_user_contact_link,
    custom_user_profile_id,
    CAST(conn_req_inv AS TEXT) AS conn_req_inv,
    coalesce(local_alias, '') AS local_alias,
    to_subscribe,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    snd_file_id,
    rcv_file_id,
    security_code,
    security_code_verified_at,
    coalesce(auth_err_counter, 0) AS auth_err_counter,
    quota_err_counter
FROM main.connections;

CREATE VIEW "contact_profiles" AS SELECT
    contact_profile_id,
    coalesce(user_id, 0) AS user_id,
    display_name,
    full_name,
    short_descr,
    image,
    CAST(contact_link AS TEXT) AS contact_link,
    coalesce(local_alias, '') AS local_alias,
    coalesce(preferences_json, preferences) AS preferences,
    coalesce(incognito, 0) AS incognito,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    description,
    chat_peer_type
FROM main.contact_profiles;

CREATE VIEW "contact_requests" AS SELECT
    contact_request_id,
    user_id,
    user_contact_link_id,
    CAST(agent_invitation_id AS TEXT) AS agent_invitation_id,
    chatdb_base64url(xcontact_id) AS xcontact_id,
    coalesce(contact_profile_id, 0) AS contact_profile_id,
    local_display_name,
    contact_id,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.contact_requests;

CREATE VIEW "contacts" AS SELECT
    contact_id,
    user_id,
    coalesce(contact_profile_id, 0) AS contact_profile_id,
    local_display_name,
    is_user,
    coalesce(contact_used, 0) AS contact_used,
    contact_status,
    user_preferences,
    enable_ntfs,
    send_rcpts,
    chat_item_ttl,
    coalesce(chat_ts, coalesce(CAST(updated_at AS TEXT), CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS chat_ts,
    coalesce(unread_chat, 0) AS unread_chat,
    favorite,
    deleted,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    ui_themes,
    contact_group_member_id,
    contact_grp_inv_sent
FROM main.contacts;

CREATE VIEW "delivery_jobs" AS SELECT NULL AS delivery_job_id, NULL AS user_id, NULL AS group_id, NULL AS worker_scope, NULL AS job_scope_spec_tag, NULL AS job_scope_include_pending, NULL AS job_scope_support_gm_id, NULL AS sender_group_member_ids, NULL AS body, NULL AS cursor_group_member_id, NULL AS job_status, NULL AS job_err_reason, NULL AS failed, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "delivery_tasks" AS SELECT NULL AS delivery_task_id, NULL AS user_id, NULL AS group_id, NULL AS worker_scope, NULL AS job_scope_spec_tag, NULL AS job_scope_include_pending, NULL AS job_scope_support_gm_id, NULL AS sender_group_member_id, NULL AS message_id, NULL AS message_from_channel, NULL AS task_status, NULL AS task_err_reason, NULL AS failed, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "display_names" AS SELECT
    user_id,
    local_display_name,
    ldn_base,
    ldn_suffix,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.display_names;

CREATE VIEW "files" AS SELECT
    file_id,
    user_id,
    contact_id,
    group_id,
    chat_item_id,
    file_name,
    file_path,
    file_size,
    chunk_size,
    protocol,
    ci_file_status,
    coalesce(cancelled, 0) AS cancelled,
    CAST(agent_snd_file_id AS TEXT) AS agent_snd_file_id,
    coalesce(agent_snd_file_deleted, 0) AS agent_snd_file_deleted,
    private_snd_file_descr,
    file_crypto_key,
    file_crypto_nonce,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    note_folder_id
FROM main.files;

CREATE VIEW "group_members" AS SELECT
    group_member_id,
    user_id,
    group_id,
    chatdb_base64url(member_id) AS member_id,
    member_role,
    member_category,
    member_status,
    member_restriction,
    show_messages,
    invited_by_group_member_id,
    local_display_name,
    contact_profile_id,
    member_profile_id,
    contact_id,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    CAST(relay_link AS TEXT) AS relay_link,
    support_chat_ts,
    support_chat_items_unread,
    support_chat_items_member_attention,
    support_chat_items_mentions,
    support_chat_last_msg_from_member_ts,
    NULL AS relay_failure,
    invited_by,
    member_security_code,
    member_security_code_verified_at
FROM main.group_members;

CREATE VIEW "group_profiles" AS SELECT
    group_profile_id,
    coalesce(user_id, 0) AS user_id,
    display_name,
    full_name,
    short_descr,
    description,
    image,
    coalesce(preferences_json, preferences) AS preferences,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    CAST(group_link AS TEXT) AS group_link,
    chatdb_link_key(CAST(group_link AS TEXT)) AS group_link_key,
    group_type,
    chatdb_base64url(public_group_id) AS public_group_id
FROM main.group_profiles;

CREATE VIEW "group_relays" AS SELECT
    group_relay_id,
    group_id,
    group_member_id,
    chat_relay_id,
    relay_status,
    CAST(relay_link AS TEXT) AS relay_link,
    created_at,
    updated_at
FROM main.group_relays;

CREATE VIEW "groups" AS SELECT
    group_id,
    user_id,
    coalesce(group_profile_id, 0) AS group_profile_id,
    local_display_name,
    coalesce(local_alias, '') AS local_alias,
    enable_ntfs,
    send_rcpts,
    chat_item_ttl,
    coalesce(chat_ts, coalesce(CAST(updated_at AS TEXT), CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS chat_ts,
    coalesce(unread_chat, 0) AS unread_chat,
    favorite,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    CAST(conn_full_link_to_connect AS TEXT) AS conn_full_link_to_connect,
    CAST(conn_short_link_to_connect AS TEXT) AS conn_short_link_to_connect,
    conn_link_prepared_connection,
    conn_link_started_connection,
    chatdb_base64url(welcome_shared_msg_id) AS welcome_shared_msg_id,
    chatdb_base64url(request_shared_msg_id) AS request_shared_msg_id,
    use_relays,
    creating_in_progress,
    public_member_count,
    chatdb_link_key(CAST(conn_full_link_to_connect AS TEXT)) AS conn_full_link_to_connect_key,
    chatdb_link_key(CAST(conn_short_link_to_connect AS TEXT)) AS conn_short_link_to_connect_key,
    ui_themes,
    business_chat,
    chatdb_base64url(business_member_id) AS business_member_id,
    chatdb_base64url(customer_member_id) AS customer_member_id,
    chatdb_base64url(business_xcontact_id) AS business_xcontact_id,
    relay_own_status,
    CAST(relay_request_inv_id AS TEXT) AS relay_request_inv_id,
    CAST(relay_request_group_link AS TEXT) AS relay_request_group_link,
    chatdb_link_key(CAST(relay_request_group_link AS TEXT)) AS relay_request_group_link_key,
    relay_request_peer_chat_min_version,
    relay_request_peer_chat_max_version,
    coalesce(relay_request_failed, 0) AS relay_request_failed,
    relay_request_err_reason,
    relay_request_retries,
    relay_request_delay,
    relay_request_execute_at,
    relay_inactive_at,
    relay_sent_web_domain
FROM main.groups;

CREATE VIEW "messages" AS SELECT
    message_id,
    coalesce(
    (SELECT user_id FROM main.connections
     WHERE connection_id = messages.connection_id),
    (SELECT user_id FROM main.groups WHERE group_id = messages.group_id), 0) AS user_id,
    msg_sent,
    chat_msg_event,
    CAST(msg_body AS TEXT) AS msg_body,
    connection_id,
    group_id,
    chatdb_base64url(shared_msg_id) AS shared_msg_id,
    author_group_member_id,
    forwarded_by_group_member_id,
    broker_ts,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.messages;

CREATE VIEW "msg_deliveries" AS SELECT
    msg_delivery_id,
    message_id,
    connection_id,
    agent_msg_id,
    coalesce(delivery_status, '') AS delivery_status,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.msg_deliveries;

CREATE VIEW "operator_usage_conditions" AS SELECT
    operator_usage_conditions_id,
    server_operator_id,
    server_operator_tag,
    conditions_commit,
    accepted_at,
    coalesce(auto_accepted, 0) AS auto_accepted,
    created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.operator_usage_conditions;

CREATE VIEW "preset_choices" AS SELECT NULL AS preset_choice_id, NULL AS user_id, NULL AS kind, NULL AS address_key, NULL AS choice, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "protocol_servers" AS SELECT
    smp_server_id,
    user_id,
    host,
    port,
    CAST(key_hash AS TEXT) AS key_hash,
    basic_auth,
    preset,
    tested,
    enabled,
    created_at,
    updated_at,
    protocol,
    role_storage,
    role_proxy,
    role_names
FROM main.protocol_servers;

CREATE VIEW "rcv_files" AS SELECT
    file_id,
    file_status,
    group_member_id,
    file_descr_id,
    CAST(agent_rcv_file_id AS TEXT) AS agent_rcv_file_id,
    coalesce(agent_rcv_file_deleted, 0) AS agent_rcv_file_deleted,
    to_receive,
    user_approved_relays,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.rcv_files;

CREATE VIEW "server_operators" AS SELECT
    server_operator_id,
    server_operator_tag,
    trade_name,
    legal_name,
    coalesce(server_domains, '') AS server_domains,
    enabled,
    smp_role_storage,
    smp_role_proxy,
    xftp_role_storage,
    xftp_role_proxy,
    created_at,
    updated_at,
    smp_role_names
FROM main.server_operators;

CREATE VIEW "snd_files" AS SELECT NULL AS file_id, NULL AS connection_id, NULL AS file_status, NULL AS group_member_id, NULL AS file_descr_id, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "user_contact_links" AS SELECT
    user_contact_link_id,
    user_id,
    group_id,
    CAST(conn_req_contact AS TEXT) AS conn_req_contact,
    CAST(short_link_contact AS TEXT) AS short_link_contact,
    coalesce(auto_accept, 0) AS auto_accept,
    coalesce(auto_accept_incognito, 0) AS auto_accept_incognito,
    auto_reply_msg_content,
    chatdb_base64url(group_link_id) AS group_link_id,
    group_link_member_role,
    created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    chatdb_link_key(CAST(conn_req_contact AS TEXT)) AS conn_req_contact_key,
    chatdb_link_key(CAST(short_link_contact AS TEXT)) AS short_link_contact_key,
    coalesce(business_address, 0) AS business_address
FROM main.user_contact_links;

CREATE VIEW "users" AS SELECT
    user_id,
    coalesce(agent_user_id, 0) AS agent_user_id,
    contact_id,
    local_display_name,
    active_user,
    active_order,
    show_ntfs,
    send_rcpts_contacts,
    send_rcpts_small_groups,
    coalesce(created_at, coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(updated_at, coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    view_pwd_hash,
    view_pwd_salt,
    auto_accept_group_invitations,
    ui_themes,
    is_user_chat_relay
FROM main.users;

CREATE VIEW "xftp_file_descriptions" AS SELECT NULL AS file_descr_id, NULL AS user_id, NULL AS file_descr_text, NULL AS file_descr_part_no, NULL AS file_descr_complete, NULL AS created_at, NULL AS updated_at WHERE FALSE;
