public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a command.
/// Rule: docs/domain.md, "Agent database", Commands.
public enum CommandsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such command: it is done, or its connection is gone.
    case commandNotFound(AgentCommandID)
    /// The command's server is not known yet.
    case serverNotFound(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .commandNotFound: "commandNotFound"
        case .serverNotFound: "agentServerNotFound"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .commandNotFound(let id): "there is no command \(id)"
        case .serverNotFound(let id):
            "the command cannot be added: the agent database has no server \(id); add the server first"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .commandNotFound(let id): ["command": .integer(id.rawValue)]
        case .serverNotFound(let id): ["server": .string(id.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
