public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a request to connect.
/// Rule: docs/domain.md, "Agent database", Requests.
public enum InvitationsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such request.
    case invitationNotFound(InvitationID)
    /// The id is taken.
    case invitationExists(InvitationID)
    /// Requests come through addresses only.
    case notAnAddress(AgentConnectionID)
    /// The request was accepted.
    case alreadyAccepted(InvitationID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .invitationNotFound: "invitationNotFound"
        case .invitationExists: "invitationExists"
        case .notAnAddress: "notAnAddress"
        case .alreadyAccepted: "alreadyAccepted"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .invitationNotFound(let id): "there is no request to connect \(id)"
        case .invitationExists(let id):
            "the request to connect \(id) cannot be stored: there is one with that id; make another id"
        case .notAnAddress(let id): "the connection \(id) is no address, and takes no requests to connect"
        case .alreadyAccepted(let id): "the request to connect \(id) was accepted already"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .invitationNotFound(let id): ["invitation": .string(id.description)]
        case .invitationExists(let id): ["invitation": .string(id.description)]
        case .notAnAddress(let id): ["connection": .string(id.description)]
        case .alreadyAccepted(let id): ["invitation": .string(id.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
