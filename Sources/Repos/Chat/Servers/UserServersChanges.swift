import ChatDBReposKit
public import ChatDBSchema

/// Changes to the operators of a store and to the servers and relays of one profile, to be made at once: what SimpleX
/// Chat calls setting the user servers. Entries that are not named stay as they are. Rule: docs/domain.md, "Operators
/// and servers", Setting all at once.
public struct UserServersChanges: Sendable, Hashable {
    /// The switch and the roles of an operator, for every profile.
    public struct OperatorEntry: Sendable, Hashable {
        /// The operator.
        public var id: ServerOperatorID
        /// Whether anything of it is used.
        public var isEnabled: Bool
        /// The roles of its SMP servers.
        public var smpRoles: ServerRoles
        /// The roles of its XFTP servers.
        public var xftpRoles: ServerRoles

        /// The wanted state of an operator.
        public init(id: ServerOperatorID, isEnabled: Bool, smpRoles: ServerRoles, xftpRoles: ServerRoles) {
            self.id = id
            self.isEnabled = isEnabled
            self.smpRoles = smpRoles
            self.xftpRoles = xftpRoles
        }
    }

    /// The wanted state of a server. Its address is the whole address: without a password in it, the server has none.
    public struct ServerEntry: Sendable, Hashable {
        /// The address.
        public var address: ServerAddress
        /// Whether it is used.
        public var isEnabled: Bool
        /// The result of its last test; ignored when the address changes.
        public var tested: Bool?
        /// The roles in which it differs from its operator.
        public var roles: ServerRoleChoices

        /// The wanted state of a server.
        public init(
            address: ServerAddress, isEnabled: Bool = true, tested: Bool? = nil,
            roles: ServerRoleChoices = ServerRoleChoices()
        ) {
            self.address = address
            self.isEnabled = isEnabled
            self.tested = tested
            self.roles = roles
        }
    }

    /// The wanted state of a relay.
    public struct RelayEntry: Sendable, Hashable {
        /// The address.
        public var address: RelayAddress
        /// Its name, which may be empty.
        public var name: String
        /// Its domains.
        public var domains: [String]
        /// Whether new channels may choose it.
        public var isEnabled: Bool
        /// The result of its last test; ignored when the address changes.
        public var tested: Bool?

        /// The wanted state of a relay.
        public init(
            address: RelayAddress, name: String = "", domains: [String] = [], isEnabled: Bool = true,
            tested: Bool? = nil
        ) {
            self.address = address
            self.name = name
            self.domains = domains
            self.isEnabled = isEnabled
            self.tested = tested
        }
    }

    /// One change to a list.
    public enum Change<ID: Sendable & Hashable, Entry: Sendable & Hashable>: Sendable, Hashable {
        /// A new one.
        case add(Entry)
        /// The new state of the entry with this number.
        case change(ID, Entry)
        /// Removes the entry with this number.
        case delete(ID)
    }

    /// Operators that change.
    public var operators: [OperatorEntry]
    /// Servers that change, in any order.
    public var servers: [Change<ProtocolServerID, ServerEntry>]
    /// Relays that change, in any order.
    public var relays: [Change<ChatRelayID, RelayEntry>]

    /// Changes; without any, setting them only validates.
    public init(
        operators: [OperatorEntry] = [], servers: [Change<ProtocolServerID, ServerEntry>] = [],
        relays: [Change<ChatRelayID, RelayEntry>] = []
    ) {
        self.operators = operators
        self.servers = servers
        self.relays = relays
    }
}

/// The state of a profile after changes, computed in memory, so that it can be validated before anything is written. An
/// entry that is not stored yet has the number 0.
struct UserServersPlan {
    let user: UserID
    private(set) var operators: [ServerOperator]
    private(set) var servers: [ProtocolServer]
    private(set) var relays: [ChatRelay]
    private let usage: [ChatRelayID: RelayWithUse]

