import Schema

/// What differs between two configurations: what would have to change in the first to make it the second. Operators and
/// entries are the same when tag or address are, wherever they stand in the file; test results do not count.
/// Rule: docs/presets.md, "Differences".
public struct PresetDiff: Sendable, Hashable {
    /// The differences, operators first: `add` is only in the second, `remove` only in the first.
    public let changes: [PresetChange]
    /// How many operators and entries are the same in both.
    public let unchanged: Int

    /// Compares two configurations. A list that one of them does not have is not compared.
    public init(from old: PresetFile, to new: PresetFile) {
        var comparison = Comparison()
        comparison.compareOperators(old.operators, new.operators)
        for serverProtocol in ServerProtocol.allCases {
            comparison.compareServers(
                serverProtocol, old.entries(.init(serverProtocol)) { $0.servers(serverProtocol) },
                new.entries(.init(serverProtocol)) { $0.servers(serverProtocol) },
                addressesOnly: old.hasAddressesOnly || new.hasAddressesOnly)
        }
        comparison.compareRelays(
            old.entries(.relays, \.relays), new.entries(.relays, \.relays),
            addressesOnly: old.hasAddressesOnly || new.hasAddressesOnly)
        changes = comparison.changes
        unchanged = comparison.unchanged
    }
}

/// An entry, and whether it is an operator's.
private struct Placed<Entry> {
    let entry: Entry
    let isPreset: Bool
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

    /// Pairs what is the same, in the order of the first and then of the second.
    private mutating func compare<Thing, Key: Hashable>(
        _ old: [Thing], _ new: [Thing], by key: (Thing) -> Key,
        _ line: (PresetChange.Action, Thing, [PresetChange.Field]) -> PresetChange,
        fields: (Thing, Thing) -> [PresetChange.Field]
    ) {
        let newByKey = Dictionary(new.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let oldKeys = Set(old.map(key))
        for thing in old {
            guard let other = newByKey[key(thing)] else {
                changes.append(line(.remove, thing, []))
                continue
            }
            let fields = fields(thing, other)
            if fields.isEmpty { unchanged += 1 } else { changes.append(line(.update, thing, fields)) }
        }
        for thing in new where !oldKeys.contains(key(thing)) { changes.append(line(.add, thing, [])) }
    }

    mutating func compareOperators(_ old: [PresetOperator], _ new: [PresetOperator]) {
        compare(old, new, by: OperatorKey.init) { action, preset, fields in
            PresetChange(action, .operator, name: preset.label, fields: fields)
        } fields: { old, new in
            var fields = OperatorFields.differences(of: old, from: new)
            if old.isEnabled != new.isEnabled {
                fields.append(.init(name: "enabled", from: .flag(old.isEnabled), to: .flag(new.isEnabled)))
            }
            return fields
        }
    }

    mutating func compareServers(
        _ serverProtocol: ServerProtocol, _ old: [Placed<PresetServer>]?, _ new: [Placed<PresetServer>]?,
        addressesOnly: Bool
    ) {
        guard let old, let new else { return }
        compare(old, new, by: \.entry.address.key) { action, server, fields in
            PresetChange(
                action, .init(serverProtocol), name: server.entry.address.primaryHost,
                address: server.entry.address.text(withPassword: false), fields: fields)
        } fields: { old, new in
            addressesOnly ? [] : Self.fields(old, new)
        }
    }

    mutating func compareRelays(
        _ old: [Placed<PresetRelay>]?, _ new: [Placed<PresetRelay>]?, addressesOnly: Bool
    ) {
        guard let old, let new else { return }
        compare(old, new, by: \.entry.address.addressKey) { action, relay, fields in
            PresetChange(
                action, .relay, name: relay.entry.name, address: relay.entry.address.text, fields: fields)
        } fields: { old, new in
            addressesOnly ? [] : Self.fields(old, new)
        }
    }

    private static func fields(_ old: Placed<PresetServer>, _ new: Placed<PresetServer>) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        let (from, to) = (old.entry.address.text(withPassword: false), new.entry.address.text(withPassword: false))
        if from != to { fields.append(.init(name: "address", from: .text(from), to: .text(to))) }
        fields += password(old.entry, new.entry)
        fields += switches(old.entry.isEnabled, new.entry.isEnabled, old.isPreset, new.isPreset)
        if old.entry.roles != new.entry.roles {
            fields.append(.init(name: "roles", from: .init(old.entry.roles), to: .init(new.entry.roles)))
        }
        return fields
    }

    /// Whether there is a password, and where both are known whether it is the same; never which.
    private static func password(_ old: PresetServer, _ new: PresetServer) -> [PresetChange.Field] {
        let known = !old.isPasswordOmitted && !new.isPasswordOmitted
        let (had, has) = (
            old.isPasswordOmitted || old.address.password != nil, new.isPasswordOmitted || new.address.password != nil
        )
        guard had != has || (known && old.address.password != new.address.password) else { return [] }
        return [.init(name: "password", from: had ? .secret : .none, to: has ? .secret : .none)]
    }

    private static func fields(_ old: Placed<PresetRelay>, _ new: Placed<PresetRelay>) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        let (from, to) = (old.entry, new.entry)
        if from.name != to.name { fields.append(.init(name: "name", from: .text(from.name), to: .text(to.name))) }
        if from.address.text != to.address.text {
            fields.append(.init(name: "address", from: .text(from.address.text), to: .text(to.address.text)))
        }
        if from.domains != to.domains {
            fields.append(.init(name: "domains", from: .texts(from.domains), to: .texts(to.domains)))
        }
        return fields + switches(from.isEnabled, to.isEnabled, old.isPreset, new.isPreset)
    }

    private static func switches(
        _ wasEnabled: Bool, _ isEnabled: Bool, _ wasPreset: Bool, _ isPreset: Bool
    ) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        if wasEnabled != isEnabled {
            fields.append(.init(name: "enabled", from: .flag(wasEnabled), to: .flag(isEnabled)))
        }
        if wasPreset != isPreset {
            fields.append(.init(name: "preset", from: .flag(wasPreset), to: .flag(isPreset)))
        }
        return fields
    }
}
