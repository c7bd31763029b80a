package import ChatDBReposChat
package import ChatDBSchema

/// The changes that make a profile follow a preset. The same preset, profile and seed give the same plan, and what is
/// applied is the plan that was shown.
public struct PresetPlan: Sendable, Hashable {
    /// The changes, operators first, then entry by entry.
    public internal(set) var changes: [PresetChange] = []
    /// The number of operators and entries that stay as they are.
    public internal(set) var unchanged = 0
    /// The number of operators among them.
    package internal(set) var unchangedOperators = 0
    /// The notes, a clause each: for example a server whose password has to be entered.
    public internal(set) var notes: [String] = []
    /// The servers whose password the file omits and the profile does not have after the plan.
    package internal(set) var withoutPassword: [ServerAddress] = []
    /// The names of the entries that have another switch in the file, and stay as they are.
    package internal(set) var switchedOtherwise: [String] = []
    /// The number of these entries.
    public var otherSwitches: Int { switchedOtherwise.count }

    /// Whether the mode restore removes entries for a file without operators. The configuration of a whole profile, for
    /// which this mode is, has operators.
    package internal(set) var restoresFromPart = false

    var steps: [PresetStep] = []

    /// The state against which it was made.
    let state: PresetState

    init(for state: PresetState) { self.state = state }

    /// Whether applying it changes anything; conflicts do not.
    public var changesAnything: Bool { !steps.isEmpty }

    /// Whether nothing of the file is taken, because all of it is in conflict.
    public var isAllInConflict: Bool { !changesAnything && unchanged == 0 && !changes.isEmpty }

    /// The conflicts that the user has to decide about; nothing is done while there are any.
    public var blocking: [PresetChange] { changes.filter(\.isBlocking) }

    /// Counts an operator that stays as it is.
    mutating func keepOperator() {
        unchanged += 1
        unchangedOperators += 1
    }

    mutating func add(_ change: PresetChange, _ step: PresetStep) { add(change, [step]) }

    mutating func add(_ change: PresetChange, _ steps: [PresetStep]) {
        changes.append(change)
        self.steps += steps
    }
}

/// The way in which a change is made.
enum PresetStep: Sendable, Hashable {
    case removeRelay(ChatRelay, by: PresetRemoval)
    case removeServer(ProtocolServer, by: PresetRemoval)
    case updateOperator(ServerOperatorID, PresetOperator)
    case updateRelay(ChatRelay, over: ChatRelay)
    case updateServer(ProtocolServer)
    case enableOperator(ServerOperatorID, Bool)
    case setOperatorRoles(ServerOperatorID, smp: ServerRoles, xftp: ServerRoles)
    case addOperator(PresetOperator)
    case restoreRelay(ChatRelayID, PresetRelay, isPreset: Bool, isEnabled: Bool, keepsTest: Bool)
    case addRelay(PresetRelay, isPreset: Bool, isEnabled: Bool)
    case addServer(PresetServer, isPreset: Bool, isEnabled: Bool)

    /// Whether it changes an operator, for every profile.
    var isOfOperator: Bool {
        switch self {
        case .addOperator, .updateOperator, .enableOperator, .setOperatorRoles: true
        default: false
        }
    }

    /// Removals come first, then changes, then additions: an address is unique at every moment.
    var phase: Int {
        switch self {
        case .removeRelay, .removeServer: 0
        case .updateOperator, .updateRelay, .updateServer, .enableOperator, .setOperatorRoles: 1
        case .addOperator, .restoreRelay, .addRelay, .addServer: 2
        }
    }
}

/// Lines that every kind of plan has.
extension PresetPlan {
    /// An operator that is new.
    mutating func add(_ preset: PresetOperator) {
        add(
            PresetChange(.add, .operator, name: preset.tradeName, fields: PresetChange.fields(ofNew: preset)),
            .addOperator(preset))
    }

    /// A server that is new.
    mutating func add(_ server: PresetServer, isPreset: Bool, isEnabled: Bool, reason: String? = nil) {
        var added = server
        added.isEnabled = isEnabled
        let reasons = [reason, added.reasonToBeOffWhenNew?.clause].compactMap { $0 }
        let isEnabled = added.isEnabledWhenNew
        if server.isPasswordOmitted { noteMissingPassword(of: server, ", so the server is added disabled") }
        add(
            PresetChange(
                .add, .init(server.address.serverProtocol), name: server.address.primaryHost,
                address: server.address.text(withPassword: false),
                fields: PresetChange.fields(
                    ofNew: server, isEnabled: isEnabled, hasPassword: server.address.password != nil),
                reason: reasons.isEmpty ? nil : reasons.joined(separator: "; ")),
            .addServer(server, isPreset: isPreset, isEnabled: isEnabled))
    }

    /// Notes that the file omits the password of a server, and that the profile does not have it either.
    mutating func noteMissingPassword(of server: PresetServer, _ consequence: String) {
        withoutPassword.append(server.address)
        notes.append("the file omits the password of \(server.address.primaryHost)\(consequence)")
    }

