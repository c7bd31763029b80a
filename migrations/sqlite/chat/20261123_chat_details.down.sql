-- chatdb: data-loss
-- An earlier version does not keep where an item was forwarded from, which items are live, and which are in a support
-- chat: it shows the items of support chats in the group.

DROP INDEX idx_files_file_path;
DROP INDEX idx_chat_items_note_folder_kind;
DROP INDEX idx_chat_items_group_kind;
DROP INDEX idx_chat_items_contact_kind;
DROP INDEX idx_chat_items_unread_group;
DROP INDEX idx_group_members_support_chat_ts;
DROP INDEX idx_chat_items_support;
DROP INDEX idx_chat_items_group_scope_group_member_id;
DROP INDEX idx_chat_items_live;
DROP INDEX idx_chat_items_fwd_from_chat_item_id;
DROP INDEX idx_chat_items_fwd_from_group_id;
DROP INDEX idx_chat_items_fwd_from_contact_id;

CREATE INDEX idx_chat_items_unread_group ON chat_items (user_id, group_id, item_ts, user_mention, item_status)
    WHERE item_status = 'rcv_new';

ALTER TABLE users DROP COLUMN auto_accept_group_invitations;

ALTER TABLE group_members DROP COLUMN support_chat_last_msg_from_member_ts;
ALTER TABLE group_members DROP COLUMN support_chat_items_mentions;
ALTER TABLE group_members DROP COLUMN support_chat_items_member_attention;
ALTER TABLE group_members DROP COLUMN support_chat_items_unread;
ALTER TABLE group_members DROP COLUMN support_chat_ts;

ALTER TABLE chat_items DROP COLUMN group_scope_group_member_id;
ALTER TABLE chat_items DROP COLUMN group_scope_tag;
ALTER TABLE chat_items DROP COLUMN fwd_from_shared_msg_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_member_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_public_group_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_group_link;
ALTER TABLE chat_items DROP COLUMN fwd_from_group_type;
ALTER TABLE chat_items DROP COLUMN fwd_from_chat_item_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_group_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_contact_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_msg_dir;
ALTER TABLE chat_items DROP COLUMN fwd_from_chat_name;
ALTER TABLE chat_items DROP COLUMN fwd_from_tag;
ALTER TABLE chat_items DROP COLUMN item_live;
