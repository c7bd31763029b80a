-- chatdb: data-loss
-- An earlier version knows SMP servers only.

DELETE FROM protocol_servers WHERE protocol <> 'smp';

DROP INDEX idx_protocol_servers_host;
ALTER TABLE protocol_servers DROP COLUMN protocol;
ALTER TABLE protocol_servers RENAME TO smp_servers;
CREATE UNIQUE INDEX idx_smp_servers_host ON smp_servers (user_id, host, port);
