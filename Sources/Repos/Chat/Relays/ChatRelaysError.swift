public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a relay. Rule: docs/domain.md, "Chat relays".
public enum ChatRelaysError: RuleViolation, Hashable {
    /// The profile has no such relay.
    case relayNotFound(Named<ChatRelayID>)
    /// The text is not the address of a relay.
    case invalidRelayAddress(RelayAddressError)
    /// The text is no name.
    case invalidRelayName(NameProblem)
    /// One of the texts is no domain.
    case invalidRelayDomain(String)
    /// The address given leads to a relay that the profile has.
    case duplicateRelayAddress(existing: ChatRelay, given: String)
    /// Another relay of the profile has the name.
    case duplicateRelayName(existing: ChatRelay, given: String)
    /// A preset relay stays; it can be disabled.
    case presetRelayCannotBeDeleted(ChatRelay)
    /// The address, the name and the domains of a preset relay are its operator's.
    case presetRelayCannotBeEdited(ChatRelay)
    /// A channel refers to the relay and must not move to another unnoticed; so many are in use.
    case relayInUse(ChatRelay, channelsUsing: Int)
    /// No relay is enabled, so no channel can be made.
    case noEnabledRelays
    /// Fewer relays are enabled than were asked for.
    case notEnoughRelays(wanted: Int, enabled: Int)
    /// There is no such profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .relayNotFound: "relayNotFound"
        case .invalidRelayAddress: "invalidRelayAddress"
        case .invalidRelayName: "invalidRelayName"
        case .invalidRelayDomain: "invalidRelayDomain"
        case .duplicateRelayAddress: "duplicateRelayAddress"
        case .duplicateRelayName: "duplicateRelayName"
        case .presetRelayCannotBeDeleted: "presetRelayCannotBeDeleted"
        case .presetRelayCannotBeEdited: "presetRelayCannotBeEdited"
        case .relayInUse: "relayInUse"
        case .noEnabledRelays: "noEnabledRelays"
        case .notEnoughRelays: "notEnoughRelays"
        case .users(let error): error.code
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .relayNotFound(let named): "the profile has no relay \(named)"
        case .invalidRelayAddress(let error): error.message
        case .invalidRelayName(let problem): "the name of the relay \(problem.message)"
        case .invalidRelayDomain(let given):
            given.isEmpty
                ? "a domain of the relay is empty; expected letters, digits, hyphens and dots, as in relay.example"
                : "\"\(given)\" is no domain of a relay; expected letters, digits, hyphens and dots, as in relay.example"
        case .duplicateRelayAddress(let existing, let given):
            "the profile has the relay \(given) already, as \(existing.label)"
        case .duplicateRelayName(let existing, let given):
            "the relay cannot be named \"\(given)\": \(existing.label) has that name; give another name"
        case .presetRelayCannotBeDeleted(let relay):
            "the relay \(relay.label) cannot be deleted: it came with an operator; disable it instead"
        case .presetRelayCannotBeEdited(let relay):
            "the relay \(relay.label) cannot be edited: it came with an operator; disable it, and add one of your own"
        case .relayInUse(let relay, let channels):
            "the address of the relay \(relay.label) cannot be changed: \(Self.use(channels)); "
                + "delete it, which its channels survive, and add the other"
        case .noEnabledRelays: "No chat relays enabled. Channels require at least one relay."
        case .notEnoughRelays(let wanted, let enabled):
            "\(wanted) relays cannot be chosen: \(enabled) of the profile's are enabled; ask for fewer, or enable more"
        case .users(let error): error.message
        case .store(let error): error.message
        }
    }

    private static func use(_ channels: Int) -> String {
        switch channels {
        case 0: "a channel that was left refers to it"
        case 1: "it is used by 1 channel"
        default: "it is used by \(channels) channels"
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .noEnabledRelays:
            "chatdb relay list shows why; relay enable, operator enable or relay add ADDRESS helps"
        case .relayNotFound, .notEnoughRelays, .duplicateRelayAddress, .duplicateRelayName: "chatdb relay list"
        case .relayInUse(let relay, _): "chatdb relay show id:\(relay.id)"
        case .presetRelayCannotBeDeleted(let relay), .presetRelayCannotBeEdited(let relay):
            "chatdb relay disable id:\(relay.id)"
        case .users(let error): error.hint
        case .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .relayNotFound(let named): ["relay": named.json]
        case .duplicateRelayAddress(let existing, let given):
            ["existing": existing.reference, "address": .string(given)]
        case .duplicateRelayName(let existing, let given): ["existing": existing.reference, "name": .string(given)]
        case .presetRelayCannotBeDeleted(let relay), .presetRelayCannotBeEdited(let relay):
            ["relay": relay.reference]
        case .relayInUse(let relay, let channels):
            ["relay": relay.reference, "channelsUsing": .integer(Int64(channels))]
        case .users(let error): error.details
        case .notEnoughRelays(let wanted, let enabled):
            ["wanted": .integer(Int64(wanted)), "enabled": .integer(Int64(enabled))]
        case .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain, .noEnabledRelays, .store: [:]
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

extension ChatRelay {
    /// The relay in a sentence: its name, or else its address, and its number.
    var label: String { "\"\(name.isEmpty ? address : name)\" (id \(id))" }

    var reference: JSONValue {
        ["chatRelayId": .integer(id.rawValue), "name": .string(name), "address": .string(address)]
    }
}
