public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The profiles as the agent database has them. Rule: docs/domain.md, "Agent database", Profiles.
///
/// Profiles that are being deleted are in an answer only where it says so.
public struct AgentUsersRepo: Repository {
    package typealias Failure = AgentUsersError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All profiles, by number. None is an empty list.
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

    /// The profiles that are marked as deleted and have no connections left, so that their rows may go, by number.
    /// None is an empty list.
    public func removable() throws(AgentUsersError) -> [AgentUser] {
        try all(
            """
            SELECT \(AgentUser.columns) FROM users
            WHERE deleted = 1 AND NOT EXISTS (SELECT 1 FROM connections WHERE connections.user_id = users.user_id)
            ORDER BY user_id
            """)
    }
}
