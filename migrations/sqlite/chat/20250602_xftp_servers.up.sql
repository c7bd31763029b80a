-- Files go through XFTP servers, which a profile chooses as it chooses its SMP servers: one table for both, told apart
-- by protocol. The number of a server keeps its name, smp_server_id. What was there before is SMP.

ALTER TABLE smp_servers RENAME TO protocol_servers;
ALTER TABLE protocol_servers ADD COLUMN protocol TEXT NOT NULL DEFAULT 'smp';

DROP INDEX idx_smp_servers_host;
CREATE UNIQUE INDEX idx_protocol_servers_host ON protocol_servers (user_id, protocol, host, port);
