import ChatDBSchema
import ChatDBSimplexFiles
import Foundation

/// The operators, servers and relays with which one version of SimpleX Chat's app starts.
package struct AppPreset: Sendable {
    /// An operator, with its servers and relays.
    package struct Operator: Sendable {
        package let tag: String
        package let tradeName: String
        /// Nil for an operator without a company.
        package let legalName: String?
        package let domains: [String]
        package let isEnabled: Bool
        package let smpRoles: Roles
        package let xftpRoles: Roles
        package let servers: [Server]
        package let relays: [Relay]
    }

    /// The roles of the servers of an operator.
    package struct Roles: Sendable, Decodable {
        package let storage: Bool
        package let proxy: Bool

        var all: Set<AppRole> { Set((storage ? [.storage] : []) + (proxy ? [.proxy] : [])) }
    }

    /// A server.
    package struct Server: Sendable, Hashable {
        package let address: AppServerAddress
        package let isEnabled: Bool
    }

    /// A relay.
    package struct Relay: Sendable, Hashable, Decodable {
        package let name: String
        package let address: String
        package let domains: [String]
        package let enabled: Bool
    }

    /// The versions of the app that have it, as `v6.2 to v6.3`.
    package let apps: String
    package let operators: [Operator]
    /// Whether a release may have it. Nobody but a developer had the others.
    let isReleased: Bool

    /// Whether it is that of the app for the terminal, which has fewer servers.
    var isOfTerminal: Bool { apps.hasPrefix("terminal") }
}

/// The address of a server as SimpleX Chat compares it, with its password.
package struct AppServerAddress: Sendable, Hashable {
    package let serverProtocol: String
    package let keyHash: String
    /// Nil for an open server.
    package let password: String?
    /// The names of the host, as they are stored: joined with commas.
    package let host: String
    /// Empty for the default port.
    package let port: String

    package init(serverProtocol: String, keyHash: String, password: String?, host: String, port: String) {
        self.serverProtocol = serverProtocol
        self.keyHash = keyHash
        self.password = password
        self.host = host
        self.port = port
    }

    package var hosts: [String] { host.split(separator: ",").map(String.init) }

    /// The hosts as the app reads them; nil for a text that it cannot read.
    var appHosts: [AppHost]? { AppHost.list(host) }

    /// The address as the app writes it; nil if it cannot read it.
    var written: AppServerAddress? {
        guard let hosts = appHosts, let keyHash = AppKeyHash.written(keyHash) else { return nil }
        return AppServerAddress(
            serverProtocol: serverProtocol, keyHash: keyHash, password: password,
            host: hosts.map(\.text).joined(separator: ","), port: port)
    }

    /// The address for people, without the password.
    package var shown: String { "\(serverProtocol)://\(keyHash)@\(host)\(port.isEmpty ? "" : ":\(port)")" }

    /// A text that is not the address of a server as the app writes it.
    struct Unreadable: Error {
        let text: String
    }

    /// Reads the text of an address of a preset. Throws `Unreadable`.
    init(ofPreset text: String) throws(Unreadable) {
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@") else {
            throw Unreadable(text: text)
        }
        serverProtocol = String(text[..<scheme.lowerBound])
        let key = text[scheme.upperBound..<at].split(separator: ":", maxSplits: 1)
        let place = text[text.index(after: at)...].split(separator: ":", maxSplits: 1)
        guard let hash = key.first, let names = place.first else { throw Unreadable(text: text) }
        keyHash = String(hash)
        password = key.count == 2 ? String(key[1]) : nil
        host = String(names)
        port = place.count == 2 ? String(place[1]) : ""
        if written != self { throw Unreadable(text: text) }
    }
}

