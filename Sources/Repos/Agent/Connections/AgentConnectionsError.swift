public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a connection of the agent.
/// Rule: docs/domain.md, "Agent database", Connections.
public enum AgentConnectionsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such profile, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The id is taken, perhaps by a connection of another profile.
    case connectionExists(AgentConnectionID)
    /// The row may go only after the connection was marked as deleted.
    case notMarkedDeleted(AgentConnectionID)
    /// Queues of the connection are still being deleted at their servers.
    case queuesLeft(AgentConnectionID, count: Int)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .agentUserNotFound: "agentUserNotFound"
        case .connectionExists: "connectionExists"
        case .notMarkedDeleted: "notMarkedDeleted"
        case .queuesLeft: "queuesLeft"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .agentUserNotFound(let id): "the agent database has no profile \(id)"
        case .connectionExists(let id):
            "the connection \(id) cannot be made: there is one with that id; make another id"
        case .notMarkedDeleted(let id):
            "the connection \(id) cannot be removed: it is not marked as deleted; mark it first"
        case .queuesLeft(let id, let count):
            "the connection \(id) cannot be removed: it has \(count) queues to receive from; remove them first"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .agentUserNotFound(let id): ["user": .integer(id.rawValue)]
        case .connectionExists(let id): ["connection": .string(id.description)]
        case .notMarkedDeleted(let id): ["connection": .string(id.description)]
        case .queuesLeft(let id, let count): ["connection": .string(id.description), "queues": .integer(Int64(count))]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
