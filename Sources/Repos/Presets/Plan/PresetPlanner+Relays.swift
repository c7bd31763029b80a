import Schema

extension PresetPlanner {
    mutating func planRelays(of preset: PresetOperator, _ index: Int, use: Int?) {
        let wanted = preset.entries.relays
        let present = Dictionary(
            state.relays.map { ($0.relay.addressKey, $0) }, uniquingKeysWith: { first, _ in first })
        var enabled = 0
        var new: [PresetRelay] = []
        for relay in wanted {
            if let old = present[relay.address.addressKey] {
                if old.relay.isPreset, old.relay.isEnabled { enabled += 1 }
                keep(old, following: relay)
            } else if foreignNames.contains(NameRule.key(relay.name)) {
                plan.changes.append(conflictOfNames(relay))
            } else {
                new.append(relay)
            }
        }
        let chosen = choose(new.map(\.isEnabled), upTo: use.map { $0 - enabled })
        for (place, relay) in new.enumerated() { add(relay, isPreset: true, isEnabled: chosen.contains(place)) }
        for old in state.relays
        where purpose == .sync && old.relay.isPreset && !listedRelays.contains(old.relay.addressKey)
            && Self.owner(of: old.relay, among: file.operators, matches, state) == index
        {
            plan.remove(old)
        }
    }

    private mutating func keep(_ old: RelayUsage, following relay: PresetRelay) {
        let now = old.relay
        guard now.isPreset else {
            plan.changes.append(
                PresetChange(
                    .conflict, .relay, name: now.name, address: now.address, channelsUsing: old.use.using,
                    reason: "the profile has it already as a relay of its own"))
            return
        }
        var relay = relay
        if foreignNames.contains(NameRule.key(relay.name)), NameRule.key(relay.name) != NameRule.key(now.name) {
            plan.changes.append(conflictOfNames(relay))
            relay.name = now.name
        }
        var fields: [PresetChange.Field] = []
        if now.name != relay.name {
            fields.append(.init(name: "name", from: .text(now.name), to: .text(relay.name)))
        }
        if now.address != relay.address.text {
            fields.append(.init(name: "address", from: .text(now.address), to: .text(relay.address.text)))
        }
        if now.domains != relay.domains {
            fields.append(.init(name: "domains", from: .texts(now.domains), to: .texts(relay.domains)))
        }
        if fields.isEmpty {
            plan.unchanged += 1
        } else {
            plan.add(
                PresetChange(
                    .update, .relay, name: now.name, address: now.address, fields: fields,
                    channelsUsing: old.use.using),
                .updateRelay(now.id, relay))
        }
    }

    /// A new relay of the profile, or an old one that comes back.
    mutating func add(_ relay: PresetRelay, isPreset: Bool, isEnabled: Bool) {
        let old = state.deletedRelays[relay.address.addressKey]
        plan.add(relay, restoring: old, isPreset: isPreset, isEnabled: isEnabled)
    }

    private func conflictOfNames(_ relay: PresetRelay) -> PresetChange {
        PresetChange(
            .conflict, .relay, name: relay.name, address: relay.address.text,
            reason: "another relay of the profile has its name")
    }
}
