public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a message server of the agent.
/// Rule: docs/domain.md, "Agent database", Servers.
public enum AgentServersError: RuleViolation, Hashable {
    /// There is no such server.
    case agentServerNotFound(AgentServerID)
    /// The server is known with another certificate.
    case differentKeyHash(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .agentServerNotFound: "agentServerNotFound"
        case .differentKeyHash: "differentKeyHash"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .agentServerNotFound(let id): "the agent database has no server \(id)"
        case .differentKeyHash(let id):
            "the server \(id) cannot be added: it is known with another key hash; change that one if the "
                + "server was renewed"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .agentServerNotFound(let id): ["server": .string(id.description)]
        case .differentKeyHash(let id): ["server": .string(id.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
