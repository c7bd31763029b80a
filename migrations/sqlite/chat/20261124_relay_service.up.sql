-- What the store of a relay operator holds: which profile is a chat relay, the groups it relays or was asked to relay,
-- and the messages that it has yet to deliver to their members.

ALTER TABLE users ADD COLUMN is_user_chat_relay INTEGER NOT NULL DEFAULT 0 CHECK (is_user_chat_relay IN (0, 1));

ALTER TABLE groups ADD COLUMN relay_own_status TEXT;
ALTER TABLE groups ADD COLUMN relay_request_inv_id TEXT;
ALTER TABLE groups ADD COLUMN relay_request_group_link TEXT;
ALTER TABLE groups ADD COLUMN relay_request_group_link_key TEXT;
ALTER TABLE groups ADD COLUMN relay_request_peer_chat_min_version INTEGER;
ALTER TABLE groups ADD COLUMN relay_request_peer_chat_max_version INTEGER;
ALTER TABLE groups ADD COLUMN relay_request_failed INTEGER NOT NULL DEFAULT 0 CHECK (relay_request_failed IN (0, 1));
ALTER TABLE groups ADD COLUMN relay_request_err_reason TEXT;
ALTER TABLE groups ADD COLUMN relay_request_retries INTEGER NOT NULL DEFAULT 0 CHECK (relay_request_retries >= 0);
ALTER TABLE groups ADD COLUMN relay_request_delay INTEGER NOT NULL DEFAULT 0 CHECK (relay_request_delay >= 0);
ALTER TABLE groups ADD COLUMN relay_request_execute_at TEXT NOT NULL DEFAULT '1970-01-01 00:00:00';
ALTER TABLE groups ADD COLUMN relay_inactive_at TEXT;
ALTER TABLE groups ADD COLUMN relay_sent_web_domain TEXT;

-- Few groups of most stores are relayed: these indexes have only those. Columns that have one value in an index are in
-- it because SQLite reads the rows for them otherwise, and then takes another index.
CREATE INDEX idx_groups_relay_own_status ON groups (user_id, group_id, relay_own_status)
    WHERE relay_own_status IS NOT NULL;
CREATE INDEX idx_groups_relay_inactive_at ON groups (user_id, relay_inactive_at, group_id)
    WHERE relay_own_status = 'inactive';
CREATE INDEX idx_groups_relay_request_waiting
    ON groups (
        user_id, relay_request_retries, created_at, group_id, relay_request_execute_at, relay_own_status,
        relay_request_failed, relay_request_err_reason)
    WHERE relay_own_status = 'invited' AND relay_request_failed = 0 AND relay_request_err_reason IS NULL;
CREATE INDEX idx_groups_relay_request_group_link ON groups (user_id, relay_request_group_link)
    WHERE relay_request_group_link IS NOT NULL;
CREATE INDEX idx_groups_relay_request_group_link_key ON groups (user_id, relay_request_group_link_key)
    WHERE relay_request_group_link_key IS NOT NULL;

-- A message that the relay has yet to pass on.
CREATE TABLE delivery_tasks (
    delivery_task_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    worker_scope TEXT NOT NULL,
    job_scope_spec_tag TEXT,
    job_scope_include_pending INTEGER CHECK (job_scope_include_pending IN (0, 1)),
    job_scope_support_gm_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    sender_group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages (message_id) ON DELETE CASCADE,
    message_from_channel INTEGER NOT NULL DEFAULT 0 CHECK (message_from_channel IN (0, 1)),
    task_status TEXT NOT NULL,
    task_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_delivery_tasks_group_id ON delivery_tasks (group_id);
CREATE INDEX idx_delivery_tasks_support_gm_id ON delivery_tasks (job_scope_support_gm_id);
CREATE INDEX idx_delivery_tasks_sender_group_member_id ON delivery_tasks (sender_group_member_id);
CREATE INDEX idx_delivery_tasks_message_id ON delivery_tasks (message_id);
CREATE INDEX idx_delivery_tasks_new
    ON delivery_tasks (user_id, group_id, worker_scope, delivery_task_id, created_at, task_status, failed)
    WHERE task_status = 'new' AND failed = 0;
CREATE INDEX idx_delivery_tasks_failed ON delivery_tasks (user_id, group_id, task_status, failed)
    WHERE task_status = 'error' OR failed = 1;
-- Rows that are done are deleted by age, the others stay.
CREATE INDEX idx_delivery_tasks_created_at ON delivery_tasks (user_id, created_at);

-- A batch of messages that the relay sends to one member after the other.
CREATE TABLE delivery_jobs (
    delivery_job_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    worker_scope TEXT NOT NULL,
    job_scope_spec_tag TEXT,
    job_scope_include_pending INTEGER CHECK (job_scope_include_pending IN (0, 1)),
    job_scope_support_gm_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    sender_group_member_ids TEXT,
    body BLOB,
    cursor_group_member_id INTEGER,
    job_status TEXT NOT NULL,
    job_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_delivery_jobs_group_id ON delivery_jobs (group_id);
CREATE INDEX idx_delivery_jobs_support_gm_id ON delivery_jobs (job_scope_support_gm_id);
CREATE INDEX idx_delivery_jobs_pending
    ON delivery_jobs (user_id, group_id, worker_scope, delivery_job_id, created_at, job_status, failed)
    WHERE job_status = 'pending' AND failed = 0;
CREATE INDEX idx_delivery_jobs_failed ON delivery_jobs (user_id, group_id, job_status, failed)
    WHERE job_status = 'error' OR failed = 1;
CREATE INDEX idx_delivery_jobs_created_at ON delivery_jobs (user_id, created_at);
