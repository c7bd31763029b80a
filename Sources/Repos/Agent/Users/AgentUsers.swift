public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The profiles of the agent database. Rule: docs/domain.md, "Agent database", Profiles.
///
/// Profiles that are being deleted are in a result only where its description says so.
public struct AgentUsersRepo: Repository {
    package typealias Failure = AgentUsersError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All profiles, by number. The list is empty when there are none.
    public func all(includingDeleted: Bool = false) throws(AgentUsersError) -> [AgentUser] {
        try all(
            """
            SELECT \(AgentUser.columns) FROM users
            WHERE deleted IN (\(list: includingDeleted ? [0, 1] : [0])) ORDER BY user_id
            """)
    }

    /// The profile with a number, or nil.
    public func find(_ id: AgentUserID, includingDeleted: Bool = false) throws(AgentUsersError) -> AgentUser? {
        try first(
            """
            SELECT \(AgentUser.columns) FROM users
            WHERE user_id = \(id) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The profile with a number. Throws `agentUserNotFound`.
    public func get(_ id: AgentUserID, includingDeleted: Bool = false) throws(AgentUsersError) -> AgentUser {
        guard let user = try find(id, includingDeleted: includingDeleted) else { throw .agentUserNotFound(id) }
        return user
    }

    /// The profiles that are marked as deleted and have no connections left, so that their rows may go, by number. The
    /// list is empty when there are none.
    public func removable() throws(AgentUsersError) -> [AgentUser] {
        try all(
            """
            SELECT \(AgentUser.columns) FROM users
            WHERE deleted = 1 AND NOT EXISTS (SELECT 1 FROM connections WHERE connections.user_id = users.user_id)
            ORDER BY user_id
            """)
    }
}

/// Changes to the profiles of the agent database. Rule: docs/domain.md, "Agent database", Profiles.
public struct AgentUsersWriter: Writer {
    package typealias Failure = AgentUsersError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Makes a profile, with a number that no profile had before.
    public func create() throws(AgentUsersError) -> AgentUser {
        let id = AgentUserID(
            try insert(
                "INSERT INTO users (deleted, created_at, updated_at) VALUES (0, \(now), \(now))",
                returning: "user_id"))
        return AgentUser(id: id, isDeleted: false)
    }

    /// Marks a profile, its connections and their receive queues as deleted. The next step is to delete the queues at
    /// their servers. Throws `agentUserNotFound`, for one that is marked already too. Rule: docs/domain.md, "Soft
    /// delete".
    public func markDeleted(_ id: AgentUserID) throws(AgentUsersError) {
        _ = try AgentUsersRepo(tx).get(id)
        try run("UPDATE users SET deleted = 1, updated_at = \(now) WHERE user_id = \(id)")
        try run(
            """
            UPDATE rcv_queues SET deleted = 1, updated_at = \(now)
            WHERE deleted = 0 AND conn_id IN (SELECT conn_id FROM connections WHERE user_id = \(id))
            """)
        try run("UPDATE connections SET deleted = 1, updated_at = \(now) WHERE user_id = \(id) AND deleted = 0")
    }

    /// Removes the row of a profile that is marked as deleted and has no connections left. Throws `agentUserNotFound`,
    /// `notMarkedDeleted` and `connectionsLeft`; nothing has changed then.
    public func remove(_ id: AgentUserID) throws(AgentUsersError) {
        let user = try AgentUsersRepo(tx).get(id, includingDeleted: true)
        if !user.isDeleted { throw .notMarkedDeleted(id) }
        let connections = try number("SELECT count(*) FROM connections WHERE user_id = \(id)")
        if connections > 0 { throw .connectionsLeft(id, count: connections) }
        try run("DELETE FROM users WHERE user_id = \(id)")
    }

    /// Removes the rows of all profiles whose deletion is complete (`AgentUsersRepo.removable`), and returns their
    /// numbers, in order. The list is empty when there are none.
    @discardableResult
    public func removeCompleted() throws(AgentUsersError) -> [AgentUserID] {
        let ids = try AgentUsersRepo(tx).removable().map(\.id)
        if !ids.isEmpty { try run("DELETE FROM users WHERE user_id IN (\(list: ids.map(\.rawValue)))") }
        return ids
    }
}

/// Errors of operations on a profile of the agent. Rule: docs/domain.md, "Agent database", Profiles.
public enum AgentUsersError: RuleViolation, Hashable {
    /// No such profile exists, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The row may go only after the profile was marked as deleted.
    case notMarkedDeleted(AgentUserID)
    /// Connections of the profile are still being deleted at their servers.
    case connectionsLeft(AgentUserID, count: Int)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .agentUserNotFound(let id):
            .refused("agentUserNotFound", "the agent database has no profile \(id)", ["user": .integer(id.rawValue)])
        case .notMarkedDeleted(let id):
            .refused(
                "notMarkedDeleted",
                "the agent's profile \(id) cannot be removed: it is not marked as deleted; mark it first",
                ["user": .integer(id.rawValue)])
        case .connectionsLeft(let id, let count):
            .refused(
                "connectionsLeft",
                "the agent's profile \(id) cannot be removed: it has "
                    + (count == 1 ? "1 connection; remove it first" : "\(count) connections; remove them first"),
                ["user": .integer(id.rawValue), "connections": .integer(Int64(count))])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
