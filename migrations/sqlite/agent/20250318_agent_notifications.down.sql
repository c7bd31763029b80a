-- chatdb: data-loss
-- Without notifications their tokens, subscriptions and keys have no use: the phone asks the servers itself.
DROP TABLE ntf_subscriptions;
DROP TABLE ntf_tokens;
DROP TABLE ntf_servers;

DROP INDEX idx_rcv_queues_host_port_ntf_id;
ALTER TABLE rcv_queues DROP COLUMN rcv_ntf_dh_secret;
ALTER TABLE rcv_queues DROP COLUMN ntf_private_key;
ALTER TABLE rcv_queues DROP COLUMN ntf_public_key;
ALTER TABLE rcv_queues DROP COLUMN ntf_id;

ALTER TABLE connections DROP COLUMN enable_ntfs;
