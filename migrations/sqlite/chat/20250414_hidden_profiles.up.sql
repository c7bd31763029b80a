-- A profile can be hidden behind a password: then it appears in no list unless the password is given. The salted hash
-- is all that is kept of the password.

ALTER TABLE users ADD COLUMN view_pwd_hash BLOB;
ALTER TABLE users ADD COLUMN view_pwd_salt BLOB;
