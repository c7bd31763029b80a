import ChatDBReposChat
import ChatDBSchema

/// The differences of two configurations: the changes that would make the first equal to the second. Operators and
/// entries are the same when tag or address are, wherever they stand in the file; test results do not count. Rule:
/// docs/presets.md, "Differences".
public struct PresetDiff: Sendable, Hashable {
    /// The differences, operators first: `add` is only in the second, `remove` only in the first.
    public let changes: [PresetChange]
    /// The number of operators and entries that are equal in both.
    public let unchanged: Int
    /// What is not compared, because only one side has it; empty if all is compared.
    public let notCompared: [PresetChange.Kind]
    /// The number of operators' entries of each kind that are not compared, because only one side has operators, and the
    /// other side lacks these entries. Kinds of ``notCompared`` are not counted.
    public let entriesNotCompared: [PresetChange.Kind: Int]

    /// Compares two configurations. A list that one side lacks is not compared. When one side has no operators,
    /// operators are not compared, and operators' entries that it lacks are no difference. With a list of addresses,
    /// only addresses are compared, and passwords where the list has them.
    /// - Parameter asImport: whether the first is the configuration of a profile, and the second a file to import. Then
    ///   a server whose password the file omits is as an import leaves it: without the password it is disabled, and a
    ///   `conflict` if nothing else differs. Otherwise an omitted password is a password.
    public init(from old: PresetFile, to new: PresetFile, asImport: Bool = false) {
        var comparison = Comparison(
            compared: PresetDiffFields(
                oldIsList: old.hasAddressesOnly, newIsList: new.hasAddressesOnly,
                tellsPresets: old.tellsOperators && new.tellsOperators, asImport: asImport),
            oldTellsOperators: old.tellsOperators, newTellsOperators: new.tellsOperators)
        comparison.compareOperators(old.operators, new.operators)
        for serverProtocol in ServerProtocol.allCases {
            comparison.compareServers(
                serverProtocol, old.entries(.init(serverProtocol)) { $0.servers(serverProtocol) },
                new.entries(.init(serverProtocol)) { $0.servers(serverProtocol) })
        }
        comparison.compareRelays(old.entries(.relays, \.relays), new.entries(.relays, \.relays))
        changes = comparison.changes
        unchanged = comparison.unchanged
        notCompared = comparison.notCompared
        entriesNotCompared = comparison.entriesNotCompared
    }
}

extension PresetFile {
    /// The entries of all operators and the custom ones; nil when the preset has no such list.
    fileprivate func entries<Entry>(
        _ list: PresetEntries.List, _ entries: (PresetEntries) -> [Entry]
    ) -> [Placed<Entry>]? {
        guard custom.lists.contains(list) || operators.contains(where: { $0.entries.lists.contains(list) }) else {
            return nil
        }
        return operators.flatMap { entries($0.entries).map { Placed(entry: $0, isPreset: true) } }
            + entries(custom).map { Placed(entry: $0, isPreset: false) }
    }
}

private struct Comparison {
    var changes: [PresetChange] = []
    var unchanged = 0
    var notCompared: [PresetChange.Kind] = []
    var entriesNotCompared: [PresetChange.Kind: Int] = [:]
    let compared: PresetDiffFields
    let oldTellsOperators: Bool
    let newTellsOperators: Bool

