public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a message of the agent.
/// Rule: docs/domain.md, "Agent database", Receiving, Sending.
public enum AgentMessagesError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// The connection has no such message in that direction.
    case messageNotFound(AgentMessageID, connection: AgentConnectionID)
    /// No message of the profile has that body.
    case bodyNotFound(AgentMessageBodyID)
    /// The app has not taken the message yet.
    case notAcknowledged(AgentMessageID, connection: AgentConnectionID)
    /// The connection's counters are at their end: no app can have counted so far.
    case numbersUsedUp(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .messageNotFound: "agentMessageNotFound"
        case .bodyNotFound: "bodyNotFound"
        case .notAcknowledged: "notAcknowledged"
        case .numbersUsedUp: "numbersUsedUp"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .messageNotFound(let id, let connection):
            "the connection \(connection) has no message \(id) in that direction"
        case .bodyNotFound(let id): "there is no message body \(id) to share"
        case .notAcknowledged(let id, let connection):
            "the message \(id) of connection \(connection) cannot be deleted: it is not acknowledged; "
                + "acknowledge it first"
        case .numbersUsedUp(let connection): "the connection \(connection) has no number left for another message"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .messageNotFound(let id, let connection):
            ["message": .integer(id.rawValue), "connection": .string(connection.description)]
        case .bodyNotFound(let id): ["body": .integer(id.rawValue)]
        case .notAcknowledged(let id, let connection):
            ["message": .integer(id.rawValue), "connection": .string(connection.description)]
        case .numbersUsedUp(let connection): ["connection": .string(connection.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
