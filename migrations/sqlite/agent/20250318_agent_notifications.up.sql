-- A phone that sleeps is woken by a push notification, which names only a server and the notifier id of a queue. Each
-- queue gets its keys for this, and the id must find the queue in one look-up, while the system waits for an answer.
ALTER TABLE connections ADD COLUMN enable_ntfs INTEGER NOT NULL DEFAULT 1 CHECK (enable_ntfs IN (0, 1));

ALTER TABLE rcv_queues ADD COLUMN ntf_id BLOB;
ALTER TABLE rcv_queues ADD COLUMN ntf_public_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN ntf_private_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN rcv_ntf_dh_secret BLOB;

CREATE UNIQUE INDEX idx_rcv_queues_host_port_ntf_id ON rcv_queues (host, port, ntf_id);

CREATE TABLE ntf_servers (
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (ntf_host, ntf_port)
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
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    PRIMARY KEY (provider, device_token, ntf_host, ntf_port),
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port)
) STRICT;

CREATE INDEX idx_ntf_tokens_ntf_host_ntf_port ON ntf_tokens (ntf_host, ntf_port);

CREATE TABLE ntf_subscriptions (
    conn_id BLOB NOT NULL PRIMARY KEY REFERENCES connections (conn_id) ON DELETE CASCADE,
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
    ntf_failed INTEGER NOT NULL DEFAULT 0 CHECK (ntf_failed IN (0, 1)),
    smp_failed INTEGER NOT NULL DEFAULT 0 CHECK (smp_failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    FOREIGN KEY (smp_host, smp_port) REFERENCES servers (host, port) ON DELETE SET NULL,
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port)
) STRICT;

CREATE INDEX idx_ntf_subscriptions_smp_host_smp_port ON ntf_subscriptions (smp_host, smp_port);
CREATE INDEX idx_ntf_subscriptions_ntf_host_ntf_port ON ntf_subscriptions (ntf_host, ntf_port);
