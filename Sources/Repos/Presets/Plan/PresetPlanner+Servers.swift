import ChatDBSchema

extension PresetPlanner {
    mutating func planServers(
        of preset: PresetOperator, _ index: Int, _ serverProtocol: ServerProtocol, use: Int?
    ) {
        var enabled = 0
        var new: [PresetServer] = []
        for server in preset.entries.servers(serverProtocol) {
            guard let old = state.serversByKey[server.key] else {
                new.append(server)
                continue
            }
            if old.isPreset, old.isEnabled { enabled += 1 }
            keep(old, following: server)
        }
        let chosen = choose(new.map(\.isEnabled), upTo: use.map { $0 - enabled })
        for (place, server) in new.enumerated() { plan.add(server, isPreset: true, isEnabled: chosen.contains(place)) }
        for old in goneServers[index] ?? [] where old.serverProtocol == serverProtocol { plan.remove(old) }
    }

    private mutating func keep(_ old: ProtocolServer, following server: PresetServer) {
        guard old.isPreset else { return plan.refuse(old, .ownServer) }
        plan.update(old, to: old.with(server.address, password: old.password(at: server.address)))
    }
}
