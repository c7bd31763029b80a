/// Why something of a file is not taken, or not as the file says it.
enum PresetReason {
    case ownRelay
    case ownServer
    case presetRelay
    case presetServer
    case otherKey
    case nameTaken
    case nameOf(another: String)
    case calls(String)
    case operatorStays
    case unknownOperator
    case operatorMissing
    case notShipped
    case asShipped(fields: [String])

    /// The words that follow the entry.
    var clause: String {
        switch self {
        case .ownRelay: "the profile has it already as a relay of its own"
        case .ownServer: "the profile has it already as a server of its own"
        case .presetRelay: "a preset relay stays as its operator made it"
        case .presetServer: "a preset server stays as its operator made it"
        case .otherKey: "the file has another key hash for it, which would make it another server"
        case .nameTaken: "another relay of the profile has its name"
        case .nameOf(let name): "another relay has the name \"\(name)\""
        case .calls(let name): "the file calls it \"\(name)\""
        case .operatorStays: "operators stay as they are, unless the file is trusted with them"
        case .unknownOperator: "this build does not know the operator, and the file is not trusted with it"
        case .operatorMissing: "taken as your own: its operator is not in the store"
        case .notShipped: "taken as your own: this build's preset does not have it"
        case .asShipped(let fields):
            "taken as this build's preset has it; the file says another \(fields.joined(separator: ", "))"
        }
    }
}
