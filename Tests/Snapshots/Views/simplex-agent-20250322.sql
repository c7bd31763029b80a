-- agent 20250322 of SimpleX Chat as this build reads it.

CREATE VIEW "commands" AS SELECT
    command_id,
    CAST(conn_id AS BLOB) AS conn_id,
    CAST(host AS TEXT) AS host,
    CAST(port AS TEXT) AS port,
    CAST(corr_id AS BLOB) AS corr_id,
    CAST(command_tag AS TEXT) AS command_tag,
    CAST(command AS BLOB) AS command,
    coalesce(failed, 0) AS failed,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.commands;

CREATE VIEW "conn_confirmations" AS SELECT
    CAST(confirmation_id AS BLOB) AS confirmation_id,
    CAST(conn_id AS BLOB) AS conn_id,
    CAST(e2e_snd_pub_key AS BLOB) AS e2e_snd_pub_key,
    CAST(sender_key AS BLOB) AS sender_key,
    CAST(ratchet_state AS BLOB) AS ratchet_state,
    CAST(sender_conn_info AS BLOB) AS sender_conn_info,
    accepted,
    CAST(own_conn_info AS BLOB) AS own_conn_info,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.conn_confirmations;

CREATE VIEW "conn_invitations" AS SELECT
    CAST(invitation_id AS BLOB) AS invitation_id,
    CAST(contact_conn_id AS BLOB) AS contact_conn_id,
    CAST(cr_invitation AS BLOB) AS cr_invitation,
    CAST(recipient_conn_info AS BLOB) AS recipient_conn_info,
    accepted,
    CAST(own_conn_info AS BLOB) AS own_conn_info,
    CAST(created_at AS TEXT) AS created_at,
    coalesce(CAST(created_at AS TEXT), '1970-01-01 00:00:00') AS updated_at
FROM main.conn_invitations;

CREATE VIEW "connections" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    coalesce(user_id, 1) AS user_id,
    CAST(conn_mode AS TEXT) AS conn_mode,
    last_internal_msg_id,
    last_internal_rcv_msg_id,
    last_internal_snd_msg_id,
    last_external_snd_msg_id,
    CAST(last_rcv_msg_hash AS BLOB) AS last_rcv_msg_hash,
    CAST(last_snd_msg_hash AS BLOB) AS last_snd_msg_hash,
    coalesce(enable_ntfs, 1) AS enable_ntfs,
    coalesce(deleted, 0) AS deleted,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    CAST(ratchet_sync_state AS TEXT) AS ratchet_sync_state
FROM main.connections;

CREATE VIEW "encrypted_rcv_message_hashes" AS SELECT NULL AS encrypted_rcv_message_hash_id, NULL AS conn_id, NULL AS hash, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "messages" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    internal_id,
    CAST(internal_ts AS TEXT) AS internal_ts,
    CAST(msg_type AS TEXT) AS msg_type,
    CAST(msg_flags AS TEXT) AS msg_flags,
    CAST(msg_body AS BLOB) AS msg_body,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.messages;

CREATE VIEW "ntf_servers" AS SELECT
    CAST(ntf_host AS TEXT) AS ntf_host,
    CAST(ntf_port AS TEXT) AS ntf_port,
    CAST(ntf_key_hash AS TEXT) AS ntf_key_hash,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.ntf_servers;

CREATE VIEW "ntf_subscriptions" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    CAST(smp_host AS TEXT) AS smp_host,
    CAST(smp_port AS TEXT) AS smp_port,
    CAST(smp_ntf_id AS BLOB) AS smp_ntf_id,
    CAST(ntf_host AS TEXT) AS ntf_host,
    CAST(ntf_port AS TEXT) AS ntf_port,
    CAST(ntf_sub_id AS BLOB) AS ntf_sub_id,
    CAST(ntf_sub_status AS TEXT) AS ntf_sub_status,
    CAST(ntf_sub_action AS TEXT) AS ntf_sub_action,
    CAST(ntf_sub_smp_action AS TEXT) AS ntf_sub_smp_action,
    CAST(ntf_sub_action_ts AS TEXT) AS ntf_sub_action_ts,
    coalesce(ntf_failed, 0) AS ntf_failed,
    coalesce(smp_failed, 0) AS smp_failed,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.ntf_subscriptions;

