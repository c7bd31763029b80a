-- Servers are run by operators, and a message should not pass two servers of the same one. An operator is known by the
-- domains of its servers, is switched on or off for the whole store, and has conditions of use, which are accepted once
-- per version of their text. The operators themselves come with a preset, not with this migration.

CREATE TABLE server_operators (
    server_operator_id INTEGER PRIMARY KEY,
    server_operator_tag TEXT,
    trade_name TEXT NOT NULL,
    legal_name TEXT,
    server_domains TEXT NOT NULL DEFAULT '',
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    smp_role_storage INTEGER NOT NULL DEFAULT 1 CHECK (smp_role_storage IN (0, 1)),
    smp_role_proxy INTEGER NOT NULL DEFAULT 1 CHECK (smp_role_proxy IN (0, 1)),
    xftp_role_storage INTEGER NOT NULL DEFAULT 1 CHECK (xftp_role_storage IN (0, 1)),
    xftp_role_proxy INTEGER NOT NULL DEFAULT 1 CHECK (xftp_role_proxy IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_server_operators_tag ON server_operators (server_operator_tag);

CREATE TABLE usage_conditions (
    usage_conditions_id INTEGER PRIMARY KEY,
    conditions_commit TEXT NOT NULL,
    notified_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_usage_conditions_commit ON usage_conditions (conditions_commit);

CREATE TABLE operator_usage_conditions (
    operator_usage_conditions_id INTEGER PRIMARY KEY,
    server_operator_id INTEGER REFERENCES server_operators (server_operator_id) ON DELETE SET NULL,
    server_operator_tag TEXT,
    conditions_commit TEXT NOT NULL,
    accepted_at TEXT,
    auto_accepted INTEGER NOT NULL DEFAULT 0 CHECK (auto_accepted IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_operator_usage_conditions_operator
    ON operator_usage_conditions (server_operator_id, conditions_commit);
