import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// A table whose rows are lines of the list of chats.
struct ChatListSource {
    /// The order of lines with the same time; among equal ones the newer row comes first.
    let kind: Int
    let tables: Query
    let key: Query
    let time: Query
    let user: Query
    let name: Query
    /// The columns of the switches of a chat; nil for a kind of line without them.
    let switches: (favorite: Query, unread: Query)?
    /// The condition for rows that are chats, and the condition for chats that are in the list.
    let isChat: [Query]
    let isShown: [Query]
    /// The columns of names in which a filter looks for a text; empty for lines that no text finds.
    let names: [Query]
    /// The column for its tags, for a kind of chat that can have tags.
    let tagged: Query?
    /// The column of its unread items, for a kind of chat that can have some.
    let itemsOf: Query?
    /// Whether every line counts as unread, as requests do.
    let isAlwaysUnread: Bool

    static let all = [contacts, groups, notes, requests, connections]

    static func source(of chat: ChatID) -> ChatListSource {
        switch chat {
        case .contact: contacts
        case .group: groups
        case .notes: notes
        }
    }

    /// The lines of this source after a position, at most `limit`, in order, read from an index in that order. Nil when
    /// the filter leaves none.
    func query(
        of userID: UserID, filter: ChatListFilter, text: String, after position: ChatPreview.Position?, limit: Int,
        in dialect: Dialect
    ) -> Query? {
        var conditions: [Query] = ["\(user) = \(userID)"] + isChat + isShown
        if filter.onlyFavorites {
            guard let switches else { return nil }
            conditions.append("\(switches.favorite) = 1")
        }
        if filter.onlyUnread && !isAlwaysUnread {
            guard let unread = unread(of: userID) else { return nil }
            conditions.append(unread)
        }
        if let tag = filter.tag {
            guard let tagged else { return nil }
            conditions.append("\(key) IN (SELECT \(tagged) FROM chat_tags_chats WHERE chat_tag_id = \(tag))")
        }
        if !text.isEmpty {
            guard !names.isEmpty else { return nil }
            let matches = names.map { dialect.textSearch.contains($0, text) }
            conditions.append("(\(Query.joined(matches, by: " OR ")))")
        }
        if let position { conditions.append(follows(position)) }
        return select(where: conditions, limit: limit)
    }

    /// The line of one chat, in the list or not.
    func query(for chat: ChatID, of userID: UserID) -> Query {
        let id = chat.contactID?.rawValue ?? chat.groupID?.rawValue ?? chat.noteFolderID?.rawValue
        return select(where: ["\(user) = \(userID)", "\(key) = \(id)"] + isChat, limit: 1)
    }

    private func select(where conditions: [Query], limit: Int) -> Query {
        """
        SELECT kind, id, ts, name, favorite, unread_chat FROM (
            SELECT \(number: kind) AS kind, \(key) AS id, \(time) AS ts, \(name) AS name,
                \(switches?.favorite ?? "0") AS favorite, \(switches?.unread ?? "0") AS unread_chat
            FROM \(tables)
            WHERE \(Query.joined(conditions, by: " AND "))
            ORDER BY \(time) DESC, \(key) DESC LIMIT \(number: limit)
        ) AS entries
        """
    }

    private func unread(of userID: UserID) -> Query? {
        guard let switches else { return nil }
        guard let itemsOf else { return "\(switches.unread) = 1" }
        let inMainChat: Query = kind == Self.groups.kind ? " AND chat_items.group_scope_tag IS NULL" : ""
        return """
            (\(switches.unread) = 1 OR EXISTS (
                SELECT 1 FROM chat_items
                WHERE chat_items.user_id = \(userID) AND chat_items.\(itemsOf) = \(key)
                    AND chat_items.item_status = 'rcv_new'\(inMainChat)))
            """
    }

    private func follows(_ position: ChatPreview.Position) -> Query {
        if kind < position.kind { return "\(time) < \(position.time)" }
        if kind > position.kind { return "\(time) <= \(position.time)" }
        return "(\(time), \(key)) < (\(position.time), \(position.id))"
    }
}

extension ChatListSource {
    /// Contacts. The list shows those that are used and not deleted.
    static let contacts = ChatListSource(
        kind: 0,
        tables: """
            contacts
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contacts.contact_profile_id
            """,
        key: "contacts.contact_id", time: "contacts.chat_ts", user: "contacts.user_id",
        name: """
            CASE contact_profiles.local_alias WHEN '' THEN contacts.local_display_name
                ELSE contact_profiles.local_alias END
            """,
        switches: (favorite: "contacts.favorite", unread: "contacts.unread_chat"),
        isChat: ["contacts.is_user = 0"], isShown: ["contacts.contact_used = 1", "contacts.deleted = 0"],
        names: [
            "contacts.local_display_name", "contact_profiles.display_name", "contact_profiles.full_name",
            "contact_profiles.local_alias",
        ],
        tagged: "contact_id", itemsOf: "contact_id", isAlwaysUnread: false)

    /// Groups and channels, also those prepared, left or being made.
    static let groups = ChatListSource(
        kind: 1, tables: "groups JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id",
        key: "groups.group_id", time: "groups.chat_ts", user: "groups.user_id",
        name: "CASE groups.local_alias WHEN '' THEN groups.local_display_name ELSE groups.local_alias END",
        switches: (favorite: "groups.favorite", unread: "groups.unread_chat"), isChat: [], isShown: [],
        names: [
            "groups.local_display_name", "group_profiles.display_name", "group_profiles.full_name",
            "groups.local_alias",
        ],
        tagged: "group_id", itemsOf: "group_id", isAlwaysUnread: false)

