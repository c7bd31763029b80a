-- The keys are made from the links, so nothing is lost with them.

DROP INDEX idx_user_contact_links_short_link_contact_key;
DROP INDEX idx_user_contact_links_conn_req_contact_key;
DROP INDEX idx_group_profiles_group_link_key;
DROP INDEX idx_groups_conn_short_link_to_connect_key;
DROP INDEX idx_groups_conn_full_link_to_connect_key;

ALTER TABLE user_contact_links DROP COLUMN short_link_contact_key;
ALTER TABLE user_contact_links DROP COLUMN conn_req_contact_key;
ALTER TABLE group_profiles DROP COLUMN group_link_key;
ALTER TABLE groups DROP COLUMN conn_short_link_to_connect_key;
ALTER TABLE groups DROP COLUMN conn_full_link_to_connect_key;
