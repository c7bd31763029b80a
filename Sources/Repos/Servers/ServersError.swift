public import Engine
public import Schema

/// Why something cannot be done with an SMP or XFTP server.
public enum ServersError: RuleViolation, Hashable {
    /// The profile has no such server.
    case serverNotFound(Named<ProtocolServerID>)
    /// The profile has a server with this protocol, primary host and port.
    case duplicateServer(existing: ProtocolServer)
    /// The text is not the address of a server.
    case invalidServerAddress(ServerAddressError)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .serverNotFound: "serverNotFound"
        case .duplicateServer: "duplicateServer"
        case .invalidServerAddress: "invalidServerAddress"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .serverNotFound(let named): "the profile has no server \(named)"
        case .duplicateServer(let existing):
            "the \(existing.serverProtocol.shownName) server \(existing.primaryHost) cannot be added: "
                + "the profile has it already (id \(existing.id))"
        case .invalidServerAddress(let error): error.message
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .serverNotFound, .duplicateServer: "chatdb server list"
        case .invalidServerAddress, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .serverNotFound(let named): ["server": named.json]
        case .duplicateServer(let existing):
            ["existing": ["serverId": .integer(existing.id.rawValue), "address": .string(existing.addressText())]]
        case .invalidServerAddress, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
