-- What SimpleX Chat stores about people besides names: what kind of client a profile belongs to, who invited a member,
-- codes that were compared, connections that stopped working, business chats, public groups, and the colours of chats.

ALTER TABLE users ADD COLUMN ui_themes TEXT;

ALTER TABLE contact_profiles ADD COLUMN description TEXT;
ALTER TABLE contact_profiles ADD COLUMN chat_peer_type TEXT;

ALTER TABLE contacts ADD COLUMN ui_themes TEXT;
ALTER TABLE contacts ADD COLUMN contact_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;
ALTER TABLE contacts ADD COLUMN contact_grp_inv_sent INTEGER NOT NULL DEFAULT 0
    CHECK (contact_grp_inv_sent IN (0, 1));

ALTER TABLE groups ADD COLUMN ui_themes TEXT;
ALTER TABLE groups ADD COLUMN business_chat TEXT;
ALTER TABLE groups ADD COLUMN business_member_id TEXT;
ALTER TABLE groups ADD COLUMN customer_member_id TEXT;
ALTER TABLE groups ADD COLUMN business_xcontact_id TEXT;

ALTER TABLE group_profiles ADD COLUMN group_type TEXT;
ALTER TABLE group_profiles ADD COLUMN public_group_id TEXT;

ALTER TABLE group_members ADD COLUMN invited_by INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL;
ALTER TABLE group_members ADD COLUMN member_security_code TEXT;
ALTER TABLE group_members ADD COLUMN member_security_code_verified_at TEXT;

ALTER TABLE connections ADD COLUMN security_code TEXT;
ALTER TABLE connections ADD COLUMN security_code_verified_at TEXT;
ALTER TABLE connections ADD COLUMN auth_err_counter INTEGER NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN quota_err_counter INTEGER NOT NULL DEFAULT 0;

ALTER TABLE user_contact_links ADD COLUMN business_address INTEGER NOT NULL DEFAULT 0
    CHECK (business_address IN (0, 1));

CREATE INDEX idx_contacts_contact_group_member_id ON contacts (contact_group_member_id);
CREATE INDEX idx_group_members_invited_by ON group_members (invited_by);

-- Few rows have these values: the indexes have only these rows.
CREATE INDEX idx_groups_business_xcontact_id ON groups (user_id, business_xcontact_id)
    WHERE business_xcontact_id IS NOT NULL;
CREATE INDEX idx_group_profiles_public_group_id ON group_profiles (user_id, public_group_id)
    WHERE public_group_id IS NOT NULL;
CREATE INDEX idx_connections_failing ON connections (user_id)
    WHERE auth_err_counter >= 10 OR quota_err_counter >= 5;
