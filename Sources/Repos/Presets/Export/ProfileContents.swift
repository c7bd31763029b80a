import ChatDBEngine
import ChatDBSchema

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
        // Of very many relays only what is written is read.
        let query: Query = """
            SELECT chat_relay_id, display_name, address, domains, enabled, tested, preset FROM chat_relays
            WHERE user_id = \(rows.user) AND deleted = 0\(narrowed(toPreset: index != nil))
            ORDER BY address_key
            """
        try rows.chat.forEach(query) { row in
            let name: String = try row.get("display_name")
            let domains = OperatorDomains.list(try row.get("domains"))
            let isPreset: Bool = try row.get("preset")
            let owner = isPreset ? stored.owner(ofRelayDomains: domains) : nil
            guard owner == index.map({ stored[$0] }), !(selection.customOnly && isPreset) else { return }
            let text: String = try row.get("address")
            guard let address = try? RelayAddress(text) else {
                let id: ChatRelayID = try row.get("chat_relay_id")
                findings.notes.append(
                    "the relay \"\(name.isEmpty ? text : name)\" (id \(id)) is left out: its address is none")
                return
            }
            try body(
                PresetRelay(
                    name: name, address: address, domains: domains, isEnabled: row.get("enabled"),
                    tested: row.get("tested")))
        }
    }

    /// Only preset entries can belong to an operator.
    private func narrowed(toPreset isPreset: Bool) -> Query {
        let preset: Query = isPreset ? " AND preset = 1" : ""
        return selection.enabledOnly ? preset + " AND enabled = 1" : preset
    }
}
