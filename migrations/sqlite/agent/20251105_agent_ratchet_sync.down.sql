-- chatdb: data-loss
-- An agreement that is under way is given up, and what was remembered for it has no use.
DROP TABLE processed_ratchet_key_hashes;
DROP TABLE encrypted_rcv_message_hashes;

ALTER TABLE ratchets DROP COLUMN x3dh_pub_key_2;
ALTER TABLE ratchets DROP COLUMN x3dh_pub_key_1;

ALTER TABLE connections DROP COLUMN ratchet_sync_state;
