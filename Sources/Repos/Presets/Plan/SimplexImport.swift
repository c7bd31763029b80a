package import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
package import ChatDBSchema
import ChatDBSimplex

/// Imports a file into a profile of a store of SimpleX Chat, which keeps its operators and presets itself: the import
/// only switches those that are there. What the app would add itself, what could collide with its next presets, and what
/// the store has no place for is left out, and a note says so. Rule: docs/simplex.md, "Writing relays and servers".
package enum SimplexImport {
    /// The plan of an import. Changes nothing. Throws `profileNotFound`.
    package static func plan(
        _ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions(), for user: UserID,
        in chat: any ReadTransaction
    ) throws -> PresetPlan {
        var options = options
        options.keepsPresets = true
        var filter = SimplexFilter(
            file: file, options: options, state: try PresetState(of: user, in: chat),
            room: try SimplexRoom(in: chat), presets: try AppPresets.known.get())
        let possible = filter.possible()
        var plan = try PresetImport.plan(possible, options, for: user, in: chat)
        plan.notes += filter.notes
        return plan
    }
}

/// What a store of SimpleX Chat has a place for.
private struct SimplexRoom {
    let hasRelays: Bool
    /// Whether servers have roles of their own, and whether they and operators have the role for names.
    let hasServerRoles: Bool
    let hasServerNames: Bool
    let hasOperatorNames: Bool
    /// The operators whose current conditions of use were accepted.
    let accepted: Set<ServerOperatorID>

    init(in chat: any ReadTransaction) throws {
        let rows = try AppRows(in: chat)
        hasRelays = rows.tables[.relays] != nil
        hasServerRoles = !rows.lacks("role_storage", in: .servers) && !rows.lacks("role_proxy", in: .servers)
        hasServerNames = !rows.lacks("role_names", in: .servers)
        hasOperatorNames = !rows.lacks("smp_role_names", in: .operators)
        let standings = try OperatorsRepo(chat).conditions().operators
        accepted = Set(standings.filter(\.acceptance.isAccepted).map(\.operator.id))
    }

    /// The choices about the roles of a server as the store keeps them.
    func kept(_ roles: ServerRoleChoices) -> ServerRoleChoices {
        hasServerRoles && hasServerNames ? roles.completed : roles
    }

    /// Whether the store can keep the choices about the roles of a server.
    func holds(_ roles: ServerRoleChoices) -> Bool {
        (hasServerRoles || roles.storage == nil && roles.proxy == nil) && (hasServerNames || roles.names == nil)
    }
}

/// Leaves out of a file what a store of SimpleX Chat does not take.
private struct SimplexFilter {
    let file: PresetFile
    let options: PresetImportOptions
    let state: PresetState
    let room: SimplexRoom
    let presets: AppPresets
    /// What was left out, a clause each.
    private(set) var notes: [String] = []
    /// The names of relays that are taken.
    private var names: Set<String> = []
    /// The servers that the profile has after the import, as far as they were looked at.
    private var servers: [ServerAddress] = []

    init(
        file: PresetFile, options: PresetImportOptions, state: PresetState, room: SimplexRoom, presets: AppPresets
    ) {
        (self.file, self.options, self.state, self.room, self.presets) = (file, options, state, room, presets)
    }

    mutating func possible() -> PresetFile {
        var possible = file
        names = Set(state.relays.map { NameRule.key($0.relay.name) } + file.custom.relays.map { NameRule.key($0.name) })
        servers = staying
        possible.operators = possibleOperators()
        possible.custom.smpServers = file.custom.smpServers.compactMap { self.possible($0) }
        possible.custom.xftpServers = file.custom.xftpServers.compactMap { self.possible($0) }
        possible.custom.relays = possibleRelays()
        return possible
    }

    private mutating func leaveOut(_ entry: String, _ reason: String) {
        notes.append("\(entry) is left out: \(reason)")
    }

    // MARK: - Operators

