public import ChatDBSchema

/// A server to test: its hosts, its protocol, and the key hash by which apps know it.
///
/// Page: docs/testing-servers.md.
public struct ServerTestTarget: Sendable, Hashable {
    /// The protocol that the server must speak.
    public let serverProtocol: ServerProtocol
    /// The hosts of its address, in order. The test uses the first one that is no `.onion` host.
    public let hosts: [String]
    /// The port.
    public let port: UInt16
    /// The SHA-256 of the server's CA certificate, 43 characters of base64url without a `=`; nil when it is unknown, and
    /// then any certificate passes.
    public let keyHash: String?

    /// A server by its parts. A `=` at the end of the key hash is left out.
    /// - Parameter port: nil for the default port: 5223 for SMP, 443 for XFTP.
    public init(_ serverProtocol: ServerProtocol, hosts: [String], port: UInt16? = nil, keyHash: String?) {
        self.serverProtocol = serverProtocol
        self.hosts = hosts
        self.port = port ?? Self.defaultPort(serverProtocol)
        self.keyHash = keyHash.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
    }

    /// The server of an address. Its password is not used.
    public init(_ address: ServerAddress) {
        self.init(
            address.serverProtocol, hosts: address.hosts, port: address.port, keyHash: address.keyHash)
    }

    /// The SMP server that keeps the address of a relay. The test of it does not ask the relay itself.
    ///
    /// The key hash is the one in the address, else that of a known server with the same host, else unknown.
    /// - Parameter known: SMP servers, such as those of the profile.
    public init(relay address: RelayAddress, known: [ServerAddress]) {
        let host = address.primaryHost.lowercased()
        let server = known.first { server in
            server.serverProtocol == .smp && server.hosts.contains { $0.lowercased() == host }
        }
        self.init(
            .smp, hosts: address.hosts, port: address.port ?? server?.port,
            keyHash: address.keyHash ?? server?.keyHash)
    }

    private static func defaultPort(_ serverProtocol: ServerProtocol) -> UInt16 {
        switch serverProtocol {
        case .smp: 5223
        case .xftp: 443
        }
    }

    /// The host that the test uses; nil when all hosts are `.onion` hosts.
    public var testedHost: String? { hosts.first { !$0.lowercased().hasSuffix(".onion") } }
}
