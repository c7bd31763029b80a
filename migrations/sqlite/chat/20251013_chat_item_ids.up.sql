-- chatdb: rebuild
-- SQLite gave the number of a deleted last item to the next one, so a notification or a reply that still named the old
-- item pointed to another. AUTOINCREMENT never gives a number twice; the sequence starts at the highest number in use.

CREATE TABLE new_chat_items (
    chat_item_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    note_folder_id INTEGER REFERENCES note_folders (note_folder_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    created_by_msg_id INTEGER REFERENCES messages (message_id) ON DELETE SET NULL,
    shared_msg_id TEXT,
    item_sent INTEGER NOT NULL CHECK (item_sent IN (0, 1)),
    item_ts TEXT NOT NULL,
    item_status TEXT NOT NULL,
    item_content TEXT NOT NULL,
    item_content_tag TEXT,
    msg_content_tag TEXT,
    item_text TEXT NOT NULL,
    item_edited INTEGER NOT NULL DEFAULT 0 CHECK (item_edited IN (0, 1)),
    item_deleted INTEGER NOT NULL DEFAULT 0 CHECK (item_deleted IN (0, 1)),
    item_deleted_ts TEXT,
    item_deleted_by_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    quoted_shared_msg_id TEXT,
    quoted_sent_at TEXT,
    quoted_content TEXT,
    quoted_sent INTEGER CHECK (quoted_sent IN (0, 1)),
    quoted_member_id TEXT,
    timed_ttl INTEGER,
    timed_delete_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK ((contact_id IS NOT NULL) + (group_id IS NOT NULL) + (note_folder_id IS NOT NULL) <= 1)
) STRICT;

INSERT INTO new_chat_items (
    chat_item_id, user_id, contact_id, group_id, note_folder_id, group_member_id, created_by_msg_id,
    shared_msg_id, item_sent, item_ts, item_status, item_content, item_content_tag, msg_content_tag, item_text,
    item_edited, item_deleted, item_deleted_ts, item_deleted_by_group_member_id, quoted_shared_msg_id,
    quoted_sent_at, quoted_content, quoted_sent, quoted_member_id, timed_ttl, timed_delete_at, created_at,
    updated_at)
SELECT
    chat_item_id, user_id, contact_id, group_id, note_folder_id, group_member_id, created_by_msg_id,
    shared_msg_id, item_sent, item_ts, item_status, item_content, item_content_tag, msg_content_tag, item_text,
    item_edited, item_deleted, item_deleted_ts, item_deleted_by_group_member_id, quoted_shared_msg_id,
    quoted_sent_at, quoted_content, quoted_sent, quoted_member_id, timed_ttl, timed_delete_at, created_at,
    updated_at
FROM chat_items;

DROP TABLE chat_items;
ALTER TABLE new_chat_items RENAME TO chat_items;

CREATE INDEX idx_chat_items_contact ON chat_items (user_id, contact_id, item_ts);
CREATE INDEX idx_chat_items_group ON chat_items (user_id, group_id, item_ts);
CREATE INDEX idx_chat_items_group_member_id ON chat_items (group_member_id);
CREATE INDEX idx_chat_items_created_by_msg_id ON chat_items (created_by_msg_id);
CREATE INDEX idx_chat_items_deleted_by_group_member_id ON chat_items (item_deleted_by_group_member_id);
CREATE INDEX idx_chat_items_contact_shared_msg_id ON chat_items (contact_id, shared_msg_id);
CREATE INDEX idx_chat_items_group_shared_msg_id ON chat_items (group_id, shared_msg_id);
CREATE INDEX idx_chat_items_note_folder ON chat_items (user_id, note_folder_id, item_ts);
CREATE INDEX idx_chat_items_note_folder_id ON chat_items (note_folder_id);
