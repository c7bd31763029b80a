public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections of the agent. Rule: docs/domain.md, "Agent database", Connections.
///
/// What comes from the network names a queue, and so a connection, and no profile: such questions take the
/// connection's id alone. Connections that are being deleted are in an answer only where it says so.
public struct AgentConnectionsRepo: Repository {
    package typealias Failure = AgentConnectionsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The connection with an id, or nil.
    public func find(
        _ id: AgentConnectionID, includingDeleted: Bool = false
    ) throws(AgentConnectionsError) -> AgentConnection? {
        try first(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE conn_id = \(id) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The connection with an id. Throws `connectionNotFound`.
    public func get(
        _ id: AgentConnectionID, includingDeleted: Bool = false
    ) throws(AgentConnectionsError) -> AgentConnection {
        guard let connection = try find(id, includingDeleted: includingDeleted) else { throw .connectionNotFound(id) }
        return connection
    }

    /// The connection of a profile with an id. Throws `connectionNotFound`, for one of another profile too.
    public func get(
        _ id: AgentConnectionID, of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentConnectionsError) -> AgentConnection {
        let connection = try get(id, includingDeleted: includingDeleted)
        if connection.userID != user { throw .connectionNotFound(id) }
        return connection
    }

    /// The connections of a profile, by id. None is an empty list.
    public func all(
        of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentConnectionsError) -> [AgentConnection] {
        try all(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0])) ORDER BY conn_id
            """)
    }

    /// The connections of a profile whose ratchets do not agree, by id. None is an empty list.
    public func outOfSync(of user: AgentUserID) throws(AgentConnectionsError) -> [AgentConnection] {
        try all(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE user_id = \(user) AND deleted = 0 AND ratchet_sync_state <> \(RatchetSyncState.ok) ORDER BY conn_id
            """)
    }

    /// The connections of a profile that are marked as deleted and have no queue to receive from left, so that their
    /// rows may go, by id. None is an empty list.
    public func removable(of user: AgentUserID) throws(AgentConnectionsError) -> [AgentConnection] {
        try all(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE \(Self.isRemovable(of: user)) ORDER BY conn_id
            """)
    }

    static func isRemovable(of user: AgentUserID) -> Query {
        """
        connections.user_id = \(user) AND connections.deleted = 1
            AND NOT EXISTS (SELECT 1 FROM rcv_queues WHERE rcv_queues.conn_id = connections.conn_id)
        """
    }
}
