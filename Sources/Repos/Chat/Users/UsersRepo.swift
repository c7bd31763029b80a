public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersRepo: Repository {
    package typealias Failure = UsersError
    package let tx: any ReadTransaction

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
    /// mentions only, only mentions. Rule: docs/domain.md, "Profiles", Receipts and notifications.
    public func infos(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [UserInfo] {
        try all(
            """
            SELECT \(User.columns),
                (SELECT count(*) FROM chat_items WHERE \(UnreadOfProfile.withContacts("users.user_id")))
                + (SELECT count(*) FROM chat_items WHERE \(UnreadOfProfile.inGroups("users.user_id"))) AS unread
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
                (SELECT count(*) FROM protocol_servers
                 WHERE user_id = \(id) AND \(ProtocolServer.isKnown)) AS servers,
                (SELECT count(*) FROM chat_items WHERE user_id = \(id)) AS chat_items,
                (SELECT count(*) FROM files WHERE user_id = \(id)) AS files
            FROM users WHERE user_id = \(id) AND \(hidden.condition)
            """)
        guard let contents else { throw .profileNotFound(.id(id)) }
        return contents
    }
}
