-- A server can be used for less than its operator is: its own roles, where set, go before the operator's (NULL = as the
-- operator). SMP servers get a third role, resolving names, which is off unless somebody sets it.

ALTER TABLE protocol_servers ADD COLUMN role_storage INTEGER CHECK (role_storage IN (0, 1));
ALTER TABLE protocol_servers ADD COLUMN role_proxy INTEGER CHECK (role_proxy IN (0, 1));
ALTER TABLE protocol_servers ADD COLUMN role_names INTEGER CHECK (role_names IN (0, 1));
ALTER TABLE server_operators ADD COLUMN smp_role_names INTEGER NOT NULL DEFAULT 0
    CHECK (smp_role_names IN (0, 1));
