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

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .confirmationNotFound: "confirmationNotFound"
        case .confirmationExists: "confirmationExists"
        case .alreadyAccepted: "alreadyAccepted"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .confirmationNotFound(let id): "there is no confirmation \(id)"
        case .confirmationExists(let id):
            "the confirmation \(id) cannot be stored: there is one with that id; make another id"
        case .alreadyAccepted(let existing): "the connection has accepted the confirmation \(existing) already"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .confirmationNotFound(let id): ["confirmation": .string(id.description)]
        case .confirmationExists(let id): ["confirmation": .string(id.description)]
        case .alreadyAccepted(let existing): ["existing": .string(existing.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
