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
    }

    /// Starts the app on a database. Throws an `AppStartFailure` if it would not start, or if a choice of the user
    /// differs afterwards.
    @discardableResult
    package func run(in chat: any WriteTransaction, knowing presets: AppPresets) throws -> Outcome {
        let before = try AppRows(in: chat)
        try before.requireReadable()
        var outcome = Outcome()
        let listed = try updateOperators(before, in: chat, &outcome)
        for profile in before.profiles {
            let servers = before.servers.filter { $0.user == profile.id }
            let relays = before.relays.filter { $0.user == profile.id && !$0.isDeleted }
            for serverProtocol in ["smp", "xftp"] {
                try updateServers(
                    servers.filter { $0.address.serverProtocol == serverProtocol }, serverProtocol, of: profile.id,
                    listed, in: chat, &outcome)
            }
            if before.tables[.relays] != nil { try updateRelays(relays, of: profile.id, listed, in: chat, &outcome) }
        }
        outcome.unused = outcome.unused.filter { !before.isOfPreset($0, presets) }
        try before.requireChoices(in: AppRows(in: chat))
        return outcome
    }

    private func updateOperators(
        _ rows: AppRows, in chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws -> [Listed] {
        let stored = rows.operators
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
            }
        }
        return preset.operators.map { Listed(preset: $0, domains: $0.domains) }
            + stored.filter { $0.tag == nil }.map { Listed(preset: nil, domains: $0.domains) }
    }

    /// Brings the servers of a profile in line. A server belongs to the first operator one of whose domains ends one of
    /// its hosts.
    private func updateServers(
        _ servers: [AppServer], _ serverProtocol: String, of user: Int64, _ operators: [Listed],
        in chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws {
        let groups = Dictionary(grouping: servers) { server in
            operators.firstIndex { listed in
                listed.domains.contains { domain in server.hosts.contains { $0.hasSuffix(domain) } }
            }
        }
        for (place, group) in groups {
            guard let known = place.flatMap({ operators[$0].preset }) else {
                for server in group { try rewrite(server, in: chat) }
                continue
            }
            let presets = known.servers.filter { $0.address.serverProtocol == serverProtocol }
            let hosts = Set(presets.flatMap(\.address.hosts))
            let addresses = Set(presets.map(\.address))
            for server in group {
                let isOwn = !server.isPreset && hosts.isDisjoint(with: server.hosts)
                if isOwn || addresses.contains(server.address) {
                    try rewrite(server, in: chat)
                } else if server.isEnabled {
                    outcome.unused.insert(Entry(table: .servers, id: server.id))
                }
            }
        }
        for (place, listed) in operators.enumerated() {
            let stored = Set((groups[place] ?? []).map(\.address))
            for server in listed.preset?.servers ?? []
            where server.address.serverProtocol == serverProtocol && !stored.contains(server.address) {
                outcome.addedServers += 1
                try insert(server, of: user, in: chat)
            }
        }
    }

    private func rewrite(_ server: AppServer, in chat: any WriteTransaction) throws {
        let address = server.address
        try Self.inserting(.servers, address.shown) { () throws(StoreError) in
            try chat.run(
                """
                UPDATE protocol_servers SET host = \(address.host), port = \(address.port),
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
        for (place, group) in groups {
            let known = place.flatMap { operators[$0].preset }
            let addresses = Set(known?.relays.map(\.address) ?? [])
            for relay in group {
                if known == nil || !relay.isPreset || addresses.contains(relay.address) {
                    try Self.inserting(.relays, relay.shown) { () throws(StoreError) in
                        try chat.run(
                            "UPDATE chat_relays SET updated_at = \(Self.now) WHERE chat_relay_id = \(relay.id)")
                    }
                } else if relay.isEnabled {
                    outcome.unused.insert(Entry(table: .relays, id: relay.id))
                }
            }
        }
        for (place, listed) in operators.enumerated() {
            let stored = Set((groups[place] ?? []).map(\.address))
            for relay in listed.preset?.relays ?? [] where !stored.contains(relay.address) {
                outcome.addedRelays += 1
                try insert(relay, of: user, in: chat)
            }
        }
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
        } catch let error as StoreError
            where [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(error.kind)
        {
            throw AppStartFailure.constraint(table, name: name)
        }
    }
}

/// Why SimpleX Chat would not start with a store, or what its start would undo.
package enum AppStartFailure: Error, Sendable, Hashable {
    /// A value that the app cannot read.
    case unreadable(AppTable, row: Int64, column: String)
    /// A constraint that forbids what the app writes: an operator, server or relay by its name or address.
    case constraint(AppTable, name: String)
    /// The start changes a choice of the user.
    case choice(AppTable, row: Int64)

    /// A clause after "SimpleX Chat".
    package var clause: String {
        switch self {
        case .unreadable(let table, let row, let column):
            "could not read the column \(column) of the row \(row) of \(table.rawValue), and would not start"
        case .constraint(let table, let name):
            "could not write \(name) into \(table.rawValue), and would not start"
        case .choice(let table, let row):
            "would undo the user's choice in the row \(row) of \(table.rawValue)"
        }
    }
}

extension AppRows {
    /// Throws an `AppStartFailure` for a value that the app cannot read.
    func requireReadable() throws(AppStartFailure) {
        for server in servers {
            func refuse(_ column: String) -> AppStartFailure { .unreadable(.servers, row: server.id, column: column) }
            let address = server.address
            if address.host.isEmpty || address.host.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
                throw refuse("host")
            }
            if !address.port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { throw refuse("port") }
            if !address.keyHash.isBase64URL { throw refuse("key_hash") }
            for column in ["preset", "enabled"] where server.values.number(column) == nil { throw refuse(column) }
        }
        for relay in relays {
            if (try? RelayAddress(relay.address)) == nil, LinkKey.of(relay.address) == nil {
                throw .unreadable(.relays, row: relay.id, column: "address")
            }
        }
        for stored in operators where stored.values.number("enabled") == nil {
            throw .unreadable(.operators, row: stored.id, column: "enabled")
        }
    }

    /// Throws an `AppStartFailure` if a choice of the user is another one in later rows.
    fileprivate func requireChoices(in later: AppRows) throws(AppStartFailure) {
        for table in AppTable.allCases {
            for (id, values) in rows(table) {
                let chosen = table.columns.filter { !(table == .operators && Self.ofTheApp.contains($0)) }
                guard let new = later.row(table, id), chosen.allSatisfy({ values[$0] == new[$0] }) else {
                    throw .choice(table, row: id)
                }
            }
        }
    }

    /// The columns of operators that the app sets at every start.
    private static let ofTheApp: Set<String> = ["trade_name", "legal_name", "server_domains"]

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

extension String {
    /// Whether it is bytes in base64url, with `=` at the end where the number of characters requires it.
    fileprivate var isBase64URL: Bool {
        let body = utf8.prefix { $0 != UInt8(ascii: "=") }
        let isAlphabet = body.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        return !isEmpty && isAlphabet && utf8.count % 4 == 0 && utf8.count - body.count <= 2
            && utf8.dropFirst(body.count).allSatisfy { $0 == UInt8(ascii: "=") }
    }
}