CREATE VIEW "ntf_tokens" AS SELECT
    CAST(provider AS TEXT) AS provider,
    CAST(device_token AS BLOB) AS device_token,
    CAST(ntf_host AS TEXT) AS ntf_host,
    CAST(ntf_port AS TEXT) AS ntf_port,
    CAST(tkn_id AS BLOB) AS tkn_id,
    CAST(tkn_pub_key AS BLOB) AS tkn_pub_key,
    CAST(tkn_priv_key AS BLOB) AS tkn_priv_key,
    CAST(tkn_pub_dh_key AS BLOB) AS tkn_pub_dh_key,
    CAST(tkn_priv_dh_key AS BLOB) AS tkn_priv_dh_key,
    CAST(tkn_dh_secret AS BLOB) AS tkn_dh_secret,
    CAST(tkn_status AS TEXT) AS tkn_status,
    CAST(tkn_action AS TEXT) AS tkn_action,
    CAST(ntf_mode AS TEXT) AS ntf_mode,
    CAST(created_at AS TEXT) AS created_at,
    CAST(updated_at AS TEXT) AS updated_at
FROM main.ntf_tokens;

CREATE VIEW "processed_ratchet_key_hashes" AS SELECT NULL AS processed_ratchet_key_hash_id, NULL AS conn_id, NULL AS hash, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "ratchets" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    CAST(x3dh_priv_key_1 AS BLOB) AS x3dh_priv_key_1,
    CAST(x3dh_priv_key_2 AS BLOB) AS x3dh_priv_key_2,
    CAST(ratchet_state AS BLOB) AS ratchet_state,
    e2e_version,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    CAST(x3dh_pub_key_1 AS BLOB) AS x3dh_pub_key_1,
    CAST(x3dh_pub_key_2 AS BLOB) AS x3dh_pub_key_2
FROM main.ratchets;

CREATE VIEW "rcv_file_chunk_replicas" AS SELECT NULL AS rcv_file_chunk_replica_id, NULL AS rcv_file_chunk_id, NULL AS replica_number, NULL AS xftp_server_id, NULL AS replica_id, NULL AS replica_key, NULL AS received, NULL AS delay, NULL AS retries, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_file_chunks" AS SELECT NULL AS rcv_file_chunk_id, NULL AS rcv_file_id, NULL AS chunk_no, NULL AS chunk_size, NULL AS digest, NULL AS tmp_path, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_files" AS SELECT NULL AS rcv_file_id, NULL AS rcv_file_entity_id, NULL AS user_id, NULL AS size, NULL AS digest, NULL AS key, NULL AS nonce, NULL AS chunk_size, NULL AS prefix_path, NULL AS tmp_path, NULL AS save_path, NULL AS status, NULL AS error, NULL AS deleted, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "rcv_messages" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    internal_rcv_id,
    internal_id,
    external_snd_id,
    CAST(broker_id AS BLOB) AS broker_id,
    CAST(broker_ts AS TEXT) AS broker_ts,
    CAST(internal_hash AS BLOB) AS internal_hash,
    CAST(external_prev_snd_hash AS BLOB) AS external_prev_snd_hash,
    CAST(integrity AS TEXT) AS integrity,
    coalesce(user_ack, 0) AS user_ack,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    rcv_queue_id,
    0 AS receive_attempts
FROM main.rcv_messages;

CREATE VIEW "rcv_queues" AS SELECT
    CAST(host AS TEXT) AS host,
    CAST(port AS TEXT) AS port,
    CAST(rcv_id AS BLOB) AS rcv_id,
    CAST(conn_id AS BLOB) AS conn_id,
    coalesce(rcv_queue_id, 0) AS rcv_queue_id,
    coalesce(rcv_primary, 0) AS rcv_primary,
    replace_rcv_queue_id,
    CAST(switch_status AS TEXT) AS switch_status,
    CAST(rcv_private_key AS BLOB) AS rcv_private_key,
    CAST(rcv_dh_secret AS BLOB) AS rcv_dh_secret,
    CAST(e2e_priv_key AS BLOB) AS e2e_priv_key,
    CAST(e2e_dh_secret AS BLOB) AS e2e_dh_secret,
    CAST(snd_id AS BLOB) AS snd_id,
    CAST(snd_key AS BLOB) AS snd_key,
    CAST(status AS TEXT) AS status,
    CAST(ntf_id AS BLOB) AS ntf_id,
    CAST(ntf_public_key AS BLOB) AS ntf_public_key,
    CAST(ntf_private_key AS BLOB) AS ntf_private_key,
    CAST(rcv_ntf_dh_secret AS BLOB) AS rcv_ntf_dh_secret,
    deleted,
    coalesce(delete_errors, 0) AS delete_errors,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.rcv_queues;

