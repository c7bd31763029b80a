import ChatDBReposChat
import ChatDBSchema

/// Makes the plan that brings a profile in line with a preset. A pure function of the preset, the state and the
/// generator.
struct PresetPlanner<Generator: RandomNumberGenerator> {
    /// The purpose of the plan.
    enum Purpose {
        /// A new profile: operators that are there stay as they are, and custom entries are added too.
        case start
        /// Operators' lists follow the preset.
        case sync
    }

    let file: PresetFile
    let state: PresetState
    let purpose: Purpose
    var generator: Generator
    var plan: PresetPlan

    /// The operators of the preset, each with the one of the store it is.
    let matches: [ServerOperator?]
    /// The entries to remove, by the operator that no longer lists them: its position in the preset.
    let goneServers: [Int: [ProtocolServer]]
    let goneRelays: [Int: [RelayWithUse]]
    /// The new names of relays by their keys. A relay that keeps its name, or is not imported, has none.
    let names: [String: String]

    init(_ file: PresetFile, _ state: PresetState, for purpose: Purpose, using generator: Generator) {
        self.file = file
        self.state = state
        plan = PresetPlan(for: state)
        self.purpose = purpose
        self.generator = generator
        matches = state.matches(file.operators)
        // An entry stays if any operator of the preset lists it, even one that does not have its domain.
        let listed = file.operators.map(\.entries)
        let listedServers = Set(listed.flatMap { ($0.smpServers + $0.xftpServers).map(\.key) })
        let listedRelays = Set(listed.flatMap { $0.relays.map(\.key) })
        let owners = PresetOwners(file.operators, matches, state.operators)
        func gone<Thing>(_ things: [Thing], _ isKept: (Thing) -> Bool, _ owner: (Thing) -> Int?) -> [Int: [Thing]] {
            if purpose == .start { return [:] }
            let owned = things.filter { !isKept($0) }.compactMap { thing in owner(thing).map { ($0, thing) } }
            return Dictionary(grouping: owned, by: \.0).mapValues { $0.map(\.1) }
        }
        // Without a list, the preset does not say that the operator has no entries.
        func owned(_ place: Int?, _ list: PresetEntries.List) -> Int? {
            place.flatMap { file.operators[$0].entries.lists.contains(list) ? $0 : nil }
        }
        goneServers = gone(
            state.servers, { !$0.isPreset || listedServers.contains($0.key) },
            { owned(owners.owner(of: $0), .init($0.serverProtocol)) })
        goneRelays = gone(
            state.relays, { !$0.relay.isPreset || listedRelays.contains($0.relay.addressKey) },
            { owned(owners.owner(of: $0.relay), .relays) })
        names = Self.names(file, state, for: purpose, without: goneRelays.values.flatMap { $0 })
    }

