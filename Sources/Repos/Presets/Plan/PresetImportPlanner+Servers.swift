import Schema

extension PresetImportPlanner {
    mutating func planServers() {
        let present = Dictionary(state.servers.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for serverProtocol in ServerProtocol.allCases {
            let wanted = incoming({ $0.servers(serverProtocol) }, key: \.address.key)
            for server in wanted {
                if let old = present[server.entry.address.key] {
                    keep(old, server)
                } else {
                    plan.add(
                        server.entry, isPreset: server.isPreset, isEnabled: server.entry.isEnabled,
                        reason: server.reason)
                }
            }
            guard options.mode == .replace, file.custom.lists.contains(.init(serverProtocol)) else { continue }
            let listed = Set(wanted.map(\.entry.address.key))
            for old in state.servers
            where !old.isPreset && old.serverProtocol == serverProtocol && !listed.contains(old.key) {
                plan.remove(old)
            }
        }
    }

    private mutating func keep(_ old: ProtocolServer, _ server: Incoming<PresetServer>) {
        let kind = PresetChange.Kind(old.serverProtocol)
        let (new, before) = (server.entry, old.addressText())
        if server.isPreset, !old.isPreset {
            plan.changes.append(
                PresetChange(
                    .conflict, kind, name: old.primaryHost, address: before,
                    reason: "the profile has it already as a server of its own"))
            return
        }
        let address = new.address.text(withPassword: false)
        if before != address, old.isPreset, !options.trustsOperators {
            plan.changes.append(
                PresetChange(
                    .conflict, kind, name: old.primaryHost, address: before,
                    fields: [.init(name: "address", from: .text(before), to: .text(address))],
                    reason: "a preset server keeps its address"))
            return
        }
        guard !file.hasAddressesOnly else { return plan.unchanged += 1 }
        var fields: [PresetChange.Field] = []
        if before != address { fields.append(.init(name: "address", from: .text(before), to: .text(address))) }
        let password = new.address.password
        if let password, password != old.password {
            fields.append(.init(name: "password", from: old.password == nil ? .none : .secret, to: .secret))
        }
        let follows = !fields.isEmpty
        // Without its password it would fail at once.
        let isEnabled = new.isEnabled && !(new.isPasswordOmitted && old.password == nil)
        let enabled = options.followsEnabled && old.isEnabled != isEnabled
        if enabled { fields.append(.init(name: "enabled", from: .flag(old.isEnabled), to: .flag(isEnabled))) }
        let roles = (options.followsEnabled || !old.isPreset) && old.roles != new.roles
        if roles { fields.append(.init(name: "roles", from: .init(old.roles), to: .init(new.roles))) }
        guard !fields.isEmpty else { return plan.unchanged += 1 }
        var steps: [PresetStep] = []
        if follows { steps.append(.updateServer(old.id, new.address)) }
        if enabled { steps.append(.enableServer(old.id, isEnabled)) }
        if roles { steps.append(.setServerRoles(old.id, new.roles)) }
        plan.add(
            PresetChange(.update, kind, name: old.primaryHost, address: before, fields: fields), steps)
    }
}

extension PresetValue {
    /// Where a server differs from its operator; none is as the operator.
    init(_ roles: ServerRoleChoices) {
        let choices = [("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)]
        let texts = choices.compactMap { name, value in value.map { "\(name) \($0 ? "on" : "off")" } }
        self = texts.isEmpty ? .none : .texts(texts)
    }
}
