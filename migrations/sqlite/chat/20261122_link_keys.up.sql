-- One channel under two spellings of its link became two groups, because links were compared by their texts. A link
-- gets a key, which is the same for all its spellings:
--
--   short link: <type>#<key>@<first host>, without scheme, further hosts, port and key hash
--   full link:  smp#<queue id>@<first host>, of its first smp queue
--
-- The host is in lower case. simplex.chat is the site of the app and not a server: the parameters name the server.
-- The key is NULL where this SQL does not compute it, for example for an IP address. Such a link is compared by its
-- text until `check --fix` computes the key. Keys are not unique: a store may have the doubles that came from comparing
-- texts, and a group that was left stays beside the one that was opened after it.

ALTER TABLE groups ADD COLUMN conn_full_link_to_connect_key TEXT;
ALTER TABLE groups ADD COLUMN conn_short_link_to_connect_key TEXT;
ALTER TABLE group_profiles ADD COLUMN group_link_key TEXT;
ALTER TABLE user_contact_links ADD COLUMN conn_req_contact_key TEXT;
ALTER TABLE user_contact_links ADD COLUMN short_link_contact_key TEXT;

-- A table for this migration only: the five columns get their keys from it.
-- MATERIALIZED keeps SQLite from copying the expressions of each part into the next: with that it takes seconds to
-- prepare the statement (measured).
CREATE TABLE keys_of_links (link TEXT NOT NULL PRIMARY KEY, link_key TEXT NOT NULL) STRICT;

