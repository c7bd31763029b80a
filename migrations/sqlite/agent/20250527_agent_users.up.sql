-- chatdb: rebuild
-- Several profiles in one store: every connection belongs to one of them, and goes with it. Here a profile is only a
-- number, which is never given twice, because the chat database keeps it without a foreign key.
CREATE TABLE users (
    user_id INTEGER PRIMARY KEY AUTOINCREMENT,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

-- What there is belongs to the one profile there was. A new store has none yet.
INSERT INTO users (user_id)
SELECT 1 WHERE EXISTS (SELECT 1 FROM connections) OR EXISTS (SELECT 1 FROM servers);

-- A column that must not be NULL and has no default cannot be added to a table with rows: hence the rebuild.
CREATE TABLE connections_new (
    conn_id BLOB NOT NULL PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    conn_mode TEXT NOT NULL,
    last_internal_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_rcv_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_external_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_rcv_msg_hash BLOB NOT NULL DEFAULT x'',
    last_snd_msg_hash BLOB NOT NULL DEFAULT x'',
    enable_ntfs INTEGER NOT NULL DEFAULT 1 CHECK (enable_ntfs IN (0, 1)),
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

INSERT INTO connections_new (
    conn_id, user_id, conn_mode, last_internal_msg_id, last_internal_rcv_msg_id, last_internal_snd_msg_id,
    last_external_snd_msg_id, last_rcv_msg_hash, last_snd_msg_hash, enable_ntfs, deleted, created_at, updated_at
)
SELECT
    conn_id, 1, conn_mode, last_internal_msg_id, last_internal_rcv_msg_id, last_internal_snd_msg_id,
    last_external_snd_msg_id, last_rcv_msg_hash, last_snd_msg_hash, enable_ntfs, deleted, created_at, updated_at
FROM connections;

DROP TABLE connections;
ALTER TABLE connections_new RENAME TO connections;

CREATE INDEX idx_connections_user_id ON connections (user_id);
