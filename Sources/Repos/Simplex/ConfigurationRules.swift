import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// The rules that keep SimpleX Chat starting, and the user's traffic where the user wants it. Each rule is a function,
/// and throws its own error. Rule: docs/simplex.md, "Writing relays and servers".
struct ConfigurationRules {
    let change: ConfigurationChange
    /// The rows of the app before and after the change.
    let before: AppRows
    let after: AppRows
    let presets: AppPresets
    /// The operators whose current conditions were accepted.
    let accepted: Set<Int64>

    /// Throws the first rule that the change breaks.
    func check() throws(ConfigurationError) {
        for row in change.rows {
            try requirePlace(row)
            switch row.table {
            case .operators:
                try keepOperator(row)
                try requireConditions(row)
            case .servers:
                try keepPreset(server: row)
                try requireHosts(row)
                try requireFreePlace(row)
                try avoidPresets(server: row)
            case .relays:
                try keepPreset(relay: row)
                try avoidPresets(relay: row)
                try keepRelay(row)
                try requireName(row)
            }
        }
    }

    /// The version of the store has the table, and the columns in which the user chose something.
    private func requirePlace(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard before.tables[row.table] != nil else { throw .lacks("relays") }
        for column in row.changed where before.lacks(column, in: row.table) {
            guard let value = row.new?[column], value != .null else { continue }
            throw .lacks(row.table == .operators ? "role for names" : "roles of single servers")
        }
    }

    // MARK: Operators

    /// Only the switch and the roles of an operator that is there may change: the app writes the rest at every start.
    private func keepOperator(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        let (old, new) = row.operator
        let isKept = row.changed.allSatisfy { $0 == "enabled" || $0.contains("_role_") }
        guard old != nil, new != nil, isKept else { throw .operatorData((old ?? new)?.name ?? "") }
    }

    /// The app accepts conditions, and chatdb does not.
    private func requireConditions(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.operator.new, row.changes("enabled"), new.isEnabled else { return }
        if !accepted.contains(row.id) { throw .conditions(new.name) }
    }

    // MARK: Servers

    /// A preset is found by its whole address, and comes back when it is deleted. No row becomes a preset.
    private func keepPreset(server row: ConfigurationChange.Row) throws(ConfigurationError) {
        let (old, new) = row.server
        let isKept = row.new != nil && row.old != nil && row.changed.allSatisfy(Self.ofTheUser.contains)
        if old?.isPreset == true || new?.isPreset == true, !isKept {
            throw .presetEntry((old ?? new)?.address.shown ?? "")
        }
        if let old, let new, old.user != new.user || old.address.serverProtocol != new.address.serverProtocol {
            throw .unexpected(.servers, row: row.id)
        }
    }

    /// The columns of presets that the user chooses.
    private static let ofTheUser: Set<String> = [
        "enabled", "tested", "role_storage", "role_proxy", "role_names",
    ]

    /// The app can read the hosts, and writes them again as they are.
    private func requireHosts(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.server.new, row.changes("host") else { return }
        if let problem = AppHostProblem(of: new.address.host) { throw .host(new.address.host, problem) }
    }

    /// `UNIQUE (user_id, host, port)` has no protocol in it, and the app refuses a host that occurs twice among the
    /// servers of a protocol. The app compares the hosts as it writes them.
    private func requireFreePlace(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.server.new, row.changes("host") || row.changes("port") else { return }
        func hosts(_ server: AppServer) -> [String] {
            (server.address.appHosts?.map(\.text) ?? server.address.hosts).map { $0.lowercased() }
        }
        let own = hosts(new)
        for other in after.servers where other.user == new.user && other.id != new.id {
            let others = hosts(other)
            let isSamePlace = others == own && other.address.port == new.address.port
            let isSameHost =
                other.address.serverProtocol == new.address.serverProtocol && !Set(own).isDisjoint(with: others)
            if isSamePlace || isSameHost {
                throw .serverTaken(new: new.address.shown, existing: other.address.shown)
            }
        }
    }

    /// A custom server with a host of a preset drops out of the app's list, or the app cannot insert its preset. One
    /// with another host of an operator may do so after the next update.
    private func avoidPresets(server row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.server.new, row.changes("host") else { return }
        if presets.hasHost(new.address.hosts) != nil { throw .presetAddress(new.address.shown) }
        if let domain = presets.domain(of: new.address.hosts) {
            throw .operatorDomain(new.address.shown, domain: domain)
        }
    }

    // MARK: Relays

    /// Only the switch of a preset relay may change. A preset that is deleted comes back, and no row becomes one.
    private func keepPreset(relay row: ConfigurationChange.Row) throws(ConfigurationError) {
        let (old, new) = row.relay
        let isKept = row.new != nil && row.old != nil && row.changed.allSatisfy(["enabled", "tested"].contains)
        if old?.isPreset == true || new?.isPreset == true, !isKept { throw .presetEntry((old ?? new)?.shown ?? "") }
    }

    /// A custom relay with the address of a preset is in another group than the preset, so that the app's insert fails.
    private func avoidPresets(relay row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.relay.new, !new.isPreset, row.changes("address") || row.changes("deleted") else { return }
        if presets.hasRelay(new.address) { throw .presetAddress(new.address) }
        let hosts = (try? RelayAddress(new.address))?.hosts ?? []
        if !new.isDeleted, let domain = presets.domain(of: hosts) {
            throw .operatorDomain(new.address, domain: domain)
        }
    }

    /// A custom relay has no domains. Its address is a link of a relay with hosts that the app can read, stands in one
    /// row only, and stays.
    private func keepRelay(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.relay.new else { return }
        if row.changes("domains"), new.values.text("domains") != "" { throw .relayDomains(new.shown) }
        guard row.changes("address") else { return }
        guard let link = try? RelayAddress(new.address), link.linkType == .relay else { throw .relayLink(new.address) }
        let hosts = link.hosts.joined(separator: ",")
        if let problem = AppHostProblem(of: hosts) { throw .host(hosts, problem) }
        let isSecond = after.relays.contains { other in
            other.id != new.id && other.user == new.user && AppPresets.key(of: other.address) == link.addressKey
        }
        if row.old != nil || isSecond { throw .unexpected(.relays, row: row.id) }
    }

    /// The app refuses two relays of one name when it saves them.
    private func requireName(_ row: ConfigurationChange.Row) throws(ConfigurationError) {
        guard let new = row.relay.new, !new.isDeleted, row.changes("display_name") || row.changes("deleted") else {
            return
        }
        let isTaken = after.relays.contains { other in
            other.id != new.id && other.user == new.user && !other.isDeleted
                && NameRule.key(other.name) == NameRule.key(new.name)
        }
        if isTaken { throw .relayName(new.name) }
    }
}
