-- chatdb: data-loss
-- Only the counts go; the messages stay.
ALTER TABLE rcv_messages DROP COLUMN receive_attempts;
