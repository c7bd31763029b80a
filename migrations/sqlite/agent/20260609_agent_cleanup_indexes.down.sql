-- Indexes only: the queries of before need the one that was replaced.
DROP INDEX idx_snd_message_deliveries_conn_id_snd_queue_id_failed;
CREATE INDEX idx_snd_message_deliveries_conn_id_snd_queue_id ON snd_message_deliveries (conn_id, snd_queue_id);

DROP INDEX idx_processed_ratchet_key_hashes_created_at;
DROP INDEX idx_encrypted_rcv_message_hashes_created_at;
DROP INDEX idx_messages_internal_ts;
