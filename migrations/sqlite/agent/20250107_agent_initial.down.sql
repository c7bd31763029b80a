-- chatdb: data-loss
-- Before this there was nothing: an empty database.
DROP TABLE commands;
DROP TABLE conn_invitations;
DROP TABLE conn_confirmations;
DROP TABLE snd_message_deliveries;
DROP TABLE snd_messages;
DROP TABLE rcv_messages;
DROP TABLE messages;
DROP TABLE skipped_messages;
DROP TABLE ratchets;
DROP TABLE snd_queues;
DROP TABLE rcv_queues;
DROP TABLE connections;
DROP TABLE servers;
