import ChatDBReposChat
import ChatDBReposKit
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
        plan.restoresFromPart =
            options.mode == .restore && !file.tellsOperators
            && plan.changes.contains { $0.action == .remove || $0.action == .softDelete }
        return plan
    }

    /// Takes down how the file has an entry switched that is there. `name` is its name in the profile.
    mutating func noteSwitch(_ isEnabled: Bool, in file: Bool, of name: String) {
        if !options.followsEnabled, !self.file.hasAddressesOnly, isEnabled != file {
            plan.switchedOtherwise.append(name)
        }
    }

    /// Whether entries of the profile that the file does not list are removed.
    func goes(isPreset: Bool) -> Bool {
        switch options.mode {
        case .merge: false
        case .replace: !isPreset
        case .restore: !(isPreset && options.keepsPresets)
        }
    }

    // MARK: - Whom to trust

    /// An entry of the file, and how it is taken.
    struct Incoming<Entry> {
        /// The entry that is taken when the profile does not have it.
        let entry: Entry
        /// The entry of the file.
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

    /// An entry of the user's own. The result of a test elsewhere does not count.
    private func own<Entry: PresetEntry>(_ said: Entry, _ reason: PresetReason?) -> Incoming<Entry> {
        Incoming(entry: options.believes ? said : said.untested, said: said, isPreset: false, reason: reason)
    }

    /// Whether an entry that the profile does not have is enabled, and the words behind it. Merging does not switch on
    /// an operator's entry that the user disabled or deleted.
    func switched<Entry: PresetEntry>(_ incoming: Incoming<Entry>) -> (isEnabled: Bool, reason: String?) {
        let (isEnabled, reason) = (incoming.entry.isEnabled, incoming.reason)
        guard incoming.isPreset, isEnabled, !options.followsEnabled,
            let staysOff = state.choices[incoming.entry.choiceKey]?.reasonToStayOff
        else { return (isEnabled, reason?.clause) }
        return (false, [reason, staysOff].compactMap { $0?.clause }.joined(separator: "; "))
    }

    /// Whether what the file says of an entry that came with an operator is taken.
    func believes<Entry>(_ incoming: Incoming<Entry>) -> Bool {
        options.mode == .restore || (incoming.isPreset && options.trustsOperators)
    }

    /// Whether the store has the operator when the import is done.
    private func willExist(_ preset: PresetOperator, _ match: ServerOperator?) -> Bool {
        match != nil || (options.changesOperators && definition(of: preset) != nil)
    }

    /// The change for an operator that the store lacks; nil when the file is not trusted.
    private func definition(of preset: PresetOperator) -> PresetOperator? {
        if options.believes { return preset }
        guard var known = preset.tag.flatMap({ shipped[$0] }) else { return nil }
        known.isEnabled = preset.isEnabled
        return known
    }

    // MARK: - Operators

    private mutating func plan(_ preset: PresetOperator, _ match: ServerOperator?) {
        guard options.changesOperators else {
            // An operator that the store lacks does not stay: it is not there.
            if match != nil { plan.keepOperator() }
            return
        }
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
            if refused.isEmpty { plan.keepOperator() }
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

extension PresetImportPlanner {
    mutating func planRelays() {
        let incoming = incoming(\.relays)
        let listed = Set(incoming.map(\.entry.key))
        let removed =
            options.mode != .merge && file.custom.lists.contains(.relays)
            ? state.relays.filter { goes(isPreset: $0.relay.isPreset) && !listed.contains($0.relay.addressKey) } : []
        let leaving = Set(removed.map(\.relay.addressKey))
        let staying = state.relays.filter { !leaving.contains($0.relay.addressKey) }
        var taken = Set(staying.map { NameRule.key($0.relay.name) } + incoming.map { NameRule.key($0.entry.name) })
        let given = Set(incoming.map { NameRule.key($0.entry.name) })
        var wanted: [Incoming<PresetRelay>] = []
        for relay in incoming { wanted.append(completed(keepingOwn(relay, besides: given), besides: &taken)) }
        let names = self.names(of: wanted, without: leaving, renaming: options.onConflict == .rename)
        // A relay that renaming does not rename either keeps its name, without a conflict.
        let possible = self.names(of: wanted, without: leaving, renaming: true)
        for (relay, (name, possible)) in zip(wanted, zip(names, possible)) {
            if let old = state.relaysByKey[relay.entry.key] {
                noteSwitch(old.relay.isEnabled, in: relay.said.isEnabled, of: old.relay.calledName)
                keep(old, relay, possible == nil ? old.relay.name : name)
            } else {
                planNew(relay, name)
            }
        }
        for old in removed { plan.remove(old, by: options.mode == .restore ? .restoration : .deletion) }
    }

    /// A relay of the profile that a replacement keeps has its own name and domains where the file has none, as one
    /// that comes back does. So the same import a second time changes nothing. `given` has the keys of the names that
    /// the file gives: another relay may get its name.
    private func keepingOwn(_ relay: Incoming<PresetRelay>, besides given: Set<String>) -> Incoming<PresetRelay> {
        guard options.mode == .replace, let old = state.relaysByKey[relay.entry.key]?.relay else { return relay }
        var entry = relay.entry
        if entry.name.isEmpty, !given.contains(NameRule.key(old.name)) { entry.name = old.name }
        if entry.domains.isEmpty { entry.domains = old.domains }
        return Incoming(entry: entry, said: relay.said, isPreset: relay.isPreset, reason: relay.reason)
    }

    /// A relay that comes back keeps its name and domains where the file has none. As a custom relay it loses the
    /// domains of a former preset, and a name that another relay has by now or gets from the file. `taken` has the keys
    /// of these names. To restore is to take the file as it is.
    private mutating func completed(
        _ relay: Incoming<PresetRelay>, besides taken: inout Set<String>
    ) -> Incoming<PresetRelay> {
        guard options.mode != .restore || file.hasAddressesOnly, state.relaysByKey[relay.entry.key] == nil,
            let old = state.deletedRelays[relay.entry.key]?.relay
        else { return relay }
        var entry = relay.entry
        if entry.name.isEmpty, !old.name.isEmpty {
            if taken.insert(NameRule.key(old.name)).inserted {
                entry.name = old.name
            } else {
                plan.notes.append(
                    "the relay \(old.host) comes back without its name \"\(old.name)\", which another relay has by now")
            }
        }
        if entry.domains.isEmpty, relay.isPreset || !old.isPreset { entry.domains = old.domains }
        return Incoming(entry: entry, said: relay.said, isPreset: relay.isPreset, reason: relay.reason)
    }

    /// The names that the relays of the file get; nil for one that gets none, or has a name already that stays.
    /// `renaming` decides conflicts as ``PresetImportOptions/OnConflict/rename`` does. In the mode merge, a relay that
    /// has a name gets no number: its name may be the choice of the user, or have a number of an earlier import.
    private func names(
        of wanted: [Incoming<PresetRelay>], without removed: Set<String>, renaming: Bool
    ) -> [String?] {
        let renamed = wanted.map { relay in
            state.relaysByKey[relay.entry.key].map { renames($0.relay, relay, renaming: renaming) } ?? true
        }
        let leaving = Set(zip(wanted, renamed).filter(\.1).map(\.0.entry.key)).union(removed)
        let kept = state.relays.filter { !leaving.contains($0.relay.addressKey) }
        let claims = zip(wanted, renamed).filter(\.1).map { relay, _ in
            let old = state.relaysByKey[relay.entry.key]?.relay
            let mayStay = options.mode == .merge && old.map { !$0.isPreset && !$0.name.isEmpty } ?? false
            return RelayNameClaim(
                now: old?.name ?? "", wanted: relay.entry.name, isNumbered: renaming && !mayStay)
        }
        var settled = RelayNames.settle(claims, beside: kept.map(\.relay.name))[...]
        return renamed.map { $0 ? settled.removeFirst() : nil }
    }

    /// Whether a relay of the profile takes the file's name.
    private func renames(_ old: ChatRelay, _ relay: Incoming<PresetRelay>, renaming: Bool) -> Bool {
        guard old.name != relay.entry.name, !file.hasAddressesOnly, !(relay.isPreset && !old.isPreset) else {
            return false
        }
        if old.isPreset { return believes(relay) && (options.mode != .merge || !relay.entry.name.isEmpty) }
        // What a replacement keeps is in the entry already.
        if options.mode != .merge { return true }
        return !relay.entry.name.isEmpty && (old.name.isEmpty || renaming)
    }

    private mutating func keep(_ old: RelayWithUse, _ relay: Incoming<PresetRelay>, _ name: String?) {
        if relay.isPreset, !old.relay.isPreset { return plan.refuse(old, .ownRelay) }
        if old.relay.isPreset, !believes(relay) { return keepPreset(old, relay.said) }
        let new = relay.entry
        var edit = followed(old.relay, new)
        if let name {
            edit.name = name
        } else {
            let isRenamed = renames(old.relay, relay, renaming: options.onConflict == .rename)
            return plan.refuse(
                old, isRenamed ? .nameOf(another: new.name) : .calls(new.name), isBlocking: options.onConflict == .fail)
        }
        if options.followsEnabled, !file.hasAddressesOnly { edit.isEnabled = new.isEnabled }
        if options.mode == .restore { edit.tested = new.tested }
        plan.update(old, to: edit.relay)
    }

    /// From a file that is not trusted, only the switch of a preset relay is taken.
    private mutating func keepPreset(_ old: RelayWithUse, _ said: PresetRelay) {
        var synced = followed(old.relay, said)
        synced.tested = old.relay.tested
        let fields = PresetChange.fields(old.relay, synced.relay)
        if !fields.isEmpty { plan.refuse(old, .presetRelay, fields: fields) }
        var edit = RelayEdit(old.relay)
        if options.followsEnabled, !file.hasAddressesOnly { edit.isEnabled = said.isEnabled }
        if fields.isEmpty || edit.isEnabled != old.relay.isEnabled { plan.update(old, to: edit.relay) }
    }

    /// The relay with the values of the file. A merge takes no empty value.
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
        let numbered = name == new.name ? nil : PresetReason.numbered(new.name).clause
        new.name = name
        let (isEnabled, reason) = switched(relay)
        let reasons = [reason, numbered].compactMap { $0 }
        plan.add(
            new, restoring: state.deletedRelays[new.key], isPreset: relay.isPreset, isEnabled: isEnabled,
            reason: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
}

extension PresetImportPlanner {
    mutating func planServers() {
        for serverProtocol in ServerProtocol.allCases {
            let wanted = incoming({ $0.servers(serverProtocol) })
            for server in wanted {
                if let old = state.serversByKey[server.entry.key] {
                    let password = old.password(at: server.said.address)
                    noteSwitch(old.isEnabled, in: enables(server.said, password: password), of: old.primaryHost)
                    keep(old, server)
                } else {
                    let (isEnabled, reason) = switched(server)
                    plan.add(server.entry, isPreset: server.isPreset, isEnabled: isEnabled, reason: reason)
                }
            }
            guard options.mode != .merge, file.custom.lists.contains(.init(serverProtocol)) else { continue }
            let listed = Set(wanted.map(\.entry.key))
            for old in state.servers
            where old.serverProtocol == serverProtocol && goes(isPreset: old.isPreset) && !listed.contains(old.key) {
                plan.remove(old, by: options.mode == .restore ? .restoration : .deletion)
            }
        }
    }

    private mutating func keep(_ old: ProtocolServer, _ server: Incoming<PresetServer>) {
        if server.isPreset, !old.isPreset { return plan.refuse(old, .ownServer) }
        if old.isPreset, !believes(server) { return keepPreset(old, server.said) }
        let new = server.entry
        let hasOtherKey = old.keyHash != new.address.keyHash
        if hasOtherKey, !old.isPreset, options.mode == .merge {
            let fields = PresetChange.fields(old, old.with(new.address, password: old.password))
            return plan.refuse(old, .otherKey, fields: fields, isBlocking: options.onConflict == .fail)
        }
        let isExact = options.mode == .restore
        let password = isExact && !new.isPasswordOmitted ? new.address.password : old.password(at: new.address)
        if new.isPasswordOmitted, password == nil {
            plan.noteMissingPassword(of: new, ", which the profile does not have either")
        }
        var moved = old.with(new.address, password: password)
        if isExact { moved = moved.with(tested: new.tested) }
        if file.hasAddressesOnly { return plan.update(old, to: moved.with(isEnabled: old.isEnabled, roles: old.roles)) }
        let enabled = isEnabled(old, new, password: password)
        plan.update(
            old,
            to: moved.with(
                isEnabled: enabled,
                roles: !options.followsEnabled && (old.isPreset || new.roles.isEmpty) ? old.roles : new.roles),
            reason: reason(old, said: new, enabled))
    }

    /// From a file that is not trusted, only the switch of a preset server is taken.
    private mutating func keepPreset(_ old: ProtocolServer, _ said: PresetServer) {
        let moved = old.with(said.address, password: said.address.password ?? old.password)
        let roles = options.followsEnabled && !file.hasAddressesOnly ? said.roles : old.roles
        let fields = PresetChange.fields(
            old, moved.with(isEnabled: old.isEnabled, roles: roles).with(tested: old.tested))
        if !fields.isEmpty { plan.refuse(old, .presetServer, fields: fields) }
        let enabled = file.hasAddressesOnly ? old.isEnabled : isEnabled(old, said, password: old.password)
        if fields.isEmpty || enabled != old.isEnabled {
            plan.update(
                old, to: old.with(isEnabled: enabled, roles: old.roles), reason: reason(old, said: said, enabled))
        }
    }

    /// Why a server that the file enables is disabled; nil if it is not.
    private func reason(_ old: ProtocolServer, said: PresetServer, _ isEnabled: Bool) -> PresetReason? {
        old.isEnabled && !isEnabled && said.isEnabled ? .passwordOmitted : nil
    }

    private func isEnabled(_ old: ProtocolServer, _ new: PresetServer, password: String?) -> Bool {
        options.followsEnabled ? enables(new, password: password) : old.isEnabled
    }

    /// Whether the file enables a server. One without its password would fail at once.
    private func enables(_ new: PresetServer, password: String?) -> Bool {
        new.isEnabled && !(new.isPasswordOmitted && password == nil)
    }
}
