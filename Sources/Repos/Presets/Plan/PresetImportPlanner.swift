import Schema

/// Makes the plan of an import. A pure function of the file, the state and the options.
struct PresetImportPlanner {
    /// An entry of the file, and whether it is taken as one that came with an operator.
    struct Incoming<Entry> {
        let entry: Entry
        let isPreset: Bool
        /// Why it is not, though the file says so.
        let reason: String?
    }

    let file: PresetFile
    let state: PresetState
    let options: PresetImportOptions
    /// The operators of the file, each with the one of the store it is.
    let matches: [ServerOperator?]
    /// The operators that ship with this build, by tag.
    let shipped: [OperatorTag: PresetOperator]
    var plan = PresetPlan()

    init(_ file: PresetFile, _ state: PresetState, _ options: PresetImportOptions, shipped: PresetFile) {
        self.file = file
        self.state = state
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
        return plan
    }

    // MARK: - Whom to trust

    /// The entries of one kind, operators' first, and how each is taken.
    func incoming<Entry, Key: Hashable>(
        _ list: (PresetEntries) -> [Entry], key: (Entry) -> Key
    ) -> [Incoming<Entry>] {
        let operators = file.operators.enumerated().flatMap { index, preset in
            let known = Set(preset.tag.flatMap { shipped[$0] }.map { list($0.entries).map(key) } ?? [])
            return list(preset.entries).map { entry in
                if !willExist(preset, matches[index]) {
                    return Incoming(
                        entry: entry, isPreset: false, reason: "taken as your own: its operator is not in the store")
                }
                let isPreset = options.trustsOperators || known.contains(key(entry))
                return Incoming(
                    entry: entry, isPreset: isPreset,
                    reason: isPreset ? nil : "taken as your own: this build's preset does not have it")
            }
        }
        return operators + list(file.custom).map { Incoming(entry: $0, isPreset: false, reason: nil) }
    }

    /// Whether the store has the operator when the import is done.
    private func willExist(_ preset: PresetOperator, _ match: ServerOperator?) -> Bool {
        match != nil || (options.changesOperators && definition(of: preset) != nil)
    }

    /// What is made of an operator that the store lacks; nil when the file is not believed.
    private func definition(of preset: PresetOperator) -> PresetOperator? {
        if options.trustsOperators { return preset }
        guard var known = preset.tag.flatMap({ shipped[$0] }) else { return nil }
        known.isEnabled = preset.isEnabled
        return known
    }

    // MARK: - Operators

    private mutating func plan(_ preset: PresetOperator, _ match: ServerOperator?) {
        guard options.changesOperators else { return plan.unchanged += 1 }
        guard let match else { return planNew(preset) }
        let enabled = options.followsEnabled && match.isEnabled != preset.isEnabled
        let said = OperatorFields.differences(of: PresetOperator(match), from: preset)
        if !said.isEmpty, !options.trustsOperators {
            plan.changes.append(
                PresetChange(
                    .conflict, .operator, name: match.tradeName, fields: said,
                    reason: "operators stay as they are, unless the file is trusted with them"))
        }
        let believed = options.trustsOperators ? said : []
        guard enabled || !believed.isEmpty else { return plan.unchanged += 1 }
        let field = PresetChange.Field(name: "enabled", from: .flag(match.isEnabled), to: .flag(preset.isEnabled))
        let change = PresetChange(
            .update, .operator, name: match.tradeName, fields: believed + (enabled ? [field] : []))
        var steps: [PresetStep] = []
        if enabled { steps.append(.enableOperator(match.id, preset.isEnabled)) }
        if !believed.isEmpty {
            steps.append(.updateOperator(match.id, preset))
            steps.append(.setOperatorRoles(match.id, smp: preset.smpRoles, xftp: preset.xftpRoles))
        }
        plan.add(change, steps)
        if enabled { noteWhomItConcerns(match, isEnabled: preset.isEnabled) }
    }

    private mutating func planNew(_ preset: PresetOperator) {
        guard let definition = definition(of: preset) else {
            plan.changes.append(
                PresetChange(
                    .conflict, .operator, name: preset.label,
                    reason: "this build does not know the operator, and the file is not trusted with it"))
            return
        }
        plan.add(
            PresetChange(
                .add, .operator, name: definition.label,
                fields: [.init(name: "enabled", from: .none, to: .flag(definition.isEnabled))]),
            .addOperator(definition))
    }

    /// Operators are shared, so a switch concerns every profile.
    private mutating func noteWhomItConcerns(_ stored: ServerOperator, isEnabled: Bool) {
        let hidden = state.hiddenProfiles
        var names = state.profiles
        if hidden > 0 { names.append("\(hidden) hidden \(hidden == 1 ? "profile" : "profiles")") }
        plan.notes.append(
            "the operator \(stored.tradeName) is switched \(isEnabled ? "on" : "off") for every profile: "
                + names.joined(separator: ", "))
    }
}
