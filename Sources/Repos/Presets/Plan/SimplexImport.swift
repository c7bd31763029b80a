package import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
package import ChatDBSchema
import ChatDBSimplex

/// Imports a file into a profile of a store of SimpleX Chat, which keeps its operators and presets itself: the import
/// only switches those that are there. What the app would add itself, or what could collide with its next presets, is
/// left out, and a note says so. Rule: docs/simplex.md, "Writing relays and servers".
package enum SimplexImport {
    /// The plan of an import. Changes nothing. Throws `profileNotFound`.
    package static func plan(
        _ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions(), for user: UserID,
        in chat: any ReadTransaction
    ) throws -> PresetPlan {
        var filter = SimplexFilter(
            state: try PresetState(of: user, in: chat), presets: try AppPresets.known.get())
        let possible = filter.possible(file)
        var options = options
        options.keepsPresets = true
        var plan = try PresetImport.plan(possible, options, for: user, in: chat)
        plan.notes += filter.notes
        return plan
    }
}

/// Leaves out of a file what a store of SimpleX Chat does not take.
private struct SimplexFilter {
    let state: PresetState
    let presets: AppPresets
    /// What was left out, a clause each.
    private(set) var notes: [String] = []
    private var names: Set<String> = []

    init(state: PresetState, presets: AppPresets) {
        (self.state, self.presets) = (state, presets)
    }

    mutating func possible(_ file: PresetFile) -> PresetFile {
        var possible = file
        names = Set(state.relays.map { NameRule.key($0.relay.name) } + file.custom.relays.map { NameRule.key($0.name) })
        var skipped = 0
        possible.operators = zip(file.operators, state.matches(file.operators)).compactMap { preset, stored in
            guard let stored else {
                notes.append(
                    "the operator \(preset.tradeName) is left out: SimpleX Chat adds its operators itself")
                return nil
            }
            var known = preset
            (known.tradeName, known.legalName, known.domains) = (stored.tradeName, stored.legalName, stored.domains)
            let all = known.entries
            known.entries.smpServers = all.smpServers.compactMap(asStored)
            known.entries.xftpServers = all.xftpServers.compactMap(asStored)
            known.entries.relays = all.relays.compactMap(asStored)
            skipped += all.count - known.entries.count
            return known
        }
        if skipped > 0 {
            notes.append(
                "\(skipped) preset\(skipped == 1 ? "" : "s") that the store lacks \(skipped == 1 ? "is" : "are") left "
                    + "out: SimpleX Chat adds its presets itself")
        }
        possible.custom.smpServers = file.custom.smpServers.filter { isPossible($0) }
        possible.custom.xftpServers = file.custom.xftpServers.filter { isPossible($0) }
        possible.custom.relays = file.custom.relays.compactMap { self.possible($0) }
        return possible
    }

    /// A server of an operator as it is in the store; nil if the store lacks it.
    private func asStored(_ server: PresetServer) -> PresetServer? {
        guard let old = state.serversByKey[server.key], let address = try? old.address() else { return nil }
        var same = server
        same.address = address
        return same
    }

    private func asStored(_ relay: PresetRelay) -> PresetRelay? {
        guard let old = state.relaysByKey[relay.key]?.relay, let address = try? RelayAddress(old.address) else {
            return nil
        }
        var same = relay
        (same.address, same.name, same.domains) = (address, old.name, old.domains)
        return same
    }

    /// Whether a server is in the store, or collides with no preset.
    private mutating func isPossible(_ server: PresetServer) -> Bool {
        if state.serversByKey[server.key] != nil { return true }
        return isOwn(server.address.hosts, called: server.address.text(withPassword: false))
    }

    /// Notes the reason if a host is one of a preset, or of an operator.
    private mutating func isOwn(_ hosts: [String], called address: String) -> Bool {
        if presets.hasHost(hosts) != nil {
            notes.append("\(address) is left out: it is a preset of SimpleX Chat")
        } else if let domain = presets.domain(of: hosts) {
            notes.append("\(address) is left out: its host is one of the operator of \(domain)")
        } else {
            return true
        }
        return false
    }

    /// A relay in the spelling of the store, or the one of the app; nil if it collides with a preset. The app has no
    /// domains for custom relays, and a name for each relay.
    private mutating func possible(_ relay: PresetRelay) -> PresetRelay? {
        var own = relay
        let known = state.relaysByKey[relay.key] ?? state.deletedRelays[relay.key]
        if let old = known?.relay, let address = try? RelayAddress(old.address) {
            if old.isDeleted, presets.hasRelay(old.address) || old.isPreset {
                notes.append("\(old.address) is left out: it is a preset of SimpleX Chat")
                return nil
            }
            (own.address, own.domains) = (address, old.domains)
            return own
        }
        if presets.hasRelay(relay.address.text) {
            notes.append("\(relay.address.text) is left out: it is a preset of SimpleX Chat")
            return nil
        }
        guard isOwn(relay.address.hosts, called: relay.address.text) else { return nil }
        guard relay.address.linkType == .relay, let address = try? RelayAddress(relay.address.rendered) else {
            notes.append("\(relay.address.text) is left out: SimpleX Chat takes links of relays only")
            return nil
        }
        (own.address, own.domains) = (address, [])
        if own.name.isEmpty { own.name = NameRule.free(address.primaryHost, besides: names) }
        names.insert(NameRule.key(own.name))
        return own
    }
}

extension PresetEntries {
    fileprivate var count: Int { smpServers.count + xftpServers.count + relays.count }
}
