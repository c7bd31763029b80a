import ChatDBSchema

/// What a file says of an operator beside whether it is used.
enum OperatorFields {
    static func differences(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields = names(of: stored, from: preset)
        fields.note("smpRoles", stored.smpRoles, preset.smpRoles, shown)
        fields.note("xftpRoles", stored.xftpRoles, preset.xftpRoles, shown)
        return fields
    }

    /// Names and domains only, which is what follows a shipped preset.
    static func names(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        fields.note("tradeName", stored.tradeName, preset.tradeName)
        fields.note("legalName", stored.legalName, preset.legalName) { PresetValue($0) }
        fields.note("domains", stored.domains, preset.domains)
        return fields
    }

    private static func shown(_ roles: ServerRoles) -> PresetValue {
        .texts([("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)].filter(\.1).map(\.0))
    }
}

extension PresetOperator {
    /// With what the store has of it where the preset tells nothing, which is nothing against what is there.
    func completed(from stored: PresetOperator) -> PresetOperator {
        var preset = self
        preset.legalName = legalName ?? stored.legalName
        if domains.isEmpty { preset.domains = stored.domains }
        if !tellsRoles { (preset.smpRoles, preset.xftpRoles) = (stored.smpRoles, stored.xftpRoles) }
        return preset
    }
}
