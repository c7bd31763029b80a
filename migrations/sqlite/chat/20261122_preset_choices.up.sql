-- A server or relay of an operator that the profile no longer has may come back with the operator's list. Its row is
-- gone, and the user's choice about it with the row: an entry that the user had disabled or deleted came back enabled.
-- Now the choice has a row of its own. address_key identifies an entry as the profile's own rows do.

CREATE TABLE preset_choices (
    preset_choice_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    address_key TEXT NOT NULL,
    choice TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
) STRICT;

CREATE UNIQUE INDEX idx_preset_choices_address_key ON preset_choices (user_id, kind, address_key);

-- Before this version, only lists deleted preset relays and left them enabled. Of several rows, the newest comes back.
INSERT INTO preset_choices (user_id, kind, address_key, choice)
SELECT user_id, 'relay', address_key, CASE enabled WHEN 1 THEN 'enabled' ELSE 'disabled' END
FROM chat_relays
WHERE deleted = 1 AND preset = 1 AND NOT EXISTS (
    SELECT 1
    FROM chat_relays other
    WHERE other.user_id = chat_relays.user_id AND other.address_key = chat_relays.address_key
        AND (other.deleted = 0 OR other.chat_relay_id > chat_relays.chat_relay_id));
