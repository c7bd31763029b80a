-- chatdb: data-loss
-- Tags and notes go: an earlier version has no chat to show a note in.

DELETE FROM rcv_files WHERE file_id IN (SELECT file_id FROM files WHERE note_folder_id IS NOT NULL);
DELETE FROM snd_files WHERE file_id IN (SELECT file_id FROM files WHERE note_folder_id IS NOT NULL);
DELETE FROM files WHERE note_folder_id IS NOT NULL;
UPDATE files SET chat_item_id = NULL
WHERE chat_item_id IN (SELECT chat_item_id FROM chat_items WHERE note_folder_id IS NOT NULL);
DELETE FROM chat_items WHERE note_folder_id IS NOT NULL;

DROP INDEX idx_files_note_folder_id;
DROP INDEX idx_chat_items_note_folder_id;
DROP INDEX idx_chat_items_note_folder;
ALTER TABLE files DROP COLUMN note_folder_id;
ALTER TABLE chat_items DROP COLUMN note_folder_id;

DROP TABLE note_folders;
DROP TABLE chat_tags_chats;
DROP TABLE chat_tags;
