-- chatdb: data-loss
-- Channels become ordinary groups without a way to reach their subscribers; their messages stay readable.

DROP INDEX idx_group_profiles_group_link;

ALTER TABLE group_members DROP COLUMN relay_link;
ALTER TABLE group_profiles DROP COLUMN group_link;
ALTER TABLE groups DROP COLUMN public_member_count;
ALTER TABLE groups DROP COLUMN creating_in_progress;
ALTER TABLE groups DROP COLUMN use_relays;

DROP TABLE group_relays;
DROP TABLE chat_relays;
