/// An organisation that runs servers and relays. All profiles of a store share it: switched off, it is off for each.
/// Rule: docs/domain.md, "Operators and servers".
public struct ServerOperator: Sendable, Hashable {
    /// Its number.
    public let id: ServerOperatorID
    /// What presets know it by; nil for one the user made.
    public let tag: OperatorTag?
    /// The name it goes by.
    public let tradeName: String
    /// The name of the company, or nil.
    public let legalName: String?
    /// The domains of its servers and relays, in their order.
    public let domains: [String]
    /// Whether anything of it is used.
    public let isEnabled: Bool
    /// What its SMP servers are used for.
    public let smpRoles: ServerRoles
    /// What its XFTP servers are used for.
    public let xftpRoles: ServerRoles

    package init(
        id: ServerOperatorID, tag: OperatorTag?, tradeName: String, legalName: String?, domains: [String],
        isEnabled: Bool, smpRoles: ServerRoles, xftpRoles: ServerRoles
    ) {
        self.id = id
        self.tag = tag
        self.tradeName = tradeName
        self.legalName = legalName
        self.domains = domains
        self.isEnabled = isEnabled
        self.smpRoles = smpRoles
        self.xftpRoles = xftpRoles
    }

    /// What its servers of one protocol are used for.
    public func roles(_ serverProtocol: ServerProtocol) -> ServerRoles {
        switch serverProtocol {
        case .smp: smpRoles
        case .xftp: xftpRoles
        }
    }
}

extension ProtocolServer {
    /// What the server is used for when it and its operator are on: its own choices, else as its operator has it, and
    /// without an operator storage and proxy. An XFTP server looks up no names.
    public func roles(under owner: ServerOperator?) -> ServerRoles {
        var used = roles.over(owner?.roles(serverProtocol) ?? .ofOwnServers)
        if serverProtocol == .xftp { used.names = false }
        return used
    }
}

extension Sequence where Element == ServerOperator {
    /// The operator a relay belongs to: the first one of whose domains is equal to one of the relay's. Nil when it is
    /// the user's own.
    public func owner(of relay: ChatRelay) -> ServerOperator? {
        owner(ofRelayDomains: relay.domains)
    }

    /// The operator a relay with these domains belongs to, or nil.
    public func owner(ofRelayDomains domains: [String]) -> ServerOperator? {
        first { OperatorDomains.ownRelay(relayDomains: domains, domains: $0.domains) }
    }

    /// The operator a server belongs to: the first one of whose domains one of the server's hosts is in. Nil when it is
    /// the user's own.
    public func owner(of server: ProtocolServer) -> ServerOperator? {
        owner(ofHosts: server.hosts)
    }

    /// The operator a server with these hosts belongs to, or nil.
    public func owner(ofHosts hosts: [String]) -> ServerOperator? {
        first { OperatorDomains.ownServer(hosts: hosts, domains: $0.domains) }
    }
}
