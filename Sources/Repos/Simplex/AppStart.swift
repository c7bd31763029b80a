package import ChatDBEngine
import ChatDBSchema

/// What SimpleX Chat does with operators, servers and relays at every start, in one transaction: it brings the
/// operators, and the servers and relays of each profile, in line with its preset. It rewrites every row that it lists,
/// and adds what is missing. It catches no error there: a constraint that fails, or a value that it cannot read, means
/// that the app does not start. Rule: docs/simplex.md, "Writing relays and servers".
package struct AppStart: Sendable {
    /// The preset of the version that starts.
    package let preset: AppPreset

    package init(_ preset: AppPreset) {
        self.preset = preset
    }

    /// The result of a start.
    package struct Outcome: Sendable, Hashable {
        /// The names of the operators that the app added.
        package fileprivate(set) var addedOperators: [String] = []
        /// The numbers of servers and relays that the app added, for all profiles.
        package fileprivate(set) var addedServers = 0
        package fileprivate(set) var addedRelays = 0
        /// The enabled rows that were there and that the app does not use, although no version of its presets had them.
        package fileprivate(set) var unused: Set<Entry> = []
        /// The rows in which the start changed a choice of the user.
        package fileprivate(set) var undone: Set<Entry> = []
        /// The servers that the app uses then.
        package fileprivate(set) var uses: [AppUse] = []
    }

    /// A row of a table.
    package struct Entry: Sendable, Hashable {
        package let table: AppTable
        package let id: Int64
    }

    /// The time of a row that is written now, in the app's form.
    static let now: Query = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '000'"

    /// An operator in the app's list.
    private struct Listed {
        /// Nil for an operator of the user's own.
        let preset: AppPreset.Operator?
        let domains: [String]
        let isEnabled: Bool
        /// The roles of its servers, by protocol.
        let roles: [String: Set<AppRole>]

        /// Whether one of the hosts ends with one of the domains.
        func owns(_ hosts: [AppHost]) -> Bool {
            domains.contains { domain in hosts.contains { $0.isOf(domain) } }
        }
    }

    /// A server that the app can read.
    private struct Readable {
        let id: Int64
        let row: AppServer
        /// The address as the app writes it.
        let address: AppServerAddress
        let hosts: [AppHost]

        /// It is nil for a server that the app cannot read.
        init?(_ row: AppServer) {
            guard let address = row.written, let hosts = address.appHosts else { return nil }
            (id, self.row, self.address, self.hosts) = (row.id, row, address, hosts)
        }
    }

    /// Starts the app on a database. Throws an `AppStartFailure` if it would not start.
    @discardableResult
    package func run(in chat: any WriteTransaction, knowing presets: AppPresets) throws -> Outcome {
        let before = try AppRows(in: chat)
        if let value = before.unreadable(presets.tags).first { throw AppStartFailure.unreadable(value) }
        var outcome = Outcome()
        let listed = try updateOperators(before, in: chat, &outcome)
        let hasRoles = AppServer.roles.allSatisfy { !before.lacks($0, in: .servers) }
        for profile in before.profiles {
            let servers = before.servers.filter { $0.user == profile.id }.compactMap(Readable.init)
            for serverProtocol in AppUse.protocols {
                let own = servers.filter { $0.address.serverProtocol == serverProtocol }
                let found = try updateServers(
                    own, serverProtocol, of: profile.id, listed, hasRoles: hasRoles, in: chat, &outcome)
                outcome.uses += AppUse.all(of: profile, serverProtocol, among: found)
            }
            let relays = before.relays.filter { $0.user == profile.id && !$0.isDeleted }
            if before.tables[.relays] != nil { try updateRelays(relays, of: profile.id, listed, in: chat, &outcome) }
        }
        outcome.unused = outcome.unused.filter { !before.isOfPreset($0, presets) }
        outcome.undone = before.choices(changedIn: try AppRows(in: chat))
        return outcome
    }

    /// The operators of the preset come first, then those of the user's own. The app does not list an operator of
    /// another preset.
    private func updateOperators(
        _ rows: AppRows, in chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws -> [Listed] {
        let stored = rows.operators
        var listed: [Listed] = []
        for known in preset.operators {
            let domains = known.domains.joined(separator: ",")
            if let row = stored.first(where: { $0.tag == known.tag }) {
                try Self.inserting(.operators, known.tradeName) { () throws(StoreError) in
                    try chat.run(
                        """
                        UPDATE server_operators SET trade_name = \(known.tradeName), legal_name = \(known.legalName),
                            server_domains = \(domains), updated_at = \(Self.now)
                        WHERE server_operator_id = \(row.id)
                        """)
                }
                listed.append(
                    Listed(preset: known, domains: known.domains, isEnabled: row.isEnabled, roles: row.roles))
            } else {
                outcome.addedOperators.append(known.tradeName)
                try Self.inserting(.operators, known.tradeName) { () throws(StoreError) in
                    try chat.run(
                        """
                        INSERT INTO server_operators (
                            server_operator_tag, trade_name, legal_name, server_domains, enabled, smp_role_storage,
                            smp_role_proxy, xftp_role_storage, xftp_role_proxy, created_at, updated_at)
                        VALUES (
                            \(known.tag), \(known.tradeName), \(known.legalName), \(domains), \(known.isEnabled),
                            \(known.smpRoles.storage), \(known.smpRoles.proxy), \(known.xftpRoles.storage),
                            \(known.xftpRoles.proxy), \(Self.now), \(Self.now))
                        """)
                }
                listed.append(
                    Listed(
                        preset: known, domains: known.domains, isEnabled: known.isEnabled,
                        roles: ["smp": known.smpRoles.all, "xftp": known.xftpRoles.all]))
            }
        }
        return listed
            + stored.filter { $0.tag == nil }.map {
                Listed(preset: nil, domains: $0.domains, isEnabled: $0.isEnabled, roles: $0.roles)
            }
    }

    /// Brings the servers of a profile in line. A server belongs to the first operator one of whose domains ends one of
    /// its hosts. Returns those that the app then chooses from: all that it lists, without those of operators that are
    /// off.
    private func updateServers(
        _ servers: [Readable], _ serverProtocol: String, of user: Int64, _ operators: [Listed], hasRoles: Bool,
        in chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws -> [AppUse.Candidate] {
        var candidates: [AppUse.Candidate] = []
        func list(_ address: AppServerAddress, isEnabled: Bool, of owner: Listed?, _ row: AppServer?) {
            guard owner?.isEnabled != false else { return }
            // Only a server of no operator has roles of its own.
            let roles =
                owner?.roles[serverProtocol]
                ?? Set(AppRole.allCases.filter { role in !hasRoles || row?.has(role) != false })
            candidates.append(.init(address: address, isEnabled: isEnabled, roles: roles))
        }
        let groups = Dictionary(grouping: servers) { server in operators.firstIndex { $0.owns(server.hosts) } }
        for (place, listed) in operators.enumerated() {
            let group = groups[place] ?? []
            let presets = (listed.preset?.servers ?? []).filter { $0.address.serverProtocol == serverProtocol }
            for server in presets {
                // Of two rows with one address, the app takes the last one.
                if let stored = group.last(where: { $0.address == server.address }) {
                    try rewrite(stored, hasRoles: hasRoles, in: chat)
                    list(stored.address, isEnabled: stored.row.isEnabled, of: listed, stored.row)
                } else {
                    outcome.addedServers += 1
                    try insert(server, of: user, in: chat)
                    list(server.address, isEnabled: server.isEnabled, of: listed, nil)
                }
            }
            let addresses = Set(presets.map(\.address))
            let hosts = Set(presets.compactMap(\.address.appHosts).joined())
            for server in group where !addresses.contains(server.address) {
                if listed.preset == nil || !server.row.isPreset && hosts.isDisjoint(with: server.hosts) {
                    try rewrite(server, hasRoles: hasRoles, in: chat)
                    list(server.address, isEnabled: server.row.isEnabled, of: listed, server.row)
                } else if server.row.isEnabled {
                    outcome.unused.insert(Entry(table: .servers, id: server.id))
                }
            }
        }
        for server in groups[nil] ?? [] {
            try rewrite(server, hasRoles: hasRoles, in: chat)
            list(server.address, isEnabled: server.row.isEnabled, of: nil, server.row)
        }
        return candidates
    }

    /// Writes a server as the app writes what it has read. It has either all three roles of its own, or none.
    private func rewrite(_ server: Readable, hasRoles: Bool, in chat: any WriteTransaction) throws {
        let address = server.address
        let hasOwn = AppServer.roles.allSatisfy { server.row.values.choice($0) != nil }
        let roles: Query = hasRoles && !hasOwn ? "role_storage = NULL, role_proxy = NULL, role_names = NULL," : ""
        try Self.inserting(.servers, address.shown) { () throws(StoreError) in
            try chat.run(
                """
                UPDATE protocol_servers SET host = \(address.host), port = \(address.port), \(roles)
                    key_hash = \(Array(address.keyHash.utf8)), basic_auth = \(address.password), updated_at = \(Self.now)
                WHERE smp_server_id = \(server.id)
                """)
        }
    }

    private func insert(_ server: AppPreset.Server, of user: Int64, in chat: any WriteTransaction) throws {
        let address = server.address
        try Self.inserting(.servers, address.shown) { () throws(StoreError) in
            try chat.run(
                """
                INSERT INTO protocol_servers (
                    user_id, protocol, host, port, key_hash, basic_auth, preset, enabled, created_at, updated_at)
                VALUES (
                    \(user), \(address.serverProtocol), \(address.host), \(address.port),
                    \(Array(address.keyHash.utf8)), \(address.password), 1, \(server.isEnabled), \(Self.now),
                    \(Self.now))
                """)
        }
    }

    /// Brings the relays of a profile in line. A relay belongs to the first operator that has one of its domains.
    private func updateRelays(
        _ relays: [AppRelay], of user: Int64, _ operators: [Listed], in chat: any WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        let groups = Dictionary(grouping: relays) { relay in
            operators.firstIndex { listed in relay.domains.contains { listed.domains.contains($0) } }
        }
        func rewrite(_ relay: AppRelay) throws {
            try Self.inserting(.relays, relay.shown) { () throws(StoreError) in
                try chat.run("UPDATE chat_relays SET updated_at = \(Self.now) WHERE chat_relay_id = \(relay.id)")
            }
        }
        for (place, listed) in operators.enumerated() {
            let group = groups[place] ?? []
            let stored = Set(group.map(\.address))
            let presets = listed.preset?.relays ?? []
            for relay in presets where !stored.contains(relay.address) {
                outcome.addedRelays += 1
                try insert(relay, of: user, in: chat)
            }
            let addresses = Set(presets.map(\.address))
            for relay in group {
                if listed.preset == nil || !relay.isPreset || addresses.contains(relay.address) {
                    try rewrite(relay)
                } else if relay.isEnabled {
                    outcome.unused.insert(Entry(table: .relays, id: relay.id))
                }
            }
        }
        for relay in groups[nil] ?? [] { try rewrite(relay) }
    }

    private func insert(_ relay: AppPreset.Relay, of user: Int64, in chat: any WriteTransaction) throws {
        try Self.inserting(.relays, relay.name) { () throws(StoreError) in
            try chat.run(
                """
                INSERT INTO chat_relays (
                    user_id, address, display_name, domains, preset, enabled, created_at, updated_at)
                VALUES (
                    \(user), \(Array(relay.address.utf8)), \(relay.name), \(relay.domains.joined(separator: ",")), 1,
                    \(relay.enabled), \(Self.now), \(Self.now))
                """)
        }
    }

    /// Runs a statement of the app. Throws an `AppStartFailure` if a constraint forbids it.
    private static func inserting(
        _ table: AppTable, _ name: String, _ statement: () throws(StoreError) -> Int
    ) throws {
        do {
            _ = try statement()
        } catch let error where [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(error.kind) {
            throw AppStartFailure.constraint(table, name: name)
        }
    }
}

/// Why SimpleX Chat would not start with a store, or what its start would undo.
package enum AppStartFailure: Error, Sendable, Hashable {
    /// A value that the app cannot read.
    case unreadable(AppValue)
    /// A constraint that forbids what the app writes: an operator, server or relay by its name or address.
    case constraint(AppTable, name: String)
    /// The start changes a choice of the user.
    case choice(AppTable, row: Int64)

    /// A clause after "SimpleX Chat".
    package var clause: String {
        switch self {
        case .unreadable(let value): "could not read \(value.words), and would not start"
        case .constraint(let table, let name):
            "could not write \(name) into \(table.rawValue), and would not start"
        case .choice(let table, let row):
            "would undo the user's choice in the row \(row) of \(table.rawValue)"
        }
    }
}

extension AppRows {
    /// The rows in which later rows have another choice of the user. The app may write an address in another form.
    fileprivate func choices(changedIn later: AppRows) -> Set<AppStart.Entry> {
        var changed: Set<AppStart.Entry> = []
        for table in AppTable.allCases {
            let chosen = table.columns.filter { !Self.ofTheApp.contains($0) }
            for (id, values) in rows(table) {
                let new = later.row(table, id)
                if new == nil || chosen.contains(where: { values[$0] != new?[$0] }) {
                    changed.insert(AppStart.Entry(table: table, id: id))
                }
            }
        }
        return changed
    }

    /// The columns that the app sets at every start: those of operators, and the forms of addresses.
    private static let ofTheApp: Set<String> = ["trade_name", "legal_name", "server_domains", "host", "key_hash"]

    /// Whether a row is an entry of a preset of a known version.
    fileprivate func isOfPreset(_ entry: AppStart.Entry, _ presets: AppPresets) -> Bool {
        guard let values = row(entry.table, entry.id) else { return false }
        switch entry.table {
        case .operators: return true
        case .servers:
            let server = AppServer(id: entry.id, values: values)
            return server.isPreset && presets.servers.contains(server.address)
        case .relays:
            let relay = AppRelay(id: entry.id, values: values)
            return relay.isPreset && presets.hasRelay(relay.address)
        }
    }
}
