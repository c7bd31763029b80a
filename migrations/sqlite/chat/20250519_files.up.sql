-- Messages carry files. A file belongs to the chat it was sent in; one being sent has a row per recipient, one being
-- received has one. A description of many parts says where the chunks of a file are and how to decrypt them.
--
-- A file outlives its chat item until it has been cleaned up on disk, hence SET NULL.

CREATE TABLE files (
    file_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    chat_item_id INTEGER REFERENCES chat_items (chat_item_id) ON DELETE SET NULL,
    file_name TEXT NOT NULL,
    file_path TEXT,
    file_size INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    protocol TEXT NOT NULL,
    ci_file_status TEXT,
    cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1)),
    agent_snd_file_id TEXT,
    agent_snd_file_deleted INTEGER NOT NULL DEFAULT 0 CHECK (agent_snd_file_deleted IN (0, 1)),
    private_snd_file_descr TEXT,
    file_crypto_key BLOB,
    file_crypto_nonce BLOB,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_files_user_id ON files (user_id, ci_file_status);
CREATE INDEX idx_files_contact_id ON files (contact_id);
CREATE INDEX idx_files_group_id ON files (group_id);
CREATE INDEX idx_files_chat_item_id ON files (chat_item_id);
CREATE INDEX idx_files_agent_snd_file_id ON files (agent_snd_file_id);

CREATE TABLE xftp_file_descriptions (
    file_descr_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    file_descr_text TEXT NOT NULL,
    file_descr_part_no INTEGER NOT NULL DEFAULT 0,
    file_descr_complete INTEGER NOT NULL DEFAULT 0 CHECK (file_descr_complete IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_xftp_file_descriptions_user_id ON xftp_file_descriptions (user_id);

CREATE TABLE snd_files (
    file_id INTEGER NOT NULL REFERENCES files (file_id) ON DELETE CASCADE,
    connection_id INTEGER NOT NULL REFERENCES connections (connection_id) ON DELETE CASCADE,
    file_status TEXT NOT NULL,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    file_descr_id INTEGER REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    PRIMARY KEY (file_id, connection_id)
) STRICT;

CREATE INDEX idx_snd_files_connection_id ON snd_files (connection_id);
CREATE INDEX idx_snd_files_group_member_id ON snd_files (group_member_id);
CREATE INDEX idx_snd_files_file_descr_id ON snd_files (file_descr_id);

CREATE TABLE rcv_files (
    file_id INTEGER PRIMARY KEY REFERENCES files (file_id) ON DELETE CASCADE,
    file_status TEXT NOT NULL,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    file_descr_id INTEGER REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    agent_rcv_file_id TEXT,
    agent_rcv_file_deleted INTEGER NOT NULL DEFAULT 0 CHECK (agent_rcv_file_deleted IN (0, 1)),
    to_receive INTEGER CHECK (to_receive IN (0, 1)),
    user_approved_relays INTEGER NOT NULL DEFAULT 0 CHECK (user_approved_relays IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_rcv_files_group_member_id ON rcv_files (group_member_id);
CREATE INDEX idx_rcv_files_file_descr_id ON rcv_files (file_descr_id);
CREATE INDEX idx_rcv_files_agent_rcv_file_id ON rcv_files (agent_rcv_file_id);

-- A file's own connection: still at most one owner.
ALTER TABLE connections ADD COLUMN snd_file_id INTEGER REFERENCES files (file_id) ON DELETE CASCADE
    CHECK (snd_file_id IS NULL
        OR contact_id IS NULL AND group_member_id IS NULL AND user_contact_link_id IS NULL);
ALTER TABLE connections ADD COLUMN rcv_file_id INTEGER REFERENCES files (file_id) ON DELETE CASCADE
    CHECK (rcv_file_id IS NULL
        OR contact_id IS NULL AND group_member_id IS NULL AND user_contact_link_id IS NULL AND snd_file_id IS NULL);

CREATE INDEX idx_connections_snd_file_id ON connections (snd_file_id);
CREATE INDEX idx_connections_rcv_file_id ON connections (rcv_file_id);
