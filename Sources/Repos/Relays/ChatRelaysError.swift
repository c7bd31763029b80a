public import Engine
public import Schema

/// Why something cannot be done with a relay. Rule: docs/domain.md, "Chat relays".
public enum ChatRelaysError: RuleViolation, Hashable {
    /// The profile has no such relay.
    case relayNotFound(Named<ChatRelayID>)
    /// The text is not the address of a relay.
    case invalidRelayAddress(RelayAddressError)
    /// The text is no name.
    case invalidRelayName(NameProblem)
    /// One of the texts is no domain.
    case invalidRelayDomain
    /// The address given leads to a relay that the profile has.
    case duplicateRelayAddress(existing: ChatRelay, given: String)
    /// Another relay of the profile has the name.
    case duplicateRelayName(existing: ChatRelay, given: String)
    /// A preset relay stays; it can be disabled.
    case presetRelayCannotBeDeleted(ChatRelay)
    /// No relay is enabled, so no channel can be made.
    case noEnabledRelays
    /// Fewer relays are enabled than were asked for.
    case notEnoughRelays(wanted: Int, enabled: Int)
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
        case .noEnabledRelays: "noEnabledRelays"
        case .notEnoughRelays: "notEnoughRelays"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .relayNotFound(let named): "the profile has no relay \(named)"
        case .invalidRelayAddress(let error): error.message
        case .invalidRelayName(let problem): "the name of the relay \(problem.message)"
        case .invalidRelayDomain:
            "a domain of the relay is none; expected letters, digits, hyphens and dots, as in relay.example"
        case .duplicateRelayAddress(let existing, let given):
            "the relay \(given) cannot be added: the profile has it already, as \(existing.label)"
        case .duplicateRelayName(let existing, let given):
            "the relay cannot be named \"\(given)\": \(existing.label) has that name; give another name"
        case .presetRelayCannotBeDeleted(let relay):
            "the relay \(relay.label) cannot be deleted: it came with an operator; disable it instead"
        case .noEnabledRelays: "No chat relays enabled. Channels require at least one relay."
        case .notEnoughRelays(let wanted, let enabled):
            "\(wanted) relays cannot be chosen: \(enabled) of the profile's are enabled; ask for fewer, or enable more"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .noEnabledRelays: "chatdb relay add ADDRESS"
        case .relayNotFound, .notEnoughRelays, .duplicateRelayAddress, .duplicateRelayName: "chatdb relay list"
        case .presetRelayCannotBeDeleted, .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .relayNotFound(let named): ["relay": named.json]
        case .duplicateRelayAddress(let existing, let given):
            ["existing": existing.reference, "address": .string(given)]
        case .duplicateRelayName(let existing, let given): ["existing": existing.reference, "name": .string(given)]
        case .presetRelayCannotBeDeleted(let relay): ["relay": relay.reference]
        case .notEnoughRelays(let wanted, let enabled):
            ["wanted": .integer(Int64(wanted)), "enabled": .integer(Int64(enabled))]
        case .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain, .noEnabledRelays, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}

extension ChatRelay {
    /// The relay in a sentence: its name, or else its address, and its number.
    var label: String { "\"\(name.isEmpty ? address : name)\" (id \(id))" }

    var reference: JSONValue {
        ["chatRelayId": .integer(id.rawValue), "name": .string(name), "address": .string(address)]
    }
}