    /// The operators that the store has, with their entries that it has.
    private mutating func possibleOperators() -> [PresetOperator] {
        var skipped = 0
        let operators = zip(file.operators, state.matches(file.operators)).compactMap { preset, stored in
            guard let stored else {
                leaveOut("the operator \(preset.tradeName)", "SimpleX Chat adds its operators itself")
                return nil as PresetOperator?
            }
            let all = preset.entries
            var known = self.possible(preset, as: stored)
            known.entries.smpServers = all.smpServers.compactMap { asStored($0) }
            known.entries.xftpServers = all.xftpServers.compactMap { asStored($0) }
            known.entries.relays = all.relays.compactMap { asStored($0) }
            skipped += all.count - known.entries.count - (room.hasRelays ? 0 : all.relays.count)
            return known
        }
        if skipped > 0 {
            notes.append(
                "\(skipped) preset\(skipped == 1 ? "" : "s") that the store lacks \(skipped == 1 ? "is" : "are") left "
                    + "out: SimpleX Chat adds its presets itself")
        }
        return operators
    }

    /// An operator with the names and domains of the store. The app accepts conditions of use, and not chatdb.
    private mutating func possible(_ preset: PresetOperator, as stored: ServerOperator) -> PresetOperator {
        var known = preset
        (known.tradeName, known.legalName, known.domains) = (stored.tradeName, stored.legalName, stored.domains)
        let isSwitchedOn = options.changesOperators && options.followsEnabled && preset.isEnabled && !stored.isEnabled
        if isSwitchedOn, !room.accepted.contains(stored.id) {
            known.isEnabled = false
            notes.append(
                "the operator \(stored.tradeName) stays off: its current conditions of use were not accepted in the app"
            )
        }
        if !room.hasOperatorNames, known.smpRoles.names != stored.smpRoles.names {
            known.smpRoles.names = stored.smpRoles.names
            if options.believes {
                leaveOut("the role names of \(stored.tradeName)", "this version of SimpleX Chat has no such role")
            }
        }
        return known
    }

    // MARK: - Servers

    /// A server of an operator as it is in the store; nil if the store lacks it.
    private mutating func asStored(_ server: PresetServer) -> PresetServer? {
        guard let old = state.serversByKey[server.key], let address = try? old.address() else { return nil }
        var same = withPossibleRoles(server)
        same.address = address
        return same
    }

    /// The servers of the profile that the import does not remove.
    private var staying: [ServerAddress] {
        let listed = Set(
            (file.operators.map(\.entries) + [file.custom]).flatMap { $0.smpServers + $0.xftpServers }.map(\.key))
        return state.servers.filter { server in
            options.mode == .merge || server.isPreset || listed.contains(server.key)
                || !file.custom.lists.contains(.init(server.serverProtocol))
        }.compactMap { try? $0.address() }
    }

    /// A server that the store takes; nil with a note otherwise. One that is there keeps its address if it does not
    /// take the new one.
    private mutating func possible(_ given: PresetServer) -> PresetServer? {
        var server = given
        server.roles = room.kept(given.roles)
        let shown = server.address.text(withPassword: false)
        guard let old = state.serversByKey[server.key] else {
            if let reason = reasonAgainst(server.address) {
                leaveOut(shown, reason)
                return nil
            }
            guard room.holds(server.roles) else {
                leaveOut(shown, "this version of SimpleX Chat cannot store its roles")
                return nil
            }
            servers.append(server.address)
            return server
        }
        var known = withPossibleRoles(server)
        if !old.isPreset, old.hosts != server.address.hosts, let stored = try? old.address() {
            servers.removeAll { $0.key == server.key }
            let reason = reasonAgainst(server.address)
            if let reason {
                leaveOut("the address \(shown)", reason)
                known.address = stored
            }
            servers.append(reason == nil ? server.address : stored)
        }
        return known
    }