    /// A relay that is new, or that comes back. One that keeps its test has the result of the row, and so its time.
    mutating func add(
        _ relay: PresetRelay, restoring old: RelayWithUse?, isPreset: Bool, isEnabled: Bool, keepsTest: Bool = false,
        reason: String? = nil
    ) {
        let fields = PresetChange.fields(ofNew: relay, isEnabled: isEnabled)
        let address = relay.address.text
        if let old {
            add(
                PresetChange(
                    .restore, .relay, name: relay.name, address: address, fields: fields,
                    channelsUsing: old.use.using, reason: reason),
                .restoreRelay(
                    old.relay.id, relay, isPreset: isPreset, isEnabled: isEnabled, keepsTest: keepsTest))
        } else {
            add(
                PresetChange(
                    .add, .relay, name: relay.name, address: address, fields: fields, channelsUsing: 0,
                    reason: reason),
                .addRelay(relay, isPreset: isPreset, isEnabled: isEnabled))
        }
    }

    /// A server as it is to be; one that is that already is unchanged.
    mutating func update(_ old: ProtocolServer, to new: ProtocolServer, reason: PresetReason? = nil) {
        if new == old { return unchanged += 1 }
        add(
            PresetChange(
                .update, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText(),
                fields: PresetChange.fields(old, new), reason: reason?.clause),
            .updateServer(new))
    }

    /// A relay as it is to be; one that is that already is unchanged.
    mutating func update(_ old: RelayWithUse, to new: ChatRelay) {
        if new == old.relay { return unchanged += 1 }
        add(
            PresetChange(
                .update, .relay, name: old.relay.name, address: old.relay.address,
                fields: PresetChange.fields(old.relay, new), channelsUsing: old.use.using),
            .updateRelay(new, over: old.relay))
    }

    /// A server of the profile of which something is not taken.
    mutating func refuse(
        _ old: ProtocolServer, _ reason: PresetReason, fields: [PresetChange.Field] = [], isBlocking: Bool = false
    ) {
        changes.append(
            PresetChange(
                .conflict, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText(),
                fields: fields, reason: reason.clause, isBlocking: isBlocking))
    }

    /// A relay of the profile of which something is not taken.
    mutating func refuse(
        _ old: RelayWithUse, _ reason: PresetReason, fields: [PresetChange.Field] = [], isBlocking: Bool = false
    ) {
        changes.append(
            PresetChange(
                .conflict, .relay, name: old.relay.name, address: old.relay.address, fields: fields,
                channelsUsing: old.use.using, reason: reason.clause, isBlocking: isBlocking))
    }

    /// A relay that is not added, because another one has its name.
    mutating func refuse(_ relay: PresetRelay, isBlocking: Bool = false) {
        changes.append(
            PresetChange(
                .conflict, .relay, name: relay.name, address: relay.address.text,
                reason: PresetReason.nameTaken.clause, isBlocking: isBlocking))
    }

    /// A server to remove. An operator's list removes servers too, without the user.
    mutating func remove(_ old: ProtocolServer, by removal: PresetRemoval) {
        add(
            PresetChange(.remove, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText()),
            .removeServer(old, by: removal))
    }

    /// A relay to delete: softly while channels refer to it. An operator's list deletes relays too, without the user.
    mutating func remove(_ old: RelayWithUse, by removal: PresetRemoval) {
        add(
            PresetChange(
                old.isReferenced ? .softDelete : .remove, .relay, name: old.relay.name, address: old.relay.address,
                channelsUsing: old.use.using),
            .removeRelay(old.relay, by: removal))
    }
}

extension PresetPlan {
    /// The servers and relays of all profiles after the plan for one of them, computed in memory: what a dry run
    /// validates. A server or a relay that is new has the number 0. Without profiles there is nothing to have.
    package func applied(to profiles: [ProfileServers], for user: UserID) -> [ProfileServers] {
        let outcome = PresetOutcome(
            steps, operators: profiles.first?.groups.compactMap(\.operator) ?? [],
            of: profiles.first { $0.user.id == user }?.groups ?? [], user: user)
        return profiles.map { profile in
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
        case .removeRelay(let relay, by: _): relays.old[relay.id] = nil
        case .removeServer(let server, by: _): servers.old[server.id] = nil
        case .updateRelay(let relay, over: _): relays.old[relay.id] = relay
        case .updateServer(let server): servers.old[server.id] = server
        case .updateOperator(let id, let preset):
            change(id) { new in
                (new.tradeName, new.legalName, new.domains) = (preset.tradeName, preset.legalName, preset.domains)
            }
        case .enableOperator(let id, let isEnabled): change(id) { $0.isEnabled = isEnabled }
        case .setOperatorRoles(let id, let smp, let xftp): change(id) { ($0.smpRoles, $0.xftpRoles) = (smp, xftp) }
        case .addOperator(let preset):
            // Each operator gets a number of its own, because entries are matched with operators by it.
            let last = operators.map(\.id.rawValue).max() ?? 0
            operators.append(ServerOperator(preset, id: ServerOperatorID(last &+ 1)))
        case .restoreRelay(let id, let relay, let isPreset, let isEnabled, keepsTest: _):
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

    /// The rows in the order in which they are read: presets first, then by number. New rows get the highest numbers.
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
