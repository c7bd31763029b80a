-- chat 20250512 of SimpleX Chat as this build reads it.

CREATE VIEW "app_settings" AS SELECT
    rowid AS app_settings_id,
    CAST(app_settings AS TEXT) AS app_settings,
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
    CAST(item_ts AS TEXT) AS item_ts,
    coalesce(CAST(item_status AS TEXT), '') AS item_status,
    CAST(item_content AS TEXT) AS item_content,
    CAST(item_content_tag AS TEXT) AS item_content_tag,
    CAST(msg_content_tag AS TEXT) AS msg_content_tag,
    CAST(item_text AS TEXT) AS item_text,
    coalesce(item_edited, 0) AS item_edited,
    item_deleted,
    CAST(item_deleted_ts AS TEXT) AS item_deleted_ts,
    item_deleted_by_group_member_id,
    chatdb_base64url(quoted_shared_msg_id) AS quoted_shared_msg_id,
    CAST(quoted_sent_at AS TEXT) AS quoted_sent_at,
    CAST(quoted_content AS TEXT) AS quoted_content,
    quoted_sent,
    chatdb_base64url(quoted_member_id) AS quoted_member_id,
    timed_ttl,
    CAST(timed_delete_at AS TEXT) AS timed_delete_at,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at,
    user_mention,
    coalesce(item_live, 0) AS item_live,
    CAST(fwd_from_tag AS TEXT) AS fwd_from_tag,
    CAST(fwd_from_chat_name AS TEXT) AS fwd_from_chat_name,
    fwd_from_msg_dir,
    fwd_from_contact_id,
    fwd_from_group_id,
    fwd_from_chat_item_id,
    NULL AS fwd_from_group_type,
    NULL AS fwd_from_group_link,
    NULL AS fwd_from_public_group_id,
    NULL AS fwd_from_member_id,
    NULL AS fwd_from_shared_msg_id,
    NULL AS group_scope_tag,
    NULL AS group_scope_group_member_id
FROM main.chat_items;

CREATE VIEW "chat_relays" AS SELECT NULL AS chat_relay_id, NULL AS user_id, NULL AS address, NULL AS display_name, NULL AS domains, NULL AS preset, NULL AS tested, NULL AS tested_at, NULL AS enabled, NULL AS created_at, NULL AS updated_at, NULL AS deleted, NULL AS address_key WHERE FALSE;

CREATE VIEW "chat_tags" AS SELECT
    chat_tag_id,
    coalesce(user_id, 0) AS user_id,
    CAST(chat_tag_text AS TEXT) AS chat_tag_text,
    CAST(chat_tag_emoji AS TEXT) AS chat_tag_emoji,
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
    CAST(conn_status AS TEXT) AS conn_status,
    CAST(conn_type AS TEXT) AS conn_type,
    contact_id,
    group_member_id,
    user_contact_link_id,
    via_user_contact_link,
    custom_user_profile_id,
    CAST(conn_req_inv AS TEXT) AS conn_req_inv,
    coalesce(CAST(local_alias AS TEXT), '') AS local_alias,
    to_subscribe,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    snd_file_id,
    rcv_file_id,
    CAST(security_code AS TEXT) AS security_code,
    CAST(security_code_verified_at AS TEXT) AS security_code_verified_at,
    coalesce(auth_err_counter, 0) AS auth_err_counter,
    quota_err_counter
FROM main.connections;

CREATE VIEW "contact_profiles" AS SELECT
    contact_profile_id,
    coalesce(user_id, 0) AS user_id,
    CAST(display_name AS TEXT) AS display_name,
    CAST(full_name AS TEXT) AS full_name,
    NULL AS short_descr,
    CAST(image AS TEXT) AS image,
    CAST(contact_link AS TEXT) AS contact_link,
    coalesce(CAST(local_alias AS TEXT), '') AS local_alias,
    CAST(preferences AS TEXT) AS preferences,
    coalesce(incognito, 0) AS incognito,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    NULL AS description,
    NULL AS chat_peer_type
FROM main.contact_profiles;

