import ChatDBKit

/// A question to a repository, and the SQL that a person would prepare for the same answer. The first column of each
/// row is what `ask` returns of it.
struct PostgresQuestion {
    let name: String
    /// How often it is asked for one time.
    let times: Int
    /// The number of rows of the answer.
    let rows: Int
    let sql: String
    let ask: (any ReadTransaction) throws -> [String]

    private static let user = UserID(1)

    static func all(of store: ServerProfiles) -> [PostgresQuestion] {
        [chats, usage, members(of: store), search("common", times: 10), search("seldom", times: 100)]
    }

    private static var chats: PostgresQuestion {
        PostgresQuestion(name: "first page of 20,000 chats", times: 200, rows: 20, sql: chatsSQL) { chat in
            try ChatListRepo(chat).page(of: user, limit: 20).map(\.name)
        }
    }

    private static var usage: PostgresQuestion {
        PostgresQuestion(name: "use of all of 2,000 relays", times: 10, rows: 2_000, sql: usageSQL) { chat in
            let relays = try ChatRelaysRepo(chat).usage(of: user)
            return relays.map { "\($0.relay.id.rawValue) \($0.use.using) \($0.use.active)" }
        }
    }

    private static func members(of store: ServerProfiles) -> PostgresQuestion {
        let (channel, start) = (store.channel, store.middleMember)
        return PostgresQuestion(
            name: "page of members of a channel that has 20,000", times: 500, rows: 100,
            sql: membersSQL(channel: channel, after: start)
        ) { chat in
            let page = try GroupMembersRepo(chat).page(
                of: GroupID(channel), of: user, after: GroupMemberID(start), limit: 100)
            return page.members.map { "\($0.id.rawValue)" }
        }
    }

    private static func search(_ word: String, times: Int) -> PostgresQuestion {
        PostgresQuestion(
            name: "search of a \(word) word in 200,000 messages", times: times, rows: 20, sql: searchSQL(word)
        ) { chat in
            let found = try ChatItemsRepo(chat).search(word + " ", in: .profile, of: user, limit: 20)
            return found.map { "\($0.item.id.rawValue)" }
        }
    }
}

// The values are part of the texts: PostgreSQL makes each plan for them, and once.
extension PostgresQuestion {
    /// A union of the sources, each of which gives at most a page; what else a line shows is looked up for the page. The
    /// `+` are those of the index of pending connections.
    private static let chatsSQL = """
        SELECT page.name, kind, page.id, ts, favorite, unread_chat, unread.*, item.*
        FROM (
            (SELECT 0 AS kind, contact_id AS id, chat_ts AS ts, favorite, unread_chat,
                coalesce(nullif(local_alias, ''), local_display_name) AS name
            FROM contacts JOIN contact_profiles USING (contact_profile_id)
            WHERE contacts.user_id = 1 AND is_user = 0 AND contact_used = 1 AND deleted = 0
            ORDER BY chat_ts DESC, contact_id DESC LIMIT 20)
            UNION ALL
            (SELECT 1, group_id, chat_ts, favorite, unread_chat, coalesce(nullif(local_alias, ''), local_display_name)
            FROM groups WHERE user_id = 1 ORDER BY chat_ts DESC, group_id DESC LIMIT 20)
            UNION ALL
            SELECT 2, note_folder_id, chat_ts, favorite, unread_chat, '' FROM note_folders WHERE user_id = 1
            UNION ALL
            (SELECT 3, contact_request_id, updated_at, 0, 0, local_display_name
            FROM contact_requests WHERE user_id = 1 AND contact_id IS NULL
            ORDER BY updated_at DESC, contact_request_id DESC LIMIT 20)
            UNION ALL
            (SELECT 4, connection_id, updated_at, 0, 0, local_alias FROM connections
            WHERE +user_id = 1 AND conn_type = 'contact' AND conn_status <> 'prepared' AND group_member_id IS NULL
                AND +contact_id IS NULL AND +user_contact_link_id IS NULL AND +snd_file_id IS NULL
                AND +rcv_file_id IS NULL
            ORDER BY updated_at DESC, connection_id DESC LIMIT 20)
            ORDER BY ts DESC, kind, id DESC LIMIT 20
        ) page
        LEFT JOIN LATERAL (
            SELECT count(*) AS items, 0 AS mentions FROM chat_items
            WHERE kind = 0 AND user_id = 1 AND contact_id = page.id AND item_status = 'rcv_new' HAVING kind = 0
            UNION ALL
            SELECT count(*), coalesce(sum(user_mention), 0) FROM chat_items
            WHERE kind = 1 AND user_id = 1 AND group_id = page.id AND item_status = 'rcv_new'
                AND group_scope_tag IS NULL
            HAVING kind = 1
        ) unread ON TRUE
        LEFT JOIN LATERAL (
            (SELECT \(item) FROM chat_items i WHERE kind = 0 AND user_id = 1 AND contact_id = page.id AND item_deleted = 0
            ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
            UNION ALL
            (SELECT \(item) FROM chat_items i
            WHERE kind = 1 AND user_id = 1 AND group_id = page.id AND item_deleted = 0 AND group_scope_tag IS NULL
            ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
            UNION ALL
            (SELECT \(item) FROM chat_items i
            WHERE kind = 2 AND user_id = 1 AND note_folder_id = page.id AND item_deleted = 0
            ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
        ) item ON TRUE
        ORDER BY ts DESC, kind, page.id DESC
        """

