public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a command. Rule: docs/domain.md, "Agent database", Commands.
public enum CommandsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such command exists: it is done, or its connection was removed.
    case commandNotFound(AgentCommandID)
    /// The command's server is not known yet.
    case serverNotFound(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .commandNotFound(let id):
            .refused("commandNotFound", "there is no command \(id)", ["command": .integer(id.rawValue)])
        case .serverNotFound(let id):
            .refused(
                "agentServerNotFound",
                "the command cannot be added: the agent database has no server \(id); add the server first",
                ["server": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
