import ChatDBSchema

/// Makes the plan of an import. A pure function of the file, the state and the options.
struct PresetImportPlanner {
    let file: PresetFile
    let state: PresetState
    let options: PresetImportOptions
    /// The operators of the file, each with the one of the store it is.
    let matches: [ServerOperator?]
    /// The operators that ship with this build, by tag.
    let shipped: [OperatorTag: PresetOperator]
    var plan: PresetPlan
    /// How many entries that are there the file has switched otherwise, which is not taken.
    private var otherSwitches = 0

    init(_ file: PresetFile, _ state: PresetState, _ options: PresetImportOptions, shipped: PresetFile) {
        self.file = file
        self.state = state
        plan = PresetPlan(for: state)
        self.options = options
        matches = state.matches(file.operators)
        self.shipped = Dictionary(
            shipped.operators.compactMap { preset in preset.tag.map { ($0, preset) } },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func make() -> PresetPlan {
        for (index, preset) in file.operators.enumerated() { plan(preset, matches[index]) }
        planServers()
        planRelays()
        plan.otherSwitches = otherSwitches
        return plan
    }

    /// Takes down how the file has an entry switched that is there.
    mutating func noteSwitch(_ isEnabled: Bool, in file: Bool) {
        if !options.followsEnabled, !self.file.hasAddressesOnly, isEnabled != file { otherSwitches += 1 }
    }

    /// Whether what the profile has goes when the file does not list it.
    func goes(isPreset: Bool) -> Bool {
        switch options.mode {
        case .merge: false
        case .replace: !isPreset
        case .restore: true
        }
    }

    // MARK: - Whom to trust

    /// An entry of the file, and how it is taken.
    struct Incoming<Entry> {
        /// What is taken when the profile does not have it.
        let entry: Entry
        /// What the file says.
        let said: Entry
        /// Whether it is taken as one that came with an operator.
        let isPreset: Bool
        /// Why it is not taken as the file says it; nil when it is.
        let reason: PresetReason?
    }

    /// The entries of one kind, operators' first, and how each is taken.
    func incoming<Entry: PresetEntry>(_ list: (PresetEntries) -> [Entry]) -> [Incoming<Entry>] {
        let operators = file.operators.enumerated().flatMap { index, preset in
            let known = Dictionary(
                (preset.tag.flatMap { shipped[$0] }.map { list($0.entries) } ?? []).map { ($0.key, $0) },
                uniquingKeysWith: { first, _ in first })
            let willExist = willExist(preset, matches[index])
            return list(preset.entries).map { said in
                if !willExist { return own(said, .operatorMissing) }
                if options.believes { return Incoming(entry: said, said: said, isPreset: true, reason: nil) }
                guard let known = known[said.key] else { return own(said, .notShipped) }
                return Incoming(
                    entry: known.switched(said.isEnabled), said: said, isPreset: true,
                    reason: known.reason(against: said))
            }
        }
        return operators + list(file.custom).map { own($0, nil) }
    }

    /// An entry that is the user's own. How a test went elsewhere is nothing to go by.
    private func own<Entry: PresetEntry>(_ said: Entry, _ reason: PresetReason?) -> Incoming<Entry> {
        Incoming(entry: options.believes ? said : said.untested, said: said, isPreset: false, reason: reason)
    }

    /// Whether what the file says of an entry that came with an operator is taken.
    func believes<Entry>(_ incoming: Incoming<Entry>) -> Bool {
        options.mode == .restore || (incoming.isPreset && options.trustsOperators)
    }

    /// Whether the store has the operator when the import is done.
    private func willExist(_ preset: PresetOperator, _ match: ServerOperator?) -> Bool {
        match != nil || (options.changesOperators && definition(of: preset) != nil)
    }

    /// What is made of an operator that the store lacks; nil when the file is not believed.
    private func definition(of preset: PresetOperator) -> PresetOperator? {
        if options.believes { return preset }
        guard var known = preset.tag.flatMap({ shipped[$0] }) else { return nil }
        known.isEnabled = preset.isEnabled
        return known
    }

    // MARK: - Operators

    private mutating func plan(_ preset: PresetOperator, _ match: ServerOperator?) {
        guard options.changesOperators else { return plan.unchanged += 1 }
        guard let match else { return planNew(preset) }
        let preset = options.mode == .restore ? preset : preset.completed(from: PresetOperator(match))
        let enabled = options.followsEnabled && match.isEnabled != preset.isEnabled
        let said = OperatorFields.differences(of: PresetOperator(match), from: preset)
        let refused = options.believes ? [] : said
        if !refused.isEmpty {
            plan.changes.append(
                PresetChange(
                    .conflict, .operator, name: match.tradeName, fields: refused,
                    reason: PresetReason.operatorStays.clause))
        }
        let believed = options.believes ? said : []
        guard enabled || !believed.isEmpty else {
            if refused.isEmpty { plan.unchanged += 1 }
            return
        }
        var fields = believed
        if enabled { fields.note("enabled", match.isEnabled, preset.isEnabled) }
        var steps: [PresetStep] = []
        if enabled { steps.append(.enableOperator(match.id, preset.isEnabled)) }
        if !believed.isEmpty {
            steps.append(.updateOperator(match.id, preset))
            steps.append(.setOperatorRoles(match.id, smp: preset.smpRoles, xftp: preset.xftpRoles))
        }
        plan.add(PresetChange(.update, .operator, name: match.tradeName, fields: fields), steps)
        if enabled { noteWhomItConcerns(match, "switched \(preset.isEnabled ? "on" : "off")") }
        if !believed.isEmpty { noteWhomItConcerns(match, "changed") }
    }

    private mutating func planNew(_ preset: PresetOperator) {
        guard let definition = definition(of: preset) else {
            plan.changes.append(
                PresetChange(
                    .conflict, .operator, name: preset.tradeName, reason: PresetReason.unknownOperator.clause))
            return
        }
        plan.add(definition)
    }

    /// Operators are shared, so what is done to one concerns every profile.
    private mutating func noteWhomItConcerns(_ stored: ServerOperator, _ done: String) {
        let hidden = state.hiddenProfiles
        var names = state.profiles
        if hidden > 0 { names.append("\(hidden) hidden \(hidden == 1 ? "profile" : "profiles")") }
        plan.notes.append(
            "the operator \(stored.tradeName) is \(done) for every profile: "
                + names.joined(separator: ", "))
    }
}
