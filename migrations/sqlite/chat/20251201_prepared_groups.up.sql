-- Opening a group's link shows the group before anything is joined: it is prepared from what the link says, and
-- connecting is the person's next step. The two flags are apart because a link can be prepared on the network before
-- joining has started.

ALTER TABLE groups ADD COLUMN conn_full_link_to_connect TEXT;
ALTER TABLE groups ADD COLUMN conn_short_link_to_connect TEXT;
ALTER TABLE groups ADD COLUMN conn_link_prepared_connection INTEGER NOT NULL DEFAULT 0
    CHECK (conn_link_prepared_connection IN (0, 1));
ALTER TABLE groups ADD COLUMN conn_link_started_connection INTEGER NOT NULL DEFAULT 0
    CHECK (conn_link_started_connection IN (0, 1));
ALTER TABLE groups ADD COLUMN welcome_shared_msg_id TEXT;
ALTER TABLE groups ADD COLUMN request_shared_msg_id TEXT;

CREATE INDEX idx_groups_conn_full_link_to_connect ON groups (user_id, conn_full_link_to_connect);
CREATE INDEX idx_groups_conn_short_link_to_connect ON groups (user_id, conn_short_link_to_connect);
