public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a connection. Rule: docs/domain.md, "Connections".
public enum ConnectionsError: RuleViolation, Hashable {
    /// The profile has no such connection.
    case connectionNotFound(ConnectionID)
    /// The profile has no such owner for the connection.
    case ownerNotFound(ConnectionOwner)
    /// The profile has no such link, by which the connection could have come.
    case linkNotFound(UserContactLinkID)
    /// The profile has no such random profile.
    case incognitoProfileNotFound(ContactProfileID)
    /// The store has a connection with this id of the agent.
    case duplicateConnection(AgentConnectionID)
    /// The agent does not make ids like this.
    case invalidConnectionID(AgentConnectionID)
    /// The connection has an owner already.
    case connectionHasOwner(ConnectionID, ConnectionOwner)
    /// The profile of a connection that was begun, or that has an owner, stays.
    case connectionStarted(ChatConnection)
    /// The text is no name for a random profile.
    case invalidContactName(NameProblem)
    /// The text cannot be a security code.
    case invalidVerifiedCode(NameProblem)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("connectionNotFound", "the profile has no connection \(id)", ["connection": .integer(id.rawValue)])
        case .ownerNotFound(let owner):
            .refused("ownerNotFound", "the profile has no \(owner.phrase)", ["owner": .string(owner.phrase)])
        case .linkNotFound(let id):
            .refused("linkNotFound", "the profile has no link \(id)", ["link": .integer(id.rawValue)])
        case .incognitoProfileNotFound(let id):
            .refused(
                "incognitoProfileNotFound", "the profile has no random profile \(id); create one first",
                ["incognitoProfile": .integer(id.rawValue)])
        case .duplicateConnection(let id):
            .refused(
                "duplicateConnection", "the store has a connection \(id) of the agent already",
                ["agentConnection": .string(id.description)])
        case .invalidConnectionID(let id):
            .invalid(
                "invalidConnectionID",
                "\(id) is not a connection of the agent: expected the bytes of a text, and at least one",
                ["agentConnection": .string(id.description)])
        case .connectionHasOwner(let id, let owner):
            .refused(
                "connectionHasOwner",
                "the connection \(id) belongs to the \(owner.phrase) already; a connection has one owner",
                ["connection": .integer(id.rawValue), "owner": .string(owner.phrase)])
        case .connectionStarted(let connection):
            .refused(
                "connectionStarted",
                "the profile of the connection \(connection.id) cannot be changed: the other side may know it already",
                ["connection": .integer(connection.id.rawValue), "status": .string(connection.status.text)])
        case .invalidContactName(let problem):
            .invalid("invalidContactName", "the name of the random profile \(problem.message)")
        case .invalidVerifiedCode(let problem):
            .invalid("invalidVerifiedCode", "the security code \(problem.message)")
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .users(let error): error.storeError
        default: nil
        }
    }
}

extension ConnectionOwner {
    /// The kind of the owner, with its number.
    var phrase: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .member(let id): "member \(id)"
        case .link(let id): "link \(id)"
        case .sentFile(let id), .receivedFile(let id): "file \(id)"
        }
    }
}
