import ChatDBReposChat
import ChatDBSchema

extension PresetPlanner {
    mutating func planRelays(of preset: PresetOperator, _ index: Int, use: Int?) {
        var enabled = 0
        var new: [PresetRelay] = []
        for relay in preset.entries.relays {
            if let old = state.relaysByKey[relay.key] {
                if old.relay.isPreset, old.relay.isEnabled { enabled += 1 }
                keep(old, following: relay)
            } else if names[relay.key] == nil {
                plan.refuse(relay)
            } else {
                new.append(relay)
            }
        }
        let chosen = choose(new.map(\.isEnabled), upTo: use.map { $0 - enabled })
        for (place, relay) in new.enumerated() { add(relay, isPreset: true, isEnabled: chosen.contains(place)) }
        for old in goneRelays[index] ?? [] { plan.remove(old) }
    }

    private mutating func keep(_ old: RelayWithUse, following relay: PresetRelay) {
        guard old.relay.isPreset else { return plan.refuse(old, .ownRelay) }
        var edit = RelayEdit(old.relay)
        edit.follow(relay.address)
        edit.domains = relay.domains
        if let name = names[relay.key] {
            edit.name = name
        } else if relay.name != old.relay.name {
            plan.refuse(relay)
            if edit.relay == old.relay { return }
        }
        plan.update(old, to: edit.relay)
    }

    /// A new relay of the profile, or an old one that comes back.
    mutating func add(_ relay: PresetRelay, isPreset: Bool, isEnabled: Bool) {
        plan.add(
            relay, restoring: state.deletedRelays[relay.key], isPreset: isPreset, isEnabled: isEnabled)
    }
}
