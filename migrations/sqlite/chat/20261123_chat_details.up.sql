-- What SimpleX Chat stores about an item besides its content: where it was forwarded from, whether its author is still
-- writing it, and whether it is in the main chat of a group or in the support chat of one member. The members have the
-- counters of their support chats, and a profile the switch for invitations to groups.

ALTER TABLE chat_items ADD COLUMN item_live INTEGER NOT NULL DEFAULT 0 CHECK (item_live IN (0, 1));
ALTER TABLE chat_items ADD COLUMN fwd_from_tag TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_chat_name TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_msg_dir INTEGER CHECK (fwd_from_msg_dir IN (0, 1));
ALTER TABLE chat_items ADD COLUMN fwd_from_contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_group_id INTEGER REFERENCES groups (group_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_chat_item_id INTEGER
    REFERENCES chat_items (chat_item_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_group_type TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_group_link TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_public_group_id TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_member_id TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_shared_msg_id TEXT;
ALTER TABLE chat_items ADD COLUMN group_scope_tag TEXT;
ALTER TABLE chat_items ADD COLUMN group_scope_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE CASCADE;

ALTER TABLE group_members ADD COLUMN support_chat_ts TEXT;
ALTER TABLE group_members ADD COLUMN support_chat_items_unread INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_items_member_attention INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_items_mentions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_last_msg_from_member_ts TEXT;

ALTER TABLE users ADD COLUMN auto_accept_group_invitations INTEGER NOT NULL DEFAULT 0
    CHECK (auto_accept_group_invitations IN (0, 1));

CREATE INDEX idx_chat_items_fwd_from_contact_id ON chat_items (fwd_from_contact_id);
CREATE INDEX idx_chat_items_fwd_from_group_id ON chat_items (fwd_from_group_id);
CREATE INDEX idx_chat_items_fwd_from_chat_item_id ON chat_items (fwd_from_chat_item_id);
CREATE INDEX idx_chat_items_group_scope_group_member_id ON chat_items (group_scope_group_member_id);

-- Few items are live or in a support chat, and few members have a support chat: these indexes have only these.
CREATE INDEX idx_chat_items_live ON chat_items (user_id, item_ts) WHERE item_live = 1;
CREATE INDEX idx_chat_items_support ON chat_items (user_id, group_id, group_scope_group_member_id, item_ts)
    WHERE group_scope_tag = 'member_support';
CREATE INDEX idx_group_members_support_chat_ts ON group_members (user_id, group_id, support_chat_ts)
    WHERE support_chat_ts IS NOT NULL;

-- The unread items of the main chat are counted from the index alone.
DROP INDEX idx_chat_items_unread_group;
CREATE INDEX idx_chat_items_unread_group
    ON chat_items (user_id, group_id, item_ts, user_mention, item_status, group_scope_tag)
    WHERE item_status = 'rcv_new';

-- The kinds of content of a chat, and the items of one kind. item_deleted and group_scope_tag have one value each:
-- without them SQLite reads the rows to count the kinds, and behind item_ts it would sort the items of a kind.
CREATE INDEX idx_chat_items_contact_kind ON chat_items (user_id, contact_id, msg_content_tag, item_deleted, item_ts)
    WHERE contact_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0;
CREATE INDEX idx_chat_items_group_kind
    ON chat_items (user_id, group_id, msg_content_tag, item_deleted, group_scope_tag, item_ts)
    WHERE group_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0 AND group_scope_tag IS NULL;
CREATE INDEX idx_chat_items_note_folder_kind
    ON chat_items (user_id, note_folder_id, msg_content_tag, item_deleted, item_ts)
    WHERE note_folder_id IS NOT NULL AND msg_content_tag IS NOT NULL AND item_deleted = 0;

-- Clearing a chat looks for other files with the same path.
CREATE INDEX idx_files_file_path ON files (file_path) WHERE file_path IS NOT NULL;
