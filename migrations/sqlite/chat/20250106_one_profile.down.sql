-- chatdb: data-loss
-- Before the first version there was no chat database: everything goes.

DROP TABLE smp_servers;
DROP TABLE chat_items;
DROP TABLE msg_deliveries;
DROP TABLE messages;
DROP TABLE connections;
DROP TABLE contact_requests;
DROP TABLE user_contact_links;
DROP TABLE group_members;
DROP TABLE groups;
DROP TABLE group_profiles;
DROP TABLE contacts;
DROP TABLE contact_profiles;
DROP TABLE display_names;
DROP TABLE app_settings;
DROP TABLE settings;
DROP TABLE users;