    /// Decides the new names. A relay of the preset cannot get the name of a relay that the plan does not rename or
    /// remove: one of the user's own, or one of an operator that the preset lacks.
    private static func names(
        _ file: PresetFile, _ state: PresetState, for purpose: Purpose, without gone: [RelayWithUse]
    ) -> [String: String] {
        let listed = file.operators.flatMap(\.entries.relays) + (purpose == .start ? file.custom.relays : [])
        let named = listed.filter { relay in
            guard let old = state.relaysByKey[relay.key]?.relay else { return true }
            return old.isPreset && old.name != relay.name
        }
        let leaving = Set(named.map(\.key)).union(gone.map(\.relay.addressKey))
        let kept = state.relays.map(\.relay).filter { !leaving.contains($0.addressKey) }
        let claims = named.map { RelayNameClaim(now: state.relaysByKey[$0.key]?.relay.name ?? "", wanted: $0.name) }
        let settled = RelayNames.settle(claims, beside: kept.map(\.name))
        let pairs = zip(named, settled).compactMap { relay, name in name.map { (relay.key, $0) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The plan. Call it once: it draws from the generator.
    mutating func make() -> PresetPlan {
        for (index, preset) in file.operators.enumerated() { planOperator(preset, matches[index]) }
        for (index, preset) in file.operators.enumerated() {
            planServers(of: preset, index, .smp, use: preset.use?.smp)
            planServers(of: preset, index, .xftp, use: preset.use?.xftp)
            planRelays(of: preset, index, use: preset.use?.relays)
        }
        if purpose == .start { planCustom() }
        return plan
    }

    // MARK: - Operators

    private mutating func planOperator(_ preset: PresetOperator, _ match: ServerOperator?) {
        guard let match else {
            return plan.add(preset)
        }
        let preset = preset.completed(from: PresetOperator(match))
        let fields = purpose == .start ? [] : OperatorFields.names(of: PresetOperator(match), from: preset)
        if fields.isEmpty {
            plan.keepOperator()
        } else {
            plan.add(
                PresetChange(.update, .operator, name: match.tradeName, fields: fields),
                .updateOperator(match.id, preset))
        }
    }

    // MARK: - Servers and relays

    /// The positions of the new entries to enable: all that the preset enables, or at most `limit` of them, drawn by
    /// the generator.
    mutating func choose(_ enabled: [Bool], upTo limit: Int?) -> Set<Int> {
        let candidates = enabled.indices.filter { enabled[$0] }
        guard let limit else { return Set(candidates) }
        return Set(candidates.shuffled(using: &generator).prefix(max(0, limit)))
    }

    /// Decides which of an operator's entries the plan adds enabled. The profile has none of them now. An entry that it
    /// had before keeps its switch; if it stays disabled, the reason says so. Among the others, the planner chooses.
    /// `use` is the number of entries that may still be enabled; nil for no limit.
    mutating func switches<Entry: PresetEntry>(
        of new: [Entry], use: Int?
    ) -> [(isEnabled: Bool, reason: PresetReason?)] {
        let choices = new.map { state.choices[$0.choiceKey] }
        let enabled = choices.count { $0 == .enabled }
        let chosen = choose(zip(new, choices).map { $0.isEnabled && $1 == nil }, upTo: use.map { $0 - enabled })
        return choices.enumerated().map { place, choice in
            guard let choice else { return (chosen.contains(place), nil) }
            return (choice == .enabled, choice.reasonToStayOff)
        }
    }

    /// Adds the entries that belong to no operator as the user's own.
    private mutating func planCustom() {
        for server in file.custom.smpServers + file.custom.xftpServers where state.serversByKey[server.key] == nil {
            plan.add(server, isPreset: false, isEnabled: server.isEnabled)
        }
        for relay in file.custom.relays where state.relaysByKey[relay.key] == nil {
            if names[relay.key] == nil {
                plan.refuse(relay)
            } else {
                add(relay, isPreset: false, isEnabled: relay.isEnabled)
            }
        }
    }
}

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
        for (relay, choice) in zip(new, switches(of: new, use: use.map { $0 - enabled })) {
            add(relay, isPreset: true, isEnabled: choice.isEnabled, reason: choice.reason)
        }
        for old in goneRelays[index] ?? [] { plan.remove(old, by: .drop) }
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

    /// Adds a relay, or brings a soft-deleted one back. A preset relay that comes back keeps the result of its test,
    /// unless the list has another text for its address.
    mutating func add(_ relay: PresetRelay, isPreset: Bool, isEnabled: Bool, reason: PresetReason? = nil) {
        let old = state.deletedRelays[relay.key]
        var relay = relay
        var keepsTest = false
        if let old = old?.relay, isPreset, old.isPreset, old.address == relay.address.text, old.tested != nil {
            (relay.tested, keepsTest) = (old.tested, true)
        }
        plan.add(
            relay, restoring: old, isPreset: isPreset, isEnabled: isEnabled, keepsTest: keepsTest,
            reason: reason?.clause)
    }
}

extension PresetPlanner {
    mutating func planServers(
        of preset: PresetOperator, _ index: Int, _ serverProtocol: ServerProtocol, use: Int?
    ) {
        var enabled = 0
        var new: [PresetServer] = []
        for server in preset.entries.servers(serverProtocol) {
            guard let old = state.serversByKey[server.key] else {
                new.append(server)
                continue
            }
            if old.isPreset, old.isEnabled { enabled += 1 }
            keep(old, following: server)
        }
        for (server, choice) in zip(new, switches(of: new, use: use.map { $0 - enabled })) {
            plan.add(server, isPreset: true, isEnabled: choice.isEnabled, reason: choice.reason?.clause)
        }
        for old in goneServers[index] ?? [] where old.serverProtocol == serverProtocol {
            plan.remove(old, by: .drop)
        }
    }

    private mutating func keep(_ old: ProtocolServer, following server: PresetServer) {
        guard old.isPreset else { return plan.refuse(old, .ownServer) }
        plan.update(old, to: old.with(server.address, password: old.password(at: server.address)))
    }
}
