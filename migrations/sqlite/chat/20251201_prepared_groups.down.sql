-- chatdb: data-loss
-- The links go. A group that was prepared and not yet joined stays, as one the profile is not a member of.

DROP INDEX idx_groups_conn_short_link_to_connect;
DROP INDEX idx_groups_conn_full_link_to_connect;

ALTER TABLE groups DROP COLUMN request_shared_msg_id;
ALTER TABLE groups DROP COLUMN welcome_shared_msg_id;
ALTER TABLE groups DROP COLUMN conn_link_started_connection;
ALTER TABLE groups DROP COLUMN conn_link_prepared_connection;
ALTER TABLE groups DROP COLUMN conn_short_link_to_connect;
ALTER TABLE groups DROP COLUMN conn_full_link_to_connect;
