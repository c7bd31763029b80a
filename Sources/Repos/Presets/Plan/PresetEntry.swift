import ChatDBReposChat
import ChatDBSchema

/// The interface that servers and relays of a preset share.
protocol PresetEntry {
    associatedtype Key: Hashable

    /// The identity of an entry.
    var key: Key { get }
    /// The identity in the user's choices.
    var choiceKey: PresetEntryKey { get }
    var isEnabled: Bool { get set }
    var tested: Bool? { get set }

    /// The fields in which another entry differs from this one, whether it is enabled and tested apart.
    func differences(from said: Self) -> [String]
}

extension PresetEntry {
    /// The entry switched on or off.
    func switched(_ isEnabled: Bool) -> Self {
        var entry = self
        entry.isEnabled = isEnabled
        return entry
    }

    /// The entry without the result of a test.
    var untested: Self {
        var entry = self
        entry.tested = nil
        return entry
    }

    /// Why this entry is taken instead of another that is said to be the same; nil when it makes no difference.
    func reason(against said: Self) -> PresetReason? {
        let fields = differences(from: said)
        return fields.isEmpty ? nil : .asShipped(fields: fields)
    }
}

extension PresetServer: PresetEntry {
    var key: ServerKey { address.key }
    var choiceKey: PresetEntryKey { address.choiceKey }

    func differences(from said: PresetServer) -> [String] {
        var fields: [String] = []
        if address.text(withPassword: false) != said.address.text(withPassword: false) { fields.append("address") }
        if address.password != said.address.password || said.isPasswordOmitted { fields.append("password") }
        if roles != said.roles { fields.append("roles") }
        return fields
    }
}

extension PresetServer {
    /// Whether a profile that does not have the server gets it enabled. Without its password it would fail at once.
    var isEnabledWhenNew: Bool { isEnabled && !isPasswordOmitted }

    /// Why such a profile gets it disabled, although the file enables it; nil if it does not.
    var reasonToBeOffWhenNew: PresetReason? { isEnabled && isPasswordOmitted ? .passwordOmitted : nil }

    /// Whether another side omits a password of this server, and this side has none.
    func lacksOmitted(of other: PresetServer) -> Bool {
        other.isPasswordOmitted && !isPasswordOmitted && address.password == nil
    }
}

extension PresetRelay: PresetEntry {
    var key: String { address.addressKey }
    var choiceKey: PresetEntryKey { .relay(address.addressKey) }

    func differences(from said: PresetRelay) -> [String] {
        var fields: [String] = []
        if name != said.name { fields.append("name") }
        if address.text != said.address.text { fields.append("address") }
        if domains != said.domains { fields.append("domains") }
        return fields
    }
}

extension PresetChoice {
    /// The reason why an entry comes back disabled; nil when it comes back enabled.
    var reasonToStayOff: PresetReason? {
        switch self {
        case .enabled: nil
        case .disabled, .unknown: .wasDisabled
        case .deleted: .wasDeleted
        }
    }
}

/// Why something of a file is not taken, or not as the file says it.
enum PresetReason {
    case ownRelay
    case ownServer
    case presetRelay
    case presetServer
    case otherKey
    case nameTaken
    case numbered(String)
    case nameOf(another: String)
    case calls(String)
    case operatorStays
    case unknownOperator
    case operatorMissing
    case notShipped
    case asShipped(fields: [String])
    case wasDisabled
    case wasDeleted
    case passwordOmitted
    case passwordNeverAdded

    /// The words that follow the entry.
    var clause: String {
        switch self {
        case .ownRelay: "the profile has it already as a custom relay"
        case .ownServer: "the profile has it already as a custom server"
        case .presetRelay: "a preset relay cannot be changed"
        case .presetServer: "a preset server cannot be changed"
        case .otherKey: "the file has another key hash for it, and so means another server"
        case .nameTaken: "another relay of the profile has its name"
        case .numbered(let name): "gets a number, because another relay has the name \"\(name)\""
        case .nameOf(let name): "another relay has the name \"\(name)\""
        case .calls(let name): "the file calls it \"\(name)\""
        case .operatorStays: "operators stay as they are, unless the file is trusted"
        case .unknownOperator: "this build does not know the operator, and the file is not trusted"
        case .operatorMissing: "imported as custom: its operator is not in the store"
        case .notShipped: "imported as custom: this build's preset does not have it"
        case .asShipped(let fields):
            "imported as in this build's preset; the file has another \(fields.joined(separator: ", "))"
        case .wasDisabled: "comes back disabled, as the user left it"
        case .wasDeleted: "comes back disabled, because the user deleted it"
        case .passwordOmitted: "the file omits its password"
        case .passwordNeverAdded: "the file omits its password, so no import adds the password"
        }
    }
}
