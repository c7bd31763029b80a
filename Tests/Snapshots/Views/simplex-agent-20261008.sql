-- agent 20261008 of SimpleX Chat as this build reads it.

CREATE VIEW "commands" AS SELECT
    command_id,
    conn_id,
    host,
    port,
    corr_id,
    CAST(command_tag AS TEXT) AS command_tag,
    command,
    coalesce(failed, 0) AS failed,
    created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.commands;

CREATE VIEW "conn_confirmations" AS SELECT
    confirmation_id,
    conn_id,
    e2e_snd_pub_key,
    sender_key,
    ratchet_state,
    sender_conn_info,
    accepted,
    own_conn_info,
    created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.conn_confirmations;

CREATE VIEW "conn_invitations" AS SELECT
    invitation_id,
    coalesce(contact_conn_id, x'') AS contact_conn_id,
    cr_invitation,
    recipient_conn_info,
    accepted,
    own_conn_info,
    created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.conn_invitations;

CREATE VIEW "connections" AS SELECT
    conn_id,
    coalesce(user_id, 1) AS user_id,
    conn_mode,
    last_internal_msg_id,
    last_internal_rcv_msg_id,
    last_internal_snd_msg_id,
    last_external_snd_msg_id,
    last_rcv_msg_hash,
    last_snd_msg_hash,
    coalesce(enable_ntfs, 1) AS enable_ntfs,
    coalesce(deleted, 0) AS deleted,
    created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at,
    ratchet_sync_state
FROM main.connections;

CREATE VIEW "encrypted_rcv_message_hashes" AS SELECT NULL AS encrypted_rcv_message_hash_id, NULL AS conn_id, NULL AS hash, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "messages" AS SELECT
    conn_id,
    internal_id,
    internal_ts,
    CAST(msg_type AS TEXT) AS msg_type,
    msg_flags,
    msg_body,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.messages;

CREATE VIEW "ntf_servers" AS SELECT
    ntf_host,
    ntf_port,
    CAST(ntf_key_hash AS TEXT) AS ntf_key_hash,
    created_at,
    updated_at
FROM main.ntf_servers;

CREATE VIEW "ntf_subscriptions" AS SELECT
    conn_id,
    smp_host,
    smp_port,
    smp_ntf_id,
    ntf_host,
    ntf_port,
    ntf_sub_id,
    ntf_sub_status,
    ntf_sub_action,
    ntf_sub_smp_action,
    ntf_sub_action_ts,
    coalesce(ntf_failed, 0) AS ntf_failed,
    coalesce(smp_failed, 0) AS smp_failed,
    created_at,
    updated_at
FROM main.ntf_subscriptions;

CREATE VIEW "ntf_tokens" AS SELECT
    provider,
    device_token,
    ntf_host,
    ntf_port,
    tkn_id,
    tkn_pub_key,
    tkn_priv_key,
    tkn_pub_dh_key,
    tkn_priv_dh_key,
    tkn_dh_secret,
    tkn_status,
    CAST(tkn_action AS TEXT) AS tkn_action,
    ntf_mode,
    created_at,
    updated_at
FROM main.ntf_tokens;

CREATE VIEW "processed_ratchet_key_hashes" AS SELECT NULL AS processed_ratchet_key_hash_id, NULL AS conn_id, NULL AS hash, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "ratchets" AS SELECT
    conn_id,
    x3dh_priv_key_1,
    x3dh_priv_key_2,
    ratchet_state,
    e2e_version,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    x3dh_pub_key_1,
    x3dh_pub_key_2
FROM main.ratchets;

