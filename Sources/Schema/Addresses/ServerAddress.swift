/// The address of an SMP or XFTP server:
/// `smp://<key hash>[:<password>]@<host>[,<host>…][:<port>]`, likewise `xftp://`.
///
/// The password is a secret: neither the description, nor a dump, nor an error shows it.
/// Rule: docs/domain.md, "Operators and servers".
public struct ServerAddress: Hashable, Sendable {
    /// What the server speaks.
    public let serverProtocol: ServerProtocol
    /// The hash of the server's certificate: 32 bytes as 43 characters of base64url and a `=`.
    public let keyHash: String
    /// What the server asks of those who make queues or files there; none for open servers.
    public let password: String?
    /// The names of the server as given, at least one; the first is primary.
    public let hosts: [String]
    /// The port; none is the default one.
    public let port: UInt16?

    /// Reads an address. Blanks at both ends are dropped.
    public init(_ given: String) throws(ServerAddressError) {
        self = try ServerAddressParser.parse(given)
    }

    /// An address of parts that are stored separately; they are checked as those of a text are.
    public init(
        _ serverProtocol: ServerProtocol, keyHash: String, password: String? = nil, hosts: [String],
        port: UInt16? = nil
    ) throws(ServerAddressError) {
        do throws(ServerAddressError.Problem) {
            try ServerAddressParser.check(keyHash: keyHash)
            if let password { try ServerAddressParser.check(password: password) }
            try ServerAddressParser.check(hosts: hosts)
            if port == 0 { throw .port("0") }
        } catch {
            throw ServerAddressError(serverProtocol: serverProtocol, problem: error)
        }
        self.init(serverProtocol: serverProtocol, keyHash: keyHash, password: password, hosts: hosts, port: port)
    }

    init(serverProtocol: ServerProtocol, keyHash: String, password: String?, hosts: [String], port: UInt16?) {
        self.serverProtocol = serverProtocol
        self.keyHash = keyHash
        self.password = password
        self.hosts = hosts
        self.port = port
    }

    /// The name the server is known by, as given.
    public var primaryHost: String { hosts.first ?? "" }

    /// The address as text. With the password, reading it gives the same address; without, the same but for
    /// the password.
    public func text(withPassword: Bool) -> String {
        let secret = withPassword ? password.map { ":" + $0 } ?? "" : ""
        let end = port.map { ":\($0)" } ?? ""
        return "\(serverProtocol.text)://\(keyHash)\(secret)@\(hosts.joined(separator: ","))\(end)"
    }
}

extension ServerAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text without the password.
    public var description: String { text(withPassword: false) }

    /// The text without the password.
    public var debugDescription: String { description }

    /// No parts, so that dumping the value does not show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
