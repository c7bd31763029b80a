import ChatDBKit
import Foundation

/// Search in very many messages, and the list of 50,000 chats.
struct ChatBench {
    let bench: Bench
    let messages: Int
    private static let user = UserID(1)

    init(_ bench: Bench, messages: Int) {
        self.bench = bench
        self.messages = messages
    }

    func measure() throws -> [Measurement] {
        try fill()
        let connection = try SQLiteEngine().open("\(bench.folder)/chats_chat.db", as: .readOnly)
        defer { try? connection.close() }
        return [
            try search("common", times: 3, scope: .profile, in: connection),
            try search("seldom", times: 300, scope: .profile, readingItems: true, in: connection),
            try search("common", times: 3, scope: .chat(.contact(ContactID(77))), in: connection),
            try list("", ChatListFilter(), times: 100, in: connection),
            try list(" that are favourites", ChatListFilter(onlyFavorites: true), times: 20, in: connection),
        ]
    }

    /// chatdb reads the first page with items and snippets; the peer reads only numbers and ranks. A search in one chat
    /// is compared with the search in all chats. Finding a rare word takes less time than reading twenty items, so for
    /// such a word the peer reads the items too.
    private func search(
        _ word: String, times: Int, scope: SearchScope, readingItems: Bool = false, in connection: any StorageConnection
    ) throws -> Measurement {
        let found =
            "FROM chat_items_fts f JOIN chat_items i ON i.chat_item_id = f.rowid WHERE chat_items_fts MATCH '\"\(word)\"'"
        let sql =
            readingItems
            ? "SELECT i.*, snippet(chat_items_fts, 0, '[', ']', '…', 24) \(found) ORDER BY rank LIMIT 20;\n"
            : "SELECT rowid, rank FROM chat_items_fts WHERE chat_items_fts MATCH '\"\(word)\"' ORDER BY rank LIMIT 20;\n"
        let script = try bench.script("search.sql", String(repeating: sql, count: times))
        let medians = try bench.compare({}) {
            try connection.read { chat in
                for _ in 0..<times {
                    let found = try ChatItemsRepo(chat).search(word + " ", in: scope, of: Self.user, limit: 20)
                    guard !found.isEmpty else { throw Failed(what: "nothing found") }
                }
            }
        } peer: {
            try bench.sqlite("\(bench.folder)/chats_chat.db", script: script)
        }
        let place = scope == .profile ? "" : " of one chat, against all"
        return Measurement(
            work: "search of a \(word) word in the messages\(place), first page, \(times) times", ours: medians.ours,
            peer: medians.peer, aim: 1.2)
    }

    private func list(
        _ name: String, _ filter: ChatListFilter, times: Int, in connection: any StorageConnection
    ) throws -> Measurement {
        let favorite = filter.onlyFavorites ? "AND favorite = 1" : ""
        let counts = { (column: String) in
            """
            (SELECT count(*) FROM chat_items i WHERE i.user_id = 1 AND i.\(column) = c.id AND i.item_status = 'rcv_new'),
            (SELECT i.item_text FROM chat_items i WHERE i.user_id = 1 AND i.\(column) = c.id AND i.item_deleted = 0
                ORDER BY i.item_ts DESC, i.chat_item_id DESC LIMIT 1)
            """
        }
        let pending =
            filter.onlyFavorites
            ? ""
            : """
            UNION ALL SELECT 2, c.*, 0, NULL FROM (SELECT connection_id AS id, local_alias, updated_at AS ts FROM connections
                WHERE user_id = 1 AND conn_type = 'contact' AND contact_id IS NULL AND group_member_id IS NULL
                ORDER BY updated_at DESC, connection_id DESC LIMIT 20) c
            """
        let sql = """
            SELECT 0, c.*, \(counts("contact_id")) FROM (SELECT contact_id AS id, local_display_name, chat_ts AS ts FROM contacts
                WHERE user_id = 1 AND is_user = 0 AND contact_used = 1 AND deleted = 0 \(favorite)
                ORDER BY chat_ts DESC, contact_id DESC LIMIT 20) c
            UNION ALL SELECT 1, c.*, \(counts("group_id")) FROM (SELECT group_id AS id, local_display_name, chat_ts AS ts FROM groups
                WHERE user_id = 1 \(favorite) ORDER BY chat_ts DESC, group_id DESC LIMIT 20) c
            \(pending)
            ORDER BY 4 DESC LIMIT 20;

            """
        let script = try bench.script("list.sql", String(repeating: sql, count: times))
        let medians = try bench.compare({}) {
            for _ in 0..<times {
                let page = try connection.read { try ChatListRepo($0).page(of: Self.user, filter: filter, limit: 20) }
                guard page.count == 20 else { throw Failed(what: "wrong answer") }
            }
        } peer: {
            try bench.sqlite("\(bench.folder)/chats_chat.db", script: script)
        }
        return Measurement(
            work: "first page of 50,000 chats\(name), \(times) times", ours: medians.ours, peer: medians.peer, aim: 1.2)
    }

    /// Makes 40,000 contacts, 10,000 groups and their connections. One message of five has the common word, one of
    /// 10,000 the rare word.
    private func fill() throws {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/chats", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/chats")
        let numbers = { (count: Int) in
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= \(count))"
        }
        let time = { (expression: String) in
            "strftime('%Y-%m-%d %H:%M:%f', 1750000000 + \(expression), 'unixepoch')"
        }
        try bench.sqlite(
            "\(bench.folder)/chats_chat.db",
            script: bench.script(
                "chats.sql",
                """
                PRAGMA foreign_keys = OFF; BEGIN;
                \(numbers(40_000)) INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) SELECT i, 1, 'c' || i FROM n;
                \(numbers(40_000)) INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, contact_used, chat_ts, favorite)
                SELECT i, 1, i, 'c' || i, 1, \(time("i * 7919 % 40000")), i % 500 = 0 FROM n;
                \(numbers(40_000)) INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, contact_id)
                SELECT 1, 'c' || i, 'ready', 'contact', CASE WHEN i > 20 THEN i END FROM n;
                \(numbers(10_000)) INSERT INTO group_profiles (group_profile_id, user_id, display_name) SELECT i, 1, 'g' || i FROM n;
                \(numbers(10_000)) INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, chat_ts, favorite)
                SELECT i, 1, i, 'g' || i, \(time("i * 7907 % 40000")), i % 500 = 0 FROM n;
                \(numbers(50_000)) INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
                SELECT 1, 'm' || i, 'ready', 'member', i FROM n;
                \(numbers(messages)) INSERT INTO chat_items (user_id, contact_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT 1, CASE WHEN i % 4 THEN 2 + i * 7919 % 39999 END, CASE WHEN i % 4 = 0 THEN 2 + i * 7907 % 9999 END,
                    i % 2, \(time("i")), CASE WHEN i % 2 THEN 'snd_sent' WHEN i % 78 = 0 THEN 'rcv_new' ELSE 'rcv_read' END,
                    '{}', 'word' || (i % 5000) || ' and ' || hex(i * 7919) || CASE WHEN i % 5 = 0 THEN ' common in many of these texts' ELSE '' END
                        || CASE WHEN i % 10000 = 0 THEN ' seldom' ELSE '' END FROM n;
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
                """))
    }
}
