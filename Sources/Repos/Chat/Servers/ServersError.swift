public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with an SMP or XFTP server.
/// Rule: docs/domain.md, "Operators and servers".
public enum ServersError: RuleViolation, Hashable {
    /// The profile has no such server.
    case serverNotFound(Named<ProtocolServerID>)
    /// The profile has a server with this protocol, primary host and port; with the number 0, it is among changes
    /// twice.
    case duplicateServer(existing: ProtocolServer)
    /// The text is not the address of a server.
    case invalidServerAddress(ServerAddressError)
    /// A server keeps its protocol: what is to be edited is of one, the address given of the other.
    case otherProtocol(ProtocolServer, given: ServerProtocol)
    /// XFTP servers look up no names.
    case noNamesRole(ServerProtocol)
    /// A preset server stays; it can be disabled.
    case presetServerCannotBeDeleted(ProtocolServer)
    /// The address of a preset server is its operator's.
    case presetServerCannotBeEdited(ProtocolServer)
    /// With these changes the servers of the profile, or those of others, would not do.
    case validationFailed(UserServersValidation)
    /// Something is wrong with an operator that is to be changed.
    case operators(OperatorsError)
    /// Something is wrong with a relay that is to be changed.
    case relays(ChatRelaysError)
    /// There is no such profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    private var cause: (any RuleViolation)? {
        switch self {
        case .operators(let error): error
        case .relays(let error): error
        case .users(let error): error
        default: nil
        }
    }

    /// A stable word.
    public var code: String {
        switch self {
        case .serverNotFound: "serverNotFound"
        case .duplicateServer: "duplicateServerAddress"
        case .invalidServerAddress: "invalidServerAddress"
        case .otherProtocol: "otherProtocol"
        case .noNamesRole: "noNamesRole"
        case .presetServerCannotBeDeleted: "presetServerCannotBeDeleted"
        case .presetServerCannotBeEdited: "presetServerCannotBeEdited"
        case .validationFailed: "validationFailed"
        case .store(let error): error.kind.rawValue
        case .operators, .relays, .users: cause?.code ?? ""
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .serverNotFound(let named): "the profile has no server \(named)"
        case .duplicateServer(let existing):
            "the \(existing.serverProtocol.shownName) server \(existing.primaryHost) cannot be added: "
                + (existing.id.rawValue == 0 ? "it is there twice" : "the profile has it already (id \(existing.id))")
        case .invalidServerAddress(let error): error.message
        case .otherProtocol(let server, let given):
            "the server \(server.label) cannot become an \(given.shownName) server: "
                + "it speaks \(server.serverProtocol.shownName); add the other one"
        case .noNamesRole(let serverProtocol):
            "an \(serverProtocol.shownName) server cannot have the role names; only SMP servers look up names"
        case .presetServerCannotBeDeleted(let server):
            "the server \(server.label) cannot be deleted: it came with an operator; disable it instead"
        case .presetServerCannotBeEdited(let server):
            "the address of the server \(server.label) cannot be edited: it came with an operator; "
                + "disable it, and add one of your own"
        case .validationFailed(let validation):
            "the servers cannot be set so: \(validation.errorTexts.joined(separator: "; "))"
        case .store(let error): error.message
        case .operators, .relays, .users: cause?.message ?? ""
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .serverNotFound, .duplicateServer: "chatdb server list"
        case .presetServerCannotBeDeleted(let server), .presetServerCannotBeEdited(let server):
            "chatdb server disable id:\(server.id)"
        case .operators, .relays, .users: cause?.hint
        default: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .serverNotFound(let named): ["server": named.json]
        case .duplicateServer(let existing): ["existing": existing.reference]
        case .otherProtocol(let server, let given):
            ["server": server.reference, "protocol": .string(given.text)]
        case .noNamesRole(let serverProtocol): ["protocol": .string(serverProtocol.text)]
        case .presetServerCannotBeDeleted(let server), .presetServerCannotBeEdited(let server):
            ["server": server.reference]
        case .validationFailed(let validation): ["errors": JSONValue(validation.errorTexts)]
        case .operators, .relays, .users: cause?.details ?? [:]
        case .invalidServerAddress, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { cause?.storeError }
    }
}

extension ProtocolServer {
    /// The server in a sentence: its primary host and its number.
    var label: String { "\(primaryHost) (id \(id))" }

    var reference: JSONValue { ["serverId": .integer(id.rawValue), "address": .string(addressText())] }
}
