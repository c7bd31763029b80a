-- chatdb: rebuild
-- chatdb: data-loss
-- Back to one profile: no connection is lost, but whose each of them was is.
CREATE TABLE connections_new (
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
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    enable_ntfs INTEGER NOT NULL DEFAULT 1 CHECK (enable_ntfs IN (0, 1))
) STRICT;

-- A profile being deleted takes its connections along, so they stay on their way out.
INSERT INTO connections_new (
    conn_id, conn_mode, last_internal_msg_id, last_internal_rcv_msg_id, last_internal_snd_msg_id,
    last_external_snd_msg_id, last_rcv_msg_hash, last_snd_msg_hash, deleted, created_at, updated_at, enable_ntfs
)
SELECT
    c.conn_id, c.conn_mode, c.last_internal_msg_id, c.last_internal_rcv_msg_id, c.last_internal_snd_msg_id,
    c.last_external_snd_msg_id, c.last_rcv_msg_hash, c.last_snd_msg_hash,
    max(c.deleted, coalesce(u.deleted, 0)), c.created_at, c.updated_at, c.enable_ntfs
FROM connections c
LEFT JOIN users u USING (user_id);

DROP TABLE connections;
ALTER TABLE connections_new RENAME TO connections;

DROP TABLE users;
