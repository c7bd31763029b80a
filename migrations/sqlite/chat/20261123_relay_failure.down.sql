-- chatdb: data-loss
-- The reasons are lost. A relay that could not be joined looks like one that is being joined.

ALTER TABLE group_members DROP COLUMN relay_failure;
