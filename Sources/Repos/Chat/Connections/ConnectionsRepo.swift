public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections of the chat database. Rule: docs/domain.md, "Connections".
public struct ConnectionsRepo: Repository {
    package typealias Failure = ConnectionsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The connection with an id of the agent, with what it belongs to and the profile, or nil. This is the one question
    /// about connections that does not name the profile: what the agent hands over does not tell it.
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

    /// The connections of something of a profile, by number; the last is the one in use. None is an empty list.
    public func all(ownedBy owner: ConnectionOwner, of user: UserID) throws(ConnectionsError) -> [ChatConnection] {
        try all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE \(owner.condition) AND user_id = \(user)
            ORDER BY connection_id
            """)
    }

    /// The connections of a profile to which the agent has yet to subscribe, by number; none that were given up. None is
    /// an empty list.
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