/// What is known of the presets of all versions of SimpleX Chat's app. The next version that opens the store may be any
/// of them, so a row must collide with no preset of any version. Rule: docs/simplex.md, "Writing relays and servers".
package struct AppPresets: Sendable {
    /// The versions, the oldest first.
    package let versions: [AppPreset]
    /// The whole addresses of all servers.
    let servers: Set<AppServerAddress>
    /// The names of the hosts of all servers, in lower case.
    let hosts: Set<String>
    /// The domains of all operators of releases, in lower case.
    let domains: Set<String>
    /// The tags of all operators: the app cannot read another one.
    let tags: Set<String>
    /// What makes two addresses the same relay, for all relays.
    private let relays: Set<String>

    /// What this build knows, read once.
    package static let known = Result { try AppPresets(json: text) }

    private static let text = EmbeddedFiles.all.first { $0.path == "presets.json" }?.content ?? ""

    private struct File: Decodable {
        struct Lists: Decodable {
            let smp: [Entry]
            let xftp: [Entry]
        }

        struct Entry: Decodable {
            let address: String
            let enabled: Bool
        }

        struct Version: Decodable {
            let apps: String
            let released: Bool
            let operators: [Operator]
        }

        struct Operator: Decodable {
            struct AllRoles: Decodable {
                let smp: AppPreset.Roles
                let xftp: AppPreset.Roles
            }

            let tag: String
            let tradeName: String
            let legalName: String?
            let domains: [String]
            let enabled: Bool
            let roles: AllRoles
            /// The name of its list of servers.
            let servers: String
            let relays: [AppPreset.Relay]
        }

        let servers: [String: Lists]
        let versions: [Version]
        let relaysOfOtherVersions: [String]
        let serversOfOtherVersions: [String]
    }

    init(json: String) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(json.utf8))
        let lists = try file.servers.mapValues { lists in
            try (lists.smp + lists.xftp).map {
                AppPreset.Server(address: try AppServerAddress(ofPreset: $0.address), isEnabled: $0.enabled)
            }
        }
        versions = try file.versions.map { version in
            let operators = try version.operators.map { preset in
                guard let servers = lists[preset.servers] else {
                    throw AppServerAddress.Unreadable(text: preset.servers)
                }
                return AppPreset.Operator(
                    tag: preset.tag, tradeName: preset.tradeName, legalName: preset.legalName,
                    domains: preset.domains, isEnabled: preset.enabled, smpRoles: preset.roles.smp,
                    xftpRoles: preset.roles.xftp, servers: servers, relays: preset.relays)
            }
            return AppPreset(apps: version.apps, operators: operators, isReleased: version.released)
        }
        let operators = versions.flatMap(\.operators)
        servers = Set(
            operators.flatMap(\.servers).map(\.address)
                + (try file.serversOfOtherVersions.map(AppServerAddress.init(ofPreset:))))
        hosts = Set(servers.flatMap(\.hosts).map { $0.lowercased() })
        domains = Set(
            versions.filter(\.isReleased).flatMap(\.operators).flatMap(\.domains).map { $0.lowercased() })
        tags = Set(operators.map(\.tag))
        relays = Set((operators.flatMap(\.relays).map(\.address) + file.relaysOfOtherVersions).map(Self.key))
    }

    /// Whether an address leads to a relay of a preset, in whatever spelling.
    package func hasRelay(_ address: String) -> Bool { relays.contains(Self.key(of: address)) }

    /// Whether one of the hosts is that of a server of a preset.
    package func hasHost(_ hosts: [String]) -> String? { hosts.first { self.hosts.contains($0.lowercased()) } }

    /// The domain of an operator with which a host ends; nil for all other hosts. The app compares the ends of the two
    /// texts, so that `evilsimplex.im` counts as a host of `simplex.im`.
    package func domain(of hosts: [String]) -> String? {
        domains.sorted().first { domain in hosts.contains { $0.lowercased().hasSuffix(domain) } }
    }

    /// What makes two addresses the same relay. A link that is no short link has its own text.
    static func key(of address: String) -> String { (try? RelayAddress(address))?.addressKey ?? address }
}
