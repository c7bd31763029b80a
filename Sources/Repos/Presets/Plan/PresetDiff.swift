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
            PresetChange(action, .operator, name: preset.tradeName, fields: fields)
        } fields: { old, new in
            var fields = OperatorFields.differences(of: old, from: new)
            fields.note("enabled", old.isEnabled, new.isEnabled)
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
        let (from, to) = (old.entry, new.entry)
        fields.note("address", from.address.text(withPassword: false), to.address.text(withPassword: false))
        fields += password(from, to)
        fields.note("enabled", from.isEnabled, to.isEnabled)
        fields.note("preset", old.isPreset, new.isPreset)
        fields.note("roles", from.roles, to.roles) { PresetValue($0) }
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
        fields.note("name", from.name, to.name)
        fields.note("address", from.address.text, to.address.text)
        fields.note("domains", from.domains, to.domains)
        fields.note("enabled", from.isEnabled, to.isEnabled)
        fields.note("preset", old.isPreset, new.isPreset)
        return fields
    }
}