    /// A server that is there, without the choices that the store cannot keep.
    private mutating func withPossibleRoles(_ server: PresetServer) -> PresetServer {
        var known = server
        known.roles = room.kept(server.roles)
        if room.holds(known.roles) { return known }
        if !room.hasServerRoles { (known.roles.storage, known.roles.proxy) = (nil, nil) }
        if !room.hasServerNames { known.roles.names = nil }
        leaveOut(
            "the roles of \(server.address.text(withPassword: false))",
            "this version of SimpleX Chat cannot store them")
        return known
    }

    /// Why the profile does not take a new address, a clause; nil if it does.
    private func reasonAgainst(_ address: ServerAddress) -> String? {
        if let reason = reasonAgainst(address.hosts) { return reason }
        let hosts = Set(address.hosts.map { $0.lowercased() })
        // The unique place of a server has no protocol in it.
        let taken = servers.first { other in
            let isSamePlace = other.hosts == address.hosts && other.port == address.port
            let isSameHost =
                other.serverProtocol == address.serverProtocol
                && !hosts.isDisjoint(with: other.hosts.map { $0.lowercased() })
            return isSamePlace || isSameHost
        }
        return taken.map {
            "SimpleX Chat cannot keep it beside \($0.text(withPassword: false)), which has the same host"
        }
    }

    /// Why an entry of the user cannot have these hosts, a clause; nil if it can.
    private func reasonAgainst(_ hosts: [String]) -> String? {
        if let problem = AppHostProblem(of: hosts.joined(separator: ",")) { return problem.clause }
        if presets.hasHost(hosts) != nil { return "a preset of SimpleX Chat has its host" }
        return presets.domain(of: hosts).map { "its host belongs to the operator of \($0)" }
    }

    // MARK: - Relays

    private mutating func possibleRelays() -> [PresetRelay] {
        let relays = file.custom.relays
        if room.hasRelays { return relays.compactMap { self.possible($0) } }
        if !relays.isEmpty {
            leaveOut("each relay of the file", "this version of SimpleX Chat has no relays")
        }
        return []
    }

    private func asStored(_ relay: PresetRelay) -> PresetRelay? {
        guard let old = state.relaysByKey[relay.key]?.relay, let address = try? RelayAddress(old.address) else {
            return nil
        }
        var same = relay
        (same.address, same.name, same.domains) = (address, old.name, old.domains)
        return same
    }

    /// A relay in the spelling of the store, or in that of the app; nil with a note if the store does not take it. The
    /// app has no domains for custom relays, and a name for each relay.
    private mutating func possible(_ relay: PresetRelay) -> PresetRelay? {
        var own = relay
        if !relay.domains.isEmpty {
            leaveOut("each domain of the relay \(relay.address.text)", "SimpleX Chat has none for relays of the user")
        }
        let known = state.relaysByKey[relay.key] ?? state.deletedRelays[relay.key]
        if let old = known?.relay, let address = try? RelayAddress(old.address) {
            if old.isDeleted, presets.hasRelay(old.address) || old.isPreset {
                leaveOut(old.address, "it is a preset of SimpleX Chat")
                return nil
            }
            (own.address, own.domains) = (address, old.domains)
            return own
        }
        if let reason = reasonAgainst(relay.address) {
            leaveOut(relay.address.text, reason)
            return nil
        }
        guard let address = try? RelayAddress(relay.address.rendered) else { return nil }
        (own.address, own.domains) = (address, [])
        if own.name.isEmpty { own.name = NameRule.free(address.primaryHost, besides: names) }
        names.insert(NameRule.key(own.name))
        return own
    }

    /// Why the profile does not take a new relay, a clause; nil if it does.
    private func reasonAgainst(_ address: RelayAddress) -> String? {
        if presets.hasRelay(address.text) { return "it is a preset of SimpleX Chat" }
        if let reason = reasonAgainst(address.hosts) { return reason }
        let isRelay = address.linkType == .relay && (try? RelayAddress(address.rendered)) != nil
        return isRelay ? nil : "it is not the link of a relay"
    }
}

extension PresetEntries {
    fileprivate var count: Int { smpServers.count + xftpServers.count + relays.count }
}
