import Schema

extension PresetPlanner {
    mutating func planServers(
        of preset: PresetOperator, _ index: Int, _ serverProtocol: ServerProtocol, use: Int?
    ) {
        let wanted = preset.entries.servers(serverProtocol)
        let present = Dictionary(
            state.servers.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var enabled = 0
        var new: [PresetServer] = []
        for server in wanted {
            guard let old = present[server.address.key] else {
                new.append(server)
                continue
            }
            if old.isPreset, old.isEnabled { enabled += 1 }
            keep(old, following: server)
        }
        let chosen = choose(new.map(\.isEnabled), upTo: use.map { $0 - enabled })
        for (place, server) in new.enumerated() { plan.add(server, isPreset: true, isEnabled: chosen.contains(place)) }
        for old in state.servers
        where purpose == .sync && old.isPreset && old.serverProtocol == serverProtocol
            && !listedServers.contains(old.key) && owner(of: old) == index
        {
            plan.remove(old)
        }
    }

    private mutating func keep(_ old: ProtocolServer, following server: PresetServer) {
        let kind = PresetChange.Kind(old.serverProtocol)
        let (from, to) = (old.addressText(), server.address.text(withPassword: false))
        guard old.isPreset else {
            plan.changes.append(
                PresetChange(
                    .conflict, kind, name: old.primaryHost, address: from,
                    reason: "the profile has it already as a server of its own"))
            return
        }
        var fields: [PresetChange.Field] = []
        if from != to { fields.append(.init(name: "address", from: .text(from), to: .text(to))) }
        if let password = server.address.password, password != old.password {
            fields.append(.init(name: "password", from: old.password == nil ? .none : .secret, to: .secret))
        }
        if fields.isEmpty {
            plan.unchanged += 1
        } else {
            plan.add(
                PresetChange(.update, kind, name: old.primaryHost, address: from, fields: fields),
                .updateServer(old.id, server.address))
        }
    }

    private func owner(of server: ProtocolServer) -> Int? {
        if let owner = state.operators.owner(of: server), let index = matches.firstIndex(of: owner) { return index }
        return file.operators.firstIndex {
            OperatorDomains.ownServer(hosts: server.hosts, domains: $0.domains)
        }
    }
}
