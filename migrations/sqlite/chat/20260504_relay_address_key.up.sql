-- The same relay could be added twice, as simplex: and as https: link, or with other back-up hosts. Two addresses are
-- the same relay when type, key and primary host are equal, so that is stored beside the text that was given, as
-- <type>#<key>@<host in lower case>, and is what must be unique. An address that cannot be read stands for itself.
--
-- Of rows that turn out to be one relay, the preset or else the oldest stays on the list and the others are marked
-- deleted, which is how a relay that channels may use is deleted: no channel changes its relay.

ALTER TABLE chat_relays ADD COLUMN address_key TEXT NOT NULL DEFAULT '';

-- simplex:/<type>#<key>?h=<host>[,<host>…][&…] or https://<host>/<type>#<key>[?…]
WITH given AS (
    SELECT chat_relay_id, trim(address, ' ' || char(9, 10, 13)) AS a FROM chat_relays
), marks AS (
    SELECT chat_relay_id, a, instr(a, '#') AS hash, instr(a || '?', '?') AS query FROM given
), parts AS (
    SELECT
        chat_relay_id,
        substr(a, hash - 2, 2) AS type,
        substr(a, hash + 1, query - hash - 1) AS key,
        CASE
            WHEN a LIKE 'https://%' AND hash > 11 AND 8 + instr(substr(a, 9), '/') = hash - 2
                THEN substr(a, 9, hash - 11)
            WHEN a LIKE 'simplex:/%' AND hash = 11 THEN replace(replace(
                substr('&' || substr(a, query + 1), nullif(instr('&' || substr(a, query + 1), '&h='), 0) + 3),
                '%2C', ','), '%2c', ',')
        END AS hosts
    FROM marks
    WHERE hash > 2
), keys AS (
    SELECT
        chat_relay_id,
        type,
        key,
        lower(substr(hosts, 1, min(instr(hosts || ',', ','), instr(hosts || '&', '&')) - 1)) AS host
    FROM parts
)
UPDATE chat_relays
SET address_key = coalesce(
    (SELECT substr(type, 2) || '#' || key || '@' || host
     FROM keys
     WHERE keys.chat_relay_id = chat_relays.chat_relay_id
       AND type IN ('/r', '/a') AND length(key) = 43 AND key NOT GLOB '*[^A-Za-z0-9_-]*' AND host <> ''),
    trim(address, ' ' || char(9, 10, 13)));

CREATE INDEX idx_chat_relays_same_relay ON chat_relays (user_id, address_key, deleted);

UPDATE chat_relays
SET deleted = 1
WHERE deleted = 0 AND EXISTS (
    SELECT 1
    FROM chat_relays other
    WHERE other.user_id = chat_relays.user_id
      AND other.address_key = chat_relays.address_key
      AND other.deleted = 0
      AND (other.preset, -other.chat_relay_id) > (chat_relays.preset, -chat_relays.chat_relay_id));

DROP INDEX idx_chat_relays_address;
CREATE UNIQUE INDEX idx_chat_relays_address_key ON chat_relays (user_id, address_key) WHERE deleted = 0;
