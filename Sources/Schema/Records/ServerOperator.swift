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
}

extension Sequence where Element == ServerOperator {
    /// The operator a relay belongs to: the first one of whose domains is equal to one of the relay's. Nil when it is
    /// the user's own.
    public func owner(of relay: ChatRelay) -> ServerOperator? {
        first { OperatorDomains.ownRelay(relayDomains: relay.domains, domains: $0.domains) }
    }

    /// The operator a server belongs to: the first one of whose domains one of the server's hosts is in. Nil when it is
    /// the user's own.
    public func owner(of server: ProtocolServer) -> ServerOperator? {
        first { OperatorDomains.ownServer(hosts: server.hosts, domains: $0.domains) }
    }
}
