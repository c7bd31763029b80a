public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a request to connect. Rule: docs/domain.md, "Agent database", Requests.
public enum InvitationsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such request exists.
    case invitationNotFound(InvitationID)
    /// The id is taken.
    case invitationExists(InvitationID)
    /// Requests come through addresses only.
    case notAnAddress(AgentConnectionID)
    /// The request was accepted.
    case alreadyAccepted(InvitationID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .invitationNotFound(let id):
            .refused(
                "invitationNotFound", "there is no request to connect \(id)", ["invitation": .string(id.description)])
        case .invitationExists(let id):
            .refused(
                "invitationExists",
                "the request to connect \(id) cannot be stored: that id exists; choose another id",
                ["invitation": .string(id.description)])
        case .notAnAddress(let id):
            .refused(
                "notAnAddress", "the connection \(id) is not an address, and accepts no requests to connect",
                ["connection": .string(id.description)])
        case .alreadyAccepted(let id):
            .refused(
                "alreadyAccepted", "the request to connect \(id) was accepted already",
                ["invitation": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
