/// The servers that SimpleX Chat uses for a role of a profile after a start.
///
/// The app leaves out the servers of operators that are off. Of the others it uses the enabled ones that have the role;
/// if there are none, all of them, disabled ones too; and if nothing is left, presets that it chooses itself.
package struct AppUse: Sendable, Hashable {
    /// What the app chooses from.
    package enum Source: Sendable, Hashable {
        /// The enabled servers with the role.
        case enabled
        /// All servers, except those of operators that are off.
        case all
        /// Presets of its own choice.
        case presets
    }

    /// A server that the app may use.
    struct Candidate {
        let address: AppServerAddress
        let isEnabled: Bool
        let roles: Set<AppRole>
    }

    /// What a use is for.
    struct Need: Hashable {
        let user: Int64
        let serverProtocol: String
        let role: AppRole
    }

    let need: Need
    /// The name of the profile, or `a hidden profile`.
    package let profile: String
    package let source: Source
    /// The whole addresses, in the app's order; empty for presets of its own choice.
    let servers: [AppServerAddress]

    package var user: Int64 { need.user }
    /// `smp` or `xftp`.
    package var serverProtocol: String { need.serverProtocol }
    /// `storage` or `proxy`.
    package var role: String { need.role.rawValue }
    /// The first host of each server, in the app's order; empty for presets of its own choice.
    package var hosts: [String] { servers.map { $0.hosts.first ?? "" } }

    static let protocols = ["smp", "xftp"]

    static func all(
        of profile: AppRows.Profile, _ serverProtocol: String, among candidates: [Candidate]
    ) -> [AppUse] {
        AppRole.allCases.map { role in
            let enabled = candidates.filter { $0.isEnabled && $0.roles.contains(role) }
            let source: Source = !enabled.isEmpty ? .enabled : candidates.isEmpty ? .presets : .all
            return AppUse(
                need: Need(user: profile.id, serverProtocol: serverProtocol, role: role), profile: profile.shown,
                source: source, servers: (enabled.isEmpty ? candidates : enabled).map(\.address))
        }
    }

    /// What SimpleX Chat does for a role for which no server is enabled, a clause.
    ///
    /// - Parameter wouldBe: whether the change was refused.
    func clause(wouldBe: Bool) -> String {
        let named = hosts.prefix(3).joined(separator: ", ")
        let more = hosts.count - min(3, hosts.count)
        let used =
            source == .presets
            ? "presets of its own choice"
            : "\(named)\(more > 0 ? " and \(more) more" : "") instead, disabled servers too"
        return "\(profile) \(wouldBe ? "would have" : "has") no enabled \(serverProtocol.uppercased()) server with the "
            + "role \(role): the app \(wouldBe ? "would use" : "uses") \(used)"
    }

    /// The uses for which the app finds no enabled server, and found one before: by need, from the newest of the
    /// versions in which that is so.
    static func fallbacks(_ outcomes: [AppStart.Outcome], since before: [AppStart.Outcome]) -> [AppUse] {
        var found: [Need: AppUse] = [:]
        for (after, before) in zip(outcomes, before) {
            let known = Set(before.uses.filter { $0.source != .enabled }.map(\.need))
            for use in after.uses where use.source != .enabled && !known.contains(use.need) { found[use.need] = use }
        }
        return sorted(found.values)
    }

    /// The uses of an outcome for which the app finds no enabled server.
    static func fallbacks(of outcome: AppStart.Outcome) -> [AppUse] {
        sorted(outcome.uses.filter { $0.source != .enabled })
    }

    private static func sorted(_ uses: some Collection<AppUse>) -> [AppUse] {
        uses.sorted {
            ($0.user, $0.serverProtocol, $0.role) < ($1.user, $1.serverProtocol, $1.role)
        }
    }
}

/// What SimpleX Chat does with the result of a change at its next start.
package struct AppNextStart: Sendable, Hashable {
    /// The newest known version of the app, as `newer than v6.5.5`.
    package let apps: String
    /// The names of the operators that it adds.
    package let addedOperators: [String]
    /// The numbers of servers and relays that it adds, for all profiles.
    package let addedServers: Int
    package let addedRelays: Int
    /// The roles for which no server is enabled, with the servers that it uses instead.
    package let fallbacks: [AppUse]
    /// Whether the version of the store has no relays, so that the app adds those of its presets after a migration.
    package let lacksRelays: Bool

    /// What the app does with these entries, a clause.
    package var clause: String {
        var added: [String] = []
        func note(_ count: Int, _ noun: String) {
            if count > 0 { added.append("\(count) \(noun)\(count == 1 ? "" : "s")") }
        }
        note(addedOperators.count, "operator")
        note(addedServers, "server")
        note(addedRelays, "relay")
        let what = added.isEmpty ? "none" : "\(added.joined(separator: ", ")) of its presets"
        let later = lacksRelays ? "; an app that has relays migrates the store first, and adds its preset relays" : ""
        let start = "at its next start, SimpleX Chat (\(apps)) keeps the servers, relays and operators"
        return "\(start), and adds \(what)\(later)"
    }

    /// What the app uses for roles without an enabled server, a clause each.
    package var fallbackClauses: [String] { fallbacks.map { $0.clause(wouldBe: false) } }
}
