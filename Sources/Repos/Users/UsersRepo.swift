public import Engine
public import Schema

/// The profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersRepo: Repository {
    typealias Failure = UsersError
    let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All profiles, the one used last first. None is an empty list.
    public func all(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [User] {
        try all(
            """
            SELECT \(User.columns) FROM users WHERE \(hidden.condition)
            ORDER BY active_order DESC, user_id
            """)
    }

    /// All profiles with their unread chat items, the one used last first. None is an empty list.
    ///
    /// Items of chats that are muted, or of contacts that are deleted, are not counted, and of a group that tells of
    /// mentions only, only mentions. An item that is marked deleted counts as long as nobody has seen it.
    public func infos(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [UserInfo] {
        try all(
            """
            SELECT \(User.columns),
                (SELECT count(*) FROM chat_items
                 WHERE chat_items.user_id = users.user_id AND chat_items.item_status = 'rcv_new'
                    AND chat_items.contact_id > 0
                    AND EXISTS (
                        SELECT 1 FROM contacts
                        WHERE contacts.contact_id = chat_items.contact_id AND contacts.deleted = 0
                            AND coalesce(contacts.enable_ntfs, 1) = 1))
                + (SELECT count(*) FROM chat_items
                   WHERE chat_items.user_id = users.user_id AND chat_items.item_status = 'rcv_new'
                    AND chat_items.group_id > 0
                    AND EXISTS (
                        SELECT 1 FROM groups
                        WHERE groups.group_id = chat_items.group_id
                            AND (coalesce(groups.enable_ntfs, 1) = 1
                                OR groups.enable_ntfs = 2 AND chat_items.user_mention = 1))) AS unread
            FROM users WHERE \(hidden.condition)
            ORDER BY active_order DESC, user_id
            """)
    }

    /// How many profiles are hidden.
    public func hiddenCount() throws(UsersError) -> Int {
        try count("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL")
    }

    /// The profile in use, or nil: there is none in a store without profiles.
    public func active(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE active_user = 1 AND \(hidden.condition)")
    }

    /// The profile with a number, or nil.
    public func find(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE user_id = \(id) AND \(hidden.condition)")
    }

    /// The profile with exactly this name, or nil.
    public func find(named name: String, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE local_display_name = \(name) AND \(hidden.condition)")
    }

    /// The profile with a number. Throws `profileNotFound`.
    public func get(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        guard let user = try find(id, hidden: hidden) else { throw .profileNotFound(.id(id)) }
        return user
    }

    /// How much a profile has, in one statement. Throws `profileNotFound`.
    public func contents(of id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> UserContents {
        let contents: UserContents? = try first(
            """
            SELECT
                (SELECT count(*) FROM contacts
                 WHERE user_id = \(id) AND is_user = 0 AND deleted = 0) AS contacts,
                (SELECT count(*) FROM groups WHERE user_id = \(id) AND use_relays = 0) AS groups,
                (SELECT count(*) FROM groups WHERE user_id = \(id) AND use_relays = 1) AS channels,
                (SELECT count(*) FROM chat_relays WHERE user_id = \(id) AND deleted = 0) AS relays,
                (SELECT count(*) FROM protocol_servers WHERE user_id = \(id)) AS servers,
                (SELECT count(*) FROM chat_items WHERE user_id = \(id)) AS chat_items,
                (SELECT count(*) FROM files WHERE user_id = \(id)) AS files
            FROM users WHERE user_id = \(id) AND \(hidden.condition)
            """)
        guard let contents else { throw .profileNotFound(.id(id)) }
        return contents
    }
}
