-- A long chat list needs order: tags on chats, and a folder for notes to oneself, which is one more chat in the list
-- with items and files of its own.

CREATE TABLE chat_tags (
    chat_tag_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    chat_tag_text TEXT NOT NULL,
    chat_tag_emoji TEXT,
    tag_order INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_chat_tags_text ON chat_tags (user_id, chat_tag_text);
CREATE UNIQUE INDEX idx_chat_tags_emoji ON chat_tags (user_id, chat_tag_emoji);

CREATE TABLE chat_tags_chats (
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    chat_tag_id INTEGER NOT NULL REFERENCES chat_tags (chat_tag_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    CHECK ((contact_id IS NULL) <> (group_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX idx_chat_tags_chats_contact_id ON chat_tags_chats (contact_id, chat_tag_id);
CREATE UNIQUE INDEX idx_chat_tags_chats_group_id ON chat_tags_chats (group_id, chat_tag_id);
CREATE INDEX idx_chat_tags_chats_chat_tag_id ON chat_tags_chats (chat_tag_id);

CREATE TABLE note_folders (
    note_folder_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    chat_ts TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
    unread_chat INTEGER NOT NULL DEFAULT 0 CHECK (unread_chat IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_note_folders_user_id ON note_folders (user_id);

ALTER TABLE chat_items ADD COLUMN note_folder_id INTEGER
    REFERENCES note_folders (note_folder_id) ON DELETE CASCADE
    CHECK (note_folder_id IS NULL OR contact_id IS NULL AND group_id IS NULL);
ALTER TABLE files ADD COLUMN note_folder_id INTEGER
    REFERENCES note_folders (note_folder_id) ON DELETE CASCADE;

CREATE INDEX idx_chat_items_note_folder ON chat_items (user_id, note_folder_id, item_ts);
CREATE INDEX idx_chat_items_note_folder_id ON chat_items (note_folder_id);
CREATE INDEX idx_files_note_folder_id ON files (note_folder_id);
