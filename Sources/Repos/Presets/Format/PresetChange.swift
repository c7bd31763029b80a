package import ChatDBSchema

/// A value of a field before or after a change.
public enum PresetValue: Sendable, Hashable {
    /// No value.
    case none
    /// True or false.
    case flag(Bool)
    /// A text.
    case text(String)
    /// Texts in their order.
    case texts([String])
    /// A password, which is not shown.
    case secret

    init(_ text: String?) { self = text.map(PresetValue.text) ?? .none }

    package var json: JSONValue {
        switch self {
        case .none: .null
        case .flag(let value): .bool(value)
        case .text(let text): .string(text)
        case .texts(let texts): JSONValue(texts)
        case .secret: "(secret)"
        }
    }
}

/// One line of a plan: what happens to one entry of a profile, or to an operator.
public struct PresetChange: Sendable, Hashable {
    /// The action.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// The entry is added.
        case add
        /// Fields of it change.
        case update
        /// The entry is removed.
        case remove
        /// The relay is soft-deleted: channels that refer to it keep it.
        case softDelete
        /// The relay was soft-deleted and comes back.
        case restore
        /// The entry is not imported; `reason` says why. Nothing changes.
        case conflict
    }

    /// The kind of entry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An operator, which all profiles of the store share.
        case `operator`
        /// An SMP server.
        case smpServer
        /// An XFTP server.
        case xftpServer
        /// A relay.
        case relay

        init(_ serverProtocol: ServerProtocol) {
            switch serverProtocol {
            case .smp: self = .smpServer
            case .xftp: self = .xftpServer
            }
        }
    }

    /// A field that changes.
    public struct Field: Sendable, Hashable {
        /// Its name in a preset.
        public let name: String
        /// The value before.
        public let from: PresetValue
        /// The value after.
        public let to: PresetValue
    }

    /// The action.
    public let action: Action
    /// The kind of entry.
    public let kind: Kind
    /// The name: of an operator its trade name, of a relay its name, of a server its primary host.
    public let name: String
    /// The address, without a password; nil for an operator.
    public let address: String?
    /// The changed fields, in the order of a preset. For a new entry: its domains or roles, and whether it is enabled.
    public let fields: [Field]
    /// The number of channels that use the relay; nil for other entries.
    public let channelsUsing: Int?
    /// Why it is not taken, or not taken as it was meant, a clause; nil for what is taken as it is.
    public let reason: String?
    /// Whether it is a conflict that the user has to decide about before anything is done.
    public let isBlocking: Bool

    init(
        _ action: Action, _ kind: Kind, name: String, address: String? = nil, fields: [Field] = [],
        channelsUsing: Int? = nil, reason: String? = nil, isBlocking: Bool = false
    ) {
        self.action = action
        self.kind = kind
        self.name = name
        self.address = address
        self.fields = fields
        self.channelsUsing = channelsUsing
        self.reason = reason
        self.isBlocking = isBlocking
    }
}

/// The differences between two states of an entry, in the order of a preset.
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

    /// A password: only its presence is shown.
    mutating func notePassword(_ from: String?, _ to: String?) {
        note("password", from, to) { $0 == nil ? .none : .secret }
    }

    mutating func noteTested(_ from: Bool?, _ to: Bool?) {
        note("tested", from, to) { $0.map(PresetValue.flag) ?? .none }
    }
}

extension PresetChange {
    /// The fields shown for a new relay.
    static func fields(ofNew relay: PresetRelay, isEnabled: Bool) -> [Field] {
        var fields: [Field] = []
        fields.note("domains", [], relay.domains) { $0.isEmpty ? .none : .texts($0) }
        return fields + [Field(name: "enabled", from: .none, to: .flag(isEnabled))]
    }

    /// The fields shown for a new server.
    static func fields(ofNew server: PresetServer, isEnabled: Bool, hasPassword: Bool) -> [Field] {
        var fields = hasPassword ? [Field(name: "password", from: .none, to: .secret)] : []
        fields.append(Field(name: "enabled", from: .none, to: .flag(isEnabled)))
        fields.note("roles", ServerRoleChoices(), server.roles) { PresetValue($0) }
        return fields
    }

    /// The fields shown for a new operator.
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
    /// The roles in which a server differs from its operator; empty when it has those of the operator.
    init(_ roles: ServerRoleChoices) {
        let choices = [("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)]
        let texts = choices.compactMap { name, value in value.map { "\(name) \($0 ? "on" : "off")" } }
        self = texts.isEmpty ? .none : .texts(texts)
    }
}
