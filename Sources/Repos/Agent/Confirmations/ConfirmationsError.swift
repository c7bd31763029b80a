public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on an answer to an invitation. Rule: docs/domain.md, "Agent database", Confirmations.
public enum ConfirmationsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such answer exists.
    case confirmationNotFound(ConfirmationID)
    /// The id is taken.
    case confirmationExists(ConfirmationID)
    /// An answer of the connection was accepted already.
    case alreadyAccepted(existing: ConfirmationID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .confirmationNotFound(let id):
            .refused(
                "confirmationNotFound", "there is no confirmation \(id)", ["confirmation": .string(id.description)])
        case .confirmationExists(let id):
            .refused(
                "confirmationExists",
                "the confirmation \(id) cannot be stored: that id exists; choose another id",
                ["confirmation": .string(id.description)])
        case .alreadyAccepted(let existing):
            .refused(
                "alreadyAccepted", "the connection has accepted the confirmation \(existing) already",
                ["existing": .string(existing.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
