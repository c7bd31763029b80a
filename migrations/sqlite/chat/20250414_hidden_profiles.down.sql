-- chatdb: data-loss
-- Hidden profiles become visible again: an earlier version knows no other kind, and dropping them would be worse.

ALTER TABLE users DROP COLUMN view_pwd_salt;
ALTER TABLE users DROP COLUMN view_pwd_hash;
