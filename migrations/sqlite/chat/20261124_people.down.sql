-- chatdb: data-loss
-- An earlier version does not keep who invited a member, which codes were compared, which connections stopped working,
-- which groups are business chats or public, and the colours of chats.

DROP INDEX idx_connections_failing;
DROP INDEX idx_group_profiles_public_group_id;
DROP INDEX idx_groups_business_xcontact_id;
DROP INDEX idx_group_members_invited_by;
DROP INDEX idx_contacts_contact_group_member_id;

ALTER TABLE user_contact_links DROP COLUMN business_address;

ALTER TABLE connections DROP COLUMN quota_err_counter;
ALTER TABLE connections DROP COLUMN auth_err_counter;
ALTER TABLE connections DROP COLUMN security_code_verified_at;
ALTER TABLE connections DROP COLUMN security_code;

ALTER TABLE group_members DROP COLUMN member_security_code_verified_at;
ALTER TABLE group_members DROP COLUMN member_security_code;
ALTER TABLE group_members DROP COLUMN invited_by;

ALTER TABLE group_profiles DROP COLUMN public_group_id;
ALTER TABLE group_profiles DROP COLUMN group_type;

ALTER TABLE groups DROP COLUMN business_xcontact_id;
ALTER TABLE groups DROP COLUMN customer_member_id;
ALTER TABLE groups DROP COLUMN business_member_id;
ALTER TABLE groups DROP COLUMN business_chat;
ALTER TABLE groups DROP COLUMN ui_themes;

ALTER TABLE contacts DROP COLUMN contact_grp_inv_sent;
ALTER TABLE contacts DROP COLUMN contact_group_member_id;
ALTER TABLE contacts DROP COLUMN ui_themes;

ALTER TABLE contact_profiles DROP COLUMN chat_peer_type;
ALTER TABLE contact_profiles DROP COLUMN description;

ALTER TABLE users DROP COLUMN ui_themes;
