CREATE TABLE commands (
    command_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    host TEXT,
    port TEXT,
    corr_id BLOB NOT NULL,
    command_tag TEXT NOT NULL,
    command BLOB NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    FOREIGN KEY (host, port) REFERENCES servers (host, port),
    CHECK (failed IN (0, 1))
) STRICT;

CREATE TABLE conn_confirmations (
    confirmation_id BLOB NOT NULL PRIMARY KEY,
    conn_id BLOB NOT NULL,
    e2e_snd_pub_key BLOB NOT NULL,
    sender_key BLOB,
    ratchet_state BLOB NOT NULL,
    sender_conn_info BLOB NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    own_conn_info BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    CHECK (accepted IN (0, 1))
) STRICT;

CREATE TABLE conn_invitations (
    invitation_id BLOB NOT NULL PRIMARY KEY,
    contact_conn_id BLOB NOT NULL,
    cr_invitation BLOB NOT NULL,
    recipient_conn_info BLOB NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    own_conn_info BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (contact_conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    CHECK (accepted IN (0, 1))
) STRICT;

CREATE TABLE connections (
    conn_id BLOB NOT NULL PRIMARY KEY,
    user_id INTEGER NOT NULL,
    conn_mode TEXT NOT NULL,
    last_internal_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_rcv_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_external_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_rcv_msg_hash BLOB NOT NULL DEFAULT X'',
    last_snd_msg_hash BLOB NOT NULL DEFAULT X'',
    enable_ntfs INTEGER NOT NULL DEFAULT 1,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    ratchet_sync_state TEXT NOT NULL DEFAULT 'ok',
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (deleted IN (0, 1)),
    CHECK (enable_ntfs IN (0, 1))
) STRICT;

CREATE TABLE encrypted_rcv_message_hashes (
    encrypted_rcv_message_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (conn_id, hash),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE messages (
    conn_id BLOB NOT NULL,
    internal_id INTEGER NOT NULL,
    internal_ts TEXT NOT NULL,
    msg_type TEXT NOT NULL,
    msg_flags TEXT,
    msg_body BLOB NOT NULL DEFAULT X'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (conn_id, internal_id),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE ntf_servers (
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (ntf_host, ntf_port)
) STRICT;

CREATE TABLE ntf_subscriptions (
    conn_id BLOB NOT NULL PRIMARY KEY,
    smp_host TEXT,
    smp_port TEXT,
    smp_ntf_id BLOB,
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_sub_id BLOB,
    ntf_sub_status TEXT NOT NULL,
    ntf_sub_action TEXT,
    ntf_sub_smp_action TEXT,
    ntf_sub_action_ts TEXT,
    ntf_failed INTEGER NOT NULL DEFAULT 0,
    smp_failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port),
    FOREIGN KEY (smp_host, smp_port) REFERENCES servers (host, port) ON DELETE SET NULL,
    CHECK (ntf_failed IN (0, 1)),
    CHECK (smp_failed IN (0, 1))
) STRICT;

CREATE TABLE ntf_tokens (
    provider TEXT NOT NULL,
    device_token BLOB NOT NULL,
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    tkn_id BLOB,
    tkn_pub_key BLOB NOT NULL,
    tkn_priv_key BLOB NOT NULL,
    tkn_pub_dh_key BLOB NOT NULL,
    tkn_priv_dh_key BLOB NOT NULL,
    tkn_dh_secret BLOB,
    tkn_status TEXT NOT NULL,
    tkn_action TEXT,
    ntf_mode TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (provider, device_token, ntf_host, ntf_port),
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port)
) STRICT;