    /// The notes, which are unread only when they are marked so.
    static let notes = ChatListSource(
        kind: 2, tables: "note_folders", key: "note_folders.note_folder_id", time: "note_folders.chat_ts",
        user: "note_folders.user_id", name: "''",
        switches: (favorite: "note_folders.favorite", unread: "note_folders.unread_chat"), isChat: [], isShown: [],
        names: [],
        tagged: nil, itemsOf: nil, isAlwaysUnread: false)

    /// Requests to connect; one that has a contact already is shown as that contact.
    static let requests = ChatListSource(
        kind: 3,
        tables: """
            contact_requests
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contact_requests.contact_profile_id
            """,
        key: "contact_requests.contact_request_id", time: "contact_requests.updated_at",
        user: "contact_requests.user_id", name: "contact_requests.local_display_name", switches: nil,
        isChat: [], isShown: ["contact_requests.contact_id IS NULL"],
        names: ["contact_requests.local_display_name", "contact_profiles.display_name", "contact_profiles.full_name"],
        tagged: nil, itemsOf: nil, isAlwaysUnread: true)

    /// Connections that are to become contacts: without an owner, and past `prepared`. The query uses the index of
    /// connections that belong to no member; the `+` prevents the use of other indexes.
    static let connections = ChatListSource(
        kind: 4, tables: "connections", key: "connections.connection_id", time: "connections.updated_at",
        user: "+connections.user_id", name: "connections.local_alias", switches: nil,
        isChat: [],
        isShown: [
            "connections.group_member_id IS NULL", "+connections.contact_id IS NULL",
            "+connections.user_contact_link_id IS NULL", "+connections.snd_file_id IS NULL",
            "+connections.rcv_file_id IS NULL", "connections.conn_type = \(ConnectionType.contact)",
            "connections.conn_status <> \(ConnectionStatus.prepared)",
        ],
        names: ["connections.local_alias"], tagged: nil, itemsOf: nil, isAlwaysUnread: false)
}

/// A line of the list. The same row has its newest item.
struct ChatListLine: RowRecord {
    let entry: ChatListEntry
    let position: ChatPreview.Position
    let time: StoredTime
    let name: String
    let isFavorite: Bool
    let isMarkedUnread: Bool
    let unread: UnreadCount
    let hasItem: Bool

    init(row: ResultRow) throws(StoreError) {
        let id: Int64 = try row.get("id")
        let kind: Int = try row.get("kind")
        entry =
            switch kind {
            case ChatListSource.contacts.kind: .chat(.contact(ContactID(id)))
            case ChatListSource.groups.kind: .chat(.group(GroupID(id)))
            case ChatListSource.notes.kind: .chat(.notes(NoteFolderID(id)))
            case ChatListSource.requests.kind: .request(ContactRequestID(id))
            default: .connection(ConnectionID(id))
            }
        position = ChatPreview.Position(time: try row.get("ts"), kind: kind, id: id)
        time = try row.time("ts")
        name = try row.get("name")
        isFavorite = try row.get("favorite")
        isMarkedUnread = try row.get("unread_chat")
        unread = try UnreadCount(row: row)
        hasItem = try row.stored("chat_item_id") != .null
    }

    func preview(with item: ChatItem?) -> ChatPreview {
        ChatPreview(
            entry: entry, name: name, time: time, isFavorite: isFavorite, isMarkedUnread: isMarkedUnread,
            unread: unread, lastItem: item, position: position)
    }

    /// The first lines of several sources, each of which gives at most as many lines, in order. Counts and items are
    /// read only for the resulting lines.
    static func query(from sources: [Query], of user: UserID, limit: Int) -> Query {
        """
        WITH page AS (
            SELECT kind, id, ts, name, favorite, unread_chat FROM (
                \(Query.joined(sources, by: "\nUNION ALL\n"))
            ) AS entries
            ORDER BY ts DESC, kind, id DESC LIMIT \(number: limit)
        ), lines AS (
            SELECT page.kind, page.id, page.ts, page.name, page.favorite, page.unread_chat,
                CASE page.kind
                    WHEN 0 THEN (SELECT count(*) FROM chat_items
                        WHERE user_id = \(user) AND contact_id = page.id AND item_status = 'rcv_new')
                    WHEN 1 THEN (SELECT count(*) FROM chat_items
                        WHERE user_id = \(user) AND group_id = page.id AND item_status = 'rcv_new'
                            AND group_scope_tag IS NULL)
                    ELSE 0 END AS items,
                CASE page.kind
                    WHEN 1 THEN (SELECT coalesce(sum(user_mention), 0) FROM chat_items
                        WHERE user_id = \(user) AND group_id = page.id AND item_status = 'rcv_new'
                            AND group_scope_tag IS NULL)
                    ELSE 0 END AS mentions,
                CASE page.kind
                    WHEN 0 THEN (SELECT chat_item_id FROM chat_items
                        WHERE user_id = \(user) AND contact_id = page.id AND item_deleted = 0
                        ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                    WHEN 1 THEN (SELECT chat_item_id FROM chat_items
                        WHERE user_id = \(user) AND group_id = page.id AND item_deleted = 0 AND group_scope_tag IS NULL
                        ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                    WHEN 2 THEN (SELECT chat_item_id FROM chat_items
                        WHERE user_id = \(user) AND note_folder_id = page.id AND item_deleted = 0
                        ORDER BY item_ts DESC, chat_item_id DESC LIMIT 1)
                    END AS last_item_id
            FROM page
        )
        SELECT lines.kind, lines.id, lines.ts, lines.name, lines.favorite, lines.unread_chat, lines.items,
            lines.mentions, \(ChatItem.columns)
        FROM lines LEFT JOIN chat_items ON chat_items.chat_item_id = lines.last_item_id
        ORDER BY lines.ts DESC, lines.kind, lines.id DESC
        """
    }
}
