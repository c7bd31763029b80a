-- Cleaning up by age read whole tables (expired deliveries, remembered hashes), and finding the next delivery of a
-- queue read over all that had failed before it.
CREATE INDEX idx_messages_internal_ts ON messages (internal_ts);
CREATE INDEX idx_encrypted_rcv_message_hashes_created_at ON encrypted_rcv_message_hashes (created_at);
CREATE INDEX idx_processed_ratchet_key_hashes_created_at ON processed_ratchet_key_hashes (created_at);

DROP INDEX idx_snd_message_deliveries_conn_id_snd_queue_id;
CREATE INDEX idx_snd_message_deliveries_conn_id_snd_queue_id_failed
ON snd_message_deliveries (conn_id, snd_queue_id, failed);
