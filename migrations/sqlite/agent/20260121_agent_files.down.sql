-- chatdb: data-loss
-- Transfers that are under way cannot be continued, and sent files cannot be taken back from their servers any more.
DROP TABLE snd_file_chunk_replica_recipients;
DROP TABLE snd_file_chunk_replicas;
DROP TABLE snd_file_chunks;
DROP TABLE snd_files;
DROP TABLE rcv_file_chunk_replicas;
DROP TABLE rcv_file_chunks;
DROP TABLE rcv_files;
DROP TABLE xftp_servers;
