/// An SMP or XFTP server of one profile. Its password is a secret: neither a description nor a dump shows it.
/// Rule: docs/domain.md, "Operators and servers".
public struct ProtocolServer: Sendable, Hashable {
    /// Its number.
    public let id: ProtocolServerID
    /// The profile it belongs to.
    public let userID: UserID
    /// What it speaks.
    public let serverProtocol: ServerProtocol
    /// Its names; the first is primary.
    public let hosts: [String]
    /// The port as it is stored; an empty text is the default one.
    public let port: String
    /// The hash of its certificate, base64url.
    public let keyHash: String
    /// What it asks of those who make queues or files there; nil for open servers.
    public let password: String?
    /// Whether it came with an operator.
    public let isPreset: Bool
    /// Whether its last test passed; nil when it was not tested.
    public let tested: Bool?
    /// Whether it is used.
    public let isEnabled: Bool
    /// Where it differs from its operator.
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

    /// The name it is known by, as stored; empty when the row has none.
    public var primaryHost: String { hosts.first ?? "" }

    /// The address as text, whether or not its parts are those of a valid one; without the password unless asked.
    public func addressText(withPassword: Bool = false) -> String {
        let secret = withPassword ? password.map { ":" + $0 } ?? "" : ""
        let end = port.isEmpty ? "" : ":" + port
        return "\(serverProtocol.text)://\(keyHash)\(secret)@\(hosts.joined(separator: ","))\(end)"
    }

    /// The address, checked: a row that an older app wrote may hold what is none.
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
