public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a device's registration or a subscription.
/// Rule: docs/domain.md, "Agent database", Notifications.
public enum NotificationsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
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

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .tokenNotFound: "tokenNotFound"
        case .tokenExists: "tokenExists"
        case .subscriptionNotFound: "subscriptionNotFound"
        case .subscriptionExists: "subscriptionExists"
        case .serverNotFound: "agentServerNotFound"
        case .differentKeyHash: "differentKeyHash"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .tokenNotFound(let server):
            "the device is not registered with notification server \(server) under that token"
        case .tokenExists(let server):
            "the device is registered with notification server \(server) under that token already"
        case .subscriptionNotFound(let id): "the connection \(id) has no subscription to notifications"
        case .subscriptionExists(let id):
            "the connection \(id) has a subscription to notifications already; change that one"
        case .serverNotFound(let id): "the agent database has no server \(id); add the server first"
        case .differentKeyHash(let id): "the notification server \(id) is known with another key hash"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .tokenNotFound(let server): ["server": .string(server.description)]
        case .tokenExists(let server): ["server": .string(server.description)]
        case .subscriptionNotFound(let id): ["connection": .string(id.description)]
        case .subscriptionExists(let id): ["connection": .string(id.description)]
        case .serverNotFound(let id): ["server": .string(id.description)]
        case .differentKeyHash(let id): ["server": .string(id.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
