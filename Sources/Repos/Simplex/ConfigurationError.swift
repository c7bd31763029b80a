package import ChatDBSchema

/// Why chatdb does not write relays, servers or operators into a store of SimpleX Chat. Nothing was changed.
/// Rule: docs/simplex.md, "Writing relays and servers".
package enum ConfigurationError: ChatDBError, Sendable, Hashable {
    // MARK: The store
    /// The version of the store is unknown or too old; a clause.
    case version(String)
    /// A file of the store cannot be written where it is; a clause.
    case file(path: String, String)
    /// A table that would be written has another schema than the known versions.
    case schema(AppTable, String)
    /// The version of the store has no place for it, as `relays`.
    case lacks(String)
    /// SimpleX Chat would not start with the store as it is.
    case startNow(AppStartFailure, apps: String)

    // MARK: Servers
    /// A server with one of the hosts, or with the same text of hosts and port, is there: only one of them fits.
    case serverTaken(new: String, existing: String)
    /// The row of a preset, of which only the switch may change.
    case presetEntry(String)
    /// The address or a host of a preset, which the app adds itself.
    case presetAddress(String)
    /// A custom server or relay with a host of an operator.
    case operatorDomain(String, domain: String)
    /// A profile would have no enabled server for a role: the app would use disabled ones.
    case noServers([AppUnserved])

    // MARK: Operators
    /// The app sets names and domains of operators itself, and adds and removes them.
    case operatorData(String)
    /// The user has not accepted the current conditions of the operator.
    case conditions(String)

    // MARK: Relays
    /// A custom relay with domains.
    case relayDomains(String)
    /// A link that is not one of a relay.
    case relayLink(String)
    /// Two relays of a profile would have the same name, which may be none.
    case relayName(String)

    // MARK: The result
    /// SimpleX Chat would not start with the result, or would undo a part of it.
    case start(AppStartFailure, apps: String)
    /// The app would not use rows that it uses now.
    case unused([String], apps: String)
    /// The written rows are not those that were meant.
    case unexpected(AppTable, row: Int64)
    /// The checks of the database found something after the change.
    case unsound(String)

    package var info: ErrorInfo {
        switch self {
        case .version(let problem):
            .refused("simplexVersion", "chatdb does not write this version of SimpleX Chat: \(problem)")
        case .file(let path, let problem):
            .refused("simplexJournal", "chatdb does not write \(path): \(problem)", ["path": .string(path)])
        case .schema(let table, let problem):
            .refused(
                "simplexSchema", "the table \(table.rawValue) differs from that of the known versions: \(problem)",
                ["table": .string(table.rawValue)])
        case .lacks(let subject): .refused("simplexVersionLacks", "this version of SimpleX Chat has no \(subject)")
        case .startNow(let failure, let apps):
            .refused(
                "simplexStart",
                "with the store as it is, SimpleX Chat (\(apps)) \(failure.clause); chatdb does not write such a store")
        case .serverTaken(let new, let existing):
            .refused(
                "simplexServerTaken",
                "the profile has \(existing), and SimpleX Chat takes no second server with its host: \(new)",
                ["server": .string(new), "existing": .string(existing)])
        case .presetEntry(let name):
            .refused(
                "simplexPresetEntry",
                "\(name) is a preset of SimpleX Chat, which adds, changes and removes its presets itself",
                ["entry": .string(name)])
        case .presetAddress(let address):
            .refused(
                "simplexPresetAddress",
                "\(address) has the address of a preset of SimpleX Chat, which adds its presets itself",
                ["address": .string(address)])
        case .operatorDomain(let address, let domain):
            .refused(
                "simplexOperatorDomain",
                "\(address) has a host of the operator of \(domain): a later preset of SimpleX Chat may have it",
                ["address": .string(address), "domain": .string(domain)])
        case .noServers(let unserved):
            .refused(
                "simplexFallback",
                "SimpleX Chat would use all servers instead, disabled ones too (with all operators off, its presets)",
                ["problems": .array(unserved.map { .string($0.clause) })], lines: unserved.map(\.clause))
        case .operatorData(let name):
            .refused(
                "simplexOperatorData",
                "SimpleX Chat keeps the operators itself: of \(name), only the switch and the roles can be changed",
                ["operator": .string(name)])
        case .conditions(let name):
            .refused(
                "simplexConditions", "the current conditions of use were not accepted for the operator \(name)",
                ["operator": .string(name)])
        case .relayDomains(let name):
            .refused("simplexRelayDomains", "in SimpleX Chat, only preset relays have domains, and \(name) is none")
        case .relayLink(let address):
            .refused("simplexRelayLink", "\(address) is a contact address; SimpleX Chat takes links of relays only")
        case .relayName(let name):
            .refused(
                "duplicateRelayName",
                name.isEmpty ? "another relay has no name either" : "another relay has the name \"\(name)\"")
        case .start(let failure, let apps):
            .refused("simplexStart", "after the change, SimpleX Chat (\(apps)) \(failure.clause)")
        case .unused(let names, let apps):
            .refused("simplexUnused", "after the change, SimpleX Chat (\(apps)) would not use some entries", lines: names)
        case .unexpected(let table, let row):
            ErrorInfo(
                .defect, "simplexUnexpected", "the row \(row) of \(table.rawValue) is not as it was to be written",
                state: ErrorInfo.unchanged)
        case .unsound(let problem):
            .refused("simplexUnsound", "the checks of the chat database found a problem: \(problem)")
        }
    }
}

/// A role for which a profile has no enabled server.
package struct AppUnserved: Sendable, Hashable, Comparable {
    /// The name of the profile, or `a hidden profile`.
    let profile: String
    let user: Int64
    let serverProtocol: String
    let role: String

    /// A clause about it.
    package var clause: String {
        "\(profile) would have no enabled \(serverProtocol.uppercased()) server with the role \(role)"
    }

    package static func < (first: AppUnserved, second: AppUnserved) -> Bool {
        (first.user, first.serverProtocol, first.role) < (second.user, second.serverProtocol, second.role)
    }
}

extension AppRows {
    /// The roles for which profiles have no enabled server of an operator that is on. The app then uses all servers of
    /// the profile, also the disabled ones.
    package var unserved: Set<AppUnserved> {
        let operators = operators
        var unserved: Set<AppUnserved> = []
        for profile in profiles {
            let own = servers.filter { $0.user == profile.id && $0.isEnabled }
            for serverProtocol in ["smp", "xftp"] {
                let used = own.filter { $0.address.serverProtocol == serverProtocol }.compactMap { server in
                    let owner = operators.first { $0.owns(server) }
                    return owner?.isEnabled == false ? nil : (server: server, owner: owner)
                }
                for role in AppRole.allCases {
                    let isServed = used.contains { server, owner in
                        server.choice(role) ?? owner?.has(role, serverProtocol) ?? true
                    }
                    if !isServed {
                        unserved.insert(
                            AppUnserved(
                                profile: profile.shown, user: profile.id, serverProtocol: serverProtocol,
                                role: role.rawValue))
                    }
                }
            }
        }
        return unserved
    }
}

extension AppOperator {
    /// Whether one of the server's hosts ends with one of the operator's domains.
    fileprivate func owns(_ server: AppServer) -> Bool {
        domains.contains { domain in server.hosts.contains { $0.lowercased().hasSuffix(domain.lowercased()) } }
    }
}