    /// The last row of a relay in a channel counts.
    private static let usageSQL = """
        SELECT concat_ws(' ', r.chat_relay_id, coalesce(used.using, 0), coalesce(used.active, 0)), r.user_id, address,
            address_key, display_name, domains, preset, tested, tested_at, enabled, deleted,
            coalesce(used.inactive, 0), coalesce(used.rejected, 0), coalesce(used.without, 0),
            used.chat_relay_id IS NOT NULL
                OR EXISTS (SELECT FROM group_relays WHERE group_relays.chat_relay_id = r.chat_relay_id)
        FROM chat_relays r LEFT JOIN (
            SELECT chat_relay_id,
                count(own.group_id) FILTER (WHERE status NOT IN ('inactive', 'rejected')) AS using,
                count(own.group_id) FILTER (WHERE status = 'active') AS active,
                count(own.group_id) FILTER (WHERE status = 'inactive') AS inactive,
                count(own.group_id) FILTER (WHERE status = 'rejected') AS rejected,
                count(g.group_id) FILTER (WHERE own.group_id IS NULL) AS without
            FROM (
                SELECT DISTINCT ON (g.chat_relay_id, g.group_id) g.chat_relay_id, g.group_id, c.user_id,
                    CASE WHEN g.relay_status <> 'rejected'
                        AND m.member_status IN ('rejected', 'removed', 'left', 'deleted')
                    THEN 'inactive' ELSE g.relay_status END AS status
                FROM chat_relays c JOIN group_relays g USING (chat_relay_id)
                JOIN group_members m ON m.group_member_id = g.group_member_id AND m.group_id = g.group_id
                    AND m.member_role = 'relay'
                WHERE c.user_id = 1 ORDER BY g.chat_relay_id, g.group_id, g.group_relay_id DESC
            ) latest
            LEFT JOIN groups g ON g.group_id = latest.group_id AND g.user_id = latest.user_id
            LEFT JOIN group_members own ON own.group_id = g.group_id AND own.member_category = 'user'
                AND own.member_status IN
                    ('introduced', 'intro-inv', 'accepted', 'announced', 'connected', 'complete', 'creator')
            GROUP BY chat_relay_id
        ) used ON used.chat_relay_id = r.chat_relay_id
        WHERE r.user_id = 1 AND r.deleted = 0
        ORDER BY r.preset DESC, r.chat_relay_id
        """

    private static func membersSQL(channel: Int64, after start: Int64) -> String {
        """
        SELECT m.group_member_id, m.group_id, m.member_id, m.local_display_name, m.member_role, m.member_category,
            m.member_status, m.relay_link, m.member_restriction, m.show_messages, m.invited_by_group_member_id,
            m.invited_by, inviter.is_user, m.contact_id, m.member_profile_id
        FROM group_members m LEFT JOIN contacts inviter ON inviter.contact_id = m.invited_by
        WHERE m.group_id = \(channel) AND m.user_id = 1 AND m.group_member_id > \(start)
        ORDER BY m.group_member_id LIMIT 100
        """
    }

    /// The snippets are those of the store's own function: no function of PostgreSQL has the words of SQLite.
    private static func searchSQL(_ word: String) -> String {
        """
        SELECT \(item), search_snippet(item_text, ARRAY['\(word)'], FALSE, '[', ']') AS snippet
        FROM (
            SELECT f.chat_item_id, ts_rank(words, '1/\(word)') AS rank
            FROM chat_items_fts f JOIN chat_items i ON i.chat_item_id = f.chat_item_id
            WHERE words @@ '1/\(word)'::tsquery AND i.user_id = 1 AND item_deleted = 0
                AND NOT EXISTS (SELECT FROM contacts c WHERE c.contact_id = i.contact_id AND c.deleted = 1)
            ORDER BY rank DESC, f.chat_item_id LIMIT 20
        ) found JOIN chat_items i ON i.chat_item_id = found.chat_item_id
        ORDER BY rank DESC, i.chat_item_id
        """
    }

    /// The columns of an item, as the repository reads them.
    private static let item = """
        i.chat_item_id, i.user_id, i.contact_id, i.group_id, i.note_folder_id, i.group_member_id, i.created_by_msg_id,
            i.shared_msg_id, i.item_sent, i.item_ts, i.item_status, i.item_content, i.item_content_tag,
            i.msg_content_tag, i.item_text, i.item_edited, i.item_deleted, i.item_deleted_ts,
            i.item_deleted_by_group_member_id, i.quoted_shared_msg_id, i.quoted_sent_at, i.quoted_content,
            i.quoted_sent, i.quoted_member_id, i.timed_ttl, i.timed_delete_at, i.user_mention, i.item_live,
            i.fwd_from_tag, i.fwd_from_chat_name, i.fwd_from_msg_dir, i.fwd_from_contact_id, i.fwd_from_group_id,
            i.fwd_from_chat_item_id, i.fwd_from_group_type, i.fwd_from_group_link, i.fwd_from_public_group_id,
            i.fwd_from_member_id, i.fwd_from_shared_msg_id, i.group_scope_tag, i.group_scope_group_member_id
        """
}
