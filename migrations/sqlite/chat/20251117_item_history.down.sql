-- chatdb: data-loss
-- An earlier version keeps the last text of a message only.

ALTER TABLE chat_items DROP COLUMN user_mention;

DROP TABLE chat_item_mentions;
DROP TABLE chat_item_reactions;
DROP TABLE chat_item_versions;
