public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a connection. Rule: docs/domain.md, "Connections".
public enum ConnectionsError: RuleViolation, Hashable {
    /// The profile has no such connection.
    case connectionNotFound(ConnectionID)
    /// The profile has nothing like it that the connection could belong to.
    case ownerNotFound(ConnectionOwner)
    /// The profile has no such link, by which the connection could have come.
    case linkNotFound(UserContactLinkID)
    /// The profile has no such random profile.
    case incognitoProfileNotFound(ContactProfileID)
    /// The store has a connection with this id of the agent.
    case duplicateConnection(AgentConnectionID)
    /// The agent does not make ids like this.
    case invalidConnectionID(AgentConnectionID)
    /// It belongs to something already.
    case connectionHasOwner(ConnectionID, ConnectionOwner)
    /// There is no such profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "connectionNotFound"
        case .ownerNotFound: "ownerNotFound"
        case .linkNotFound: "linkNotFound"
        case .incognitoProfileNotFound: "incognitoProfileNotFound"
        case .duplicateConnection: "duplicateConnection"
        case .invalidConnectionID: "invalidConnectionID"
        case .connectionHasOwner: "connectionHasOwner"
        case .users(let error): error.code
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "the profile has no connection \(id)"
        case .ownerNotFound(let owner): "the profile has no \(owner.phrase)"
        case .linkNotFound(let id): "the profile has no link \(id)"
        case .incognitoProfileNotFound(let id): "the profile has no random profile \(id); make one first"
        case .duplicateConnection(let id): "the store has a connection \(id) of the agent already"
        case .invalidConnectionID(let id):
            "\(id) is no connection of the agent: expected the bytes of a text, and at least one"
        case .connectionHasOwner(let id, let owner):
            "the connection \(id) belongs to the \(owner.phrase) already; a connection has one owner"
        case .users(let error): error.message
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        if case .users(let error) = self { error.hint } else { nil }
    }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .integer(id.rawValue)]
        case .ownerNotFound(let owner): ["owner": .string(owner.phrase)]
        case .linkNotFound(let id): ["link": .integer(id.rawValue)]
        case .incognitoProfileNotFound(let id): ["incognitoProfile": .integer(id.rawValue)]
        case .duplicateConnection(let id), .invalidConnectionID(let id):
            ["agentConnection": .string(id.description)]
        case .connectionHasOwner(let id, let owner):
            ["connection": .integer(id.rawValue), "owner": .string(owner.phrase)]
        case .users(let error): error.details
        case .store: [:]
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
    /// What it is, with its number.
    var phrase: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .member(let id): "member \(id)"
        case .link(let id): "link \(id)"
        case .sentFile(let id), .receivedFile(let id): "file \(id)"
        }
    }
}
