public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a message server of the agent. Rule: docs/domain.md, "Agent database", Servers.
public enum AgentServersError: RuleViolation, Hashable {
    /// No such server exists.
    case agentServerNotFound(AgentServerID)
    /// The server is known with another certificate.
    case differentKeyHash(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .agentServerNotFound(let id):
            .refused(
                "agentServerNotFound", "the agent database has no server \(id)", ["server": .string(id.description)])
        case .differentKeyHash(let id):
            .refused(
                "differentKeyHash",
                "the server \(id) cannot be added: it is known with another key hash; change that one if the "
                    + "server was renewed", ["server": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