INSERT INTO keys_of_links (link, link_key)
WITH links AS MATERIALIZED (
    SELECT conn_full_link_to_connect AS link FROM groups
    UNION SELECT conn_short_link_to_connect FROM groups
    UNION SELECT group_link FROM group_profiles
    UNION SELECT conn_req_contact FROM user_contact_links
    UNION SELECT short_link_contact FROM user_contact_links
), given AS MATERIALIZED (
    SELECT link, trim(link, ' ' || char(9, 10, 13)) AS a FROM links WHERE link IS NOT NULL
), parts AS MATERIALIZED (
    -- https://<site>/<rest> or simplex:/<rest>
    SELECT
        link,
        CASE WHEN a LIKE 'https://_%/%' THEN lower(substr(a, 9, instr(substr(a, 9), '/') - 1)) END AS site,
        CASE
            WHEN a LIKE 'https://_%/%' THEN substr(a, 9 + instr(substr(a, 9), '/'))
            WHEN a LIKE 'simplex:/%' THEN substr(a, 10)
        END AS rest
    FROM given
    WHERE length(a) <= 16384 AND a NOT GLOB '*[^!-~]*' AND a NOT GLOB '*["<>\^`{|}]*'
), fragments AS MATERIALIZED (
    SELECT
        link, site, substr(rest, 1, instr(rest, '#') - 1) AS type, substr(rest, instr(rest, '#') + 1) AS fragment
    FROM parts
    WHERE instr(rest, '#') > 1
), queries AS MATERIALIZED (
    SELECT
        link, site, type,
        substr(fragment, 1, instr(fragment || '?', '?') - 1) AS key,
        '&' || substr(fragment, instr(fragment || '?', '?') + 1) AS query
    FROM fragments
), tails AS MATERIALIZED (
    SELECT
        link, site, type, key,
        CASE
            WHEN type IN ('contact', 'contact/') THEN substr(query, nullif(instr(query, '&smp='), 0) + 5)
            ELSE substr(query, nullif(instr(query, '&h='), 0) + 3)
        END AS tail
    FROM queries
), encoded AS MATERIALIZED (
    SELECT link, site, type, key, substr(tail, 1, instr(tail || '&', '&') - 1) AS value FROM tails
), decoded AS MATERIALIZED (
    -- Only the characters that separate the parts of a queue. With any other, the host or the id is not valid below.
    SELECT
        link, site, type, key,
        CASE
            WHEN value || '~' NOT GLOB '*%[^0-9A-Fa-f]*' AND value || '~' NOT GLOB '*%[0-9A-Fa-f][^0-9A-Fa-f]*' THEN
                replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(value,
                    '%3A', ':'), '%3a', ':'), '%2F', '/'), '%2f', '/'), '%2C', ','), '%2c', ','),
                    '%40', '@'), '%23', '#'), '%3D', '='), '%3d', '='), '%3B', ';')
        END AS value
    FROM encoded
), queues AS MATERIALIZED (
    SELECT
        link, site, type, key, value,
        CASE WHEN value LIKE 'smp://%@%/%' THEN substr(value, instr(value, '@') + 1) END AS queue
    FROM decoded
), hosts AS MATERIALIZED (
    SELECT
        link, type, key, substr(queue, instr(queue, '/') + 1) AS id,
        CASE
            WHEN type IN ('contact', 'contact/') THEN substr(queue, 1, instr(queue, '/') - 1)
            WHEN site NOT IN ('simplex.chat', 'www.simplex.chat') THEN site
            ELSE value
        END AS hosts
    FROM queues
), servers AS MATERIALIZED (
    SELECT
        link, type, key,
        rtrim(substr(id, 1, min(
            instr(id || '#', '#'), instr(id || '/', '/'), instr(id || '?', '?'), instr(id || '&', '&'),
            instr(id || ';', ';')) - 1), '=') AS id,
        lower(substr(hosts, 1, min(
            instr(hosts || ',', ','),
            CASE WHEN type IN ('contact', 'contact/') THEN instr(hosts || ':', ':') ELSE length(hosts) + 1 END) - 1))
            AS host
    FROM hosts
)
SELECT link, CASE WHEN type IN ('contact', 'contact/') THEN 'smp#' || id ELSE type || '#' || key END || '@' || host
FROM servers
WHERE length(host) BETWEEN 1 AND 63 AND host NOT GLOB '*[^a-z0-9._-]*' AND host GLOB '[a-z0-9_]*' AND host GLOB '*[a-z]'
    AND host NOT GLOB '*..*' AND host NOT GLOB '*.-*' AND host NOT GLOB '*-.*'
    AND CASE
        WHEN type IN ('contact', 'contact/') THEN id <> '' AND id NOT GLOB '*[^A-Za-z0-9_-]*'
        ELSE type IN ('a', 'c', 'g', 'r') AND length(key) = 43 AND key NOT GLOB '*[^A-Za-z0-9_-]*'
            AND key GLOB '*[AEIMQUYcgkosw048]'
    END;

UPDATE groups
SET conn_full_link_to_connect_key =
        (SELECT link_key FROM keys_of_links WHERE link = conn_full_link_to_connect),
    conn_short_link_to_connect_key =
        (SELECT link_key FROM keys_of_links WHERE link = conn_short_link_to_connect)
WHERE conn_full_link_to_connect IS NOT NULL OR conn_short_link_to_connect IS NOT NULL;

UPDATE group_profiles
SET group_link_key = (SELECT link_key FROM keys_of_links WHERE link = group_link)
WHERE group_link IS NOT NULL;

UPDATE user_contact_links
SET conn_req_contact_key = (SELECT link_key FROM keys_of_links WHERE link = conn_req_contact),
    short_link_contact_key = (SELECT link_key FROM keys_of_links WHERE link = short_link_contact);

DROP TABLE keys_of_links;

CREATE INDEX idx_groups_conn_full_link_to_connect_key ON groups (user_id, conn_full_link_to_connect_key);
CREATE INDEX idx_groups_conn_short_link_to_connect_key ON groups (user_id, conn_short_link_to_connect_key);
CREATE INDEX idx_group_profiles_group_link_key ON group_profiles (user_id, group_link_key);
CREATE INDEX idx_user_contact_links_conn_req_contact_key ON user_contact_links (user_id, conn_req_contact_key);
CREATE INDEX idx_user_contact_links_short_link_contact_key ON user_contact_links (user_id, short_link_contact_key);