CREATE VIEW "contact_requests" AS SELECT
    contact_request_id,
    user_id,
    user_contact_link_id,
    CAST(agent_invitation_id AS TEXT) AS agent_invitation_id,
    chatdb_base64url(xcontact_id) AS xcontact_id,
    coalesce(contact_profile_id, 0) AS contact_profile_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    contact_id,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.contact_requests;

CREATE VIEW "contacts" AS SELECT
    contact_id,
    user_id,
    coalesce(contact_profile_id, 0) AS contact_profile_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    is_user,
    coalesce(contact_used, 0) AS contact_used,
    CAST(contact_status AS TEXT) AS contact_status,
    CAST(user_preferences AS TEXT) AS user_preferences,
    enable_ntfs,
    send_rcpts,
    chat_item_ttl,
    coalesce(CAST(chat_ts AS TEXT), coalesce(CAST(updated_at AS TEXT), CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS chat_ts,
    coalesce(unread_chat, 0) AS unread_chat,
    favorite,
    deleted,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    CAST(ui_themes AS TEXT) AS ui_themes,
    contact_group_member_id,
    contact_grp_inv_sent
FROM main.contacts;

CREATE VIEW "delivery_jobs" AS SELECT NULL AS delivery_job_id, NULL AS user_id, NULL AS group_id, NULL AS worker_scope, NULL AS job_scope_spec_tag, NULL AS job_scope_include_pending, NULL AS job_scope_support_gm_id, NULL AS sender_group_member_ids, NULL AS body, NULL AS cursor_group_member_id, NULL AS job_status, NULL AS job_err_reason, NULL AS failed, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "delivery_tasks" AS SELECT NULL AS delivery_task_id, NULL AS user_id, NULL AS group_id, NULL AS worker_scope, NULL AS job_scope_spec_tag, NULL AS job_scope_include_pending, NULL AS job_scope_support_gm_id, NULL AS sender_group_member_id, NULL AS message_id, NULL AS message_from_channel, NULL AS task_status, NULL AS task_err_reason, NULL AS failed, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "display_names" AS SELECT
    user_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    CAST(ldn_base AS TEXT) AS ldn_base,
    ldn_suffix,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.display_names;

CREATE VIEW "files" AS SELECT
    file_id,
    user_id,
    contact_id,
    group_id,
    chat_item_id,
    CAST(file_name AS TEXT) AS file_name,
    CAST(file_path AS TEXT) AS file_path,
    file_size,
    chunk_size,
    CAST(protocol AS TEXT) AS protocol,
    CAST(ci_file_status AS TEXT) AS ci_file_status,
    coalesce(cancelled, 0) AS cancelled,
    CAST(agent_snd_file_id AS TEXT) AS agent_snd_file_id,
    coalesce(agent_snd_file_deleted, 0) AS agent_snd_file_deleted,
    CAST(private_snd_file_descr AS TEXT) AS private_snd_file_descr,
    CAST(file_crypto_key AS BLOB) AS file_crypto_key,
    CAST(file_crypto_nonce AS BLOB) AS file_crypto_nonce,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    note_folder_id
FROM main.files;

CREATE VIEW "group_members" AS SELECT
    group_member_id,
    user_id,
    group_id,
    chatdb_base64url(member_id) AS member_id,
    CAST(member_role AS TEXT) AS member_role,
    CAST(member_category AS TEXT) AS member_category,
    CAST(member_status AS TEXT) AS member_status,
    CAST(member_restriction AS TEXT) AS member_restriction,
    show_messages,
    invited_by_group_member_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    contact_profile_id,
    member_profile_id,
    contact_id,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    NULL AS relay_link,
    NULL AS support_chat_ts,
    0 AS support_chat_items_unread,
    0 AS support_chat_items_member_attention,
    0 AS support_chat_items_mentions,
    NULL AS support_chat_last_msg_from_member_ts,
    NULL AS relay_failure,
    invited_by,
    NULL AS member_security_code,
    NULL AS member_security_code_verified_at
FROM main.group_members;

CREATE VIEW "group_profiles" AS SELECT
    group_profile_id,
    coalesce(user_id, 0) AS user_id,
    CAST(display_name AS TEXT) AS display_name,
    CAST(full_name AS TEXT) AS full_name,
    NULL AS short_descr,
    CAST(description AS TEXT) AS description,
    CAST(image AS TEXT) AS image,
    CAST(preferences AS TEXT) AS preferences,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    NULL AS group_link,
    NULL AS group_link_key,
    NULL AS group_type,
    NULL AS public_group_id
FROM main.group_profiles;

CREATE VIEW "group_relays" AS SELECT NULL AS group_relay_id, NULL AS group_id, NULL AS group_member_id, NULL AS chat_relay_id, NULL AS relay_status, NULL AS relay_link, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "groups" AS SELECT
    group_id,
    user_id,
    coalesce(group_profile_id, 0) AS group_profile_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    coalesce(CAST(local_alias AS TEXT), '') AS local_alias,
    enable_ntfs,
    send_rcpts,
    chat_item_ttl,
    coalesce(CAST(chat_ts AS TEXT), coalesce(CAST(updated_at AS TEXT), CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS chat_ts,
    coalesce(unread_chat, 0) AS unread_chat,
    favorite,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    NULL AS conn_full_link_to_connect,
    NULL AS conn_short_link_to_connect,
    0 AS conn_link_prepared_connection,
    0 AS conn_link_started_connection,
    NULL AS welcome_shared_msg_id,
    NULL AS request_shared_msg_id,
    0 AS use_relays,
    0 AS creating_in_progress,
    NULL AS public_member_count,
    NULL AS conn_full_link_to_connect_key,
    NULL AS conn_short_link_to_connect_key,
    CAST(ui_themes AS TEXT) AS ui_themes,
    CAST(business_chat AS TEXT) AS business_chat,
    chatdb_base64url(business_member_id) AS business_member_id,
    chatdb_base64url(customer_member_id) AS customer_member_id,
    chatdb_base64url(business_xcontact_id) AS business_xcontact_id,
    NULL AS relay_own_status,
    NULL AS relay_request_inv_id,
    NULL AS relay_request_group_link,
    NULL AS relay_request_group_link_key,
    NULL AS relay_request_peer_chat_min_version,
    NULL AS relay_request_peer_chat_max_version,
    0 AS relay_request_failed,
    NULL AS relay_request_err_reason,
    0 AS relay_request_retries,
    0 AS relay_request_delay,
    '1970-01-01 00:00:00' AS relay_request_execute_at,
    NULL AS relay_inactive_at,
    NULL AS relay_sent_web_domain
FROM main.groups;

CREATE VIEW "messages" AS SELECT
    message_id,
    coalesce(
    (SELECT user_id FROM main.connections
     WHERE connection_id = messages.connection_id),
    (SELECT user_id FROM main.groups WHERE group_id = messages.group_id), 0) AS user_id,
    msg_sent,
    CAST(chat_msg_event AS TEXT) AS chat_msg_event,
    CAST(msg_body AS TEXT) AS msg_body,
    connection_id,
    group_id,
    chatdb_base64url(shared_msg_id) AS shared_msg_id,
    author_group_member_id,
    forwarded_by_group_member_id,
    NULL AS broker_ts,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.messages;

CREATE VIEW "msg_deliveries" AS SELECT
    msg_delivery_id,
    message_id,
    connection_id,
    agent_msg_id,
    coalesce(CAST(delivery_status AS TEXT), '') AS delivery_status,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.msg_deliveries;

CREATE VIEW "note_folders" AS SELECT
    note_folder_id,
    user_id,
    CAST(chat_ts AS TEXT) AS chat_ts,
    favorite,
    unread_chat,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.note_folders;

CREATE VIEW "operator_usage_conditions" AS SELECT
    operator_usage_conditions_id,
    server_operator_id,
    CAST(server_operator_tag AS TEXT) AS server_operator_tag,
    CAST(conditions_commit AS TEXT) AS conditions_commit,
    CAST(accepted_at AS TEXT) AS accepted_at,
    coalesce(auto_accepted, 0) AS auto_accepted,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.operator_usage_conditions;

CREATE VIEW "preset_choices" AS SELECT NULL AS preset_choice_id, NULL AS user_id, NULL AS kind, NULL AS address_key, NULL AS choice, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "protocol_servers" AS SELECT
    smp_server_id,
    user_id,
    CAST(host AS TEXT) AS host,
    CAST(port AS TEXT) AS port,
    CAST(key_hash AS TEXT) AS key_hash,
    CAST(basic_auth AS TEXT) AS basic_auth,
    preset,
    tested,
    enabled,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at,
    CAST(protocol AS TEXT) AS protocol,
    NULL AS role_storage,
    NULL AS role_proxy,
    NULL AS role_names
FROM main.protocol_servers;

CREATE VIEW "rcv_files" AS SELECT
    file_id,
    CAST(file_status AS TEXT) AS file_status,
    group_member_id,
    file_descr_id,
    CAST(agent_rcv_file_id AS TEXT) AS agent_rcv_file_id,
    coalesce(agent_rcv_file_deleted, 0) AS agent_rcv_file_deleted,
    to_receive,
    user_approved_relays,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at
FROM main.rcv_files;

CREATE VIEW "server_operators" AS SELECT
    server_operator_id,
    CAST(server_operator_tag AS TEXT) AS server_operator_tag,
    CAST(trade_name AS TEXT) AS trade_name,
    CAST(legal_name AS TEXT) AS legal_name,
    coalesce(CAST(server_domains AS TEXT), '') AS server_domains,
    enabled,
    smp_role_storage,
    smp_role_proxy,
    xftp_role_storage,
    xftp_role_proxy,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at,
    0 AS smp_role_names
FROM main.server_operators;

CREATE VIEW "settings" AS SELECT
    settings_id,
    user_id,
    chat_item_ttl,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.settings;

CREATE VIEW "snd_files" AS SELECT NULL AS file_id, NULL AS connection_id, NULL AS file_status, NULL AS group_member_id, NULL AS file_descr_id, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "usage_conditions" AS SELECT
    usage_conditions_id,
    CAST(conditions_commit AS TEXT) AS conditions_commit,
    CAST(notified_at AS TEXT) AS notified_at,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.usage_conditions;

CREATE VIEW "user_contact_links" AS SELECT
    user_contact_link_id,
    user_id,
    group_id,
    CAST(conn_req_contact AS TEXT) AS conn_req_contact,
    CAST(short_link_contact AS TEXT) AS short_link_contact,
    coalesce(auto_accept, 0) AS auto_accept,
    coalesce(auto_accept_incognito, 0) AS auto_accept_incognito,
    CAST(auto_reply_msg_content AS TEXT) AS auto_reply_msg_content,
    chatdb_base64url(group_link_id) AS group_link_id,
    CAST(group_link_member_role AS TEXT) AS group_link_member_role,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    chatdb_link_key(CAST(conn_req_contact AS TEXT)) AS conn_req_contact_key,
    chatdb_link_key(CAST(short_link_contact AS TEXT)) AS short_link_contact_key,
    coalesce(business_address, 0) AS business_address
FROM main.user_contact_links;

CREATE VIEW "users" AS SELECT
    user_id,
    coalesce(agent_user_id, 0) AS agent_user_id,
    contact_id,
    CAST(local_display_name AS TEXT) AS local_display_name,
    active_user,
    active_order,
    show_ntfs,
    send_rcpts_contacts,
    send_rcpts_small_groups,
    coalesce(CAST(created_at AS TEXT), coalesce(CAST(updated_at AS TEXT), '1970-01-01 00:00:00')) AS created_at,
    coalesce(CAST(updated_at AS TEXT), coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00')) AS updated_at,
    CAST(view_pwd_hash AS BLOB) AS view_pwd_hash,
    CAST(view_pwd_salt AS BLOB) AS view_pwd_salt,
    0 AS auto_accept_group_invitations,
    CAST(ui_themes AS TEXT) AS ui_themes,
    0 AS is_user_chat_relay
FROM main.users;

CREATE VIEW "xftp_file_descriptions" AS SELECT NULL AS file_descr_id, NULL AS user_id, NULL AS file_descr_text, NULL AS file_descr_part_no, NULL AS file_descr_complete, NULL AS created_at, NULL AS updated_at WHERE FALSE;
