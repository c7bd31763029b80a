-- Search in messages read every text of a profile. A full-text index finds words, whatever their accents. It holds no
-- text of its own: it reads chat_items, and the triggers keep it in step, so that a word is gone from it when it is
-- gone from the item. It follows every item, marked deleted or not: who searches leaves those out, as long as they
-- keep their text. INSERT OR REPLACE into chat_items would get past the triggers.

CREATE VIRTUAL TABLE chat_items_fts USING fts5 (
    item_text,
    content = 'chat_items',
    content_rowid = 'chat_item_id',
    tokenize = 'unicode61 remove_diacritics 2'
);

INSERT INTO chat_items_fts (chat_items_fts) VALUES ('rebuild');

CREATE TRIGGER chat_items_fts_insert AFTER INSERT ON chat_items BEGIN
    INSERT INTO chat_items_fts (rowid, item_text) VALUES (new.chat_item_id, new.item_text);
END;

CREATE TRIGGER chat_items_fts_update AFTER UPDATE OF chat_item_id, item_text ON chat_items
WHEN old.chat_item_id <> new.chat_item_id OR old.item_text <> new.item_text BEGIN
    INSERT INTO chat_items_fts (chat_items_fts, rowid, item_text)
    VALUES ('delete', old.chat_item_id, old.item_text);
    INSERT INTO chat_items_fts (rowid, item_text) VALUES (new.chat_item_id, new.item_text);
END;

CREATE TRIGGER chat_items_fts_delete AFTER DELETE ON chat_items BEGIN
    INSERT INTO chat_items_fts (chat_items_fts, rowid, item_text)
    VALUES ('delete', old.chat_item_id, old.item_text);
END;