    init(of user: UserID, operators: [ServerOperator], servers: [ProtocolServer], relays: [RelayWithUse]) {
        self.user = user
        self.operators = operators
        self.servers = servers
        self.relays = relays.map(\.relay)
        usage = Dictionary(relays.map { ($0.relay.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var groups: [UserOperatorServers] { UserOperatorServers.grouped(operators, servers: servers, relays: relays) }

    mutating func change(_ entry: UserServersChanges.OperatorEntry) throws(OperatorsError) {
        guard let index = operators.firstIndex(where: { $0.id == entry.id }) else {
            throw .operatorNotFound(.id(entry.id))
        }
        if entry.xftpRoles.names { throw .noNamesRole(.xftp) }
        let old = operators[index]
        operators[index] = ServerOperator(
            id: old.id, tag: old.tag, tradeName: old.tradeName, legalName: old.legalName, domains: old.domains,
            isEnabled: entry.isEnabled, smpRoles: entry.smpRoles, xftpRoles: entry.xftpRoles)
    }

    mutating func apply(
        _ change: UserServersChanges.Change<ProtocolServerID, UserServersChanges.ServerEntry>
    ) throws(ServersError) {
        switch change {
        case .add(let entry):
            try check(entry)
            servers.append(server(ProtocolServerID(0), entry, isPreset: false, tested: entry.tested))
        case .change(let id, let entry):
            try check(entry)
            let index = try index(of: id)
            let old = servers[index]
            if entry.address.serverProtocol != old.serverProtocol {
                throw .otherProtocol(old, given: entry.address.serverProtocol)
            }
            let moved = old.with(entry.address, password: entry.address.password)
            let isElsewhere =
                moved.hosts != old.hosts || moved.port != old.port || moved.keyHash != old.keyHash
                || moved.password != old.password
            if old.isPreset, isElsewhere { throw .presetServerCannotBeEdited(old) }
            servers[index] = server(
                id, entry, isPreset: old.isPreset, tested: isElsewhere ? nil : entry.tested)
        case .delete(let id):
            let index = try index(of: id)
            if servers[index].isPreset { throw .presetServerCannotBeDeleted(servers[index]) }
            servers.remove(at: index)
        }
    }

    /// The name and the domains of `entry` were checked.
    mutating func apply(
        _ change: UserServersChanges.Change<ChatRelayID, UserServersChanges.RelayEntry>
    ) throws(ChatRelaysError) {
        switch change {
        case .add(let entry):
            relays.append(
                ChatRelay(
                    id: ChatRelayID(0), userID: user, address: entry.address.text,
                    addressKey: entry.address.addressKey, name: entry.name, domains: entry.domains, isPreset: false,
                    tested: entry.tested, testedAt: nil, isEnabled: entry.isEnabled, isDeleted: false))
        case .change(let id, let entry):
            let index = try index(of: id)
            relays[index] = try edited(relays[index], entry)
        case .delete(let id):
            let index = try index(of: id)
            if relays[index].isPreset { throw .presetRelayCannotBeDeleted(relays[index]) }
            relays.remove(at: index)
        }
    }

    private func edited(
        _ old: ChatRelay, _ entry: UserServersChanges.RelayEntry
    ) throws(ChatRelaysError) -> ChatRelay {
        var edit = RelayEdit(old)
        edit.isEnabled = entry.isEnabled
        edit.tested = entry.tested
        if old.isPreset {
            let isSame =
                old.addressKey == entry.address.addressKey && NameRule.trimmed(old.name) == entry.name
                && old.domains.map { $0.lowercased() } == entry.domains
            if !isSame { throw .presetRelayCannotBeEdited(old) }
            return edit.relay
        }
        (edit.name, edit.domains) = (entry.name, entry.domains)
        if let usage = usage[old.id] { try edit.move(to: entry.address, usage: usage) }
        return edit.relay
    }

    private func server(
        _ id: ProtocolServerID, _ entry: UserServersChanges.ServerEntry, isPreset: Bool, tested: Bool?
    ) -> ProtocolServer {
        ProtocolServer(
            id: id, userID: user, serverProtocol: entry.address.serverProtocol, hosts: entry.address.hosts,
            port: entry.address.portText, keyHash: entry.address.keyHash, password: entry.address.password,
            isPreset: isPreset, tested: tested, isEnabled: entry.isEnabled, roles: entry.roles)
    }

    private func check(_ entry: UserServersChanges.ServerEntry) throws(ServersError) {
        if entry.address.serverProtocol == .xftp, entry.roles.names == true { throw .noNamesRole(.xftp) }
    }

    private func index(of id: ProtocolServerID) throws(ServersError) -> Int {
        guard let index = servers.firstIndex(where: { $0.id == id && $0.id.rawValue != 0 }) else {
            throw .serverNotFound(.id(id))
        }
        return index
    }

    private func index(of id: ChatRelayID) throws(ChatRelaysError) -> Int {
        guard let index = relays.firstIndex(where: { $0.id == id && $0.id.rawValue != 0 }) else {
            throw .relayNotFound(.id(id))
        }
        return index
    }
}
