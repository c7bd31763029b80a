/// The number of an operator, which all profiles share: `server_operators.server_operator_id`.
public typealias ServerOperatorID = RowID<ServerOperator>

/// The number of a version of the conditions of use: `usage_conditions.usage_conditions_id`.
public typealias UsageConditionsID = RowID<UsageConditions>

/// The tag of an operator for which this build has a preset; an operator without a tag is the user's own.
public enum OperatorTag: StoredText {
    /// SimpleX Chat.
    case simplex
    /// Flux.
    case flux
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<OperatorTag> = [
        .simplex: "simplex",
        .flux: "flux",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// An organisation that runs servers and relays. All profiles of a store share it and its switch.
/// Rule: docs/domain.md, "Operators and servers".
public struct ServerOperator: Sendable, Hashable {
    /// The row's key, `server_operators.server_operator_id`.
    public let id: ServerOperatorID
    /// The key of its preset; nil for an operator that the user added.
    public let tag: OperatorTag?
    /// The name on screens.
    public let tradeName: String
    /// The name of the company, or nil.
    public let legalName: String?
    /// The domains of its servers and relays, in their order.
    public let domains: [String]
    /// Whether profiles use its servers and relays.
    public let isEnabled: Bool
    /// The roles of its SMP servers.
    public let smpRoles: ServerRoles
    /// The roles of its XFTP servers.
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

    /// The roles of its servers of one protocol.
    public func roles(_ serverProtocol: ServerProtocol) -> ServerRoles {
        switch serverProtocol {
        case .smp: smpRoles
        case .xftp: xftpRoles
        }
    }
}

extension Sequence where Element == ServerOperator {
    /// The operator of a relay: the first that has a domain equal to one of the relay's. Nil when the relay is
    /// the user's own.
    public func owner(of relay: ChatRelay) -> ServerOperator? {
        owner(ofRelayDomains: relay.domains)
    }

    /// The operator of a relay with these domains, or nil.
    public func owner(ofRelayDomains domains: [String]) -> ServerOperator? {
        first { OperatorDomains.ownRelay(relayDomains: domains, domains: $0.domains) }
    }

    /// The operator of a server: the first that has a domain with one of the server's hosts in it. Nil when the server
    /// is the user's own.
    public func owner(of server: ProtocolServer) -> ServerOperator? {
        owner(ofHosts: server.hosts)
    }

    /// The operator of a server with these hosts, or nil.
    public func owner(ofHosts hosts: [String]) -> ServerOperator? {
        first { OperatorDomains.ownServer(hosts: hosts, domains: $0.domains) }
    }
}

/// The servers and relays of one operator in one profile, or the user's own: SimpleX Chat's `UserOperatorServers`.
/// Rule: docs/domain.md, "Operators and servers", Whose is it?
public struct UserOperatorServers: Sendable, Hashable {
    /// The operator; nil for the user's own servers and relays.
    public let `operator`: ServerOperator?
    /// Its SMP servers, in the order given.
    public let smpServers: [ProtocolServer]
    /// Its XFTP servers, in the order given.
    public let xftpServers: [ProtocolServer]
    /// Its relays, in the order given.
    public let chatRelays: [ChatRelay]

    package init(
        operator: ServerOperator?, smpServers: [ProtocolServer], xftpServers: [ProtocolServer],
        chatRelays: [ChatRelay]
    ) {
        self.operator = `operator`
        self.smpServers = smpServers
        self.xftpServers = xftpServers
        self.chatRelays = chatRelays
    }

    /// Its servers of one protocol.
    public func servers(_ serverProtocol: ServerProtocol) -> [ProtocolServer] {
        switch serverProtocol {
        case .smp: smpServers
        case .xftp: xftpServers
        }
    }

    /// Whether the servers and relays may be used: the operator's switch; always on for the user's own.
    public var isOn: Bool { `operator`?.isEnabled ?? true }

    /// Groups what a profile has: one group for each operator, in their order, even an empty one, then always
    /// one for the user's own. Each server and relay is in exactly one group.
    public static func grouped(
        _ operators: [ServerOperator], servers: [ProtocolServer], relays: [ChatRelay]
    ) -> [UserOperatorServers] {
        let serversByOwner = Dictionary(grouping: servers) { operators.owner(of: $0)?.id }
        let relaysByOwner = Dictionary(grouping: relays) { operators.owner(of: $0)?.id }
        return (operators.map(Optional.some) + [nil]).map { owner in
            let own = serversByOwner[owner?.id] ?? []
            return UserOperatorServers(
                operator: owner, smpServers: own.filter { $0.serverProtocol == .smp },
                xftpServers: own.filter { $0.serverProtocol == .xftp },
                chatRelays: relaysByOwner[owner?.id] ?? [])
        }
    }
}

/// A version of the conditions of use of all operators. Rule: docs/domain.md, "Conditions of use".
public struct UsageConditions: Sendable, Hashable {
    /// Its number; the highest is the current version.
    public let id: UsageConditionsID
    /// The commit by which the text of this version is known.
    public let commit: String
    /// The time when the app notified the user of it; nil when it has not yet.
    public let notifiedAt: StoredTime?
    /// The time when the row was made.
    public let createdAt: StoredTime

    package init(id: UsageConditionsID, commit: String, notifiedAt: StoredTime?, createdAt: StoredTime) {
        self.id = id
        self.commit = commit
        self.notifiedAt = notifiedAt
        self.createdAt = createdAt
    }
}

/// Whether the conditions of use are accepted for one operator. Rule: docs/domain.md, "Conditions of use".
public enum ConditionsAcceptance: Sendable, Hashable {
    /// The current conditions are accepted.
    case accepted(at: StoredTime?, isAutomatic: Bool)
    /// They are not: its servers must not be used from the deadline on; nil means now.
    case required(deadline: StoredTime?)

    /// Whether the current conditions are accepted.
    public var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}

extension CatalogueTable {
    /// Operators, and the conditions of their use.
    static let chatOperators: [CatalogueTable] = [
        CatalogueTable(
            "server_operators", "An organisation that runs servers and relays; the same for all profiles.",
            [
                .public("server_operator_id", "the operator's number"),
                .public("server_operator_tag", "the name presets know it by; NULL for one the user added"),
                .personal("trade_name", "name as shown"),
                .personal("legal_name", "name of the company or person"),
                .personal("server_domains", "domains of its servers and relays, separated by commas"),
                .public("enabled", "0 switches its servers and relays off for every profile"),
                .public("smp_role_storage", "1 when its SMP servers may hold queues to receive from"),
                .public("smp_role_proxy", "1 when its SMP servers may forward what is sent"),
                .public("xftp_role_storage", "1 when its XFTP servers may hold files"),
                .public("xftp_role_proxy", "1 when its XFTP servers may forward what is sent"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("smp_role_names", "1 when its SMP servers may resolve names"),
            ]),
        CatalogueTable(
            "usage_conditions", "A version of the operators' conditions of use.",
            [
                .public("usage_conditions_id", "the row's number"),
                .public("conditions_commit", "the commit by which the text of this version is known"),
                .personal("notified_at", "when the user was notified of this version, UTC; NULL if not yet"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "operator_usage_conditions", "The acceptance of a version of the conditions for one operator.",
            [
                .public("operator_usage_conditions_id", "the row's number"),
                .public("server_operator_id", "the operator; NULL when it was removed"),
                .public("server_operator_tag", "the operator's tag at that time"),
                .public("conditions_commit", "the version that was accepted"),
                .personal("accepted_at", "when it was accepted, UTC"),
                .public("auto_accepted", "1 when accepted at the deadline without a question"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
