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
    /// A password, which is not told.
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
    /// What happens.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// It is new.
        case add
        /// Fields of it change.
        case update
        /// It goes.
        case remove
        /// It goes out of sight and stays for the channels that use it.
        case softDelete
        /// It was soft-deleted and comes back.
        case restore
        /// It is not taken; `reason` tells why. Nothing changes.
        case conflict
    }

    /// What it happens to.
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
        /// What it was.
        public let from: PresetValue
        /// What it is going to be.
        public let to: PresetValue
    }

    /// What happens.
    public let action: Action
    /// What it happens to.
    public let kind: Kind
    /// The name: of an operator its trade name, of a relay its name, of a server its primary host.
    public let name: String
    /// The address, without a password; nil for an operator.
    public let address: String?
    /// What changes, in the order of a preset; of a new entry its domains or roles, and whether it is enabled.
    public let fields: [Field]
    /// How many channels use the relay; nil for anything else.
    public let channelsUsing: Int?
    /// Why it is not taken, or not taken as it was meant, a clause; nil for what is taken as it is.
    public let reason: String?
    /// Whether it is a conflict that somebody has to decide about before anything is done.
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

/// What bringing a profile in line with a preset changes. The same preset, profile and seed give the same plan, and
/// what is applied is the plan that was shown.
public struct PresetPlan: Sendable, Hashable {
    /// What happens, operators first, then entry by entry.
    public internal(set) var changes: [PresetChange] = []
    /// How many operators and entries stay as they are.
    public internal(set) var unchanged = 0
    /// What to tell besides, a clause each: a server whose password has to be entered.
    public internal(set) var notes: [String] = []
    /// How many entries are on in the profile and off in the file, or the other way, and stay as they are.
    public internal(set) var otherSwitches = 0

    var steps: [PresetStep] = []

    /// What it was made against.
    let state: PresetState

    init(for state: PresetState) { self.state = state }

    /// Whether applying it changes anything; conflicts do not.
    public var changesAnything: Bool { !steps.isEmpty }

    /// The conflicts that somebody has to decide about; nothing is done while there are any.
    public var blocking: [PresetChange] { changes.filter(\.isBlocking) }

    mutating func add(_ change: PresetChange, _ step: PresetStep) { add(change, [step]) }

    mutating func add(_ change: PresetChange, _ steps: [PresetStep]) {
        changes.append(change)
        self.steps += steps
    }
}

/// How a change is made.
enum PresetStep: Sendable, Hashable {
    case removeRelay(ChatRelay)
    case removeServer(ProtocolServerID)
    case updateOperator(ServerOperatorID, PresetOperator)
    case updateRelay(ChatRelay, over: ChatRelay)
    case updateServer(ProtocolServer)
    case enableOperator(ServerOperatorID, Bool)
    case setOperatorRoles(ServerOperatorID, smp: ServerRoles, xftp: ServerRoles)
    case addOperator(PresetOperator)
    case restoreRelay(ChatRelayID, PresetRelay, isPreset: Bool, isEnabled: Bool)
    case addRelay(PresetRelay, isPreset: Bool, isEnabled: Bool)
    case addServer(PresetServer, isPreset: Bool, isEnabled: Bool)

    /// What goes makes room for what changes, and that for what comes: an address is unique at every moment.
    var phase: Int {
        switch self {
        case .removeRelay, .removeServer: 0
        case .updateOperator, .updateRelay, .updateServer, .enableOperator, .setOperatorRoles: 1
        case .addOperator, .restoreRelay, .addRelay, .addServer: 2
        }
    }
}