CREATE TABLE processed_ratchet_key_hashes (
    processed_ratchet_key_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (conn_id, hash),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE ratchets (
    conn_id BLOB NOT NULL PRIMARY KEY,
    x3dh_priv_key_1 BLOB,
    x3dh_priv_key_2 BLOB,
    ratchet_state BLOB,
    e2e_version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    x3dh_pub_key_1 BLOB,
    x3dh_pub_key_2 BLOB,
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE rcv_file_chunk_replicas (
    rcv_file_chunk_replica_id INTEGER PRIMARY KEY,
    rcv_file_chunk_id INTEGER NOT NULL,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL,
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    received INTEGER NOT NULL DEFAULT 0,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (rcv_file_chunk_id, replica_number),
    FOREIGN KEY (rcv_file_chunk_id) REFERENCES rcv_file_chunks (rcv_file_chunk_id) ON DELETE CASCADE,
    FOREIGN KEY (xftp_server_id) REFERENCES xftp_servers (xftp_server_id),
    CHECK (received IN (0, 1))
) STRICT;

CREATE TABLE rcv_file_chunks (
    rcv_file_chunk_id INTEGER PRIMARY KEY,
    rcv_file_id INTEGER NOT NULL,
    chunk_no INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    tmp_path TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (rcv_file_id, chunk_no),
    FOREIGN KEY (rcv_file_id) REFERENCES rcv_files (rcv_file_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE rcv_files (
    rcv_file_id INTEGER PRIMARY KEY,
    rcv_file_entity_id BLOB NOT NULL,
    user_id INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    "key" BLOB NOT NULL,
    nonce BLOB NOT NULL,
    chunk_size INTEGER NOT NULL,
    prefix_path TEXT NOT NULL,
    tmp_path TEXT,
    save_path TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (rcv_file_entity_id),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (deleted IN (0, 1))
) STRICT;

CREATE TABLE rcv_messages (
    conn_id BLOB NOT NULL,
    internal_rcv_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    external_snd_id INTEGER NOT NULL,
    broker_id BLOB NOT NULL,
    broker_ts TEXT NOT NULL,
    internal_hash BLOB NOT NULL,
    external_prev_snd_hash BLOB NOT NULL,
    integrity TEXT NOT NULL,
    user_ack INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    rcv_queue_id INTEGER,
    receive_attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (conn_id, internal_rcv_id),
    UNIQUE (conn_id, internal_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE,
    CHECK (user_ack IN (0, 1))
) STRICT;

CREATE TABLE rcv_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    rcv_id BLOB NOT NULL,
    conn_id BLOB NOT NULL,
    rcv_queue_id INTEGER NOT NULL,
    rcv_primary INTEGER NOT NULL DEFAULT 0,
    replace_rcv_queue_id INTEGER,
    switch_status TEXT,
    rcv_private_key BLOB NOT NULL,
    rcv_dh_secret BLOB NOT NULL,
    e2e_priv_key BLOB NOT NULL,
    e2e_dh_secret BLOB,
    snd_id BLOB NOT NULL,
    snd_key BLOB,
    status TEXT NOT NULL,
    ntf_id BLOB,
    ntf_public_key BLOB,
    ntf_private_key BLOB,
    rcv_ntf_dh_secret BLOB,
    deleted INTEGER NOT NULL DEFAULT 0,
    delete_errors INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (host, port, rcv_id),
    UNIQUE (conn_id, rcv_queue_id),
    UNIQUE (host, port, snd_id),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    FOREIGN KEY (host, port) REFERENCES servers (host, port),
    CHECK (deleted IN (0, 1)),
    CHECK (rcv_primary IN (0, 1))
) STRICT;

CREATE TABLE servers (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (host, port)
) STRICT;

CREATE TABLE skipped_messages (
    skipped_message_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    header_key BLOB NOT NULL,
    msg_n INTEGER NOT NULL,
    msg_key BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (conn_id, header_key, msg_n),
    FOREIGN KEY (conn_id) REFERENCES ratchets (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE snd_file_chunk_replica_recipients (
    snd_file_chunk_replica_recipient_id INTEGER PRIMARY KEY,
    snd_file_chunk_replica_id INTEGER NOT NULL,
    rcv_replica_id BLOB NOT NULL,
    rcv_replica_key BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    FOREIGN KEY (snd_file_chunk_replica_id) REFERENCES snd_file_chunk_replicas (snd_file_chunk_replica_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE snd_file_chunk_replicas (
    snd_file_chunk_replica_id INTEGER PRIMARY KEY,
    snd_file_chunk_id INTEGER NOT NULL,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL,
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    replica_status TEXT NOT NULL,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (snd_file_chunk_id, replica_number),
    FOREIGN KEY (snd_file_chunk_id) REFERENCES snd_file_chunks (snd_file_chunk_id) ON DELETE CASCADE,
    FOREIGN KEY (xftp_server_id) REFERENCES xftp_servers (xftp_server_id)
) STRICT;

CREATE TABLE snd_file_chunks (
    snd_file_chunk_id INTEGER PRIMARY KEY,
    snd_file_id INTEGER NOT NULL,
    chunk_no INTEGER NOT NULL,
    chunk_offset INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (snd_file_id, chunk_no),
    FOREIGN KEY (snd_file_id) REFERENCES snd_files (snd_file_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE snd_files (
    snd_file_id INTEGER PRIMARY KEY,
    snd_file_entity_id BLOB NOT NULL,
    user_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    prefix_path TEXT,
    num_recipients INTEGER NOT NULL,
    digest BLOB,
    "key" BLOB NOT NULL,
    nonce BLOB NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (snd_file_entity_id),
    FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CHECK (deleted IN (0, 1))
) STRICT;

CREATE TABLE snd_message_bodies (
    snd_message_body_id INTEGER PRIMARY KEY,
    agent_msg BLOB NOT NULL DEFAULT X'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE TABLE snd_message_deliveries (
    snd_message_delivery_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    snd_queue_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (conn_id, internal_id, snd_queue_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE,
    FOREIGN KEY (conn_id, snd_queue_id) REFERENCES snd_queues (conn_id, snd_queue_id) ON DELETE CASCADE,
    CHECK (failed IN (0, 1))
) STRICT;

CREATE TABLE snd_messages (
    conn_id BLOB NOT NULL,
    internal_snd_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    internal_hash BLOB NOT NULL,
    previous_msg_hash BLOB NOT NULL DEFAULT X'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    snd_message_body_id INTEGER,
    msg_encrypt_key BLOB,
    padded_msg_len INTEGER,
    PRIMARY KEY (conn_id, internal_snd_id),
    UNIQUE (conn_id, internal_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE,
    FOREIGN KEY (snd_message_body_id) REFERENCES snd_message_bodies (snd_message_body_id) ON DELETE SET NULL
) STRICT;

CREATE TABLE snd_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    snd_id BLOB NOT NULL,
    conn_id BLOB NOT NULL,
    snd_queue_id INTEGER NOT NULL,
    snd_primary INTEGER NOT NULL DEFAULT 0,
    replace_snd_queue_id INTEGER,
    switch_status TEXT,
    snd_public_key BLOB,
    snd_private_key BLOB NOT NULL,
    e2e_pub_key BLOB,
    e2e_dh_secret BLOB NOT NULL,
    status TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (host, port, snd_id),
    UNIQUE (conn_id, snd_queue_id),
    FOREIGN KEY (conn_id) REFERENCES connections (conn_id) ON DELETE CASCADE,
    FOREIGN KEY (host, port) REFERENCES servers (host, port),
    CHECK (deleted IN (0, 1)),
    CHECK (snd_primary IN (0, 1))
) STRICT;

CREATE TABLE users (
    user_id INTEGER PRIMARY KEY AUTOINCREMENT,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK (deleted IN (0, 1))
) STRICT;

CREATE TABLE xftp_servers (
    xftp_server_id INTEGER PRIMARY KEY,
    xftp_host TEXT NOT NULL,
    xftp_port TEXT NOT NULL,
    xftp_key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    UNIQUE (xftp_host, xftp_port, xftp_key_hash)
) STRICT;

CREATE INDEX idx_commands_conn_id ON commands (conn_id);

CREATE INDEX idx_commands_host_port ON commands (host, port);

CREATE INDEX idx_conn_confirmations_conn_id ON conn_confirmations (conn_id);

CREATE INDEX idx_conn_invitations_contact_conn_id ON conn_invitations (contact_conn_id);

CREATE INDEX idx_connections_user_id ON connections (user_id);

CREATE INDEX idx_encrypted_rcv_message_hashes_created_at ON encrypted_rcv_message_hashes (created_at);

CREATE INDEX idx_messages_internal_ts ON messages (internal_ts);

CREATE INDEX idx_ntf_subscriptions_ntf_host_ntf_port ON ntf_subscriptions (ntf_host, ntf_port);

CREATE INDEX idx_ntf_subscriptions_smp_host_smp_port ON ntf_subscriptions (smp_host, smp_port);

CREATE INDEX idx_ntf_tokens_ntf_host_ntf_port ON ntf_tokens (ntf_host, ntf_port);

CREATE INDEX idx_processed_ratchet_key_hashes_created_at ON processed_ratchet_key_hashes (created_at);

CREATE INDEX idx_rcv_file_chunk_replicas_xftp_server_id_received ON rcv_file_chunk_replicas (xftp_server_id, received);

CREATE INDEX idx_rcv_files_status ON rcv_files (status);

CREATE INDEX idx_rcv_files_user_id ON rcv_files (user_id);

CREATE UNIQUE INDEX idx_rcv_queues_conn_id_primary ON rcv_queues (conn_id) WHERE rcv_primary = 1;

CREATE UNIQUE INDEX idx_rcv_queues_host_port_ntf_id ON rcv_queues (host, port, ntf_id);

CREATE INDEX idx_snd_file_chunk_replica_recipients_snd_file_chunk_replica_id ON snd_file_chunk_replica_recipients (snd_file_chunk_replica_id);

CREATE INDEX idx_snd_file_chunk_replicas_xftp_server_id_replica_status ON snd_file_chunk_replicas (xftp_server_id, replica_status);

CREATE INDEX idx_snd_files_status ON snd_files (status);

CREATE INDEX idx_snd_files_user_id ON snd_files (user_id);

CREATE INDEX idx_snd_message_deliveries_conn_id_snd_queue_id_failed ON snd_message_deliveries (conn_id, snd_queue_id, failed);

CREATE INDEX idx_snd_messages_snd_message_body_id ON snd_messages (snd_message_body_id);

CREATE UNIQUE INDEX idx_snd_queues_conn_id_primary ON snd_queues (conn_id) WHERE snd_primary = 1;
