-- chatdb: data-loss
-- Every server is used as its operator again.

ALTER TABLE server_operators DROP COLUMN smp_role_names;
ALTER TABLE protocol_servers DROP COLUMN role_names;
ALTER TABLE protocol_servers DROP COLUMN role_proxy;
ALTER TABLE protocol_servers DROP COLUMN role_storage;
