public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a relay. Rule: docs/domain.md, "Chat relays".
public enum ChatRelaysError: RuleViolation, Hashable {
    /// The profile has no such relay.
    case relayNotFound(Named<ChatRelayID>)
    /// The text is not the address of a relay.
    case invalidRelayAddress(RelayAddressError)
    /// The stored address of a relay is not valid, and so no new channel can use the relay.
    case relayAddressNotValid(ChatRelay)
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
    /// A channel refers to the relay, and must not move to another one unnoticed; with the number of channels that use
    /// the relay. The number is 0 when only other channels refer to it (`ChatRelaysRepo.otherChannels`), or channels that
    /// lost their row (`channelsOfLostRows`).
    case relayInUse(ChatRelay, channelsUsing: Int)
    /// No relay is enabled, so no channel can be made.
    case noEnabledRelays
    /// Fewer relays are enabled than the caller wants.
    case notEnoughRelays(wanted: Int, enabled: Int)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .relayNotFound(let named):
            .refused("relayNotFound", "the profile has no relay \(named)", ["relay": named.json])
        case .invalidRelayAddress(let error): .invalid("invalidRelayAddress", error.message)
        case .relayAddressNotValid(let relay):
            .refused(
                "relayAddressNotValid",
                "no new channel can use the relay \(relay.label): its address is not valid",
                ["relay": relay.reference])
        case .invalidRelayName(let problem): .invalid("invalidRelayName", "the name of the relay \(problem.message)")
        case .invalidRelayDomain(let given):
            .invalid(
                "invalidRelayDomain",
                given.isEmpty
                    ? "a domain of the relay is empty; expected letters, digits, hyphens and dots, as in relay.example"
                    : "\"\(given)\" is not a domain of a relay; expected letters, digits, hyphens and dots, as in "
                        + "relay.example")
        case .duplicateRelayAddress(let existing, let given):
            .refused(
                "duplicateRelayAddress", "the profile has the relay \(given) already, as \(existing.label)",
                ["existing": existing.reference, "address": .string(given)])
        case .duplicateRelayName(let existing, let given):
            .refused(
                "duplicateRelayName",
                "the relay cannot be named \"\(given)\": \(existing.label) has that name; give another name",
                ["existing": existing.reference, "name": .string(given)])
        case .presetRelayCannotBeDeleted(let relay):
            .refused(
                "presetRelayCannotBeDeleted",
                "the relay \(relay.label) cannot be deleted: it is a preset; disable it instead",
                ["relay": relay.reference])
        case .presetRelayCannotBeEdited(let relay):
            .refused(
                "presetRelayCannotBeEdited",
                "the relay \(relay.label) cannot be edited: it is a preset; disable it, and add one of "
                    + "your own",
                ["relay": relay.reference])
        case .relayInUse(let relay, let channels):
            .refused(
                "relayInUse",
                "the address of the relay \(relay.label) cannot be changed: \(Self.use(channels)); "
                    + "delete it, which its channels keep, and add the new one",
                ["relay": relay.reference, "channelsUsing": .integer(Int64(channels))])
        case .noEnabledRelays:
            .refused("noEnabledRelays", "No chat relays enabled. Channels require at least one relay.")
        case .notEnoughRelays(let wanted, let enabled):
            .refused(
                "notEnoughRelays",
                "\(wanted) relays cannot be chosen: the profile has \(enabled) enabled; ask for fewer, or enable "
                    + "more",
                ["wanted": .integer(Int64(wanted)), "enabled": .integer(Int64(enabled))])
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }

    private static func use(_ channels: Int) -> String {
        switch channels {
        case 0:
            "no channel uses it, but a channel that was left, that lost its row of the relay, or in which the relay is "
                + "inactive or rejected, refers to it"
        case 1: "it is used by 1 channel"
        default: "it is used by \(channels) channels"
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
    /// The relay in a sentence: its name as lists show it, and its number.
    var label: String { "\"\(calledName)\" (id:\(id))" }

    var reference: JSONValue {
        ["chatRelayId": .integer(id.rawValue), "name": .string(name), "address": .string(address)]
    }
}
