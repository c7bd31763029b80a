-- What happens to a message after it was sent is kept with it: earlier versions of an edited text, reactions, and who
-- was mentioned, so that a mention of the profile itself can be counted apart.

CREATE TABLE chat_item_versions (
    chat_item_version_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    msg_content TEXT NOT NULL,
    item_version_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE INDEX idx_chat_item_versions_chat_item_id ON chat_item_versions (chat_item_id, item_version_ts);

-- A reaction without a member is the profile's own (sent) or the contact's.
CREATE TABLE chat_item_reactions (
    chat_item_reaction_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    reaction TEXT NOT NULL,
    reaction_sent INTEGER NOT NULL CHECK (reaction_sent IN (0, 1)),
    reaction_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_chat_item_reactions_member
    ON chat_item_reactions (chat_item_id, group_member_id, reaction);
CREATE UNIQUE INDEX idx_chat_item_reactions_direct
    ON chat_item_reactions (chat_item_id, reaction_sent, reaction) WHERE group_member_id IS NULL;
CREATE INDEX idx_chat_item_reactions_group_member_id ON chat_item_reactions (group_member_id);

-- By the name in the text: the same member may be mentioned under two.
CREATE TABLE chat_item_mentions (
    chat_item_mention_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    member_id TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_chat_item_mentions_display_name ON chat_item_mentions (chat_item_id, display_name);

ALTER TABLE chat_items ADD COLUMN user_mention INTEGER NOT NULL DEFAULT 0 CHECK (user_mention IN (0, 1));
