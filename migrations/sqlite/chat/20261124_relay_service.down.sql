-- chatdb: data-loss
-- An earlier version does not know that a profile is a chat relay: the states of the groups it relays, its requests, and
-- the messages that it has yet to deliver are lost.

DROP TABLE delivery_jobs;
DROP TABLE delivery_tasks;

DROP INDEX idx_groups_relay_request_group_link_key;
DROP INDEX idx_groups_relay_request_group_link;
DROP INDEX idx_groups_relay_request_waiting;
DROP INDEX idx_groups_relay_inactive_at;
DROP INDEX idx_groups_relay_own_status;

ALTER TABLE groups DROP COLUMN relay_sent_web_domain;
ALTER TABLE groups DROP COLUMN relay_inactive_at;
ALTER TABLE groups DROP COLUMN relay_request_execute_at;
ALTER TABLE groups DROP COLUMN relay_request_delay;
ALTER TABLE groups DROP COLUMN relay_request_retries;
ALTER TABLE groups DROP COLUMN relay_request_err_reason;
ALTER TABLE groups DROP COLUMN relay_request_failed;
ALTER TABLE groups DROP COLUMN relay_request_peer_chat_max_version;
ALTER TABLE groups DROP COLUMN relay_request_peer_chat_min_version;
ALTER TABLE groups DROP COLUMN relay_request_group_link_key;
ALTER TABLE groups DROP COLUMN relay_request_group_link;
ALTER TABLE groups DROP COLUMN relay_request_inv_id;
ALTER TABLE groups DROP COLUMN relay_own_status;

ALTER TABLE users DROP COLUMN is_user_chat_relay;
