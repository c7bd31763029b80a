-- The key is made from the address, so nothing is lost with it. Rows that were marked as the same relay stay marked.

DROP INDEX idx_chat_relays_same_relay;
DROP INDEX idx_chat_relays_address_key;
ALTER TABLE chat_relays DROP COLUMN address_key;
CREATE UNIQUE INDEX idx_chat_relays_address ON chat_relays (user_id, address) WHERE deleted = 0;
