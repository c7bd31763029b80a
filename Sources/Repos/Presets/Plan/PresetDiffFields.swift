import ChatDBSchema

/// An entry, and whether it is an operator's.
struct Placed<Entry> {
    let entry: Entry
    let isPreset: Bool
}

/// Which fields of the same entry are different in two configurations.
struct PresetDiffFields {
    /// Whether the first is a list of addresses, which tells nothing else.
    let oldIsList: Bool
    /// Whether the second is.
    let newIsList: Bool
    /// Whether both tell of operators, and so of what came with them.
    let tellsPresets: Bool

    /// Whether nothing but addresses is compared.
    var addressesOnly: Bool { oldIsList || newIsList }

    func fields(_ old: Placed<PresetServer>, _ new: Placed<PresetServer>) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        let (from, to) = (old.entry, new.entry)
        fields.note("address", from.address.text(withPassword: false), to.address.text(withPassword: false))
        // An address without a password does not say that there is none.
        let tellsPassword =
            !(oldIsList && from.address.password == nil) && !(newIsList && to.address.password == nil)
        if tellsPassword { fields += password(from, to) }
        if addressesOnly { return fields }
        fields.note("enabled", from.isEnabled, to.isEnabled)
        if tellsPresets { fields.note("preset", old.isPreset, new.isPreset) }
        fields.note("roles", from.roles, to.roles) { PresetValue($0) }
        return fields
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
