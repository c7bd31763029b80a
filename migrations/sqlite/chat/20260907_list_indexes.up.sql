-- In large profiles the lists were slow to open: the chat list sorted every chat, unread counts read whole
-- conversations, a channel's page of members read them all, and expiry went through every item. Indexes only.
--
-- The counts need `item_status = 'rcv_new'` spelled out in the query: a bound value cannot use a partial index. The
-- column is in them all the same, because SQLite reads the row for it otherwise.

CREATE INDEX idx_contacts_chat_ts ON contacts (user_id, chat_ts);
CREATE INDEX idx_groups_chat_ts ON groups (user_id, chat_ts);

CREATE INDEX idx_chat_items_unread_contact ON chat_items (user_id, contact_id, item_ts, item_status)
    WHERE item_status = 'rcv_new';
CREATE INDEX idx_chat_items_unread_group ON chat_items (user_id, group_id, item_ts, user_mention, item_status)
    WHERE item_status = 'rcv_new';

CREATE INDEX idx_group_members_group_id ON group_members (group_id);
CREATE INDEX idx_group_members_role ON group_members (group_id, member_role, member_status);

CREATE INDEX idx_chat_items_item_ts ON chat_items (user_id, item_ts);
CREATE INDEX idx_chat_items_timed_delete_at ON chat_items (user_id, timed_delete_at)
    WHERE timed_delete_at IS NOT NULL;
