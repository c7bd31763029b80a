-- chatdb: data-loss
-- Transfers and their connections go; the files themselves, on disk, are not the database's to remove.

DELETE FROM msg_deliveries
WHERE connection_id IN (
    SELECT connection_id FROM connections WHERE snd_file_id IS NOT NULL OR rcv_file_id IS NOT NULL);
UPDATE chat_items SET created_by_msg_id = NULL
WHERE created_by_msg_id IN (
    SELECT m.message_id FROM messages m JOIN connections c ON c.connection_id = m.connection_id
    WHERE c.snd_file_id IS NOT NULL OR c.rcv_file_id IS NOT NULL);
DELETE FROM msg_deliveries
WHERE message_id IN (
    SELECT m.message_id FROM messages m JOIN connections c ON c.connection_id = m.connection_id
    WHERE c.snd_file_id IS NOT NULL OR c.rcv_file_id IS NOT NULL);
DELETE FROM messages
WHERE connection_id IN (
    SELECT connection_id FROM connections WHERE snd_file_id IS NOT NULL OR rcv_file_id IS NOT NULL);
DELETE FROM connections WHERE snd_file_id IS NOT NULL OR rcv_file_id IS NOT NULL;

DROP INDEX idx_connections_rcv_file_id;
DROP INDEX idx_connections_snd_file_id;
ALTER TABLE connections DROP COLUMN rcv_file_id;
ALTER TABLE connections DROP COLUMN snd_file_id;

DROP TABLE rcv_files;
DROP TABLE snd_files;
DROP TABLE xftp_file_descriptions;
DROP TABLE files;
