public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a delivery. Rule: docs/domain.md, "Agent database", Sending.
public enum DeliveriesError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such delivery exists: it is done, or was dropped.
    case deliveryNotFound(AgentDeliveryID)
    /// The connection has sent no such message.
    case messageNotFound(AgentMessageID, connection: AgentConnectionID)
    /// The connection has no such queue to send to, or the queue is being deleted.
    case queueNotFound(QueueNumber, connection: AgentConnectionID)
    /// The message is under way through that queue.
    case deliveryExists(QueueNumber, message: AgentMessageID)
    /// No queue was named.
    case noQueues(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .deliveryNotFound(let id):
            .refused("agentDeliveryNotFound", "there is no delivery \(id)", ["delivery": .integer(id.rawValue)])
        case .messageNotFound(let id, let connection):
            .refused(
                "agentMessageNotFound", "the connection \(connection) has sent no message \(id)",
                ["message": .integer(id.rawValue), "connection": .string(connection.description)])
        case .queueNotFound(let number, let connection):
            .refused(
                "queueNotFound", "the connection \(connection) has no queue \(number) to send to",
                ["queue": .integer(number.rawValue), "connection": .string(connection.description)])
        case .deliveryExists(let number, let message):
            .refused(
                "deliveryExists", "the message \(message) is already being delivered through queue \(number)",
                ["queue": .integer(number.rawValue), "message": .integer(message.rawValue)])
        case .noQueues(let connection):
            .refused(
                "noQueues", "nothing can be delivered on connection \(connection): no queue was named",
                ["connection": .string(connection.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
