-- The network side of one profile: its connections, one queue each way, the ratchets that encrypt them, and the
-- messages and commands that are still under way.
CREATE TABLE servers (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (host, port)
) STRICT;

CREATE TABLE connections (
    conn_id BLOB NOT NULL PRIMARY KEY,
    conn_mode TEXT NOT NULL,
    last_internal_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_rcv_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_external_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_rcv_msg_hash BLOB NOT NULL DEFAULT x'',
    last_snd_msg_hash BLOB NOT NULL DEFAULT x'',
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE TABLE rcv_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    rcv_id BLOB NOT NULL,
    conn_id BLOB NOT NULL UNIQUE REFERENCES connections (conn_id) ON DELETE CASCADE,
    rcv_private_key BLOB NOT NULL,
    rcv_dh_secret BLOB NOT NULL,
    e2e_priv_key BLOB NOT NULL,
    e2e_dh_secret BLOB,
    snd_id BLOB NOT NULL,
    snd_key BLOB,
    status TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    delete_errors INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (host, port, rcv_id),
    UNIQUE (host, port, snd_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

CREATE TABLE snd_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    snd_id BLOB NOT NULL,
    conn_id BLOB NOT NULL UNIQUE REFERENCES connections (conn_id) ON DELETE CASCADE,
    snd_public_key BLOB,
    snd_private_key BLOB NOT NULL,
    e2e_pub_key BLOB,
    e2e_dh_secret BLOB NOT NULL,
    status TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (host, port, snd_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

CREATE TABLE ratchets (
    conn_id BLOB NOT NULL PRIMARY KEY REFERENCES connections (conn_id) ON DELETE CASCADE,
    x3dh_priv_key_1 BLOB,
    x3dh_priv_key_2 BLOB,
    ratchet_state BLOB,
    e2e_version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE TABLE skipped_messages (
    skipped_message_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES ratchets (conn_id) ON DELETE CASCADE,
    header_key BLOB NOT NULL,
    msg_n INTEGER NOT NULL,
    msg_key BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (conn_id, header_key, msg_n)
) STRICT;

-- Both directions are numbered together here, and each on its own in the two tables that follow.
CREATE TABLE messages (
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    internal_id INTEGER NOT NULL,
    internal_ts TEXT NOT NULL,
    msg_type TEXT NOT NULL,
    msg_flags TEXT,
    msg_body BLOB NOT NULL DEFAULT x'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (conn_id, internal_id)
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
    user_ack INTEGER NOT NULL DEFAULT 0 CHECK (user_ack IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (conn_id, internal_rcv_id),
    UNIQUE (conn_id, internal_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE snd_messages (
    conn_id BLOB NOT NULL,
    internal_snd_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    internal_hash BLOB NOT NULL,
    previous_msg_hash BLOB NOT NULL DEFAULT x'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (conn_id, internal_snd_id),
    UNIQUE (conn_id, internal_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE
) STRICT;

-- The number of a delivery is its place in the queue.
CREATE TABLE snd_message_deliveries (
    snd_message_delivery_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    internal_id INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (conn_id, internal_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE,
    FOREIGN KEY (conn_id) REFERENCES snd_queues (conn_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE conn_confirmations (
    confirmation_id BLOB NOT NULL PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    e2e_snd_pub_key BLOB NOT NULL,
    sender_key BLOB,
    ratchet_state BLOB NOT NULL,
    sender_conn_info BLOB NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1)),
    own_conn_info BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE INDEX idx_conn_confirmations_conn_id ON conn_confirmations (conn_id);

CREATE TABLE conn_invitations (
    invitation_id BLOB NOT NULL PRIMARY KEY,
    contact_conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    cr_invitation BLOB NOT NULL,
    recipient_conn_info BLOB NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1)),
    own_conn_info BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE INDEX idx_conn_invitations_contact_conn_id ON conn_invitations (contact_conn_id);

-- The number of a command is its place in the work of its server.
CREATE TABLE commands (
    command_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    host TEXT,
    port TEXT,
    corr_id BLOB NOT NULL,
    command_tag TEXT NOT NULL,
    command BLOB NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

CREATE INDEX idx_commands_conn_id ON commands (conn_id);
CREATE INDEX idx_commands_host_port ON commands (host, port);
