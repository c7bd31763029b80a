public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on an SMP or XFTP server. Rule: docs/domain.md, "Operators and servers".
public enum ServersError: RuleViolation, Hashable {
    /// The profile has no such server.
    case serverNotFound(Named<ProtocolServerID>)
    /// The profile has a server with this protocol, primary host and port; with the number 0, it is among changes
    /// twice.
    case duplicateServer(existing: ProtocolServer)
    /// The text is not the address of a server.
    case invalidServerAddress(ServerAddressError)
    /// A server keeps its protocol: the given address has another.
    case otherProtocol(ProtocolServer, given: ServerProtocol)
    /// XFTP servers look up no names.
    case noNamesRole(ServerProtocol)
    /// A preset server stays; it can be disabled.
    case presetServerCannotBeDeleted(ProtocolServer)
    /// The address of a preset server is its operator's.
    case presetServerCannotBeEdited(ProtocolServer)
    /// With these changes, validation finds errors in the servers of the profile or of others.
    case validationFailed(UserServersValidation)
    /// An error about an operator that is to be changed.
    case operators(OperatorsError)
    /// An error about a relay that is to be changed.
    case relays(ChatRelaysError)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .serverNotFound(let named):
            .refused("serverNotFound", "the profile has no server \(named)", ["server": named.json])
        case .duplicateServer(let existing):
            .refused(
                "duplicateServerAddress",
                "the \(existing.serverProtocol.shownName) server \(existing.primaryHost) cannot be added: "
                    + (existing.id.rawValue == 0
                        ? "it is given twice" : "the profile has it already (id \(existing.id))"),
                ["existing": existing.reference])
        case .invalidServerAddress(let error): .invalid("invalidServerAddress", error.message)
        case .otherProtocol(let server, let given):
            .refused(
                "otherProtocol",
                "the server \(server.label) cannot become an \(given.shownName) server: "
                    + "it speaks \(server.serverProtocol.shownName); add the other one",
                ["server": server.reference, "protocol": .string(given.text)])
        case .noNamesRole(let serverProtocol):
            .refused(
                "noNamesRole",
                "an \(serverProtocol.shownName) server cannot have the role names; only SMP servers look up names",
                ["protocol": .string(serverProtocol.text)])
        case .presetServerCannotBeDeleted(let server):
            .refused(
                "presetServerCannotBeDeleted",
                "the server \(server.label) cannot be deleted: it is a preset; disable it instead",
                ["server": server.reference])
        case .presetServerCannotBeEdited(let server):
            .refused(
                "presetServerCannotBeEdited",
                "the address of the server \(server.label) cannot be edited: it is a preset; "
                    + "disable it, and add one of your own", ["server": server.reference])
        case .validationFailed(let validation):
            .refused(
                "validationFailed", "the servers cannot be changed: \(validation.errorTexts.joined(separator: "; "))",
                ["errors": JSONValue(validation.errorTexts)])
        case .operators(let error): error.info
        case .relays(let error): error.info
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .operators(let error): error.storeError
        case .relays(let error): error.storeError
        case .users(let error): error.storeError
        case .store(let error): error
        default: nil
        }
    }
}

extension ProtocolServer {
    /// The server in a sentence: its primary host and its number.
    var label: String { "\(primaryHost) (id \(id))" }

    var reference: JSONValue { ["serverId": .integer(id.rawValue), "address": .string(addressText())] }
}
