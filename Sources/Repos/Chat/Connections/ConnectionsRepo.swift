public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections of the chat database. Rule: docs/domain.md, "Connections".
public struct ConnectionsRepo: Repository {
    package typealias Failure = ConnectionsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The connection with an id of the agent, with what it belongs to and the profile, or nil. This is the only query
    /// about connections without the profile, because the agent's data does not contain it.
    public func entity(of agentConnection: AgentConnectionID) throws(ConnectionsError) -> ConnectionEntity? {
        guard let id = agentConnection.text else { return nil }
        return try first(
            """
            SELECT \(ConnectionEntity.columns) FROM \(ConnectionEntity.tables)
            WHERE connections.agent_conn_id = \(id)
            """)
    }

    /// The connection of a profile with a number, or nil.
    public func find(_ id: ConnectionID, of user: UserID) throws(ConnectionsError) -> ChatConnection? {
        try first(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE connection_id = \(id) AND user_id = \(user)
            """)
    }

    /// The connection of a profile with a number. Throws `connectionNotFound`.
    public func get(_ id: ConnectionID, of user: UserID) throws(ConnectionsError) -> ChatConnection {
        guard let connection = try find(id, of: user) else { throw .connectionNotFound(id) }
        return connection
    }

    /// The connections of something of a profile, by number; the last is the one in use. The list is empty when there
    /// are none.
    public func all(ownedBy owner: ConnectionOwner, of user: UserID) throws(ConnectionsError) -> [ChatConnection] {
        try all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE \(owner.condition) AND user_id = \(user)
            ORDER BY connection_id
            """)
    }

    /// The connections of a profile to which the agent has yet to subscribe, by number; none that were given up. The
    /// list is empty when there are none.
    public func toSubscribe(of user: UserID) throws(ConnectionsError) -> [ChatConnection] {
        try all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE user_id = \(user) AND to_subscribe = 1 AND conn_status <> \(ConnectionStatus.deleted)
            ORDER BY connection_id
            """)
    }
}

extension ConnectionOwner {
    var condition: Query {
        switch self {
        case .contact(let id): "connections.contact_id = \(id)"
        case .member(let id): "connections.group_member_id = \(id)"
        case .link(let id): "connections.user_contact_link_id = \(id)"
        case .sentFile(let id): "connections.snd_file_id = \(id)"
        case .receivedFile(let id): "connections.rcv_file_id = \(id)"
        }
    }
}

/// A connection with its owner: the data needed to handle what comes over it. Rule: docs/domain.md, "Connections".
public struct ConnectionEntity: Sendable, Hashable {
    /// The connection; `connection.userID` is the profile.
    public let connection: ChatConnection
    /// The name of the profile.
    public let profileName: String
    /// Whether the profile is hidden. If so, show nothing of it without a request, not even a notification.
    public let isProfileHidden: Bool
    /// The owner.
    public let owner: Owner

    /// The owner of a connection, with its name.
    public enum Owner: Sendable, Hashable {
        /// A contact, by what the profile lists it as; it may be soft-deleted.
        case contact(ContactID, name: String, isDeleted: Bool)
        /// A member of a group, by what the profile lists it as.
        case member(GroupMemberID, of: GroupID, name: String)
        /// An address of the profile, or the link of a group.
        case link(UserContactLinkID, to: GroupID?)
        /// A file that is sent.
        case sentFile(FileID, name: String)
        /// A file that is received.
        case receivedFile(FileID, name: String)
        /// No owner yet: it will belong to a contact that is not known yet.
        case pendingContact
    }
}

extension ConnectionEntity: RowRecord {
    static let columns: Query = """
        \(ChatConnection.columns), users.local_display_name AS profile_name,
        CASE WHEN users.view_pwd_hash IS NULL THEN 0 ELSE 1 END AS is_profile_hidden,
        contacts.local_display_name AS contact_name, contacts.deleted AS contact_deleted,
        group_members.group_id AS member_group_id, group_members.local_display_name AS member_name,
        user_contact_links.group_id AS link_group_id, files.file_name
        """

    /// Every join is by the key of a table.
    static let tables: Query = """
        connections
        JOIN users ON users.user_id = connections.user_id
        LEFT JOIN contacts ON contacts.contact_id = connections.contact_id
        LEFT JOIN group_members ON group_members.group_member_id = connections.group_member_id
        LEFT JOIN user_contact_links
            ON user_contact_links.user_contact_link_id = connections.user_contact_link_id
        LEFT JOIN files ON files.file_id = coalesce(connections.snd_file_id, connections.rcv_file_id)
        """

    package init(row: ResultRow) throws(StoreError) {
        let connection = try ChatConnection(row: row)
        self.init(
            connection: connection, profileName: try row.get("profile_name"),
            isProfileHidden: try row.get("is_profile_hidden"), owner: try Self.owner(connection.owner, row))
    }

    private static func owner(_ owner: ConnectionOwner?, _ row: ResultRow) throws(StoreError) -> Owner {
        switch owner {
        case .contact(let id):
            .contact(id, name: try row.get("contact_name"), isDeleted: try row.get("contact_deleted"))
        case .member(let id): .member(id, of: try row.get("member_group_id"), name: try row.get("member_name"))
        case .link(let id): .link(id, to: try row.get("link_group_id"))
        case .sentFile(let id): .sentFile(id, name: try row.get("file_name"))
        case .receivedFile(let id): .receivedFile(id, name: try row.get("file_name"))
        case nil: .pendingContact
        }
    }
}
