import ChatDBReposChat
import ChatDBSchema

extension PresetImportPlanner {
    mutating func planServers() {
        for serverProtocol in ServerProtocol.allCases {
            let wanted = incoming({ $0.servers(serverProtocol) })
            for server in wanted {
                if let old = state.serversByKey[server.entry.key] {
                    noteSwitch(old.isEnabled, in: server.said.isEnabled)
                    keep(old, server)
                } else {
                    plan.add(
                        server.entry, isPreset: server.isPreset, isEnabled: server.entry.isEnabled,
                        reason: server.reason?.clause)
                }
            }
            guard options.mode != .merge, file.custom.lists.contains(.init(serverProtocol)) else { continue }
            let listed = Set(wanted.map(\.entry.key))
            for old in state.servers
            where old.serverProtocol == serverProtocol && goes(isPreset: old.isPreset) && !listed.contains(old.key) {
                plan.remove(old)
            }
        }
    }

    private mutating func keep(_ old: ProtocolServer, _ server: Incoming<PresetServer>) {
        if server.isPreset, !old.isPreset { return plan.refuse(old, .ownServer) }
        if old.isPreset, !believes(server) { return keepPreset(old, server.said) }
        let new = server.entry
        let hasOtherKey = old.keyHash != new.address.keyHash
        if hasOtherKey, !old.isPreset, options.mode == .merge {
            let fields = PresetChange.fields(old, old.with(new.address, password: old.password))
            return plan.refuse(old, .otherKey, fields: fields, isBlocking: options.onConflict == .fail)
        }
        let isExact = options.mode == .restore
        let password = isExact && !new.isPasswordOmitted ? new.address.password : old.password(at: new.address)
        var moved = old.with(new.address, password: password)
        if isExact { moved = moved.with(tested: new.tested) }
        if file.hasAddressesOnly { return plan.update(old, to: moved.with(isEnabled: old.isEnabled, roles: old.roles)) }
        plan.update(
            old,
            to: moved.with(
                isEnabled: isEnabled(old, new, password: password),
                roles: !options.followsEnabled && (old.isPreset || new.roles.isEmpty) ? old.roles : new.roles))
    }

    /// Of a preset server, a file that is not trusted only says whether it is used.
    private mutating func keepPreset(_ old: ProtocolServer, _ said: PresetServer) {
        let moved = old.with(said.address, password: said.address.password ?? old.password)
        let roles = options.followsEnabled && !file.hasAddressesOnly ? said.roles : old.roles
        let fields = PresetChange.fields(
            old, moved.with(isEnabled: old.isEnabled, roles: roles).with(tested: old.tested))
        if !fields.isEmpty { plan.refuse(old, .presetServer, fields: fields) }
        let enabled = file.hasAddressesOnly ? old.isEnabled : isEnabled(old, said, password: old.password)
        if fields.isEmpty || enabled != old.isEnabled {
            plan.update(old, to: old.with(isEnabled: enabled, roles: old.roles))
        }
    }

    /// A server without the password it asks for would fail at once.
    private func isEnabled(_ old: ProtocolServer, _ new: PresetServer, password: String?) -> Bool {
        guard options.followsEnabled else { return old.isEnabled }
        return new.isEnabled && !(new.isPasswordOmitted && password == nil)
    }
}
