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
    /// Values of the store, as it is, that no version of SimpleX Chat could read, so that it would not start.
    case unreadable([AppValue])
    /// SimpleX Chat would not start with the store as it is.
    case startNow(AppStartFailure, apps: String)

    // MARK: Servers
    /// The profile has a server of the same protocol with one of the hosts, or any server with the same hosts and port.
    case serverTaken(new: String, existing: String)
    /// The row of a preset, of which only the switch may change.
    case presetEntry(String)
    /// The address or a host of a preset, which the app adds itself.
    case presetAddress(String)
    /// A custom server or relay with a host of an operator.
    case operatorDomain(String, domain: String)
    /// A profile would have no enabled server for a role: the app would use others.
    case noServers([AppUse])

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
    /// Two relays of a profile would have the same name, or both none.
    case relayName(String)

    // MARK: The result
    /// SimpleX Chat would not start with the result, or would undo a part of it.
    case start(AppStartFailure, apps: String)
    /// The app would not use rows that it uses now, or new ones.
    case unused([UnusedEntry], apps: String)
    /// The written rows are not those that were meant.
    case unexpected(AppTable, row: Int64)
    /// The checks of the database found something after the change.
    case unsound(String)

    // MARK: Hosts
    /// The hosts of a server or relay that the app could not read, or would write in another way.
    case host(String, AppHostProblem)

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
        case .unreadable(let values):
            .refused(
                "simplexStart",
                "with the store as it is, SimpleX Chat could not read "
                    + (values.count == 1 ? "a value" : "\(values.count) values")
                    + ", and would not start; chatdb does not write such a store",
                ["values": JSONValue(values.map(\.name))], lines: values.map(\.words))
        case .startNow(let failure, let apps):
            .refused(
                "simplexStart",
                "with the store as it is, SimpleX Chat (\(apps)) \(failure.clause); chatdb does not write such a store")
        case .serverTaken(let new, let existing):
            .refused(
                "simplexServerTaken",
                "SimpleX Chat cannot keep \(new) beside \(existing) of the profile: they have the same host",
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
        case .noServers(let uses):
            .refused(
                "simplexFallback", "SimpleX Chat would use other servers than those that are enabled",
                ["problems": JSONValue(uses.map { $0.clause(wouldBe: true) })],
                lines: uses.map { $0.clause(wouldBe: true) })
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
            .refused(
                "simplexRelayDomains", "in SimpleX Chat, only preset relays have domains, and \(name) is a custom relay"
            )
        case .relayLink(let address):
            .refused("simplexRelayLink", "\(address) is a contact address; SimpleX Chat takes links of relays only")
        case .relayName(let name):
            .refused(
                "duplicateRelayName",
                name.isEmpty
                    ? "two relays of a profile cannot both be without a name" : "another relay has the name \"\(name)\""
            )
        case .start(let failure, let apps):
            .refused("simplexStart", "after the change, SimpleX Chat (\(apps)) \(failure.clause)")
        case .unused(let entries, let apps):
            .refused(
                "simplexUnused",
                "after the change, SimpleX Chat (\(apps)) would leave out "
                    + (entries.count == 1 ? "an enabled entry" : "\(entries.count) enabled entries"),
                ["entries": JSONValue(entries.map(\.name))], lines: entries.map(\.line))
        case .unexpected(let table, let row):
            ErrorInfo(
                .defect, "simplexUnexpected", "the row \(row) of \(table.rawValue) is not as it was to be written",
                state: ErrorInfo.unchanged)
        case .unsound(let problem):
            .refused("simplexUnsound", "the checks of the chat database found a problem: \(problem)")
        case .host(let host, let problem):
            .refused("simplexHost", "\(host): \(problem.clause)", ["host": .string(host)])
        }
    }
}

/// An enabled entry that a version of SimpleX Chat leaves out.
package struct UnusedEntry: Sendable, Hashable {
    /// The name for people, with its profile.
    let name: String
    /// Whether its row says that it is a preset. If not, it is a server with a host of a preset.
    let isMarkedAsPreset: Bool

    /// The name, and why the app leaves it out.
    fileprivate var line: String {
        name
            + (isMarkedAsPreset
                ? ": stored as a preset of the app, but this version has no such preset"
                : ": has a host of a preset of this version, but is not that preset")
    }
}
