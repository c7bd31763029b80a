public import Engine
public import Schema

/// Why something cannot be done with a group or channel. Rule: docs/domain.md, "Groups and channels".
public enum GroupsError: RuleViolation, Hashable {
    /// The profile has no such group.
    case groupNotFound(Named<GroupID>)
    /// The text is no name.
    case invalidGroupName(NameProblem)
    /// A channel cannot choose this relay: it is disabled, or its operator is off.
    case relayDisabled(ChatRelay)
    /// Something is wrong with the relays of a channel that is to be made.
    case relays(ChatRelaysError)
    /// There is no such profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .groupNotFound: "groupNotFound"
        case .invalidGroupName: "invalidGroupName"
        case .relayDisabled: "relayDisabled"
        case .relays(let error): error.code
        case .users(let error): error.code
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .groupNotFound(let named): "the profile has no group \(named)"
        case .invalidGroupName(let problem): "the name of the group \(problem.message)"
        case .relayDisabled(let relay):
            "the channel cannot use the relay \(relay.label): "
                + "\(relay.isEnabled ? "its operator is off" : "it is disabled"); choose another, or enable it"
        case .relays(let error): error.message
        case .users(let error): error.message
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .groupNotFound: "chatdb group list"
        case .relayDisabled: "chatdb relay list"
        case .relays(let error): error.hint
        case .users(let error): error.hint
        case .invalidGroupName, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .groupNotFound(let named): ["group": named.json]
        case .relayDisabled(let relay): ["relay": relay.reference]
        case .relays(let error): error.details
        case .users(let error): error.details
        case .invalidGroupName, .store: [:]
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .relays(let error): error.storeError
        case .users(let error): error.storeError
        default: nil
        }
    }
}
