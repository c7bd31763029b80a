import Schema

/// What a file says of an operator beside whether it is used.
enum OperatorFields {
    static func differences(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields = names(of: stored, from: preset)
        if stored.smpRoles != preset.smpRoles {
            fields.append(.init(name: "smpRoles", from: roles(stored.smpRoles), to: roles(preset.smpRoles)))
        }
        if stored.xftpRoles != preset.xftpRoles {
            fields.append(.init(name: "xftpRoles", from: roles(stored.xftpRoles), to: roles(preset.xftpRoles)))
        }
        return fields
    }

    /// Names and domains only, which is what follows a shipped preset.
    static func names(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        if stored.tradeName != preset.tradeName {
            fields.append(.init(name: "tradeName", from: .text(stored.tradeName), to: .text(preset.tradeName)))
        }
        if stored.legalName != preset.legalName {
            fields.append(.init(name: "legalName", from: .init(stored.legalName), to: .init(preset.legalName)))
        }
        if stored.domains != preset.domains {
            fields.append(.init(name: "domains", from: .texts(stored.domains), to: .texts(preset.domains)))
        }
        return fields
    }

    private static func roles(_ roles: ServerRoles) -> PresetValue {
        .texts([("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)].filter(\.1).map(\.0))
    }
}
