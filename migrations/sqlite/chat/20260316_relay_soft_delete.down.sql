-- chatdb: data-loss
-- An earlier version has one row per address and knows no marked ones. Rows of one address become one, the one on the
-- list if there is one, else the newest, and its channels follow. What was marked comes back switched off while a
-- channel uses it, so that no new channel gets it, and goes otherwise.

UPDATE group_relays
SET chat_relay_id = (
    SELECT kept.chat_relay_id
    FROM chat_relays marked
    JOIN chat_relays kept ON kept.user_id = marked.user_id AND kept.address = marked.address
    WHERE marked.chat_relay_id = group_relays.chat_relay_id
    ORDER BY kept.deleted, kept.chat_relay_id DESC
    LIMIT 1)
WHERE chat_relay_id IN (SELECT chat_relay_id FROM chat_relays WHERE deleted = 1);

-- The condition holds before the statement above and after it, so that a plan counts these rows.
DELETE FROM chat_relays
WHERE deleted = 1 AND NOT (
    chat_relay_id = (
        SELECT kept.chat_relay_id
        FROM chat_relays kept
        WHERE kept.user_id = chat_relays.user_id AND kept.address = chat_relays.address
        ORDER BY kept.deleted, kept.chat_relay_id DESC
        LIMIT 1)
    AND EXISTS (
        SELECT 1
        FROM group_relays r
        JOIN chat_relays used ON used.chat_relay_id = r.chat_relay_id
        WHERE used.user_id = chat_relays.user_id AND used.address = chat_relays.address));

UPDATE chat_relays SET enabled = 0 WHERE deleted = 1;

DROP INDEX idx_chat_relays_user_id;
DROP INDEX idx_chat_relays_address;
ALTER TABLE chat_relays DROP COLUMN deleted;
CREATE UNIQUE INDEX idx_chat_relays_address ON chat_relays (user_id, address);
