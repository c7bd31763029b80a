public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a message of the agent. Rule: docs/domain.md, "Agent database", Receiving, Sending.
public enum AgentMessagesError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// The connection has no such message in that direction.
    case messageNotFound(AgentMessageID, connection: AgentConnectionID)
    /// No message of the profile has that body.
    case bodyNotFound(AgentMessageBodyID)
    /// The app has not taken the message yet.
    case notAcknowledged(AgentMessageID, connection: AgentConnectionID)
    /// The connection's counters have reached their maximum, which no app can reach by counting.
    case numbersUsedUp(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .messageNotFound(let id, let connection):
            .refused(
                "agentMessageNotFound", "the connection \(connection) has no message \(id) in that direction",
                ["message": .integer(id.rawValue), "connection": .string(connection.description)])
        case .bodyNotFound(let id):
            .refused("bodyNotFound", "there is no message body \(id) to share", ["body": .integer(id.rawValue)])
        case .notAcknowledged(let id, let connection):
            .refused(
                "notAcknowledged",
                "the message \(id) of connection \(connection) cannot be deleted: it is not acknowledged; "
                    + "acknowledge it first",
                ["message": .integer(id.rawValue), "connection": .string(connection.description)])
        case .numbersUsedUp(let connection):
            .refused(
                "numbersUsedUp", "the connection \(connection) has no number left for another message",
                ["connection": .string(connection.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
