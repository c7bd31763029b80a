-- chatdb: rebuild
-- chatdb: data-loss
-- One queue each way again: the primary one stays, others are lost with what was to be delivered through them.
ALTER TABLE rcv_messages DROP COLUMN rcv_queue_id;

CREATE TABLE snd_message_deliveries_new (
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

-- A connection without a primary queue keeps the oldest that is not deleted, here and below.
INSERT INTO snd_message_deliveries_new (
    snd_message_delivery_id, conn_id, internal_id, failed, created_at, updated_at
)
SELECT d.snd_message_delivery_id, d.conn_id, d.internal_id, d.failed, d.created_at, d.updated_at
FROM snd_message_deliveries d
WHERE d.snd_queue_id = (
    SELECT q.snd_queue_id FROM snd_queues q WHERE q.conn_id = d.conn_id
    ORDER BY q.snd_primary DESC, q.deleted, q.snd_queue_id LIMIT 1
);

DROP TABLE snd_message_deliveries;
ALTER TABLE snd_message_deliveries_new RENAME TO snd_message_deliveries;

CREATE TABLE snd_queues_new (
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

INSERT INTO snd_queues_new (
    host, port, snd_id, conn_id, snd_public_key, snd_private_key, e2e_pub_key, e2e_dh_secret, status, deleted,
    created_at, updated_at
)
SELECT
    s.host, s.port, s.snd_id, s.conn_id, s.snd_public_key, s.snd_private_key, s.e2e_pub_key, s.e2e_dh_secret,
    s.status, s.deleted, s.created_at, s.updated_at
FROM snd_queues s
WHERE s.snd_queue_id = (
    SELECT q.snd_queue_id FROM snd_queues q WHERE q.conn_id = s.conn_id
    ORDER BY q.snd_primary DESC, q.deleted, q.snd_queue_id LIMIT 1
);

DROP TABLE snd_queues;
ALTER TABLE snd_queues_new RENAME TO snd_queues;

CREATE TABLE rcv_queues_new (
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
    ntf_id BLOB,
    ntf_public_key BLOB,
    ntf_private_key BLOB,
    rcv_ntf_dh_secret BLOB,
    PRIMARY KEY (host, port, rcv_id),
    UNIQUE (host, port, snd_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port)
) STRICT;

INSERT INTO rcv_queues_new (
    host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key, e2e_dh_secret, snd_id, snd_key,
    status, deleted, delete_errors, created_at, updated_at, ntf_id, ntf_public_key, ntf_private_key,
    rcv_ntf_dh_secret
)
SELECT
    r.host, r.port, r.rcv_id, r.conn_id, r.rcv_private_key, r.rcv_dh_secret, r.e2e_priv_key, r.e2e_dh_secret,
    r.snd_id, r.snd_key, r.status, r.deleted, r.delete_errors, r.created_at, r.updated_at, r.ntf_id,
    r.ntf_public_key, r.ntf_private_key, r.rcv_ntf_dh_secret
FROM rcv_queues r
WHERE r.rcv_queue_id = (
    SELECT q.rcv_queue_id FROM rcv_queues q WHERE q.conn_id = r.conn_id
    ORDER BY q.rcv_primary DESC, q.deleted, q.rcv_queue_id LIMIT 1
);

DROP TABLE rcv_queues;
ALTER TABLE rcv_queues_new RENAME TO rcv_queues;

CREATE UNIQUE INDEX idx_rcv_queues_host_port_ntf_id ON rcv_queues (host, port, ntf_id);
