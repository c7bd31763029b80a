package import ChatDBKit
import Foundation

/// SimpleX Chat's next start, acted out from the facts (`Tests/Fixtures/simplex-presets-history.json`), apart from the
/// code of chatdb that does the same: operators, servers and relays are brought in line with the presets of a version,
/// in one transaction. The app catches nothing there: an error means that it does not start.
package struct AppLaunch: Sendable, CustomStringConvertible {
    private struct Server: Decodable {
        let address: String
        let enabled: Bool
    }

    private struct Relay: Decodable {
        let name: String
        let address: String
        let domains: [String]
        let enabled: Bool
    }

    /// A later version, in which the first operator has one more server or relay.
    package func adding(server: String? = nil, relay: String? = nil) -> AppLaunch {
        var operators = operators
        if let server { operators[0].smp.append(Server(address: server, enabled: true)) }
        if let relay {
            operators[0].relays.append(
                Relay(name: "later", address: relay, domains: operators[0].domains, enabled: true))
        }
        return AppLaunch(operators: operators, tags: tags, description: "a later version", isTerminal: false)
    }

    private struct Roles: Decodable {
        let storage: Bool
        let proxy: Bool
    }

    private struct AllRoles: Decodable {
        let smp: Roles
        let xftp: Roles
    }

    private struct Operator: Decodable {
        let tag: String
        let tradeName: String
        let legalName: String?
        let domains: [String]
        let enabledByDefault: Bool
        let roles: AllRoles
        var smp: [Server]
        let xftp: [Server]
        var relays: [Relay]
    }

    private struct Version: Decodable {
        let seen: String
        /// Only those with windows have it.
        let appVersions: String?
        let operators: [Operator]
    }

    private struct History: Decodable {
        struct Terminal: Decodable { let versions: [Version] }

        let versions: [Version]
        let cli: Terminal
    }

    private let operators: [Operator]
    /// The tags that some version knows.
    private let tags: Set<String>
    package let description: String
    /// Whether it is the app for the terminal, which has fewer presets.
    package let isTerminal: Bool

    /// The starts of all versions, the oldest first; then those of the app for the terminal.
    package static let all = Result { () throws -> [AppLaunch] in
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/simplex-presets-history.json")
        let history = try JSONDecoder().decode(History.self, from: Data(contentsOf: url))
        let versions = history.versions + history.cli.versions
        let tags = Set(versions.flatMap(\.operators).map(\.tag))
        return versions.map {
            AppLaunch(
                operators: $0.operators, tags: tags, description: String(($0.appVersions ?? $0.seen).prefix(60)),
                isTerminal: $0.appVersions == nil)
        }
    }

    /// The start of the newest release with windows.
    package static var newest: AppLaunch {
        get throws {
            guard let newest = try all.get().first(where: { $0.description.hasPrefix("v6.5.x") }) else {
                throw Undecodable(description: "no v6.5.x")
            }
            return newest
        }
    }

    /// What the app does after a start.
    package struct Outcome: Sendable, Hashable {
        /// The first hosts of the servers that it uses, by profile, protocol and role: `1 smp storage`. It is empty
        /// where it chooses presets itself.
        package fileprivate(set) var used: [String: Set<String>] = [:]
        /// The roles for which no server is enabled, so that it uses others: those of operators that are on and those
        /// of no operator, disabled ones too.
        package fileprivate(set) var fallbacks: Set<String> = []
        /// The hosts and names that occur twice in its lists of a profile, so that it saves no change of them.
        package fileprivate(set) var duplicates: Set<String> = []
        /// The addresses of the relays that it lists under an operator, by the tag of the operator.
        package fileprivate(set) var relays: [String: Set<String>] = [:]
        /// The addresses of servers and relays that are in the store and in none of its lists.
        package fileprivate(set) var dropped: Set<String> = []
    }

    /// A value that the app cannot decode.
    package struct Undecodable: Error, CustomStringConvertible {
        package let description: String
    }

    /// An operator in the app's list; only those with a preset have servers to add.
    private struct Listed {
        let preset: Operator?
        let domains: [String]
        let isEnabled: Bool
        let roles: [String: Bool]
    }

    /// A server from which the app chooses.
    private struct Candidate {
        let host: String
        let isEnabled: Bool
        let roles: [String: Bool]
    }

    /// Starts the app. Throws the error because of which it does not start.
    package func run(in chat: any WriteTransaction) throws -> Outcome {
        var outcome = Outcome()
        try readConditions(chat)
        let listed = try startOperators(chat)
        for user in try chat.rows("SELECT user_id FROM users ORDER BY user_id") {
            let user: Int64 = try user.get("user_id")
            for kind in ["smp", "xftp"] { try startServers(kind, of: user, listed, chat, &outcome) }
            if try chat.first(chat.dialect.tableExists("chat_relays")) != nil {
                try startRelays(of: user, listed, chat, &outcome)
            }
        }
        return outcome
    }

    /// The last conditions that each operator accepted. A NULL is no choice that the app can read.
    private func readConditions(_ chat: any ReadTransaction) throws {
        let last = try chat.rows(
            "SELECT * FROM operator_usage_conditions ORDER BY server_operator_id, operator_usage_conditions_id")
        var accepted: [Int64: [String: SQLValue]] = [:]
        for row in last {
            let values = Self.values(row)
            accepted[values["server_operator_id"]?.number ?? 0] = values
        }
        for values in accepted.values where values["auto_accepted"] != nil {
            _ = try values.choice("auto_accepted")
        }
    }

    private func startOperators(_ chat: any WriteTransaction) throws -> [Listed] {
        for known in operators {
            let domains = known.domains.joined(separator: ",")
            let changed = try chat.run(
                """
                UPDATE server_operators SET trade_name = \(known.tradeName), legal_name = \(known.legalName),
                    server_domains = \(domains), updated_at = datetime('now') WHERE server_operator_tag = \(known.tag)
                """)
            guard changed == 0 else { continue }
            try chat.run(
                """
                INSERT INTO server_operators (server_operator_tag, trade_name, legal_name, server_domains, enabled,
                    smp_role_storage, smp_role_proxy, xftp_role_storage, xftp_role_proxy)
                VALUES (\(known.tag), \(known.tradeName), \(known.legalName), \(domains), \(known.enabledByDefault),
                    \(known.roles.smp.storage), \(known.roles.smp.proxy), \(known.roles.xftp.storage),
                    \(known.roles.xftp.proxy))
                """)
        }
        let stored = try chat.rows("SELECT * FROM server_operators ORDER BY server_operator_id").map { row in
            let values = Self.values(row)
            var roles: [String: Bool] = [:]
            for name in ["smp_role_storage", "smp_role_proxy", "xftp_role_storage", "xftp_role_proxy"] {
                roles[name] = try values.choice(name)
            }
            let tag = values["server_operator_tag"]?.string
            if let tag, !tags.contains(tag) { throw Undecodable(description: "the operator \(tag)") }
            guard let domains = values["server_domains"]?.string else { throw Undecodable(description: "domains") }
            return (
                tag: tag,
                listed: Listed(
                    preset: operators.first { $0.tag == tag }, domains: Self.list(domains),
                    isEnabled: try values.choice("enabled"), roles: roles)
            )
        }
        let ofPresets = operators.compactMap { known in stored.first { $0.tag == known.tag }?.listed }
        return ofPresets + stored.filter { $0.tag == nil }.map(\.listed)
    }

    private func startServers(
        _ kind: String, of user: Int64, _ listed: [Listed], _ chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws {
        var candidates: [Candidate] = []
        var names: Set<String> = []
        var left = try chat.rows(
            """
            SELECT * FROM protocol_servers WHERE user_id = \(user) AND protocol = \(kind) ORDER BY smp_server_id
            """
        ).map { try AppLaunchServer($0, kind) }
        func use(_ server: AppLaunchServer, of owner: Listed?) {
            for host in server.hosts where !names.insert(host.text).inserted { outcome.duplicates.insert(host.text) }
            if owner?.isEnabled == false { return }
            var roles = server.roles
            if let owner { for role in ["storage", "proxy"] { roles[role] = owner.roles["\(kind)_role_\(role)"] } }
            candidates.append(
                Candidate(host: server.hosts[0].text, isEnabled: server.isEnabled, roles: roles))
        }
        for owner in listed {
            let own = left.filter { server in
                owner.domains.contains { domain in server.hosts.contains { $0.isName && $0.text.hasSuffix(domain) } }
            }
            left.removeAll { one in own.contains { $0.id == one.id } }
            guard let preset = owner.preset else {
                for server in own {
                    try rewrite(server, chat)
                    use(server, of: owner)
                }
                continue
            }
            let presets = kind == "smp" ? preset.smp : preset.xftp
            let hosts = Set(try presets.flatMap { try AppLaunchServer(text: $0.address, isEnabled: true).hosts })
            for known in presets {
                if let server = own.last(where: { $0.address == known.address }) {
                    try rewrite(server, chat)
                    use(server, of: owner)
                    continue
                }
                let new = try AppLaunchServer(text: known.address, isEnabled: known.enabled)
                try chat.run(
                    """
                    INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, basic_auth, preset, enabled)
                    VALUES (\(user), \(kind), \(new.host), \(new.port), \(Array(new.keyHash.utf8)), \(new.password), 1,
                        \(known.enabled))
                    """)
                use(new, of: owner)
            }
            for server in own where !presets.contains(where: { $0.address == server.address }) {
                if !server.isPreset, hosts.isDisjoint(with: server.hosts) {
                    try rewrite(server, chat)
                    use(server, of: owner)
                } else {
                    outcome.dropped.insert(server.address)
                }
            }
        }
        for server in left {
            try rewrite(server, chat)
            use(server, of: nil)
        }
        for role in ["storage", "proxy"] {
            let key = "\(user) \(kind) \(role)"
            let enabled = candidates.filter { $0.isEnabled && $0.roles[role] != false }
            outcome.used[key] = Set((enabled.isEmpty ? candidates : enabled).map(\.host))
            if enabled.isEmpty { outcome.fallbacks.insert(key) }
        }
    }

    private func rewrite(_ server: AppLaunchServer, _ chat: any WriteTransaction) throws {
        try chat.run(
            """
            UPDATE protocol_servers SET host = \(server.host), port = \(server.port),
                key_hash = \(Array(server.keyHash.utf8)), basic_auth = \(server.password), updated_at = datetime('now')
            WHERE smp_server_id = \(server.id)
            """)
        guard server.isOfVersionWithRoles, server.roles.isEmpty else { return }
        try chat.run(
            """
            UPDATE protocol_servers SET role_storage = NULL, role_proxy = NULL, role_names = NULL
            WHERE smp_server_id = \(server.id)
            """)
    }

    private func startRelays(
        of user: Int64, _ listed: [Listed], _ chat: any WriteTransaction, _ outcome: inout Outcome
    ) throws {
        struct Entry {
            let id: Int64
            let address: String
            let domains: [String]
            let name: String
            let isPreset: Bool
        }
        var left = try chat.rows(
            "SELECT * FROM chat_relays WHERE user_id = \(user) AND deleted = 0 ORDER BY chat_relay_id"
        ).map { row in
            let values = Self.values(row)
            guard let id = values["chat_relay_id"]?.number, let address = values["address"]?.string,
                AppLaunchHost.isLink(address)
            else { throw Undecodable(description: "a relay's address") }
            _ = try values.choice("enabled")
            return Entry(
                id: id, address: address, domains: Self.list(values["domains"]?.string ?? ""),
                name: values["display_name"]?.string ?? "", isPreset: try values.choice("preset"))
        }
        var names: Set<String> = []
        for relay in left {
            for name in [relay.name, AppLaunchHost.key(of: relay.address)] where !names.insert(name).inserted {
                outcome.duplicates.insert(name)
            }
        }
        for owner in listed {
            let own = left.filter { !Set($0.domains).isDisjoint(with: owner.domains) }
            left.removeAll { one in own.contains { $0.id == one.id } }
            outcome.relays[owner.preset?.tag ?? "", default: []].formUnion(own.map(\.address))
            let presets = owner.preset?.relays ?? []
            for known in presets where !own.contains(where: { $0.address == known.address }) {
                try chat.run(
                    """
                    INSERT INTO chat_relays (user_id, address, display_name, full_name, domains, preset, enabled)
                    VALUES (\(user), \(Array(known.address.utf8)), \(known.name), '',
                        \(known.domains.joined(separator: ",")), 1, \(known.enabled))
                    """)
            }
            for relay in own where relay.isPreset && !presets.contains(where: { $0.address == relay.address }) {
                if owner.preset != nil { outcome.dropped.insert(relay.address) }
            }
        }
    }

    private static func values(_ row: ResultRow) -> [String: SQLValue] {
        Dictionary(zip(row.columns.names, row.values).map { ($0, $1) }, uniquingKeysWith: { $1 })
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
