public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a device's registration or a subscription. Rule: docs/domain.md, "Agent database",
/// Notifications.
public enum NotificationsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// The device is not registered there with that token.
    case tokenNotFound(AgentServerID)
    /// The device is registered there with that token.
    case tokenExists(AgentServerID)
    /// No notification server watches the connection.
    case subscriptionNotFound(AgentConnectionID)
    /// A notification server watches the connection.
    case subscriptionExists(AgentConnectionID)
    /// The server is not known yet.
    case serverNotFound(AgentServerID)
    /// The notification server is known with another certificate.
    case differentKeyHash(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .tokenNotFound(let server):
            .refused(
                "tokenNotFound", "the device is not registered with notification server \(server) under that token",
                ["server": .string(server.description)])
        case .tokenExists(let server):
            .refused(
                "tokenExists", "the device is registered with notification server \(server) under that token already",
                ["server": .string(server.description)])
        case .subscriptionNotFound(let id):
            .refused(
                "subscriptionNotFound", "the connection \(id) has no subscription to notifications",
                ["connection": .string(id.description)])
        case .subscriptionExists(let id):
            .refused(
                "subscriptionExists",
                "the connection \(id) has a subscription to notifications already; change that one",
                ["connection": .string(id.description)])
        case .serverNotFound(let id):
            .refused(
                "agentServerNotFound", "the agent database has no server \(id); add the server first",
                ["server": .string(id.description)])
        case .differentKeyHash(let id):
            .refused(
                "differentKeyHash", "the notification server \(id) is known with another key hash",
                ["server": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
