public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a ratchet. Rule: docs/domain.md, "Agent database", Ratchets.
public enum RatchetsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// The connection has no ratchet.
    case ratchetNotFound(AgentConnectionID)
    /// The connection has keys, but no agreed ratchet.
    case ratchetNotAgreed(AgentConnectionID)
    /// The key of that message is stored, or given twice.
    case duplicateSkippedKey(AgentConnectionID, number: Int64)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .ratchetNotFound(let id):
            .refused("ratchetNotFound", "the connection \(id) has no ratchet", ["connection": .string(id.description)])
        case .ratchetNotAgreed(let id):
            .refused(
                "ratchetNotAgreed", "the ratchet of connection \(id) is not agreed yet",
                ["connection": .string(id.description)])
        case .duplicateSkippedKey(let id, let number):
            .refused(
                "duplicateSkippedKey",
                "the key of skipped message \(number) of connection \(id) is stored already, or was given twice",
                ["connection": .string(id.description), "number": .integer(number)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