CREATE VIEW "rcv_file_chunk_replicas" AS SELECT NULL AS rcv_file_chunk_replica_id, NULL AS rcv_file_chunk_id, NULL AS replica_number, NULL AS xftp_server_id, NULL AS replica_id, NULL AS replica_key, NULL AS received, NULL AS delay, NULL AS retries, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_file_chunks" AS SELECT NULL AS rcv_file_chunk_id, NULL AS rcv_file_id, NULL AS chunk_no, NULL AS chunk_size, NULL AS digest, NULL AS tmp_path, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_files" AS SELECT NULL AS rcv_file_id, NULL AS rcv_file_entity_id, NULL AS user_id, NULL AS size, NULL AS digest, NULL AS key, NULL AS nonce, NULL AS chunk_size, NULL AS prefix_path, NULL AS tmp_path, NULL AS save_path, NULL AS status, NULL AS error, NULL AS deleted, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_messages" AS SELECT
    conn_id,
    internal_rcv_id,
    internal_id,
    external_snd_id,
    broker_id,
    broker_ts,
    internal_hash,
    external_prev_snd_hash,
    CAST(integrity AS TEXT) AS integrity,
    coalesce(user_ack, 0) AS user_ack,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    rcv_queue_id,
    receive_attempts
FROM main.rcv_messages;

CREATE VIEW "rcv_queues" AS SELECT
    host,
    port,
    rcv_id,
    conn_id,
    coalesce(rcv_queue_id, 0) AS rcv_queue_id,
    coalesce(rcv_primary, 0) AS rcv_primary,
    replace_rcv_queue_id,
    switch_status,
    rcv_private_key,
    rcv_dh_secret,
    e2e_priv_key,
    e2e_dh_secret,
    snd_id,
    snd_key,
    status,
    ntf_id,
    ntf_public_key,
    ntf_private_key,
    rcv_ntf_dh_secret,
    deleted,
    coalesce(delete_errors, 0) AS delete_errors,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.rcv_queues;

CREATE VIEW "servers" AS SELECT
    host,
    port,
    CAST(key_hash AS TEXT) AS key_hash,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.servers;

CREATE VIEW "skipped_messages" AS SELECT
    skipped_message_id,
    conn_id,
    header_key,
    msg_n,
    msg_key,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.skipped_messages;

CREATE VIEW "snd_file_chunk_replica_recipients" AS SELECT NULL AS snd_file_chunk_replica_recipient_id, NULL AS snd_file_chunk_replica_id, NULL AS rcv_replica_id, NULL AS rcv_replica_key, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_file_chunk_replicas" AS SELECT NULL AS snd_file_chunk_replica_id, NULL AS snd_file_chunk_id, NULL AS replica_number, NULL AS xftp_server_id, NULL AS replica_id, NULL AS replica_key, NULL AS replica_status, NULL AS delay, NULL AS retries, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_file_chunks" AS SELECT NULL AS snd_file_chunk_id, NULL AS snd_file_id, NULL AS chunk_no, NULL AS chunk_offset, NULL AS chunk_size, NULL AS digest, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_files" AS SELECT NULL AS snd_file_id, NULL AS snd_file_entity_id, NULL AS user_id, NULL AS path, NULL AS prefix_path, NULL AS num_recipients, NULL AS digest, NULL AS key, NULL AS nonce, NULL AS status, NULL AS error, NULL AS deleted, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_message_bodies" AS SELECT
    snd_message_body_id,
    agent_msg,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.snd_message_bodies;

CREATE VIEW "snd_message_deliveries" AS SELECT
    snd_message_delivery_id,
    conn_id,
    snd_queue_id,
    internal_id,
    coalesce(failed, 0) AS failed,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.snd_message_deliveries;

CREATE VIEW "snd_messages" AS SELECT
    conn_id,
    internal_snd_id,
    internal_id,
    internal_hash,
    previous_msg_hash,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    snd_message_body_id,
    msg_encrypt_key,
    padded_msg_len
FROM main.snd_messages;

CREATE VIEW "snd_queues" AS SELECT
    host,
    port,
    snd_id,
    conn_id,
    coalesce(snd_queue_id, 0) AS snd_queue_id,
    coalesce(snd_primary, 0) AS snd_primary,
    replace_snd_queue_id,
    switch_status,
    snd_public_key,
    snd_private_key,
    e2e_pub_key,
    e2e_dh_secret,
    status,
    0 AS deleted,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.snd_queues;

CREATE VIEW "users" AS SELECT
    user_id,
    coalesce(deleted, 0) AS deleted,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.users;

CREATE VIEW "xftp_servers" AS SELECT NULL AS xftp_server_id, NULL AS xftp_host, NULL AS xftp_port, NULL AS xftp_key_hash, NULL AS created_at, NULL AS updated_at WHERE FALSE;
