public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The profiles of a store. Rule: docs/domain.md, "Profiles".
///
/// ```swift
/// let profiles = try store.read { try UsersRepo($0).all() }
/// for profile in profiles { print(profile.name) }
/// ```
public struct UsersRepo: Repository {
    package typealias Failure = UsersError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All profiles, the one used last first. The list is empty when there are none.
    public func all(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [User] {
        try all(
            """
            SELECT \(User.columns) FROM users WHERE \(hidden.condition)
            ORDER BY active_order DESC, user_id
            """)
    }

    /// All profiles with their unread chat items, the one used last first. The list is empty when there are none.
    ///
    /// Items of chats that are muted, or of contacts that are deleted, are not counted. In a group with notifications
    /// for mentions only, only mentions count. Rule: docs/domain.md, "Profiles", Receipts and notifications.
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

    /// The number of hidden profiles.
    public func hiddenCount() throws(UsersError) -> Int {
        try count("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL")
    }

    /// The number of active profiles, hidden ones too. More than one is a fault.
    package func activeCount() throws(UsersError) -> Int {
        try count("SELECT count(*) FROM users WHERE active_user = 1")
    }

    /// The active profile, or nil: a store without visible profiles has none.
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

    /// The row counts of a profile, in one statement. Throws `profileNotFound`.
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

/// What profiles say of themselves. Rule: docs/domain.md, "Profiles", Details.
extension UsersRepo {
    /// What a profile says of itself. Throws `profileNotFound`.
    public func profile(of id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> ContactProfile {
        let profile: ContactProfile? = try first(
            """
            SELECT \(ContactProfile.columns) FROM \(Contact.tables)
            WHERE contacts.contact_id = (
                SELECT contact_id FROM users WHERE user_id = \(id) AND \(hidden.condition))
            """)
        guard let profile else { throw .profileNotFound(.id(id)) }
        return profile
    }

    /// What the profiles of the store say of themselves, by their numbers, in one statement.
    public func profiles(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [UserID: ContactProfile] {
        let rows: [OwnProfile] = try all(
            """
            SELECT contacts.user_id, \(ContactProfile.columns) FROM \(Contact.tables)
            WHERE contacts.contact_id IN (SELECT contact_id FROM users WHERE \(hidden.condition))
            """)
        return Dictionary(rows.map { ($0.user, $0.profile) }, uniquingKeysWith: { first, _ in first })
    }

    /// The colours of the chats of a profile, a JSON document; nil for those of the app. Throws `profileNotFound`.
    public func themes(of id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> String? {
        let themes: Themes? = try first(
            "SELECT ui_themes FROM users WHERE user_id = \(id) AND \(hidden.condition)")
        guard let themes else { throw .profileNotFound(.id(id)) }
        return themes.text
    }
}

private struct OwnProfile: RowRecord {
    let user: UserID
    let profile: ContactProfile

    init(row: ResultRow) throws(StoreError) {
        user = try row.get("user_id")
        profile = try ContactProfile(row: row)
    }
}

/// The colours of chats in a row.
struct Themes: RowRecord {
    let text: String?

    init(row: ResultRow) throws(StoreError) {
        text = try row.get("ui_themes")
    }
}

/// Queries that find the profile of a row. Data from the network comes with a number of the agent or of a row, for
/// hidden profiles as for all others. So these queries find hidden profiles too; `isHidden` marks them. Rule:
/// docs/domain.md, "Profiles", Scope.
extension UsersRepo {
    /// The profile that the agent knows by a number, or nil.
    public func find(agentUser: AgentUserID) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE agent_user_id = \(agentUser)")
    }

    /// The profile that has a connection of the agent, or nil.
    public func find(agentConnection: AgentConnectionID) throws(UsersError) -> User? {
        guard let text = agentConnection.text else { return nil }
        return try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM connections WHERE agent_conn_id = \(text))
            """)
    }

    /// The profile that has a contact, soft-deleted or not, or nil.
    public func find(contact: ContactID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM contacts WHERE contact_id = \(contact))
            """)
    }

    /// The profile that has a group or a channel, or nil.
    public func find(group: GroupID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM groups WHERE group_id = \(group))
            """)
    }

    /// The profile that sends or receives a file, or nil.
    public func find(file: FileID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM files WHERE file_id = \(file))
            """)
    }
}

extension User: RowRecord {
    package static let numberColumn: String? = "user_id"

    static let columns: Query = """
        user_id, agent_user_id, contact_id, local_display_name, active_user, active_order, show_ntfs,
        send_rcpts_contacts, send_rcpts_small_groups, auto_accept_group_invitations, is_user_chat_relay,
        CASE WHEN view_pwd_hash IS NULL THEN 0 ELSE 1 END AS is_hidden
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("user_id"), agentUserID: row.get("agent_user_id"), contactID: row.get("contact_id"),
            name: row.get("local_display_name"), isActive: row.get("active_user"),
            activeOrder: row.get("active_order"), isHidden: row.get("is_hidden"),
            showsNotifications: row.get("show_ntfs"), sendsReceiptsToContacts: row.get("send_rcpts_contacts"),
            sendsReceiptsToSmallGroups: row.get("send_rcpts_small_groups"),
            acceptsGroupInvitations: row.get("auto_accept_group_invitations"),
            isChatRelay: row.get("is_user_chat_relay"))
    }
}

extension UserInfo: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(user: User(row: row), unread: row.get("unread"))
    }
}

extension UserContents: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            contacts: row.get("contacts"), groups: row.get("groups"), channels: row.get("channels"),
            relays: row.get("relays"), servers: row.get("servers"), chatItems: row.get("chat_items"),
            files: row.get("files"))
    }
}

/// Numbers of rows by profile, one statement for all profiles.
package enum ProfileCounts {
    /// Contacts, without the profile's own and without soft-deleted ones. A profile without any is not in it.
    package static func contacts(of users: [UserID], in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        try counts(
            """
            SELECT user_id, count(*) AS row_count FROM contacts
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND is_user = 0 AND deleted = 0
            GROUP BY user_id
            """, in: chat)
    }

    /// Groups that are no channels. A profile without any is not in it.
    package static func groups(of users: [UserID], in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        try counts(
            """
            SELECT user_id, count(*) AS row_count FROM groups
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND use_relays = 0
            GROUP BY user_id
            """, in: chat)
    }

    private static func counts(_ query: Query, in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        var counts: [UserID: Int] = [:]
        for row in try chat.rows(query) {
            let user: UserID = try row.get("user_id")
            counts[user] = try row.get("row_count")
        }
        return counts
    }
}
