-- A subscriber joins a channel through its relays. Joining may fail before there is a connection that could have the
-- reason, so the member has it.

ALTER TABLE group_members ADD COLUMN relay_failure TEXT;
