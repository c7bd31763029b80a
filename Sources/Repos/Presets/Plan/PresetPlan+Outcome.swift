package import ChatDBReposChat
package import ChatDBSchema

extension PresetPlan {
    /// What all profiles have once the plan for one of them is carried out, worked out in memory: what a dry run
    /// validates. A server or a relay that is new has the number 0. Without profiles there is nothing to have.
    package func applied(to everybody: [ProfileServers], for user: UserID) -> [ProfileServers] {
        let outcome = PresetOutcome(
            steps, operators: everybody.first?.groups.compactMap(\.operator) ?? [],
            of: everybody.first { $0.user.id == user }?.groups ?? [], user: user)
        return everybody.map { profile in
            // Other domains of an operator may have made others' entries its own: all are put in their order again.
            let groups = profile.groups
            let isMeant = profile.user.id == user
            let servers =
                isMeant ? outcome.servers : Rows(groups.flatMap { $0.smpServers + $0.xftpServers }, by: \.id)
            let relays = isMeant ? outcome.relays : Rows(groups.flatMap(\.chatRelays), by: \.id)
            return ProfileServers(
                user: profile.user,
                groups: UserOperatorServers.grouped(
                    outcome.operators, servers: servers.all(isPreset: \.isPreset),
                    relays: relays.all(isPreset: \.isPreset)))
        }
    }
}

/// The operators of a store and the entries of one profile while the steps of a plan are made.
private struct PresetOutcome {
    private let user: UserID
    private(set) var operators: [ServerOperator]
    private(set) var servers: Rows<ProtocolServerID, ProtocolServer>
    private(set) var relays: Rows<ChatRelayID, ChatRelay>

    init(
        _ steps: [PresetStep], operators: [ServerOperator], of groups: [UserOperatorServers], user: UserID
    ) {
        self.user = user
        self.operators = operators
        servers = Rows(groups.flatMap { $0.smpServers + $0.xftpServers }, by: \.id)
        relays = Rows(groups.flatMap(\.chatRelays), by: \.id)
        for phase in 0...2 {
            for step in steps where step.phase == phase { make(step) }
        }
    }

    private mutating func make(_ step: PresetStep) {
        switch step {
        case .removeRelay(let relay): relays.old[relay.id] = nil
        case .removeServer(let id): servers.old[id] = nil
        case .updateRelay(let relay, over: _): relays.old[relay.id] = relay
        case .updateServer(let server): servers.old[server.id] = server
        case .updateOperator(let id, let preset):
            change(id) { new in
                (new.tradeName, new.legalName, new.domains) = (preset.tradeName, preset.legalName, preset.domains)
            }
        case .enableOperator(let id, let isEnabled): change(id) { $0.isEnabled = isEnabled }
        case .setOperatorRoles(let id, let smp, let xftp): change(id) { ($0.smpRoles, $0.xftpRoles) = (smp, xftp) }
        case .addOperator(let preset):
            // Each its own number, since what is whose goes by it.
            let last = operators.map(\.id.rawValue).max() ?? 0
            operators.append(ServerOperator(preset, id: ServerOperatorID(last &+ 1)))
        case .restoreRelay(let id, let relay, let isPreset, let isEnabled):
            relays.old[id] = ChatRelay(relay, id: id, of: user, isPreset: isPreset, isEnabled: isEnabled)
        case .addRelay(let relay, let isPreset, let isEnabled):
            relays.new.append(
                ChatRelay(relay, id: ChatRelayID(0), of: user, isPreset: isPreset, isEnabled: isEnabled))
        case .addServer(let server, let isPreset, let isEnabled):
            servers.new.append(ProtocolServer(server, of: user, isPreset: isPreset, isEnabled: isEnabled))
        }
    }

    private mutating func change(_ id: ServerOperatorID, _ edit: (inout PresetOperator) -> Void) {
        guard let index = operators.firstIndex(where: { $0.id == id }) else { return }
        var preset = PresetOperator(operators[index])
        edit(&preset)
        operators[index] = ServerOperator(preset, id: id)
    }
}

/// Rows of one kind: those that are there by their numbers, and those that come.
private struct Rows<ID: Hashable & Comparable, Row> {
    var old: [ID: Row]
    var new: [Row] = []

    init(_ rows: [Row], by id: (Row) -> ID) {
        old = Dictionary(rows.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// In the order in which they are read: presets first, then by number, which of those that come is the highest.
    func all(isPreset: (Row) -> Bool) -> [Row] {
        let rows = old.sorted { $0.key < $1.key }.map(\.value) + new
        return rows.filter(isPreset) + rows.filter { !isPreset($0) }
    }
}

extension ServerOperator {
    fileprivate init(_ preset: PresetOperator, id: ServerOperatorID) {
        self.init(
            id: id, tag: preset.tag, tradeName: preset.tradeName, legalName: preset.legalName, domains: preset.domains,
            isEnabled: preset.isEnabled, smpRoles: preset.smpRoles, xftpRoles: preset.xftpRoles)
    }
}

extension ChatRelay {
    fileprivate init(_ relay: PresetRelay, id: ChatRelayID, of user: UserID, isPreset: Bool, isEnabled: Bool) {
        self.init(
            id: id, userID: user, address: relay.address.text, addressKey: relay.address.addressKey, name: relay.name,
            domains: relay.domains, isPreset: isPreset, tested: relay.tested, testedAt: nil, isEnabled: isEnabled,
            isDeleted: false)
    }
}

extension ProtocolServer {
    fileprivate init(_ server: PresetServer, of user: UserID, isPreset: Bool, isEnabled: Bool) {
        self.init(
            id: ProtocolServerID(0), userID: user, serverProtocol: server.address.serverProtocol,
            hosts: server.address.hosts, port: server.address.portText, keyHash: server.address.keyHash,
            password: server.address.password, isPreset: isPreset, tested: server.tested, isEnabled: isEnabled,
            roles: server.roles)
    }
}
