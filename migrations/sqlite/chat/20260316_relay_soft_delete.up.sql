-- A relay that channels use could not be taken off the list. Now it is marked instead: it is offered no more, and its
-- channels keep working. An address may be marked and on the list at the same time, so it is unique among the rows that
-- are not marked.

ALTER TABLE chat_relays ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1));

DROP INDEX idx_chat_relays_address;
CREATE UNIQUE INDEX idx_chat_relays_address ON chat_relays (user_id, address) WHERE deleted = 0;
CREATE INDEX idx_chat_relays_user_id ON chat_relays (user_id, deleted, enabled);
