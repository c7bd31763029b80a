-- A message to a group is one body for every member, and was stored as often as there are members. Bodies move to a
-- table where each is stored once; what differs by member, the key it is encrypted with and the length it is padded
-- to, stays with the message.
CREATE TABLE snd_message_bodies (
    snd_message_body_id INTEGER PRIMARY KEY,
    agent_msg BLOB NOT NULL DEFAULT x'',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now'))
) STRICT;

ALTER TABLE snd_messages ADD COLUMN snd_message_body_id INTEGER
    REFERENCES snd_message_bodies (snd_message_body_id) ON DELETE SET NULL;
ALTER TABLE snd_messages ADD COLUMN msg_encrypt_key BLOB;
ALTER TABLE snd_messages ADD COLUMN padded_msg_len INTEGER;

-- Equal bodies become one, numbered in the order in which they were sent.
INSERT INTO snd_message_bodies (agent_msg, created_at)
SELECT m.msg_body, min(m.created_at)
FROM snd_messages s
JOIN messages m USING (conn_id, internal_id)
WHERE m.msg_body <> x''
GROUP BY m.msg_body
ORDER BY min(m.internal_ts), min(m.rowid);

-- The index is only for the next statement, which would otherwise read all bodies for each message.
CREATE INDEX idx_snd_message_bodies_agent_msg ON snd_message_bodies (agent_msg);

UPDATE snd_messages SET snd_message_body_id = (
    SELECT b.snd_message_body_id
    FROM messages m
    JOIN snd_message_bodies b ON b.agent_msg = m.msg_body
    WHERE m.conn_id = snd_messages.conn_id AND m.internal_id = snd_messages.internal_id
);

DROP INDEX idx_snd_message_bodies_agent_msg;

UPDATE messages SET msg_body = x''
WHERE EXISTS (
    SELECT 1 FROM snd_messages s
    WHERE s.conn_id = messages.conn_id AND s.internal_id = messages.internal_id
        AND s.snd_message_body_id IS NOT NULL
);

CREATE INDEX idx_snd_messages_snd_message_body_id ON snd_messages (snd_message_body_id);
