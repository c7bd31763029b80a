import ChatDBSchema

/// What bringing a profile in line with a preset changes. The same preset, profile and seed give the same plan, and
/// what is applied is the plan that was shown.
public struct PresetPlan: Sendable, Hashable {
    /// What happens, operators first, then entry by entry.
    public internal(set) var changes: [PresetChange] = []
    /// How many operators and entries stay as they are.
    public internal(set) var unchanged = 0
    /// What to tell besides, a clause each: a server whose password has to be entered.
    public internal(set) var notes: [String] = []

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
