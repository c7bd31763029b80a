-- chatdb: data-loss
-- Every message gets its own copy of the body back. Lost are the keys of messages already prepared for encryption and
-- bodies that no message refers to.
UPDATE messages SET msg_body = (
    SELECT b.agent_msg
    FROM snd_messages s
    JOIN snd_message_bodies b USING (snd_message_body_id)
    WHERE s.conn_id = messages.conn_id AND s.internal_id = messages.internal_id
)
WHERE EXISTS (
    SELECT 1
    FROM snd_messages s
    JOIN snd_message_bodies b USING (snd_message_body_id)
    WHERE s.conn_id = messages.conn_id AND s.internal_id = messages.internal_id
);

DROP INDEX idx_snd_messages_snd_message_body_id;
ALTER TABLE snd_messages DROP COLUMN padded_msg_len;
ALTER TABLE snd_messages DROP COLUMN msg_encrypt_key;
ALTER TABLE snd_messages DROP COLUMN snd_message_body_id;

DROP TABLE snd_message_bodies;
