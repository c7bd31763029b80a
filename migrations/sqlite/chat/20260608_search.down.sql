-- The index is made from the items, so nothing is lost with it.

DROP TRIGGER chat_items_fts_delete;
DROP TRIGGER chat_items_fts_update;
DROP TRIGGER chat_items_fts_insert;
DROP TABLE chat_items_fts;
