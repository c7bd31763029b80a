public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with an answer to an invitation.
/// Rule: docs/domain.md, "Agent database", Confirmations.
public enum ConfirmationsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such answer.
    case confirmationNotFound(ConfirmationID)
    /// The id is taken.
    case confirmationExists(ConfirmationID)
    /// One answer of the connection was accepted: it stands.
    case alreadyAccepted(existing: ConfirmationID)
    /// The database failed.
    case store(StoreError)

    /// What it is called, what went wrong, and its values.
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
