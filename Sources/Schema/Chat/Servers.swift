/// The number of an SMP or XFTP server of a profile: `protocol_servers.smp_server_id`.
public typealias ProtocolServerID = RowID<ProtocolServer>

/// An SMP or XFTP server of one profile. Neither a description nor a dump shows its password.
/// Rule: docs/domain.md, "Operators and servers".
public struct ProtocolServer: Sendable, Hashable {
    /// The row's key, `protocol_servers.smp_server_id`.
    public let id: ProtocolServerID
    /// The profile it belongs to.
    public let userID: UserID
    /// The protocol.
    public let serverProtocol: ServerProtocol
    /// The host names; the first is primary.
    public let hosts: [String]
    /// The port as it is stored; an empty text is the default one.
    public let port: String
    /// The hash of its certificate, base64url.
    public let keyHash: String
    /// The password for creating queues or files there; nil for open servers.
    public let password: String?
    /// Whether a preset of an operator brought it.
    public let isPreset: Bool
    /// Whether its last test passed; nil when it was not tested.
    public let tested: Bool?
    /// Whether it is used.
    public let isEnabled: Bool
    /// The roles that differ from those of its operator.
    public let roles: ServerRoleChoices

    package init(
        id: ProtocolServerID, userID: UserID, serverProtocol: ServerProtocol, hosts: [String], port: String,
        keyHash: String, password: String?, isPreset: Bool, tested: Bool?, isEnabled: Bool, roles: ServerRoleChoices
    ) {
        self.id = id
        self.userID = userID
        self.serverProtocol = serverProtocol
        self.hosts = hosts
        self.port = port
        self.keyHash = keyHash
        self.password = password
        self.isPreset = isPreset
        self.tested = tested
        self.isEnabled = isEnabled
        self.roles = roles
    }

    /// The first host name, as stored; empty when the row has none.
    public var primaryHost: String { hosts.first ?? "" }

    /// The address as text, valid or not; with the password only on request.
    public func addressText(withPassword: Bool = false) -> String {
        let secret = withPassword ? password.map { ":" + $0 } ?? "" : ""
        let end = port.isEmpty ? "" : ":" + port
        return "\(serverProtocol.text)://\(keyHash)\(secret)@\(hosts.joined(separator: ","))\(end)"
    }

    /// The parsed address. Throws for a row in which an older app stored something else.
    public func address() throws(ServerAddressError) -> ServerAddress {
        try ServerAddress(addressText(withPassword: true))
    }
}

extension ProtocolServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without the password.
    public var description: String { addressText() }

    /// The address without the password.
    public var debugDescription: String { description }

    /// No parts, so that dumping the value does not show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProtocolServer {
    /// The roles of the server when it and its operator are on: its own choices, else those of the operator, and
    /// without an operator storage and proxy. An XFTP server looks up no names.
    public func roles(under owner: ServerOperator?) -> ServerRoles {
        var used = roles.over(owner?.roles(serverProtocol) ?? .ofOwnServers)
        if serverProtocol == .xftp { used.names = false }
        return used
    }
}

/// The roles of an operator's servers. Rule: docs/domain.md, "Operators and servers".
public struct ServerRoles: Sendable, Hashable {
    /// Queues or files are kept there.
    public var storage: Bool
    /// The servers of others are reached through them.
    public var proxy: Bool
    /// Names are looked up there; for SMP only, and off unless set.
    public var names: Bool

    /// The roles of one protocol.
    public init(storage: Bool, proxy: Bool, names: Bool = false) {
        self.storage = storage
        self.proxy = proxy
        self.names = names
    }

    /// The roles of the user's own servers unless the server has its own choice: all but names.
    public static let ofOwnServers = ServerRoles(storage: true, proxy: true, names: false)

    /// Whether the role is on.
    public func has(_ role: ServerRole) -> Bool {
        switch role {
        case .storage: storage
        case .proxy: proxy
        case .names: names
        }
    }
}

/// A role of a server. Rule: docs/domain.md, "Operators and servers".
public enum ServerRole: String, Sendable, Hashable, CaseIterable {
    /// Queues or files are kept there.
    case storage
    /// The servers of others are reached through it.
    case proxy
    /// Names are looked up there; for SMP only.
    case names
}

/// The roles in which one server differs from its operator; nil means as the operator.
public struct ServerRoleChoices: Sendable, Hashable {
    /// Queues or files are kept there.
    public var storage: Bool?
    /// The servers of others are reached through it.
    public var proxy: Bool?
    /// Names are looked up there.
    public var names: Bool?

    /// Choices for one server; by default all are its operator's.
    public init(storage: Bool? = nil, proxy: Bool? = nil, names: Bool? = nil) {
        self.storage = storage
        self.proxy = proxy
        self.names = names
    }

    /// Whether all roles are those of the operator.
    public var isEmpty: Bool { storage == nil && proxy == nil && names == nil }

    /// Choices for all three roles, or for none: SimpleX Chat knows no others. A role without a choice gets the value
    /// that a server without an operator has.
    public var completed: ServerRoleChoices {
        isEmpty
            ? self : ServerRoleChoices(storage: storage ?? true, proxy: proxy ?? true, names: names ?? false)
    }

    /// The roles of the server: its own choices, else those given.
    public func over(_ roles: ServerRoles) -> ServerRoles {
        ServerRoles(
            storage: storage ?? roles.storage, proxy: proxy ?? roles.proxy, names: names ?? roles.names)
    }
}

extension CatalogueTable {
    /// The servers of each profile.
    static let chatServers: [CatalogueTable] = [
        CatalogueTable(
            "protocol_servers", "A server for messages (SMP) or files (XFTP) that a profile may use.",
            [
                .public("smp_server_id", "the server's number, for any protocol"),
                .public("user_id", "the profile whose server it is"),
                .personal("host", "host names separated by commas; the first is primary"),
                .personal("port", "port as text; empty for the protocol's own"),
                .personal("key_hash", "hash of the server's identity key, base64url with padding"),
                .secret("basic_auth", "password for making queues or files there; NULL for none"),
                .public("preset", "1 when it came with an operator's preset, 0 for the user's own"),
                .public("tested", "result of the last test: 1 passed, 0 failed, NULL untested"),
                .public("enabled", "0 when the profile has switched it off"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("protocol", "smp or xftp"),
                .public("role_storage", "1 or 0 for this server alone; NULL as its operator"),
                .public("role_proxy", "1 or 0 for this server alone; NULL as its operator"),
                .public("role_names", "1 or 0 for this server alone; NULL as its operator"),
            ])
    ]
}
