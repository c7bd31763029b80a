import Engine
import Schema

/// The entries of one profile as they are read.
struct ProfileContents: PresetContents {
    /// What was noticed on the way.
    final class Findings {
        var notes: [String] = []
        var passwords = 0
    }

    let rows: ProfileRows
    let selection: PresetSelection
    /// All operators of the store.
    let stored: [ServerOperator]
    let exportedAt: StoredTime?
    let profile: String?
    let findings = Findings()

    /// What `use` was is not stored, and never exported.
    var operators: [PresetOperator] {
        if selection.customOnly { return [] }
        return stored.map(PresetOperator.init)
    }

    var tellsOperators: Bool { !selection.customOnly }

    func lists(ofOperatorAt index: Int?) -> Set<PresetEntries.List> {
        var lists: Set<PresetEntries.List> = []
        if selection.kinds.contains(.servers) { lists = [.smpServers, .xftpServers] }
        if selection.kinds.contains(.relays) { lists.insert(.relays) }
        return lists
    }

    func forEachServer(
        _ serverProtocol: ServerProtocol, ofOperatorAt index: Int?, _ body: (PresetServer) throws -> Void
    ) throws {
        guard selection.kinds.contains(.servers) else { return }
        try rows.forEachServer(serverProtocol, narrowed(toPreset: index != nil)) { server in
            let owner = server.isPreset ? stored.owner(of: server) : nil
            guard owner == index.map({ stored[$0] }), !(selection.customOnly && server.isPreset) else { return }
            guard let address = try? server.address() else {
                findings.notes.append("the server \(server.id) is left out: its address is none")
                return
            }
            if address.password != nil { findings.passwords += 1 }
            try body(
                PresetServer(address: address, isEnabled: server.isEnabled, roles: server.roles, tested: server.tested))
        }
    }

    func forEachRelay(ofOperatorAt index: Int?, _ body: (PresetRelay) throws -> Void) throws {
        guard selection.kinds.contains(.relays) else { return }
        try rows.forEachRelay(narrowed(toPreset: index != nil)) { relay in
            let owner = relay.isPreset ? stored.owner(of: relay) : nil
            guard owner == index.map({ stored[$0] }), !(selection.customOnly && relay.isPreset) else { return }
            guard let address = try? RelayAddress(relay.address) else {
                findings.notes.append("the relay \(relay.label) is left out: its address is none")
                return
            }
            try body(
                PresetRelay(
                    name: relay.name, address: address, domains: relay.domains, isEnabled: relay.isEnabled,
                    tested: relay.tested))
        }
    }

    /// Only preset entries can belong to an operator.
    private func narrowed(toPreset isPreset: Bool) -> Query {
        let preset: Query = isPreset ? " AND preset = 1" : ""
        return selection.enabledOnly ? preset + " AND enabled = 1" : preset
    }
}
