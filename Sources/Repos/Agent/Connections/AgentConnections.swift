public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections of the agent. Rule: docs/domain.md, "Agent database", Connections.
///
/// Data from the network names a queue, and through it a connection, but no profile. Queries for such data take only
/// the connection's id. Connections that are being deleted are in a result only where its description says so.
public struct AgentConnectionsRepo: Repository {
    package typealias Failure = AgentConnectionsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
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

    /// The connections of a profile, by id. The list is empty when there are none.
    public func all(
        of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentConnectionsError) -> [AgentConnection] {
        try all(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0])) ORDER BY conn_id
            """)
    }

    /// The connections of a profile whose ratchets do not agree, by id. The list is empty when there are none.
    public func outOfSync(of user: AgentUserID) throws(AgentConnectionsError) -> [AgentConnection] {
        try all(
            """
            SELECT \(AgentConnection.columns) FROM connections
            WHERE user_id = \(user) AND deleted = 0 AND ratchet_sync_state <> \(RatchetSyncState.ok) ORDER BY conn_id
            """)
    }

    /// The connections of a profile that are marked as deleted and have no queue to receive from left, so that their
    /// rows may go, by id. The list is empty when there are none.
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

/// Changes to the connections of the agent. Rule: docs/domain.md, "Agent database", Connections.
public struct AgentConnectionsWriter: Writer {
    package typealias Failure = AgentConnectionsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Makes a connection of a profile, without messages, and with ratchets in agreement. The caller gives random bytes
    /// as its id. Throws `agentUserNotFound` and `connectionExists`; nothing has changed then.
    @discardableResult
    public func create(
        _ id: AgentConnectionID, _ mode: ConnectionMode, of user: AgentUserID, hasNotifications: Bool = true
    ) throws(AgentConnectionsError) -> AgentConnection {
        if try row("SELECT user_id FROM users WHERE user_id = \(user) AND deleted = 0") == nil {
            throw .agentUserNotFound(user)
        }
        let connections = AgentConnectionsRepo(tx)
        if try connections.find(id, includingDeleted: true) != nil { throw .connectionExists(id) }
        try run(
            """
            INSERT INTO connections (conn_id, user_id, conn_mode, enable_ntfs, created_at, updated_at)
            VALUES (\(id), \(user), \(mode), \(hasNotifications), \(now), \(now))
            """)
        return try connections.get(id)
    }

    /// Whether messages of a connection may raise a notification. Throws `connectionNotFound`.
    public func setNotifications(
        _ isOn: Bool, for id: AgentConnectionID, of user: AgentUserID
    ) throws(AgentConnectionsError) {
        _ = try AgentConnectionsRepo(tx).get(id, of: user)
        try run("UPDATE connections SET enable_ntfs = \(isOn), updated_at = \(now) WHERE conn_id = \(id)")
    }

    /// Stores how far the ratchets of a connection agree. Throws `connectionNotFound`.
    public func setRatchetSyncState(
        _ state: RatchetSyncState, of id: AgentConnectionID
    ) throws(AgentConnectionsError) {
        try requireConnection(id)
        try run("UPDATE connections SET ratchet_sync_state = \(state), updated_at = \(now) WHERE conn_id = \(id)")
    }

    /// Marks a connection and its receive queues as deleted. The next step is to delete the queues at their servers.
    /// Throws `connectionNotFound`, for one that is marked already too. Rule: docs/domain.md, "Soft delete".
    public func markDeleted(_ id: AgentConnectionID, of user: AgentUserID) throws(AgentConnectionsError) {
        _ = try AgentConnectionsRepo(tx).get(id, of: user)
        try run("UPDATE connections SET deleted = 1, updated_at = \(now) WHERE conn_id = \(id)")
        try run("UPDATE rcv_queues SET deleted = 1, updated_at = \(now) WHERE conn_id = \(id) AND deleted = 0")
    }

    /// Marks those of some connections that the profile has, as `markDeleted` does, and returns how many were not
    /// marked before. Connections that do not exist or belong to another profile are left out.
    @discardableResult
    public func markAllDeleted(
        _ ids: [AgentConnectionID], of user: AgentUserID
    ) throws(AgentConnectionsError) -> Int {
        var marked = 0
        for some in ids.inParts {
            let given = Query.joined(some.map { "\($0)" as Query }, by: ", ")
            try run(
                """
                UPDATE rcv_queues SET deleted = 1, updated_at = \(now)
                WHERE conn_id IN (SELECT conn_id FROM connections WHERE conn_id IN (\(given)) AND user_id = \(user))
                    AND deleted = 0
                """)
            marked += try run(
                """
                UPDATE connections SET deleted = 1, updated_at = \(now)
                WHERE conn_id IN (\(given)) AND user_id = \(user) AND deleted = 0
                """)
        }
        return marked
    }

    /// Removes the row of a connection that is marked as deleted and has no queue to receive from left, with its
    /// messages, and the bodies that no other message shares. Throws `connectionNotFound`, `notMarkedDeleted` and
    /// `queuesLeft`; nothing has changed then.
    public func remove(_ id: AgentConnectionID, of user: AgentUserID) throws(AgentConnectionsError) {
        let connection = try AgentConnectionsRepo(tx).get(id, of: user, includingDeleted: true)
        if !connection.isDeleted { throw .notMarkedDeleted(id) }
        let queues = try number("SELECT count(*) FROM rcv_queues WHERE conn_id = \(id)")
        if queues > 0 { throw .queuesLeft(id, count: queues) }
        try run(SharedBodies.removal(with: "snd_messages.conn_id = \(id)"))
        try run("DELETE FROM connections WHERE conn_id = \(id)")
    }

    /// Removes the rows of all connections of a profile whose deletion is complete (`AgentConnectionsRepo.removable`),
    /// as `remove` does, and returns their number.
    @discardableResult
    public func removeCompleted(of user: AgentUserID) throws(AgentConnectionsError) -> Int {
        let removable = AgentConnectionsRepo.isRemovable(of: user)
        try run(
            SharedBodies.removal(
                with: "snd_messages.conn_id IN (SELECT connections.conn_id FROM connections WHERE \(removable))"))
        return try run("DELETE FROM connections WHERE \(removable)")
    }
}
