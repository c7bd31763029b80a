import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

extension PresetImportPlanner {
    mutating func planRelays() {
        let wanted = incoming(\.relays).map(completed)
        let listed = Set(wanted.map(\.entry.key))
        let removed =
            options.mode != .merge && file.custom.lists.contains(.relays)
            ? state.relays.filter { goes(isPreset: $0.relay.isPreset) && !listed.contains($0.relay.addressKey) } : []
        let names = names(of: wanted, without: Set(removed.map(\.relay.addressKey)))
        for (relay, name) in zip(wanted, names) {
            if let old = state.relaysByKey[relay.entry.key] {
                noteSwitch(old.relay.isEnabled, in: relay.said.isEnabled)
                keep(old, relay, name)
            } else {
                planNew(relay, name)
            }
        }
        for old in removed { plan.remove(old) }
    }

    /// A relay that comes back keeps the name and the domains it had where the file tells none, unless another relay has
    /// the name by now.
    private func completed(_ relay: Incoming<PresetRelay>) -> Incoming<PresetRelay> {
        guard options.mode == .merge || file.hasAddressesOnly, state.relaysByKey[relay.entry.key] == nil,
            let old = state.deletedRelays[relay.entry.key]?.relay
        else { return relay }
        var entry = relay.entry
        if entry.name.isEmpty, !state.relays.contains(where: { NameRule.key($0.relay.name) == NameRule.key(old.name) })
        {
            entry.name = old.name
        }
        if entry.domains.isEmpty { entry.domains = old.domains }
        return Incoming(entry: entry, said: relay.said, isPreset: relay.isPreset, reason: relay.reason)
    }

    /// The names that the relays of the file get; nil for one that gets none, or has a name already that stays.
    private func names(of wanted: [Incoming<PresetRelay>], without removed: Set<String>) -> [String?] {
        let renamed = wanted.map { relay in
            state.relaysByKey[relay.entry.key].map { renames($0.relay, relay) } ?? true
        }
        let leaving = Set(zip(wanted, renamed).filter(\.1).map(\.0.entry.key)).union(removed)
        let kept = state.relays.filter { !leaving.contains($0.relay.addressKey) }
        let claims = zip(wanted, renamed).filter(\.1).map { relay, _ in
            RelayNameClaim(now: state.relaysByKey[relay.entry.key]?.relay.name ?? "", wanted: relay.entry.name)
        }
        var settled = RelayNames.settle(
            claims, beside: kept.map(\.relay.name), numbered: options.onConflict == .rename)[...]
        return renamed.map { $0 ? settled.removeFirst() : nil }
    }

    /// Whether a relay of the profile takes the file's name.
    private func renames(_ old: ChatRelay, _ relay: Incoming<PresetRelay>) -> Bool {
        guard old.name != relay.entry.name, !file.hasAddressesOnly, !(relay.isPreset && !old.isPreset) else {
            return false
        }
        if old.isPreset { return believes(relay) && (options.mode != .merge || !relay.entry.name.isEmpty) }
        // A file that tells no name has nothing against the name there is, unless it replaces all.
        if options.mode != .merge { return true }
        return !relay.entry.name.isEmpty && (old.name.isEmpty || options.onConflict == .rename)
    }

    private mutating func keep(_ old: RelayWithUse, _ relay: Incoming<PresetRelay>, _ name: String?) {
        if relay.isPreset, !old.relay.isPreset { return plan.refuse(old, .ownRelay) }
        if old.relay.isPreset, !believes(relay) { return keepPreset(old, relay.said) }
        let new = relay.entry
        var edit = followed(old.relay, new)
        if let name {
            edit.name = name
        } else if edit.name != old.relay.name {
            let reason: PresetReason = renames(old.relay, relay) ? .nameOf(another: new.name) : .calls(new.name)
            return plan.refuse(old, reason, isBlocking: options.onConflict == .fail)
        }
        if options.followsEnabled, !file.hasAddressesOnly { edit.isEnabled = new.isEnabled }
        if options.mode == .restore { edit.tested = new.tested }
        plan.update(old, to: edit.relay)
    }

    /// Of a preset relay, a file that is not trusted only says whether it is used.
    private mutating func keepPreset(_ old: RelayWithUse, _ said: PresetRelay) {
        var told = followed(old.relay, said)
        told.tested = old.relay.tested
        let fields = PresetChange.fields(old.relay, told.relay)
        if !fields.isEmpty { plan.refuse(old, .presetRelay, fields: fields) }
        var edit = RelayEdit(old.relay)
        if options.followsEnabled, !file.hasAddressesOnly { edit.isEnabled = said.isEnabled }
        if fields.isEmpty || edit.isEnabled != old.relay.isEnabled { plan.update(old, to: edit.relay) }
    }

    /// A relay with what the file says of it. To merge is to add: what the file leaves empty is nothing against what is
    /// there.
    private func followed(_ old: ChatRelay, _ new: PresetRelay) -> RelayEdit {
        var edit = RelayEdit(old)
        edit.follow(new.address)
        if file.hasAddressesOnly { return edit }
        if options.mode != .merge || !new.name.isEmpty { edit.name = new.name }
        if options.mode != .merge || !new.domains.isEmpty { edit.domains = new.domains }
        return edit
    }

    private mutating func planNew(_ relay: Incoming<PresetRelay>, _ name: String?) {
        guard let name else { return plan.refuse(relay.entry, isBlocking: options.onConflict == .fail) }
        var new = relay.entry
        new.name = name
        plan.add(
            new, restoring: state.deletedRelays[new.key], isPreset: relay.isPreset, isEnabled: new.isEnabled,
            reason: relay.reason?.clause)
    }
}
