public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

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
                "the agent's profile \(id) cannot be removed: it has \(count) connections; remove them first",
                ["user": .integer(id.rawValue), "connections": .integer(Int64(count))])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
