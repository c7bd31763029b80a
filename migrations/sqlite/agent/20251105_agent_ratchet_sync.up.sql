-- Two devices whose ratchets have run apart, after a restored backup for instance, agree on new ones instead of losing
-- the connection. To tell that case from a message that simply came twice, what was decrypted is remembered by its
-- hash, and so are the keys that were already used to agree.
ALTER TABLE connections ADD COLUMN ratchet_sync_state TEXT NOT NULL DEFAULT 'ok';

-- Our public keys too: they are sent again as long as the other side has not answered.
ALTER TABLE ratchets ADD COLUMN x3dh_pub_key_1 BLOB;
ALTER TABLE ratchets ADD COLUMN x3dh_pub_key_2 BLOB;

CREATE TABLE encrypted_rcv_message_hashes (
    encrypted_rcv_message_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (conn_id, hash)
) STRICT;

CREATE TABLE processed_ratchet_key_hashes (
    processed_ratchet_key_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (conn_id, hash)
) STRICT;
