import ChatDBSchema

/// What is different between two states of a thing, in the order of a preset.
extension [PresetChange.Field] {
    /// Notes a field, if it is different.
    mutating func note<Value: Equatable>(
        _ name: String, _ from: Value, _ to: Value, _ shown: (Value) -> PresetValue
    ) {
        if from != to { append(PresetChange.Field(name: name, from: shown(from), to: shown(to))) }
    }

    mutating func note(_ name: String, _ from: String, _ to: String) { note(name, from, to) { .text($0) } }

    mutating func note(_ name: String, _ from: [String], _ to: [String]) { note(name, from, to) { .texts($0) } }

    mutating func note(_ name: String, _ from: Bool, _ to: Bool) { note(name, from, to) { .flag($0) } }

    /// A password, of which is told only that there is one.
    mutating func notePassword(_ from: String?, _ to: String?) {
        note("password", from, to) { $0 == nil ? .none : .secret }
    }

    mutating func noteTested(_ from: Bool?, _ to: Bool?) {
        note("tested", from, to) { $0.map(PresetValue.flag) ?? .none }
    }
}

extension PresetChange {
    /// What is told of a relay that is new.
    static func fields(ofNew relay: PresetRelay, isEnabled: Bool) -> [Field] {
        var fields: [Field] = []
        fields.note("domains", [], relay.domains) { $0.isEmpty ? .none : .texts($0) }
        return fields + [Field(name: "enabled", from: .none, to: .flag(isEnabled))]
    }

    /// What is told of a server that is new.
    static func fields(ofNew server: PresetServer, isEnabled: Bool) -> [Field] {
        var fields = [Field(name: "enabled", from: .none, to: .flag(isEnabled))]
        fields.note("roles", ServerRoleChoices(), server.roles) { PresetValue($0) }
        return fields
    }

    /// What is told of an operator that is new.
    static func fields(ofNew preset: PresetOperator) -> [Field] {
        var fields: [Field] = []
        fields.note("domains", [], preset.domains) { $0.isEmpty ? .none : .texts($0) }
        return fields + [Field(name: "enabled", from: .none, to: .flag(preset.isEnabled))]
    }

    /// Fields of a relay that change.
    static func fields(_ from: ChatRelay, _ to: ChatRelay) -> [Field] {
        var fields: [Field] = []
        fields.note("name", from.name, to.name)
        fields.note("address", from.address, to.address)
        fields.note("domains", from.domains, to.domains)
        fields.note("enabled", from.isEnabled, to.isEnabled)
        fields.noteTested(from.tested, to.tested)
        return fields
    }

    /// Fields of a server that change.
    static func fields(_ from: ProtocolServer, _ to: ProtocolServer) -> [Field] {
        var fields: [Field] = []
        fields.note("address", from.addressText(), to.addressText())
        fields.notePassword(from.password, to.password)
        fields.note("enabled", from.isEnabled, to.isEnabled)
        fields.noteTested(from.tested, to.tested)
        fields.note("roles", from.roles, to.roles) { PresetValue($0) }
        return fields
    }
}

extension PresetValue {
    /// Where a server differs from its operator; none is as the operator.
    init(_ roles: ServerRoleChoices) {
        let choices = [("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)]
        let texts = choices.compactMap { name, value in value.map { "\(name) \($0 ? "on" : "off")" } }
        self = texts.isEmpty ? .none : .texts(texts)
    }
}