    /// Pairs what is the same, in the order of the first and then of the second.
    private mutating func compare<Thing, Key: Hashable>(
        _ old: [Thing], _ new: [Thing], by key: (Thing) -> Key,
        _ line: (PresetChange.Action, Thing, EntryDifference) -> PresetChange,
        ofNew: (Thing) -> EntryDifference, difference: (Thing, Thing) -> EntryDifference
    ) {
        let newByKey = Dictionary(new.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let oldKeys = Set(old.map(key))
        for thing in old {
            guard let other = newByKey[key(thing)] else {
                changes.append(line(.remove, thing, EntryDifference()))
                continue
            }
            let difference = difference(thing, other)
            switch (difference.fields.isEmpty, difference.reason) {
            case (true, nil): unchanged += 1
            case (true, _): changes.append(line(.conflict, thing, difference))
            case (false, _): changes.append(line(.update, thing, difference))
            }
        }
        for thing in new where !oldKeys.contains(key(thing)) { changes.append(line(.add, thing, ofNew(thing))) }
    }

    /// The same of servers or relays. In a configuration without operators, operators' entries are not missing.
    private mutating func compareEntries<Entry, Key: Hashable>(
        _ kind: PresetChange.Kind, _ old: [Placed<Entry>], _ new: [Placed<Entry>], by key: (Entry) -> Key,
        _ line: (PresetChange.Action, Entry, EntryDifference) -> PresetChange,
        ofNew: (Entry) -> EntryDifference, difference: (Placed<Entry>, Placed<Entry>) -> EntryDifference
    ) {
        let compared = compared
        let (oldKeys, newKeys) = (Set(old.map { key($0.entry) }), Set(new.map { key($0.entry) }))
        let comparedOld = newTellsOperators ? old : old.filter { !$0.isPreset || newKeys.contains(key($0.entry)) }
        let comparedNew = oldTellsOperators ? new : new.filter { !$0.isPreset || oldKeys.contains(key($0.entry)) }
        let leftOut = old.count - comparedOld.count + new.count - comparedNew.count
        if leftOut > 0 { entriesNotCompared[kind] = leftOut }
        compare(
            comparedOld, comparedNew,
            by: { key($0.entry) }, { line($0, $1.entry, $2) },
            ofNew: { compared.addressesOnly ? EntryDifference() : ofNew($0.entry) }, difference: difference)
    }

    mutating func compareOperators(_ old: [PresetOperator], _ new: [PresetOperator]) {
        guard oldTellsOperators, newTellsOperators else {
            if oldTellsOperators != newTellsOperators { notCompared.append(.operator) }
            return
        }
        compare(old, new, by: OperatorKey.init) { action, preset, difference in
            PresetChange(action, .operator, name: preset.tradeName, fields: difference.fields)
        } ofNew: {
            EntryDifference(fields: PresetChange.fields(ofNew: $0))
        } difference: { old, new in
            var fields = OperatorFields.differences(of: old, from: new)
            fields.note("enabled", old.isEnabled, new.isEnabled)
            return EntryDifference(fields: fields)
        }
    }

    mutating func compareServers(
        _ serverProtocol: ServerProtocol, _ old: [Placed<PresetServer>]?, _ new: [Placed<PresetServer>]?
    ) {
        guard let old, let new else {
            if old != nil || new != nil { notCompared.append(.init(serverProtocol)) }
            return
        }
        compareEntries(.init(serverProtocol), old, new, by: \.address.key) { action, server, difference in
            PresetChange(
                action, .init(serverProtocol), name: server.address.primaryHost,
                address: server.address.text(withPassword: false), fields: difference.fields,
                reason: difference.reason?.clause)
        } ofNew: { [compared] in
            compared.difference(ofNew: $0)
        } difference: { [compared] old, new in
            compared.difference(old, new)
        }
    }

    mutating func compareRelays(_ old: [Placed<PresetRelay>]?, _ new: [Placed<PresetRelay>]?) {
        guard let old, let new else {
            if old != nil || new != nil { notCompared.append(.relay) }
            return
        }
        compareEntries(.relay, old, new, by: \.address.addressKey) { action, relay, difference in
            PresetChange(action, .relay, name: relay.name, address: relay.address.text, fields: difference.fields)
        } ofNew: {
            EntryDifference(fields: PresetChange.fields(ofNew: $0, isEnabled: $0.isEnabled))
        } difference: { [compared] old, new in
            EntryDifference(fields: compared.fields(old, new))
        }
    }
}

/// How an entry differs, and why an import would not make it as it is on the other side.
struct EntryDifference {
    var fields: [PresetChange.Field] = []
    var reason: PresetReason?
}

/// An entry, and whether it is an operator's.
struct Placed<Entry> {
    let entry: Entry
    let isPreset: Bool
}

/// The fields of an entry that differ in two configurations.
struct PresetDiffFields {
    /// Whether the first is a list of addresses, which has nothing else.
    let oldIsList: Bool
    /// Whether the second is.
    let newIsList: Bool
    /// Whether both have operators, and so their entries.
    let tellsPresets: Bool
    /// Whether the second is a file to import into the profile that the first is.
    let asImport: Bool

    /// Whether nothing but addresses is compared.
    var addressesOnly: Bool { oldIsList || newIsList }

    func difference(ofNew server: PresetServer) -> EntryDifference {
        let isEnabled = asImport ? server.isEnabledWhenNew : server.isEnabled
        let hasPassword = server.address.password != nil || !asImport && server.isPasswordOmitted
        return EntryDifference(
            fields: PresetChange.fields(ofNew: server, isEnabled: isEnabled, hasPassword: hasPassword),
            reason: asImport ? server.reasonToBeOffWhenNew : nil)
    }

    func difference(_ old: Placed<PresetServer>, _ new: Placed<PresetServer>) -> EntryDifference {
        var fields: [PresetChange.Field] = []
        let (from, to) = (old.entry, new.entry)
        fields.note("address", from.address.text(withPassword: false), to.address.text(withPassword: false))
        // An address without a password does not say that the server has no password.
        let tellsPassword =
            !(oldIsList && from.address.password == nil) && !(newIsList && to.address.password == nil)
        // If the file omits what the profile lacks, no import adds the password, and without it the server stays off.
        let lacksOmitted = asImport && tellsPassword && from.lacksOmitted(of: to)
        if tellsPassword, !lacksOmitted { fields += password(from, to) }
        let reason: PresetReason? = lacksOmitted ? .passwordNeverAdded : nil
        if addressesOnly { return EntryDifference(fields: fields, reason: reason) }
        fields.note("enabled", from.isEnabled, to.isEnabled && !lacksOmitted)
        if tellsPresets { fields.note("preset", old.isPreset, new.isPreset) }
        fields.note("roles", from.roles, to.roles) { PresetValue($0) }
        return EntryDifference(fields: fields, reason: reason)
    }

    /// Whether there is a password, and where both are known whether it is the same; never which.
    private func password(_ old: PresetServer, _ new: PresetServer) -> [PresetChange.Field] {
        let known = !old.isPasswordOmitted && !new.isPasswordOmitted
        let (had, has) = (
            old.isPasswordOmitted || old.address.password != nil, new.isPasswordOmitted || new.address.password != nil
        )
        guard had != has || (known && old.address.password != new.address.password) else { return [] }
        return [.init(name: "password", from: had ? .secret : .none, to: has ? .secret : .none)]
    }

    /// The fields of a relay that differ.
    func fields(_ old: Placed<PresetRelay>, _ new: Placed<PresetRelay>) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        let (from, to) = (old.entry, new.entry)
        if !addressesOnly { fields.note("name", from.name, to.name) }
        fields.note("address", from.address.text, to.address.text)
        if addressesOnly { return fields }
        fields.note("domains", from.domains, to.domains)
        fields.note("enabled", from.isEnabled, to.isEnabled)
        if tellsPresets { fields.note("preset", old.isPreset, new.isPreset) }
        return fields
    }
}
