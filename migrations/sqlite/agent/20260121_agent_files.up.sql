-- Files go through servers of their own (XFTP), in encrypted chunks, each chunk with one replica or more, so that a
-- transfer continues where it stopped.
CREATE TABLE xftp_servers (
    xftp_server_id INTEGER PRIMARY KEY,
    xftp_host TEXT NOT NULL,
    xftp_port TEXT NOT NULL,
    xftp_key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (xftp_host, xftp_port, xftp_key_hash)
) STRICT;

CREATE TABLE rcv_files (
    rcv_file_id INTEGER PRIMARY KEY,
    rcv_file_entity_id BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    key BLOB NOT NULL,
    nonce BLOB NOT NULL,
    chunk_size INTEGER NOT NULL,
    prefix_path TEXT NOT NULL,
    tmp_path TEXT,
    save_path TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE INDEX idx_rcv_files_user_id ON rcv_files (user_id);
CREATE INDEX idx_rcv_files_status ON rcv_files (status);

CREATE TABLE rcv_file_chunks (
    rcv_file_chunk_id INTEGER PRIMARY KEY,
    rcv_file_id INTEGER NOT NULL REFERENCES rcv_files (rcv_file_id) ON DELETE CASCADE,
    chunk_no INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    tmp_path TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (rcv_file_id, chunk_no)
) STRICT;

CREATE TABLE rcv_file_chunk_replicas (
    rcv_file_chunk_replica_id INTEGER PRIMARY KEY,
    rcv_file_chunk_id INTEGER NOT NULL REFERENCES rcv_file_chunks (rcv_file_chunk_id) ON DELETE CASCADE,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL REFERENCES xftp_servers (xftp_server_id),
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    received INTEGER NOT NULL DEFAULT 0 CHECK (received IN (0, 1)),
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (rcv_file_chunk_id, replica_number)
) STRICT;

CREATE INDEX idx_rcv_file_chunk_replicas_xftp_server_id_received
ON rcv_file_chunk_replicas (xftp_server_id, received);

CREATE TABLE snd_files (
    snd_file_id INTEGER PRIMARY KEY,
    snd_file_entity_id BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    prefix_path TEXT,
    num_recipients INTEGER NOT NULL,
    digest BLOB,
    key BLOB NOT NULL,
    nonce BLOB NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE INDEX idx_snd_files_user_id ON snd_files (user_id);
CREATE INDEX idx_snd_files_status ON snd_files (status);

CREATE TABLE snd_file_chunks (
    snd_file_chunk_id INTEGER PRIMARY KEY,
    snd_file_id INTEGER NOT NULL REFERENCES snd_files (snd_file_id) ON DELETE CASCADE,
    chunk_no INTEGER NOT NULL,
    chunk_offset INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (snd_file_id, chunk_no)
) STRICT;

CREATE TABLE snd_file_chunk_replicas (
    snd_file_chunk_replica_id INTEGER PRIMARY KEY,
    snd_file_chunk_id INTEGER NOT NULL REFERENCES snd_file_chunks (snd_file_chunk_id) ON DELETE CASCADE,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL REFERENCES xftp_servers (xftp_server_id),
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    replica_status TEXT NOT NULL,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (snd_file_chunk_id, replica_number)
) STRICT;

CREATE INDEX idx_snd_file_chunk_replicas_xftp_server_id_replica_status
ON snd_file_chunk_replicas (xftp_server_id, replica_status);

-- Every recipient downloads a replica under an id and a key of its own.
CREATE TABLE snd_file_chunk_replica_recipients (
    snd_file_chunk_replica_recipient_id INTEGER PRIMARY KEY,
    snd_file_chunk_replica_id INTEGER NOT NULL
        REFERENCES snd_file_chunk_replicas (snd_file_chunk_replica_id) ON DELETE CASCADE,
    rcv_replica_id BLOB NOT NULL,
    rcv_replica_key BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

CREATE INDEX idx_snd_file_chunk_replica_recipients_snd_file_chunk_replica_id
ON snd_file_chunk_replica_recipients (snd_file_chunk_replica_id);
