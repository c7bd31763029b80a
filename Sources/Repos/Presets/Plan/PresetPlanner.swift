import Schema

/// Makes the plan that brings a profile in line with a preset. A pure function of the preset, the state and the
/// generator.
struct PresetPlanner<Generator: RandomNumberGenerator> {
    /// What the plan is for.
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
    var plan = PresetPlan()

    /// The operators of the preset, each with the one of the store it is.
    let matches: [ServerOperator?]
    /// What any operator of the preset lists: it stays, whose domain it may be in.
    let listedServers: Set<ServerKey>
    let listedRelays: Set<String>
    /// Names of relays that the preset's own relays may not take.
    let foreignNames: Set<String>

    init(_ file: PresetFile, _ state: PresetState, for purpose: Purpose, using generator: Generator) {
        self.file = file
        self.state = state
        self.purpose = purpose
        self.generator = generator
        let matches = state.matches(file.operators)
        self.matches = matches
        listedServers = Set(
            file.operators.flatMap { ($0.entries.smpServers + $0.entries.xftpServers).map(\.address.key) })
        listedRelays = Set(file.operators.flatMap { $0.entries.relays.map(\.address.addressKey) })
        foreignNames = Self.foreignNames(file, state, matches, listed: listedRelays)
    }

    /// Names of relays that the preset does not decide about: the user's own, and those of operators that it lacks. A
    /// relay that may not take its new name for that reason keeps the old one, which no other may take then.
    private static func foreignNames(
        _ file: PresetFile, _ state: PresetState, _ matches: [ServerOperator?], listed: Set<String>
    ) -> Set<String> {
        let foreign = state.relays.map(\.relay).filter { relay in
            !relay.isPreset
                || (!listed.contains(relay.addressKey)
                    && owner(of: relay, among: file.operators, matches, state) == nil)
        }
        var names = Set(foreign.map { NameRule.key($0.name) }).subtracting([""])
        let wanted = Dictionary(
            file.operators.flatMap { $0.entries.relays }.map { ($0.address.addressKey, NameRule.key($0.name)) },
            uniquingKeysWith: { first, _ in first })
        var kept: Set<String>
        repeat {
            let refused = state.relays.map(\.relay).filter { relay in
                relay.isPreset && wanted[relay.addressKey].map(names.contains) == true
            }
            kept = Set(refused.map { NameRule.key($0.name) }).subtracting(names).subtracting([""])
            names.formUnion(kept)
        } while !kept.isEmpty
        return names
    }

    /// The plan, and the generator is used up.
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
            let enabled = PresetChange.Field(name: "enabled", from: .none, to: .flag(preset.isEnabled))
            plan.add(PresetChange(.add, .operator, name: preset.label, fields: [enabled]), .addOperator(preset))
            return
        }
        let fields = purpose == .start ? [] : OperatorFields.names(of: PresetOperator(match), from: preset)
        if fields.isEmpty {
            plan.unchanged += 1
        } else {
            plan.add(
                PresetChange(.update, .operator, name: match.tradeName, fields: fields),
                .updateOperator(match.id, preset))
        }
    }

    /// The place of the preset's operator that a preset relay of the profile belongs to, by what the store says of
    /// operators and by what the preset says, or nil.
    static func owner(
        of relay: ChatRelay, among operators: [PresetOperator], _ matches: [ServerOperator?], _ state: PresetState
    ) -> Int? {
        if let owner = state.operators.owner(of: relay), let index = matches.firstIndex(of: owner) { return index }
        return operators.firstIndex { preset in
            OperatorDomains.ownRelay(relayDomains: relay.domains, domains: preset.domains)
        }
    }

    // MARK: - What all kinds of entries share

    /// Which of the new entries are enabled: all that the preset enables, or so many of them, by chance.
    mutating func choose(_ enabled: [Bool], upTo limit: Int?) -> Set<Int> {
        let candidates = enabled.indices.filter { enabled[$0] }
        guard let limit else { return Set(candidates) }
        return Set(candidates.shuffled(using: &generator).prefix(max(0, limit)))
    }

    /// The entries of no operator: the user's own from the beginning.
    private mutating func planCustom() {
        let servers = Set(state.servers.map(\.key))
        for server in file.custom.smpServers + file.custom.xftpServers where !servers.contains(server.address.key) {
            plan.add(server, isPreset: false, isEnabled: server.isEnabled)
        }
        let relays = Set(state.relays.map(\.relay.addressKey))
        for relay in file.custom.relays where !relays.contains(relay.address.addressKey) {
            add(relay, isPreset: false, isEnabled: relay.isEnabled)
        }
    }
}