CREATE VIEW "servers" AS SELECT
    CAST(host AS TEXT) AS host,
    CAST(port AS TEXT) AS port,
    CAST(key_hash AS TEXT) AS key_hash,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.servers;

CREATE VIEW "skipped_messages" AS SELECT
    skipped_message_id,
    CAST(conn_id AS BLOB) AS conn_id,
    CAST(header_key AS BLOB) AS header_key,
    msg_n,
    CAST(msg_key AS BLOB) AS msg_key,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.skipped_messages;

CREATE VIEW "snd_file_chunk_replica_recipients" AS SELECT NULL AS snd_file_chunk_replica_recipient_id, NULL AS snd_file_chunk_replica_id, NULL AS rcv_replica_id, NULL AS rcv_replica_key, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_file_chunk_replicas" AS SELECT NULL AS snd_file_chunk_replica_id, NULL AS snd_file_chunk_id, NULL AS replica_number, NULL AS xftp_server_id, NULL AS replica_id, NULL AS replica_key, NULL AS replica_status, NULL AS delay, NULL AS retries, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_file_chunks" AS SELECT NULL AS snd_file_chunk_id, NULL AS snd_file_id, NULL AS chunk_no, NULL AS chunk_offset, NULL AS chunk_size, NULL AS digest, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_files" AS SELECT NULL AS snd_file_id, NULL AS snd_file_entity_id, NULL AS user_id, NULL AS path, NULL AS prefix_path, NULL AS num_recipients, NULL AS digest, NULL AS key, NULL AS nonce, NULL AS status, NULL AS error, NULL AS deleted, NULL AS created_at, NULL AS updated_at WHERE FALSE;

CREATE VIEW "snd_message_bodies" AS SELECT
    snd_message_body_id,
    CAST(agent_msg AS BLOB) AS agent_msg,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.snd_message_bodies;

CREATE VIEW "snd_message_deliveries" AS SELECT
    snd_message_delivery_id,
    CAST(conn_id AS BLOB) AS conn_id,
    snd_queue_id,
    internal_id,
    coalesce(failed, 0) AS failed,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at
FROM main.snd_message_deliveries;

CREATE VIEW "snd_messages" AS SELECT
    CAST(conn_id AS BLOB) AS conn_id,
    internal_snd_id,
    internal_id,
    CAST(internal_hash AS BLOB) AS internal_hash,
    CAST(previous_msg_hash AS BLOB) AS previous_msg_hash,
    '1970-01-01 00:00:00' AS created_at,
    '1970-01-01 00:00:00' AS updated_at,
    snd_message_body_id,
    CAST(msg_encrypt_key AS BLOB) AS msg_encrypt_key,
    padded_msg_len
FROM main.snd_messages;

CREATE VIEW "snd_queues" AS SELECT
    CAST(host AS TEXT) AS host,
    CAST(port AS TEXT) AS port,
    CAST(snd_id AS BLOB) AS snd_id,
    CAST(conn_id AS BLOB) AS conn_id,
    coalesce(snd_queue_id, 0) AS snd_queue_id,
    coalesce(snd_primary, 0) AS snd_primary,
    replace_snd_queue_id,
    CAST(switch_status AS TEXT) AS switch_status,
    CAST(snd_public_key AS BLOB) AS snd_public_key,
    CAST(snd_private_key AS BLOB) AS snd_private_key,
    CAST(e2e_pub_key AS BLOB) AS e2e_pub_key,
    CAST(e2e_dh_secret AS BLOB) AS e2e_dh_secret,
    CAST(status AS TEXT) AS status,
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
