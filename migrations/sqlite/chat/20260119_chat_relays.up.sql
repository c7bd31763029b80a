-- Channels: groups whose messages chat relays forward, so that an owner need not connect to every subscriber. A profile
-- has a list of relays to choose from; each relay of a channel is also a member of it, and on the owner's side a row of
-- group_relays says how far it has come. A relay that a channel refers to cannot be deleted: no CASCADE there.

CREATE TABLE chat_relays (
    chat_relay_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    display_name TEXT NOT NULL DEFAULT '',
    domains TEXT NOT NULL DEFAULT '',
    preset INTEGER NOT NULL DEFAULT 0 CHECK (preset IN (0, 1)),
    tested INTEGER CHECK (tested IN (0, 1)),
    tested_at TEXT,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_chat_relays_address ON chat_relays (user_id, address);

CREATE TABLE group_relays (
    group_relay_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    chat_relay_id INTEGER NOT NULL REFERENCES chat_relays (chat_relay_id),
    relay_status TEXT NOT NULL DEFAULT 'new',
    relay_link TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_group_relays_group_member_id ON group_relays (group_member_id);
CREATE INDEX idx_group_relays_group_id ON group_relays (group_id, relay_status);
CREATE INDEX idx_group_relays_chat_relay_id ON group_relays (chat_relay_id, group_id, relay_status);

ALTER TABLE groups ADD COLUMN use_relays INTEGER NOT NULL DEFAULT 0 CHECK (use_relays IN (0, 1));
ALTER TABLE groups ADD COLUMN creating_in_progress INTEGER NOT NULL DEFAULT 0
    CHECK (creating_in_progress IN (0, 1));
ALTER TABLE groups ADD COLUMN public_member_count INTEGER;
ALTER TABLE group_profiles ADD COLUMN group_link TEXT;
ALTER TABLE group_members ADD COLUMN relay_link TEXT;

CREATE INDEX idx_group_profiles_group_link ON group_profiles (user_id, group_link);
