-- Slower again, and nothing lost.

DROP INDEX idx_chat_items_timed_delete_at;
DROP INDEX idx_chat_items_item_ts;
DROP INDEX idx_group_members_role;
DROP INDEX idx_group_members_group_id;
DROP INDEX idx_chat_items_unread_group;
DROP INDEX idx_chat_items_unread_contact;
DROP INDEX idx_groups_chat_ts;
DROP INDEX idx_contacts_chat_ts;
