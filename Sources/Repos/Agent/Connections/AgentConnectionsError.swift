public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a connection of the agent. Rule: docs/domain.md, "Agent database", Connections.
public enum AgentConnectionsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such profile exists, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The id is taken, perhaps by a connection of another profile.
    case connectionExists(AgentConnectionID)
    /// The row may go only after the connection was marked as deleted.
    case notMarkedDeleted(AgentConnectionID)
    /// Queues of the connection are still being deleted at their servers.
    case queuesLeft(AgentConnectionID, count: Int)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .agentUserNotFound(let id):
            .refused("agentUserNotFound", "the agent database has no profile \(id)", ["user": .integer(id.rawValue)])
        case .connectionExists(let id):
            .refused(
                "connectionExists", "the connection \(id) cannot be created: that id exists; choose another id",
                ["connection": .string(id.description)])
        case .notMarkedDeleted(let id):
            .refused(
                "notMarkedDeleted",
                "the connection \(id) cannot be removed: it is not marked as deleted; mark it first",
                ["connection": .string(id.description)])
        case .queuesLeft(let id, let count):
            .refused(
                "queuesLeft",
                "the connection \(id) cannot be removed: it has "
                    + (count == 1
                        ? "1 queue to receive from; remove it first"
                        : "\(count) queues to receive from; remove them first"),
                ["connection": .string(id.description), "queues": .integer(Int64(count))])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
