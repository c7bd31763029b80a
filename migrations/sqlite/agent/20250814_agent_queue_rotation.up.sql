-- chatdb: rebuild
-- A connection can move to another server without being interrupted: for a while it has several queues each way, of
-- which one is primary. Queues are numbered within their connection, and deliveries and received messages say which
-- one they went through.
CREATE TABLE rcv_queues_new (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    rcv_id BLOB NOT NULL,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    rcv_queue_id INTEGER NOT NULL,
    rcv_primary INTEGER NOT NULL DEFAULT 0 CHECK (rcv_primary IN (0, 1)),
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
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    delete_errors INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (host, port, rcv_id),
    UNIQUE (host, port, snd_id),
    UNIQUE (conn_id, rcv_queue_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

INSERT INTO rcv_queues_new (
    host, port, rcv_id, conn_id, rcv_queue_id, rcv_primary, rcv_private_key, rcv_dh_secret, e2e_priv_key,
    e2e_dh_secret, snd_id, snd_key, status, ntf_id, ntf_public_key, ntf_private_key, rcv_ntf_dh_secret, deleted,
    delete_errors, created_at, updated_at
)
SELECT
    host, port, rcv_id, conn_id, 1, 1, rcv_private_key, rcv_dh_secret, e2e_priv_key,
    e2e_dh_secret, snd_id, snd_key, status, ntf_id, ntf_public_key, ntf_private_key, rcv_ntf_dh_secret, deleted,
    delete_errors, created_at, updated_at
FROM rcv_queues;

DROP TABLE rcv_queues;
ALTER TABLE rcv_queues_new RENAME TO rcv_queues;

CREATE UNIQUE INDEX idx_rcv_queues_host_port_ntf_id ON rcv_queues (host, port, ntf_id);
CREATE UNIQUE INDEX idx_rcv_queues_conn_id_primary ON rcv_queues (conn_id) WHERE rcv_primary = 1;

CREATE TABLE snd_queues_new (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    snd_id BLOB NOT NULL,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    snd_queue_id INTEGER NOT NULL,
    snd_primary INTEGER NOT NULL DEFAULT 0 CHECK (snd_primary IN (0, 1)),
    replace_snd_queue_id INTEGER,
    switch_status TEXT,
    snd_public_key BLOB,
    snd_private_key BLOB NOT NULL,
    e2e_pub_key BLOB,
    e2e_dh_secret BLOB NOT NULL,
    status TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (host, port, snd_id),
    UNIQUE (conn_id, snd_queue_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

INSERT INTO snd_queues_new (
    host, port, snd_id, conn_id, snd_queue_id, snd_primary, snd_public_key, snd_private_key, e2e_pub_key,
    e2e_dh_secret, status, deleted, created_at, updated_at
)
SELECT
    host, port, snd_id, conn_id, 1, 1, snd_public_key, snd_private_key, e2e_pub_key,
    e2e_dh_secret, status, deleted, created_at, updated_at
FROM snd_queues;

DROP TABLE snd_queues;
ALTER TABLE snd_queues_new RENAME TO snd_queues;

CREATE UNIQUE INDEX idx_snd_queues_conn_id_primary ON snd_queues (conn_id) WHERE snd_primary = 1;

CREATE TABLE snd_message_deliveries_new (
    snd_message_delivery_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    snd_queue_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    UNIQUE (conn_id, internal_id, snd_queue_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE,
    FOREIGN KEY (conn_id, snd_queue_id) REFERENCES snd_queues (conn_id, snd_queue_id) ON DELETE CASCADE
) STRICT;

INSERT INTO snd_message_deliveries_new (
    snd_message_delivery_id, conn_id, snd_queue_id, internal_id, failed, created_at, updated_at
)
SELECT snd_message_delivery_id, conn_id, 1, internal_id, failed, created_at, updated_at
FROM snd_message_deliveries;

DROP TABLE snd_message_deliveries;
ALTER TABLE snd_message_deliveries_new RENAME TO snd_message_deliveries;

CREATE INDEX idx_snd_message_deliveries_conn_id_snd_queue_id ON snd_message_deliveries (conn_id, snd_queue_id);

-- No foreign key: a message stays when the queue it came through has gone.
ALTER TABLE rcv_messages ADD COLUMN rcv_queue_id INTEGER;
UPDATE rcv_messages SET rcv_queue_id = 1;
