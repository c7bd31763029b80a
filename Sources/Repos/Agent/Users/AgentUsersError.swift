public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a profile of the agent.
/// Rule: docs/domain.md, "Agent database", Profiles.
public enum AgentUsersError: RuleViolation, Hashable {
    /// There is no such profile, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The row may go only after the profile was marked as deleted.
    case notMarkedDeleted(AgentUserID)
    /// Connections of the profile are still being deleted at their servers.
    case connectionsLeft(AgentUserID, count: Int)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .agentUserNotFound: "agentUserNotFound"
        case .notMarkedDeleted: "notMarkedDeleted"
        case .connectionsLeft: "connectionsLeft"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .agentUserNotFound(let id): "the agent database has no profile \(id)"
        case .notMarkedDeleted(let id):
            "the agent's profile \(id) cannot be removed: it is not marked as deleted; mark it first"
        case .connectionsLeft(let id, let count):
            "the agent's profile \(id) cannot be removed: it has \(count) connections; remove them first"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .agentUserNotFound(let id): ["user": .integer(id.rawValue)]
        case .notMarkedDeleted(let id): ["user": .integer(id.rawValue)]
        case .connectionsLeft(let id, let count):
            ["user": .integer(id.rawValue), "connections": .integer(Int64(count))]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
