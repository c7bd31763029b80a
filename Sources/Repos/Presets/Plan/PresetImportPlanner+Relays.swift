import Schema

extension PresetImportPlanner {
    mutating func planRelays() {
        let present = Dictionary(
            state.relays.map { ($0.relay.addressKey, $0) }, uniquingKeysWith: { first, _ in first })
        let wanted = incoming(\.relays, key: \.address.addressKey)
        let listed = Set(wanted.map(\.entry.address.addressKey))
        let removed =
            options.mode == .replace && file.custom.lists.contains(.relays)
            ? state.relays.filter { !$0.relay.isPreset && !listed.contains($0.relay.addressKey) } : []
        var names = RelayNames(
            state.relays.map(\.relay), without: Set(removed.map(\.relay.addressKey)))
        // Those that are going to have another name make room for others first.
        for relay in wanted {
            guard let old = present[relay.entry.address.addressKey]?.relay, renames(old, relay) else { continue }
            names.release(old)
        }
        for relay in wanted {
            if let old = present[relay.entry.address.addressKey] {
                keep(old, relay, &names)
            } else {
                planNew(relay, &names)
            }
        }
        for old in removed { plan.remove(old) }
    }

    /// Whether a relay of the profile takes the file's name.
    private func renames(_ old: ChatRelay, _ relay: Incoming<PresetRelay>) -> Bool {
        guard old.name != relay.entry.name, !file.hasAddressesOnly, !(relay.isPreset && !old.isPreset) else {
            return false
        }
        if old.isPreset { return relay.isPreset && options.trustsOperators }
        // A file that tells no name has nothing against the name there is, unless it replaces all.
        if options.mode == .replace { return true }
        return !relay.entry.name.isEmpty && (old.name.isEmpty || options.onConflict == .rename)
    }

    private mutating func keep(_ old: RelayUsage, _ relay: Incoming<PresetRelay>, _ names: inout RelayNames) {
        let (now, new) = (old.relay, relay.entry)
        if relay.isPreset, !now.isPreset {
            return refuse(old, "the profile has it already as a relay of its own")
        }
        if file.hasAddressesOnly { return plan.unchanged += 1 }
        let followed = followed(old, relay, &names)
        guard let followed else { return }
        var fields = Self.fields(now, followed)
        var steps: [PresetStep] = fields.isEmpty ? [] : [.updateRelay(now.id, followed)]
        if options.followsEnabled, now.isEnabled != new.isEnabled {
            fields.append(.init(name: "enabled", from: .flag(now.isEnabled), to: .flag(new.isEnabled)))
            steps.append(.enableRelay(now.id, new.isEnabled))
        }
        if steps.isEmpty { return plan.unchanged += 1 }
        plan.add(
            PresetChange(
                .update, .relay, name: now.name, address: now.address, fields: fields, channelsUsing: old.use.using),
            steps)
    }

    /// What a relay of the profile follows of the file's; nil when nothing of it is taken, which the plan tells then.
    private mutating func followed(
        _ old: RelayUsage, _ relay: Incoming<PresetRelay>, _ names: inout RelayNames
    ) -> PresetRelay? {
        let (now, new) = (old.relay, relay.entry)
        var followed = new
        // To merge is to add: what the file leaves empty is nothing against what is there.
        if options.mode == .merge {
            if new.name.isEmpty { followed.name = now.name }
            if new.domains.isEmpty { followed.domains = now.domains }
        }
        if now.isPreset, !(relay.isPreset && options.trustsOperators) {
            let fields = Self.fields(now, followed)
            if !fields.isEmpty { refuse(old, "a preset relay stays as its operator made it", fields: fields) }
            return PresetRelay(now)
        }
        if renames(now, relay) {
            followed.name = names.take(new.name, for: now)
            if followed.name == new.name || options.onConflict == .rename { return followed }
            refuse(old, "another relay has the name \"\(new.name)\"", isBlocking: options.onConflict == .fail)
            return nil
        }
        if followed.name != now.name {
            refuse(old, "the file calls it \"\(new.name)\"", isBlocking: options.onConflict == .fail)
            return nil
        }
        return followed
    }

    private mutating func planNew(_ relay: Incoming<PresetRelay>, _ names: inout RelayNames) {
        var new = relay.entry
        let name = names.take(new.name, for: nil)
        if name != new.name {
            guard options.onConflict == .rename else {
                plan.changes.append(
                    PresetChange(
                        .conflict, .relay, name: new.name, address: new.address.text,
                        reason: "another relay of the profile has its name",
                        isBlocking: options.onConflict == .fail))
                return names.release(name)
            }
            new.name = name
        }
        plan.add(
            new, restoring: state.deletedRelays[new.address.addressKey], isPreset: relay.isPreset,
            isEnabled: new.isEnabled, reason: relay.reason)
    }

    private mutating func refuse(
        _ old: RelayUsage, _ reason: String, fields: [PresetChange.Field] = [], isBlocking: Bool = false
    ) {
        plan.changes.append(
            PresetChange(
                .conflict, .relay, name: old.relay.name, address: old.relay.address, fields: fields,
                channelsUsing: old.use.using, reason: reason, isBlocking: isBlocking))
    }

    private static func fields(_ now: ChatRelay, _ new: PresetRelay) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        if now.name != new.name { fields.append(.init(name: "name", from: .text(now.name), to: .text(new.name))) }
        if now.address != new.address.text {
            fields.append(.init(name: "address", from: .text(now.address), to: .text(new.address.text)))
        }
        if now.domains != new.domains {
            fields.append(.init(name: "domains", from: .texts(now.domains), to: .texts(new.domains)))
        }
        return fields
    }
}

/// The names of a profile's relays while a plan is made: no two are the same. An empty name is none.
struct RelayNames {
    private var taken: Set<String>

    init(_ relays: [ChatRelay], without removed: Set<String>) {
        taken = Set(relays.filter { !removed.contains($0.addressKey) }.map { NameRule.key($0.name) })
    }

    mutating func release(_ relay: ChatRelay) { release(relay.name) }

    mutating func release(_ name: String) { taken.remove(NameRule.key(name)) }

    /// Takes a name; when another relay has it: the old name, if that is still free, or the name with a number.
    mutating func take(_ name: String, for old: ChatRelay?) -> String {
        if name.isEmpty || taken.insert(NameRule.key(name)).inserted { return name }
        if let old, taken.insert(NameRule.key(old.name)).inserted { return old.name }
        var number = 2
        while !taken.insert(NameRule.key("\(name) \(number)")).inserted { number += 1 }
        return "\(name) \(number)"
    }
}
