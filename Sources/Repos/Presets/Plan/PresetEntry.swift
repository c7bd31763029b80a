import ChatDBReposChat
import ChatDBSchema

/// What servers and relays of a preset have in common.
protocol PresetEntry {
    associatedtype Key: Hashable

    /// What makes two entries the same.
    var key: Key { get }
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

    func differences(from said: PresetServer) -> [String] {
        var fields: [String] = []
        if address.text(withPassword: false) != said.address.text(withPassword: false) { fields.append("address") }
        if address.password != said.address.password || said.isPasswordOmitted { fields.append("password") }
        if roles != said.roles { fields.append("roles") }
        return fields
    }
}

extension PresetRelay: PresetEntry {
    var key: String { address.addressKey }

    func differences(from said: PresetRelay) -> [String] {
        var fields: [String] = []
        if name != said.name { fields.append("name") }
        if address.text != said.address.text { fields.append("address") }
        if domains != said.domains { fields.append("domains") }
        return fields
    }
}
