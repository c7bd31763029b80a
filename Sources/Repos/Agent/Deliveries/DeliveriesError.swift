public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a delivery.
/// Rule: docs/domain.md, "Agent database", Sending.
public enum DeliveriesError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such delivery: it is done, or was dropped.
    case deliveryNotFound(AgentDeliveryID)
    /// The connection has sent no such message.
    case messageNotFound(AgentMessageID, connection: AgentConnectionID)
    /// The connection has no such queue to send to, or it is on its way out.
    case queueNotFound(QueueNumber, connection: AgentConnectionID)
    /// The message is under way through that queue.
    case deliveryExists(QueueNumber, message: AgentMessageID)
    /// No queue was named.
    case noQueues(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .deliveryNotFound: "agentDeliveryNotFound"
        case .messageNotFound: "agentMessageNotFound"
        case .queueNotFound: "queueNotFound"
        case .deliveryExists: "deliveryExists"
        case .noQueues: "noQueues"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .deliveryNotFound(let id): "there is no delivery \(id)"
        case .messageNotFound(let id, let connection): "the connection \(connection) has sent no message \(id)"
        case .queueNotFound(let number, let connection):
            "the connection \(connection) has no queue \(number) to send to"
        case .deliveryExists(let number, let message):
            "the message \(message) is under way through queue \(number) already"
        case .noQueues(let connection): "nothing can be delivered on connection \(connection): no queue was named"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .deliveryNotFound(let id): ["delivery": .integer(id.rawValue)]
        case .messageNotFound(let id, let connection):
            ["message": .integer(id.rawValue), "connection": .string(connection.description)]
        case .queueNotFound(let number, let connection):
            ["queue": .integer(number.rawValue), "connection": .string(connection.description)]
        case .deliveryExists(let number, let message):
            ["queue": .integer(number.rawValue), "message": .integer(message.rawValue)]
        case .noQueues(let connection): ["connection": .string(connection.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
